#include "optimize/product_synthesis/linear_reduction.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <numeric>
#include <optional>
#include <unordered_map>
#include <utility>

#include "optimize/linear/linear_synthesis.hpp"
#include "optimize/products/bit_matrix.hpp"
#include "quartz/base/errors.hpp"

namespace quartz::optimizer {
namespace {

/// Sections of columns with which maps on many wires are eliminated.
constexpr std::array<std::size_t, 5> kSections{3, 4, 5, 6, 7};

/// Rows of bits that are added to each other.
class PackedRows {
 public:
  explicit PackedRows(const std::vector<LinearForm>& rows)
      : words_(rows.empty() ? 0 : rows[0].num_blocks()) {
    for (const LinearForm& row : rows) boost::to_block_range(row, std::back_inserter(bits_));
  }

  [[nodiscard]] bool has(std::size_t row, std::size_t column) const {
    return (bits_[row * words_ + column / 64] >> (column % 64) & 1U) != 0;
  }
  void add(std::size_t to, std::size_t row) {
    for (std::size_t i = 0; i < words_; ++i) bits_[to * words_ + i] ^= bits_[row * words_ + i];
  }
  [[nodiscard]] std::size_t count(std::size_t row) const {
    std::size_t count = 0;
    for (std::size_t i = 0; i < words_; ++i) {
      count += static_cast<std::size_t>(std::popcount(bits_[row * words_ + i]));
    }
    return count;
  }
  /// Returns the number of ones of the sum of two rows.
  [[nodiscard]] std::size_t count_of_sum(std::size_t one, std::size_t other) const {
    std::size_t count = 0;
    for (std::size_t i = 0; i < words_; ++i) {
      count += static_cast<std::size_t>(
          std::popcount(bits_[one * words_ + i] ^ bits_[other * words_ + i]));
    }
    return count;
  }
  /// Returns up to 16 bits of a row.
  [[nodiscard]] unsigned section(std::size_t row, std::size_t first, std::size_t end) const {
    unsigned pattern = 0;
    for (std::size_t column = first; column < end; ++column) {
      pattern |= static_cast<unsigned>(has(row, column)) << (column - first);
    }
    return pattern;
  }

 private:
  std::size_t words_;
  std::vector<std::uint64_t> bits_;
};

/// How the ones of a row count in a descent: their number, or its logarithm, by which the last ones
/// of each row count more.
enum class OnesMeasure { kNumber, kLogarithm };

/// Reduces a linear map by CNOTs at its inputs, each of which adds one column to another one.
class ConnectedMapDescent {
 public:
  ConnectedMapDescent(const std::vector<LinearForm>& rows, OnesMeasure measure)
      : wires_(rows.size()),
        columns_(transpose(rows)),
        inverse_(inverse_of(rows)),
        value_of_(wires_ + 1),
        gains_(wires_ * wires_),
        best_(wires_) {
    for (std::size_t ones = 1; ones < value_of_.size(); ++ones) {
      const auto number = static_cast<double>(ones);
      value_of_[ones] = measure == OnesMeasure::kNumber ? number : std::log2(number);
    }
    for (std::size_t control = 0; control < wires_; ++control) update_row(control);
  }

  /// Returns CNOTs that apply the map, which end with those of an elimination.
  [[nodiscard]] std::vector<NetworkCnot> run() {
    for (;;) {
      std::size_t control = 0;
      for (std::size_t other = 1; other < wires_; ++other) {
        if (gain(other, best_[other]) > gain(control, best_[control])) control = other;
      }
      const std::size_t target = best_[control];
      if (gain(control, target) <= kLeastGain) break;
      apply(control, target);
      update(control);
      update(target);
    }
    eliminate();
    return std::move(cnots_);
  }

 private:
  /// Smaller differences of sums are rounding errors.
  static constexpr float kLeastGain = 1e-4F;

  [[nodiscard]] float gain(std::size_t control, std::size_t target) const {
    return gains_[control * wires_ + target];
  }
  [[nodiscard]] float gain_of(std::size_t control, std::size_t target) const {
    if (control == target) return 0;
    const double before = value_of_[columns_.count(control)] + value_of_[inverse_.count(target)];
    const double after = value_of_[columns_.count_of_sum(control, target)] +
                         value_of_[inverse_.count_of_sum(target, control)];
    return static_cast<float>(before - after);
  }
  void apply(std::size_t control, std::size_t target) {
    cnots_.push_back({static_cast<std::uint32_t>(control), static_cast<std::uint32_t>(target)});
    columns_.add(control, target);
    inverse_.add(target, control);
  }
  void update_row(std::size_t control) {
    for (std::size_t target = 0; target < wires_; ++target) {
      gains_[control * wires_ + target] = gain_of(control, target);
    }
    find_best(control);
  }
  void find_best(std::size_t control) {
    const auto row = gains_.begin() + static_cast<std::ptrdiff_t>(control * wires_);
    best_[control] = static_cast<std::size_t>(
        std::max_element(row, row + static_cast<std::ptrdiff_t>(wires_)) - row);
  }
  /// Computes the gains that depend on a wire again.
  void update(std::size_t wire) {
    update_row(wire);
    for (std::size_t control = 0; control < wires_; ++control) {
      if (control == wire) continue;
      float& gain = gains_[control * wires_ + wire];
      const float before = std::exchange(gain, gain_of(control, wire));
      if (best_[control] == wire && gain < before) {
        find_best(control);
      } else if (gain > this->gain(control, best_[control])) {
        best_[control] = wire;
      }
    }
  }
  /// Gaussian elimination, by columns.
  void eliminate() {
    for (std::size_t row = 0; row < wires_; ++row) {
      std::size_t pivot = row;
      while (pivot < wires_ && !columns_.has(pivot, row)) ++pivot;
      ensure(pivot < wires_, "the rows of a linear map are independent");
      if (pivot != row) apply(row, pivot);
      for (std::size_t column = 0; column < wires_; ++column) {
        if (column != row && columns_.has(column, row)) apply(column, row);
      }
    }
  }

  std::size_t wires_;
  PackedRows columns_;
  PackedRows inverse_;
  std::vector<double> value_of_;   ///< for each number of ones
  std::vector<float> gains_;       ///< for each control (row) and target of a CNOT
  std::vector<std::size_t> best_;  ///< the best target for each control
  std::vector<NetworkCnot> cnots_;
};

/// Appends CNOTs that clear the rows of a map below the diagonal, a section of columns at a time:
/// rows that are equal in the section are added first, which clears several ones by one CNOT
/// (Patel, Markov, Hayes, arXiv quant-ph/0302002).
void clear_below_diagonal(PackedRows& rows, std::size_t wires, std::size_t section,
                          std::vector<NetworkCnot>& cnots) {
  const auto add = [&](std::size_t row, std::size_t to) {
    rows.add(to, row);
    cnots.push_back({static_cast<std::uint32_t>(row), static_cast<std::uint32_t>(to)});
  };
  for (std::size_t first = 0; first < wires; first += section) {
    const std::size_t end = std::min(first + section, wires);
    std::unordered_map<unsigned, std::size_t> known;
    for (std::size_t row = first; row < wires; ++row) {
      const unsigned pattern = rows.section(row, first, end);
      if (pattern == 0) continue;
      const auto [entry, is_new] = known.try_emplace(pattern, row);
      if (!is_new) add(entry->second, row);
    }
    for (std::size_t column = first; column < end; ++column) {
      bool has_pivot = rows.has(column, column);
      for (std::size_t row = column + 1; row < wires; ++row) {
        if (!rows.has(row, column)) continue;
        if (!has_pivot) add(row, column);
        has_pivot = true;
        add(column, row);
      }
    }
  }
}

/// Returns CNOTs that apply a map, by elimination in sections of columns.
std::vector<NetworkCnot> eliminated(const std::vector<LinearForm>& rows, std::size_t section) {
  const std::size_t wires = rows.size();
  std::vector<NetworkCnot> lower;
  PackedRows left(rows);
  clear_below_diagonal(left, wires, section, lower);
  std::vector<LinearForm> upper_rows(wires, LinearForm(wires));  // transposed
  for (std::size_t row = 0; row < wires; ++row) {
    for (std::size_t column = row; column < wires; ++column) {
      if (left.has(row, column)) upper_rows[column].set(row);
    }
  }
  std::vector<NetworkCnot> cnots;
  PackedRows upper(upper_rows);
  clear_below_diagonal(upper, wires, section, cnots);
  // CNOTs of the transposed map, with control and target exchanged, follow in the opposite order.
  for (NetworkCnot& cnot : cnots) std::swap(cnot.control, cnot.target);
  cnots.insert(cnots.end(), lower.rbegin(), lower.rend());
  return cnots;
}

void keep_fewer(std::vector<NetworkCnot>& best, std::vector<NetworkCnot> other) {
  if (other.size() < best.size()) best = std::move(other);
}

/// Returns CNOTs for a linear map whose wires CNOTs connect.
std::vector<NetworkCnot> cnots_of_connected_map(const std::vector<LinearForm>& rows) {
  std::vector<NetworkCnot> cnots = ConnectedMapDescent(rows, OnesMeasure::kNumber).run();
  if (rows.size() > kMaxLinearWires) {
    keep_fewer(cnots, ConnectedMapDescent(rows, OnesMeasure::kLogarithm).run());
    for (const std::size_t section : kSections) keep_fewer(cnots, eliminated(rows, section));
    return cnots;
  }
  LinearMap map(rows.size());
  for (const NetworkCnot& cnot : cnots) {
    map.append({static_cast<std::uint8_t>(cnot.control), static_cast<std::uint8_t>(cnot.target)});
  }
  const std::optional<std::vector<LinearCnot>> fewer = synthesize_linear_map(map, cnots.size());
  if (!fewer) return cnots;
  cnots.clear();
  for (const LinearCnot& cnot : *fewer) cnots.push_back({cnot.control, cnot.target});
  return cnots;
}

/// Returns the wires of a linear map in groups: no output in one of them depends on an input in
/// another one.
std::vector<std::vector<std::uint32_t>> connected_wires(const std::vector<LinearForm>& rows) {
  std::vector<std::size_t> parent(rows.size());
  std::iota(parent.begin(), parent.end(), 0);
  const auto root = [&](std::size_t wire) {
    while (parent[wire] != wire) wire = parent[wire] = parent[parent[wire]];
    return wire;
  };
  for (std::size_t row = 0; row < rows.size(); ++row) {
    for (auto i = rows[row].find_first(); i != LinearForm::npos; i = rows[row].find_next(i)) {
      parent[root(i)] = root(row);
    }
  }
  std::vector<std::vector<std::uint32_t>> groups(rows.size());
  for (std::uint32_t wire = 0; wire < rows.size(); ++wire) groups[root(wire)].push_back(wire);
  std::erase_if(groups, [](const auto& group) { return group.size() < 2; });
  return groups;
}

}  // namespace

std::vector<LinearForm> inverse_of(std::vector<LinearForm> rows) {
  std::optional<BitMatrix> inverted = inverse(std::move(rows));
  ensure(inverted.has_value(), "the rows of a linear map are independent");
  return *std::move(inverted);
}

std::vector<NetworkCnot> cnots_of_linear_map(const std::vector<LinearForm>& rows) {
  std::vector<NetworkCnot> cnots;
  for (const std::vector<std::uint32_t>& wires : connected_wires(rows)) {
    std::vector<LinearForm> of_group;
    for (const std::uint32_t row : wires) {
      LinearForm& form = of_group.emplace_back(wires.size());
      for (std::size_t i = 0; i < wires.size(); ++i) form[i] = rows[row][wires[i]];
    }
    for (const NetworkCnot& cnot : cnots_of_connected_map(of_group)) {
      cnots.push_back({wires[cnot.control], wires[cnot.target]});
    }
  }
  return cnots;
}

}  // namespace quartz::optimizer
