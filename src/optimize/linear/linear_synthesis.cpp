#include "optimize/linear/linear_synthesis.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <optional>
#include <unordered_map>
#include <utility>

namespace quartz::optimizer {
namespace {

using LinearCnots = std::vector<LinearCnot>;

/// Larger sections of columns never pay for up to 64 wires.
constexpr std::size_t kMaxSection = 6;

LinearCnot cnot(std::size_t control, std::size_t target) {
  return {static_cast<std::uint8_t>(control), static_cast<std::uint8_t>(target)};
}

/// Reduces a map to the identity by CNOTs that are appended to its circuit, and records them.
class Reduction {
 public:
  explicit Reduction(LinearMap map) : map_(std::move(map)) {}

  [[nodiscard]] const LinearMap& map() const { return map_; }
  [[nodiscard]] const LinearCnots& cnots() const { return cnots_; }
  [[nodiscard]] bool has(std::size_t row, std::size_t column) const {
    return (map_.row(row) >> column & 1U) != 0;
  }
  void append(std::size_t control, std::size_t target) {
    cnots_.push_back(cnot(control, target));
    map_.append(cnots_.back());
  }
  /// Returns CNOTs that apply the map which the reduction began with.
  [[nodiscard]] LinearCnots reversed() const { return {cnots_.rbegin(), cnots_.rend()}; }

 private:
  LinearMap map_;
  LinearCnots cnots_;
};

/// Clears what is below the diagonal, a section of columns at a time. Rows that are equal in the
/// section are added first, which clears several ones by one CNOT.
void clear_below_diagonal(Reduction& reduction, std::size_t section) {
  const std::size_t wires = reduction.map().wires();
  for (std::size_t first = 0; first < wires; first += section) {
    const std::size_t end = std::min(first + section, wires);
    const std::uint64_t width = (std::uint64_t{1} << (end - first)) - 1;
    std::unordered_map<std::uint64_t, std::size_t> rows;
    for (std::size_t row = first; row < wires; ++row) {
      const std::uint64_t pattern = reduction.map().row(row) >> first & width;
      if (pattern == 0) continue;
      const auto [known, is_new] = rows.try_emplace(pattern, row);
      if (!is_new) reduction.append(known->second, row);
    }
    for (std::size_t column = first; column < end; ++column) {
      bool has_pivot = reduction.has(column, column);
      for (std::size_t row = column + 1; row < wires; ++row) {
        if (!reduction.has(row, column)) continue;
        if (!has_pivot) reduction.append(row, column);
        has_pivot = true;
        reduction.append(column, row);
      }
    }
  }
}

LinearCnots eliminated(const LinearMap& map, std::size_t section) {
  Reduction lower(map);
  clear_below_diagonal(lower, section);
  // The rest is upper triangular. Its transpose is cleared below the diagonal by CNOTs whose
  // transposes, with control and target exchanged, follow each other in the opposite order.
  Reduction upper(lower.map().transposed());
  clear_below_diagonal(upper, section);
  LinearCnots cnots;
  for (const LinearCnot& each : upper.cnots()) cnots.push_back({each.target, each.control});
  const LinearCnots rest = lower.reversed();
  cnots.insert(cnots.end(), rest.begin(), rest.end());
  return cnots;
}

/// The descent. A CNOT changes a row of the map, and a row of the transposed inverse.
class Descent {
 public:
  explicit Descent(const LinearMap& map) : reduction_(map), inverse_(map.inverse().transposed()) {
    for (std::size_t ones = 1; ones < logarithms_.size(); ++ones) {
      logarithms_[ones] = std::log2(static_cast<double>(ones));
    }
  }

  /// Returns CNOTs that apply the map, or nothing if they are `most` or more.
  [[nodiscard]] std::optional<LinearCnots> run(std::size_t most) {
    while (reduction_.cnots().size() < most) {
      const std::optional<LinearCnot> best = steepest();
      if (!best) return finished(most);
      reduction_.append(best->control, best->target);
      inverse_.append({best->target, best->control});
    }
    return std::nullopt;
  }

 private:
  /// Smaller differences of the sums are rounding errors.
  static constexpr double kLeastDescent = 1e-9;

  [[nodiscard]] double ones(std::uint64_t row) const {
    return logarithms_[static_cast<std::size_t>(std::popcount(row))];
  }

  [[nodiscard]] std::optional<LinearCnot> steepest() const {
    const LinearMap& map = reduction_.map();
    double least = -kLeastDescent;
    std::optional<LinearCnot> best;
    for (std::size_t control = 0; control < map.wires(); ++control) {
      for (std::size_t target = 0; target < map.wires(); ++target) {
        if (control == target) continue;
        const double change = ones(map.row(target) ^ map.row(control)) - ones(map.row(target)) +
                              ones(inverse_.row(control) ^ inverse_.row(target)) -
                              ones(inverse_.row(control));
        if (change >= least) continue;
        least = change;
        best = cnot(control, target);
      }
    }
    return best;
  }

  /// Finishes at a permutation by exchanging wires, and at any other local minimum by elimination.
  [[nodiscard]] std::optional<LinearCnots> finished(std::size_t most) {
    LinearCnots cnots;
    if (!is_permutation()) {
      cnots = eliminated(reduction_.map(), 2);
    } else {
      for (std::size_t wire = 0; wire < reduction_.map().wires(); ++wire) {
        while (!reduction_.has(wire, wire)) {
          const auto other = static_cast<std::size_t>(std::countr_zero(reduction_.map().row(wire)));
          for (const auto& [control, target] :
               {std::pair(wire, other), std::pair(other, wire), std::pair(wire, other)}) {
            reduction_.append(control, target);
          }
        }
      }
    }
    const LinearCnots rest = reduction_.reversed();
    cnots.insert(cnots.end(), rest.begin(), rest.end());
    if (cnots.size() >= most) return std::nullopt;
    return cnots;
  }

  [[nodiscard]] bool is_permutation() const {
    for (std::size_t wire = 0; wire < reduction_.map().wires(); ++wire) {
      if (std::popcount(reduction_.map().row(wire)) != 1) return false;
    }
    return true;
  }

  Reduction reduction_;
  LinearMap inverse_;  ///< the inverse of the map, transposed
  std::array<double, kMaxLinearWires + 1> logarithms_{};
};

/// Returns CNOTs for a map from those for its transpose.
LinearCnots transposed(const LinearCnots& cnots) {
  LinearCnots result;
  for (auto each = cnots.rbegin(); each != cnots.rend(); ++each) {
    result.push_back({each->target, each->control});
  }
  return result;
}

}  // namespace

std::optional<LinearCnots> synthesize_linear_map(const LinearMap& map, std::size_t most) {
  std::optional<LinearCnots> best;
  const LinearMap other = map.transposed();
  for (const bool is_transposed : {false, true}) {
    const LinearMap& own = is_transposed ? other : map;
    const auto consider = [&](const LinearCnots& found) {
      if (found.size() >= most) return;
      most = found.size();
      best = is_transposed ? transposed(found) : found;
    };
    for (std::size_t section = 1; section <= std::min(kMaxSection, map.wires()); ++section) {
      consider(eliminated(own, section));
    }
    if (const std::optional<LinearCnots> found = Descent(own).run(most)) consider(*found);
  }
  return best;
}

}  // namespace quartz::optimizer
