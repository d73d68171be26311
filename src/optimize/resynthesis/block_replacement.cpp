#include "optimize/resynthesis/block_replacement.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <span>

#include "optimize/state/numeric_angle.hpp"
#include "quartz/base/errors.hpp"

namespace quartz::optimizer {
namespace {

template <typename Predicate>
bool all_angles(std::span<const Operation> gates, Predicate&& predicate) {
  return std::all_of(gates.begin(), gates.end(), [&](const Operation& operation) {
    return std::all_of(operation.angles.begin(), operation.angles.end(), predicate);
  });
}

}  // namespace

void mark_numeric(BlockReplacement& replacement) {
  // The phase between rz(pi/4) and t is e^{i pi/8}.
  replacement.numeric = !all_angles(replacement.before, is_eighth_turns) ||
                        !all_angles(replacement.after, is_eighth_turns) ||
                        !is_eighth_turns(replacement.phase * Rational(2));
}

bool permits_angles(Exactness exactness, const BlockReplacement& replacement) {
  switch (exactness) {
    case Exactness::numeric:
      return true;
    case Exactness::exact:
      return !replacement.numeric;
    case Exactness::keep:
      return !all_angles(replacement.before, is_simple_fraction) ||
             (all_angles(replacement.after, is_simple_fraction) &&
              is_simple_fraction(replacement.phase));
  }
  throw InternalError("an exactness without a meaning");
}

bool is_allowed(const BlockReplacement& replacement, Exactness exactness, Inputs inputs) {
  return permits_angles(exactness, replacement) &&
         preserves_exact_fractions(replacement.before, replacement.after, replacement.phase,
                                   inputs);
}

namespace {

/// Records replacements in a list of gates.
class ReplacementRecorder {
 public:
  explicit ReplacementRecorder(std::span<const Operation> gates)
      : gates_(gates),
        recorder_(gates.size()),
        numbers_(gates.size()),
        inserted_(gates.size() + 1) {
    std::iota(numbers_.begin(), numbers_.end(), 0U);
  }

  void record(const PlacedReplacement& placed) {
    std::size_t first = 0;
    std::vector<circuit::GateNumber> removed;  // begins with the rotation from the list before
    for (std::size_t i = 0; i < placed.inserted.size(); ++i) {
      const bool is_last = i + 1 == placed.inserted.size();
      const std::size_t end = is_last ? placed.removed.size() : first + placed.removed_by_list[i];
      for (; first < end; ++first) removed.push_back(numbers_[placed.removed[first]]);
      const auto& [place, list] = placed.inserted[i];
      std::vector<Operation> after = list;
      if (!is_last) after.push_back(placed.passing[i].before);
      circuit::GateNumber number = recorder_.next_number();
      recorder_.rewrite(removed, {}, after);
      for (std::size_t k = 0; k < list.size(); ++k) inserted_[place].push_back(number++);
      if (!is_last) removed = {pass(placed.passing[i], number)};
    }
    for (const std::size_t place : placed.removed) numbers_[place] = kRemoved;
  }

  [[nodiscard]] circuit::HistoryPointer finish() && {
    std::vector<circuit::GateNumber> order;
    for (std::size_t i = 0; i <= numbers_.size(); ++i) {
      order.insert(order.end(), inserted_[i].begin(), inserted_[i].end());
      if (i < numbers_.size() && numbers_[i] != kRemoved) order.push_back(numbers_[i]);
    }
    return std::move(recorder_).finish(std::move(order));
  }

 private:
  static constexpr circuit::GateNumber kRemoved = ~circuit::GateNumber{0};

  /// Moves the rotation with this number through a gate, which gets another number. Returns the new
  /// number of the rotation.
  [[nodiscard]] circuit::GateNumber pass(const Passing& passing, circuit::GateNumber rotation) {
    const Operation& gate = gates_[passing.gate];
    const std::array<circuit::GateNumber, 2> removed{rotation, numbers_[passing.gate]};
    const std::array<Operation, 2> after{gate, passing.after};
    const circuit::GateNumber number = recorder_.next_number();
    recorder_.rewrite(removed, {}, after);
    numbers_[passing.gate] = number;
    return number + 1;
  }

  std::span<const Operation> gates_;
  circuit::HistoryRecorder recorder_;
  std::vector<circuit::GateNumber> numbers_;                ///< current number of each gate
  std::vector<std::vector<circuit::GateNumber>> inserted_;  ///< before each gate, and at the end
};

/// Returns the gates after all replacements.
std::vector<Operation> replaced(std::vector<Operation> gates,
                                std::vector<PlacedReplacement>& replacements) {
  std::vector<bool> removed(gates.size(), false);
  std::vector<std::vector<Operation>> inserted(gates.size() + 1);
  for (PlacedReplacement& placed : replacements) {
    for (const std::size_t place : placed.removed) removed[place] = true;
    for (auto& [place, added] : placed.inserted) {
      std::move(added.begin(), added.end(), std::back_inserter(inserted[place]));
    }
  }
  std::vector<Operation> result;
  for (std::size_t i = 0; i <= gates.size(); ++i) {
    std::move(inserted[i].begin(), inserted[i].end(), std::back_inserter(result));
    if (i < gates.size() && !removed[i]) result.push_back(std::move(gates[i]));
  }
  return result;
}

}  // namespace

circuit::HistoryPointer history_of(std::span<const Operation> gates,
                                   std::span<const PlacedReplacement> replacements) {
  ReplacementRecorder recorder(gates);
  for (const PlacedReplacement& placed : replacements) recorder.record(placed);
  return std::move(recorder).finish();
}

void make_replacements(circuit::DerivedGates& circuit,
                       std::vector<PlacedReplacement>& replacements) {
  if (replacements.empty()) return;
  const bool is_numeric = std::ranges::any_of(
      replacements, [](const PlacedReplacement& placed) { return placed.replacement.numeric; });
  circuit.derivation = circuit.derivation.then(
      circuit::Derivation::by(history_of(circuit.gates, replacements), is_numeric));
  circuit.gates = replaced(std::move(circuit.gates), replacements);
  for (const PlacedReplacement& placed : replacements) {
    circuit.phase.add_phase(placed.replacement.phase);
  }
}

}  // namespace quartz::optimizer
