#include "optimize/products/parity_phases.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <vector>

namespace quartz::optimizer {
namespace {

std::vector<std::size_t> wires_of(const LinearForm& form) {
  std::vector<std::size_t> wires;
  for (auto wire = form.find_first(); wire != LinearForm::npos; wire = form.find_next(wire)) {
    wires.push_back(wire);
  }
  return wires;
}

/// The phase as a polynomial in the bits of x, in eighths: a parity of the bits in y is
///   sum of x_i - 2 sum of x_i x_j + 4 sum of x_i x_j x_k  modulo 8, over different i, j, k in y.
class Coefficients {
 public:
  explicit Coefficients(std::size_t wires)
      : linear_(wires), low_(wires, LinearForm(wires)), high_(wires, LinearForm(wires)) {}

  void add(const LinearForm& form, unsigned eighths) {
    const std::vector<std::size_t> wires = wires_of(form);
    for (const std::size_t i : wires) {
      linear_[i] += eighths;
      // Counts the parities with each pair of wires, modulo 4, in two bits for each pair.
      if (eighths % 2 != 0) {
        high_[i] ^= low_[i] & form;
        low_[i] ^= form;
      }
      if (eighths / 2 % 2 != 0) high_[i] ^= form;
    }
    if (eighths % 2 != 0) add_cubic(form, wires);
  }

  [[nodiscard]] bool all_zero() const {
    return std::all_of(linear_.begin(), linear_.end(),
                       [](unsigned eighths) { return eighths % 8 == 0; }) &&
           pairs_are_zero() && std::all_of(cubic_.begin(), cubic_.end(), [](const auto& entry) {
             return entry.second.none();
           });
  }

 private:
  void add_cubic(const LinearForm& form, const std::vector<std::size_t>& wires) {
    for (std::size_t second = 1; second < wires.size(); ++second) {
      LinearForm later = form;
      for (std::size_t before = 0; before <= second; ++before) later.reset(wires[before]);
      if (later.none()) break;
      for (std::size_t first = 0; first < second; ++first) {
        LinearForm& coefficients =
            cubic_.try_emplace({wires[first], wires[second]}, LinearForm(form.size()))
                .first->second;
        coefficients ^= later;
      }
    }
  }

  [[nodiscard]] bool pairs_are_zero() const {
    for (std::size_t i = 0; i < linear_.size(); ++i) {
      LinearForm pairs = low_[i] | high_[i];
      pairs.reset(i);  // a bit and itself is no pair
      if (pairs.any()) return false;
    }
    return true;
  }

  std::vector<unsigned> linear_;
  std::vector<LinearForm> low_;
  std::vector<LinearForm> high_;
  /// Keys are pairs of wires; the value is the third wires of their cubic terms, which come after
  /// both.
  std::map<std::pair<std::size_t, std::size_t>, LinearForm> cubic_;
};

}  // namespace

void add_phase(ParityPhases& phases, const LinearForm& form, int eighths) {
  const int modulo = (eighths % 8 + 8) % 8;
  if (modulo == 0 || form.none()) return;
  const auto [entry, is_new] = phases.try_emplace(form, std::uint8_t{0});
  entry->second = static_cast<std::uint8_t>((entry->second + modulo) % 8);
  if (entry->second == 0) phases.erase(entry);
}

ParityPhases phases_of(const ProductNetwork& network) {
  ParityPhases phases;
  for (const ParityPhase& phase : network.phases) add_phase(phases, phase.form, phase.eighths);
  for (const Product& product : network.products) {
    const auto& [f, g, h] = product.forms;
    for (const LinearForm& form : product.forms) add_phase(phases, form, 1);
    add_phase(phases, f ^ g, -1);
    add_phase(phases, f ^ h, -1);
    add_phase(phases, g ^ h, -1);
    add_phase(phases, f ^ g ^ h, 1);
  }
  return phases;
}

bool is_same_unitary(const ParityPhases& a, const ParityPhases& b) {
  ParityPhases difference = a;
  for (const auto& [form, eighths] : b) add_phase(difference, form, -static_cast<int>(eighths));
  if (difference.empty()) return true;
  Coefficients coefficients(difference.begin()->first.size());
  for (const auto& [form, eighths] : difference) coefficients.add(form, eighths);
  return coefficients.all_zero();
}

bool agree_on_random_states(const ParityPhases& a, const ParityPhases& b, FastRandom& random) {
  ParityPhases difference = a;
  for (const auto& [form, eighths] : b) add_phase(difference, form, -static_cast<int>(eighths));
  if (difference.empty()) return true;
  // Bit i of word w of each of these is for state 64 w + i.
  constexpr std::size_t kWords = 8;
  using Values = std::array<std::uint64_t, kWords>;
  std::vector<Values> wires(difference.begin()->first.size());
  for (Values& wire : wires) std::ranges::generate(wire, std::ref(random));
  std::array<Values, 3> sum{};  // the phases in eighths, as binary numbers
  for (const auto& [form, eighths] : difference) {
    Values value{};
    for (auto wire = form.find_first(); wire != LinearForm::npos; wire = form.find_next(wire)) {
      for (std::size_t word = 0; word < kWords; ++word) value[word] ^= wires[wire][word];
    }
    for (std::size_t digit = 0; digit < sum.size(); ++digit) {
      if ((eighths >> digit & 1U) == 0) continue;
      Values carry = value;
      for (std::size_t higher = digit; higher < sum.size(); ++higher) {
        for (std::size_t word = 0; word < kWords; ++word) {
          const std::uint64_t both = sum.at(higher)[word] & carry[word];
          sum.at(higher)[word] ^= carry[word];
          carry[word] = both;
        }
      }
    }
  }
  return std::ranges::all_of(sum, [](const Values& digits) { return digits == Values{}; });
}

}  // namespace quartz::optimizer
