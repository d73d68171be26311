#include "certify/simulation/instruments.hpp"

#include <fmt/format.h>

#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>
#include <vector>

#include "base/text/bound_text.hpp"
#include "certify/problem/classical.hpp"
#include "certify/simulation/branch_operators.hpp"
#include "certify/simulation/operator_norm.hpp"

namespace quartz::certify {
namespace {

using JoinedOperators = Eigen::MatrixXcd;

constexpr const char* kInstruments = "operators of all branches in double precision";
/// The most qubits of the right circuit together with those for the columns of operators.
constexpr std::size_t kMostBranchWires = 20;
constexpr std::size_t kMostBranchInputs = 7;
/// The most branches that end with the same contents.
constexpr std::size_t kMostOperators = 128;
/// Weightings of the inputs that are tried for the least distance.
constexpr int kWeightings = 32;

bool is_followed(const Operation& operation) {
  return operation.kind == OperationKind::gate || operation.kind == OperationKind::barrier ||
         is_branch_point(operation);
}

/// Returns the qubits whose first operation is a reset that always happens, as flags.
std::vector<bool> reset_at_start(const Circuit& circuit) {
  std::vector<bool> used(circuit.qubit_count(), false);
  std::vector<bool> reset(circuit.qubit_count(), false);
  for (const Operation& operation : circuit.operations) {
    if (operation.kind == OperationKind::barrier) continue;
    const bool is_reset = operation.kind == OperationKind::reset && operation.conditions().empty();
    for (const Qubit qubit : operation.qubits) {
      if (is_reset && !used[qubit]) reset[qubit] = true;
      used[qubit] = true;
    }
  }
  return reset;
}

/// Returns the qubits of the left circuit whose state at the start matters in one of the circuits.
std::vector<Qubit> inputs_of(const Circuit& left, const Circuit& right) {
  const std::vector<bool> in_left = reset_at_start(left);
  const std::vector<bool> in_right = reset_at_start(right);
  std::vector<Qubit> inputs;
  for (Qubit qubit = 0; qubit < left.qubit_count(); ++qubit) {
    if (!in_left[qubit] || !in_right[qubit]) inputs.push_back(qubit);
  }
  return inputs;
}

/// The operators of the branches that end with the same contents, one a column: rows of the
/// operator first.
struct Content {
  std::vector<std::vector<Complex>> left;
  std::vector<std::vector<Complex>> right;
};

JoinedOperators joined(const std::vector<std::vector<Complex>>& operators, std::size_t entries,
                       std::size_t count) {
  JoinedOperators result =
      JoinedOperators::Zero(static_cast<Eigen::Index>(entries), static_cast<Eigen::Index>(count));
  for (std::size_t i = 0; i < operators.size(); ++i) {
    for (std::size_t k = 0; k < entries; ++k) {
      result(static_cast<Eigen::Index>(k), static_cast<Eigen::Index>(i)) = operators[i][k];
    }
  }
  return result;
}

/// What a comparison with one weighting of the inputs finds.
struct Distances {
  double at_most = 0;   ///< without the errors of rounding
  double at_least = 0;  ///< as computed
};

class InstrumentComparison {
 public:
  InstrumentComparison(const Circuit& left, const Circuit& right, const Budget& budget)
      : inputs_(inputs_of(left, right)),
        rows_(std::size_t{1} << left.qubit_count()),
        columns_(std::size_t{1} << inputs_.size()),
        bit_count_(left.bit_count()),
        budget_(budget) {
    std::map<Bits, Content> contents;
    std::size_t most = 1;
    follow(
        left, [&](const Bits& bits) -> auto& { return contents[bits].left; });
    follow(
        right, [&](const Bits& bits) -> auto& { return contents[bits].right; });
    for (const auto& [bits, content] : contents) {
      const std::size_t count = std::max(content.left.size(), content.right.size());
      most = std::max(most, count);
      pairs_.push_back({joined(content.left, rows_ * columns_, count),
                        joined(content.right, rows_ * columns_, count)});
    }
    const auto operators = static_cast<double>(most);
    // The second part is that of products with a unitary of the environment.
    rounding_ +=
        rounding_of_gates(left.operations.size() + right.operations.size(), columns_) +
        8 * kRoundingUnit * operators * std::sqrt(operators * static_cast<double>(columns_));
  }

  /// Compares the isometries with the unitary of the environment that is best for the weighting,
  /// and moves the weighting towards the input for which they differ the most.
  [[nodiscard]] Distances compare() {
    const auto columns = static_cast<Eigen::Index>(columns_);
    if (weighting_.size() == 0) {
      weighting_ = JoinedOperators::Identity(columns, columns) / static_cast<double>(columns_);
    }
    JoinedOperators gram = JoinedOperators::Zero(columns, columns);
    double imprecision = 0;
    for (const Pair& pair : pairs_) {
      if (budget_.spent()) throw OutOfBudget();
      const JoinedOperators turn = unitary_factor(weighted(pair.right).adjoint() * pair.left);
      imprecision = std::max(
          imprecision,
          (turn.adjoint() * turn - JoinedOperators::Identity(turn.cols(), turn.cols())).norm());
      const JoinedOperators difference = pair.left - pair.right * turn;
      const auto rows = static_cast<Eigen::Index>(rows_);
      for (Eigen::Index i = 0; i < difference.cols(); ++i) {
        const Eigen::Map<const JoinedOperators> one(difference.col(i).data(), rows, columns);
        gram += one.adjoint() * one;
      }
    }
    const double least = std::sqrt(std::max(0.0, (weighting_ * gram).trace().real()));
    ++weightings_;
    const double step = 2.0 / (weightings_ + 2.0);
    weighting_ = (1 - step) * weighting_ + step * projector_on_largest(gram);
    return {norm_of(gram) + imprecision, least};
  }

  [[nodiscard]] double rounding() const { return rounding_; }

 private:
  struct Pair {
    JoinedOperators left;
    JoinedOperators right;
  };

  /// Adds the operators of all branches of a circuit to the lists of the contents at their ends.
  template <typename ListOf>
  void follow(const Circuit& circuit, const ListOf& list_of) {
    const std::size_t all_rows = std::size_t{1} << circuit.qubit_count();
    const auto visit = [&](const MatrixState& state, const Bits& bits) {
      auto& operators = list_of(Bits(bits.begin(), bits.begin() + bit_count_));
      entries_ += state.size();
      // The operators are kept twice, and a third time as they are weighted.
      const double bytes = 3.0 * sizeof(Complex) * static_cast<double>(entries_);
      // The values of the ancillas are part of the environment.
      for (std::size_t ancillas = 0; ancillas < all_rows; ancillas += rows_) {
        std::vector<Complex> part(rows_ * columns_);
        bool is_zero = true;
        for (std::size_t column = 0; column < columns_; ++column) {
          for (std::size_t row = 0; row < rows_; ++row) {
            const Complex entry = state[column * all_rows + ancillas + row];
            part[column * rows_ + row] = entry;
            is_zero = is_zero && entry == Complex(0);
          }
        }
        if (is_zero) continue;
        if (operators.size() == kMostOperators || bytes > budget_.memory_bytes / 2) {
          throw Unsupported{"there are too many branches"};
        }
        operators.push_back(std::move(part));
      }
    };
    rounding_ +=
        follow_branches(circuit, embedding(circuit.qubit_count(), inputs_), budget_, visit);
  }

  /// Returns the operators multiplied by the weighting of the inputs.
  [[nodiscard]] JoinedOperators weighted(const JoinedOperators& operators) const {
    JoinedOperators result(operators.rows(), operators.cols());
    const auto rows = static_cast<Eigen::Index>(rows_);
    const auto columns = static_cast<Eigen::Index>(columns_);
    for (Eigen::Index i = 0; i < operators.cols(); ++i) {
      const Eigen::Map<const JoinedOperators> one(operators.col(i).data(), rows, columns);
      Eigen::Map<JoinedOperators>(result.col(i).data(), rows, columns) = one * weighting_;
    }
    return result;
  }

  /// Returns the unitary U V^dagger for the singular value decomposition U S V^dagger.
  static JoinedOperators unitary_factor(const JoinedOperators& matrix) {
    const Eigen::JacobiSVD<JoinedOperators, Eigen::NoQRPreconditioner> decomposition(
        matrix, Eigen::ComputeFullU | Eigen::ComputeFullV);
    return decomposition.matrixU() * decomposition.matrixV().adjoint();
  }

  /// Returns roughly the projector on the eigenvector with the largest eigenvalue; any projector is
  /// permitted.
  static JoinedOperators projector_on_largest(const JoinedOperators& gram) {
    constexpr int kMultiplications = 40;
    Eigen::Index largest = 0;
    gram.diagonal().cwiseAbs().maxCoeff(&largest);
    Eigen::VectorXcd vector = gram.col(largest);
    if (vector.norm() == 0) vector(largest) = 1;
    vector.normalize();
    for (int i = 0; i < kMultiplications; ++i) {
      const Eigen::VectorXcd next = gram * vector;
      if (next.norm() == 0) break;
      vector = next.normalized();
    }
    return vector * vector.adjoint();
  }

  static double norm_of(const JoinedOperators& gram) {
    std::vector<std::vector<Complex>> columns;
    for (Eigen::Index i = 0; i < gram.cols(); ++i) {
      columns.emplace_back(gram.col(i).data(), gram.col(i).data() + gram.rows());
    }
    return std::sqrt(operator_norm_bound(columns));
  }

  std::vector<Qubit> inputs_;
  std::size_t rows_;
  std::size_t columns_;
  std::uint32_t bit_count_;
  const Budget& budget_;
  std::size_t entries_ = 0;  ///< number in all operators
  std::vector<Pair> pairs_;
  double rounding_ = 0;
  JoinedOperators weighting_;  ///< a density operator of the inputs
  int weightings_ = 0;
};

Comparison compare_followed(const Circuit& left, const Circuit& right, double epsilon,
                            const Budget& budget) {
  const double tolerance = tolerance_of(epsilon);
  InstrumentComparison comparison(left, right, budget);
  double at_most = std::numeric_limits<double>::infinity();
  double at_least = 0;
  for (int i = 0; i < kWeightings; ++i) {
    const Distances distances = comparison.compare();
    at_most = std::min(at_most, distances.at_most + comparison.rounding());
    at_least = std::max(at_least, distances.at_least - comparison.rounding());
    if (at_most <= tolerance || at_least > tolerance + kVisibleDifference) break;
  }
  // A distance that is not a number is not within the limit.
  if (at_most <= tolerance) {
    Comparison result =
        equal_by(fmt::format("{}, distance below {}", kInstruments, upper_bound_text(at_most)));
    result.distance = at_most;
    return result;
  }
  if (at_least > tolerance + kVisibleDifference) {
    return different_by(kInstruments, "the distance is at least " + lower_bound_text(at_least));
  }
  return unknown_because(kInstruments,
                         "the distance is only known to be below " + upper_bound_text(at_most));
}

}  // namespace

Comparison compare_instruments(const Circuit& left, const Circuit& right, double epsilon,
                               const Budget& budget) {
  const auto unknown = [](std::string reason) {
    return unknown_because(kInstruments, std::move(reason));
  };
  for (const Circuit* circuit : {&left, &right}) {
    if (!std::ranges::all_of(circuit->operations, is_followed)) {
      return unknown("there are operations without a matrix");
    }
    if (has_free_parameters(*circuit)) return unknown("samples of free parameters prove nothing");
  }
  try {
    const Circuit single_left = with_single_qubit_boundaries(left);
    const Circuit single_right = with_single_qubit_boundaries(right);
    const std::size_t inputs = inputs_of(single_left, single_right).size();
    if (inputs > kMostBranchInputs || inputs + right.qubit_count() > kMostBranchWires) {
      return unknown("there are too many qubits");
    }
    return compare_followed(single_left, single_right, epsilon, budget);
  } catch (const OutOfBudget&) {
    return out_of_time(kInstruments);
  } catch (const Unsupported& unsupported) {
    return unknown(unsupported.what);
  }
}

}  // namespace quartz::certify
