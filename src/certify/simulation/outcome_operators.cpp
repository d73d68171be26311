#include "certify/simulation/outcome_operators.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include "base/text/bound_text.hpp"
#include "certify/simulation/branch_operators.hpp"
#include "certify/simulation/operator_norm.hpp"

namespace quartz::certify {
namespace {

constexpr const char* kOutcomeOperators = "operators of all outcomes in double precision";
/// The most data qubits, and the most qubits together with as many for the columns of matrices.
constexpr std::uint32_t kMostDataQubits = 7;
constexpr std::uint32_t kMostWires = 24;

bool is_gate_or_nothing(const Operation& operation) {
  return operation.kind == OperationKind::barrier || !operation.is_boundary();
}

class OutcomeOperators {
 public:
  OutcomeOperators(const Circuit& left, const Circuit& right, const Budget& budget)
      : left_(left),
        right_(right),
        budget_(budget),
        columns_(std::size_t{1} << left.qubit_count()),
        gram_(columns_, std::vector<Complex>(columns_)),
        crossed_(columns_, std::vector<Complex>(columns_)) {}

  /// Returns a bound on the distance. Throws OutOfBudget and Unsupported.
  double distance() {
    std::vector<Qubit> inputs(left_.qubit_count());
    std::iota(inputs.begin(), inputs.end(), Qubit{0});
    unitary_ = embedding(left_.qubit_count(), inputs);
    for (const Operation& operation : left_.operations) {
      apply_to_rows(operation, unitary_, budget_);
    }
    const double dropped =
        follow_branches(right_, embedding(right_.qubit_count(), inputs), budget_,
                        [&](MatrixState& state, const Bits& /*bits*/) { add_outcome(state); });
    return least_norm() + dropped +
           rounding_of_gates(left_.operations.size() + right_.operations.size(), columns_);
  }

 private:
  /// Returns a bound on the norm of all differences A_b - e^{i phase} U g_b together, for g_b whose
  /// squares add up to 1.
  [[nodiscard]] double norm_at(double phase) const {
    const Complex shift = 1.0 - std::polar(1.0 / std::sqrt(weight_), phase);
    std::vector<std::vector<Complex>> gram = gram_;
    for (std::size_t i = 0; i < columns_; ++i) {
      gram[i][i] += std::norm(shift) * weight_;
      for (std::size_t j = 0; j < columns_; ++j) {
        gram[j][i] += times(std::conj(shift), crossed_[j][i]);
        gram[j][i] += times(shift, std::conj(crossed_[i][j]));
      }
    }
    return std::sqrt(operator_norm_bound(gram));
  }

  /// Returns the least bound for any phase. The closest g_b are those in the Frobenius norm, whose
  /// phases are means of the errors' eigenvalues; in the operator norm, the middle between the
  /// extreme ones is closer. The norm is a convex function of the factor, so that a golden-section
  /// search finds it.
  [[nodiscard]] double least_norm() const {
    constexpr double kGolden = 0.6180339887498949;
    constexpr int kIterations = 16;
    const double start = norm_at(0);
    double low = -start;
    double high = start;
    double least = start;
    for (int i = 0; i < kIterations; ++i) {
      const double left = high - kGolden * (high - low);
      const double right = low + kGolden * (high - low);
      const double at_left = norm_at(left);
      const double at_right = norm_at(right);
      least = std::min({least, at_left, at_right});
      (at_left < at_right ? high : low) = at_left < at_right ? right : left;
    }
    return least;
  }

  /// Adds D^dagger D and (U g)^dagger D for the difference D of an outcome's operator and its
  /// target, U times the closest state g of the ancillas.
  void add_outcome(MatrixState& state) {
    const std::size_t rows = state.size() / columns_;
    MatrixState target(state.size());
    for (std::size_t ancillas = 0; ancillas < rows; ancillas += columns_) {
      Complex overlap = 0;
      for (std::size_t column = 0; column < columns_; ++column) {
        for (std::size_t row = 0; row < columns_; ++row) {
          overlap += times(std::conj(unitary_[column * columns_ + row]),
                           state[column * rows + ancillas + row]);
        }
      }
      overlap /= static_cast<double>(columns_);
      weight_ += std::norm(overlap);
      for (std::size_t column = 0; column < columns_; ++column) {
        for (std::size_t row = 0; row < columns_; ++row) {
          const std::size_t entry = column * rows + ancillas + row;
          target[entry] = times(overlap, unitary_[column * columns_ + row]);
          state[entry] -= target[entry];
        }
      }
    }
    for (std::size_t first = 0; first < columns_; ++first) {
      if (budget_.spent()) throw OutOfBudget();
      for (std::size_t second = 0; second < columns_; ++second) {
        Complex sum = 0;
        Complex crossed = 0;
        for (std::size_t row = 0; row < rows; ++row) {
          const Complex& entry = state[second * rows + row];
          sum += times(std::conj(state[first * rows + row]), entry);
          crossed += times(std::conj(target[first * rows + row]), entry);
        }
        gram_[second][first] += sum;
        crossed_[second][first] += crossed;
      }
    }
  }

  const Circuit& left_;
  const Circuit& right_;
  const Budget& budget_;
  std::size_t columns_;
  MatrixState unitary_;
  std::vector<std::vector<Complex>> gram_;     ///< the sum of D^dagger D over all outcomes
  std::vector<std::vector<Complex>> crossed_;  ///< the sum of (U g_b)^dagger D
  double weight_ = 0;                          ///< the sum of |g_b|^2 before they are scaled
};

}  // namespace

Comparison compare_outcome_operators(const Circuit& left, const Circuit& right, double epsilon,
                                     const Budget& budget) {
  const auto unknown = [](const char* reason) {
    return unknown_because(kOutcomeOperators, reason);
  };
  if (!std::ranges::all_of(left.operations, is_gate_or_nothing)) {
    return unknown("the first circuit has other operations than gates");
  }
  if (has_free_parameters(left) || has_free_parameters(right)) {
    return unknown("samples of free parameters prove nothing");
  }
  if (left.qubit_count() > kMostDataQubits ||
      left.qubit_count() + right.qubit_count() > kMostWires) {
    return unknown("there are too many qubits");
  }
  try {
    const Circuit single = with_single_qubit_boundaries(right);
    const double distance = OutcomeOperators(left, single, budget).distance();
    // A distance that is not a number is not within the limit.
    if (!(distance <= std::max(epsilon, kRoundingTolerance))) {
      return unknown_because(kOutcomeOperators, "the distance is only known to be below " +
                                                    upper_bound_text(distance));
    }
    Comparison result = equal_by(
        fmt::format("{}, distance below {}", kOutcomeOperators, upper_bound_text(distance)));
    result.distance = distance;
    return result;
  } catch (const OutOfBudget&) {
    return out_of_time(kOutcomeOperators);
  } catch (const Unsupported& unsupported) {
    return unknown_because(kOutcomeOperators, unsupported.what);
  }
}

}  // namespace quartz::certify
