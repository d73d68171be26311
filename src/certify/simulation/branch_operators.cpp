#include "certify/simulation/branch_operators.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "certify/problem/instance.hpp"
#include "certify/problem/problem.hpp"
#include "certify/simulation/state_vector.hpp"

namespace quartz::certify {
namespace {

/// Branches whose operators are smaller are not followed.
constexpr double kSmallestOperator = 1e-14;

double norm_of_entries(const MatrixState& state) {
  double sum = 0;
  for (const Complex& entry : state) sum += std::norm(entry);
  return std::sqrt(sum);
}

/// Returns what an outcome leaves; a reset flips the qubit if it is 1.
MatrixState projection(const MatrixState& state, const Operation& operation, bool outcome) {
  const std::size_t mask = std::size_t{1} << operation.qubits[0];
  const std::size_t flipped = outcome && operation.kind == OperationKind::reset ? mask : 0;
  MatrixState result(state.size());
  for (std::size_t i = 0; i < state.size(); ++i) {
    if (((i & mask) != 0) == outcome) result[i ^ flipped] = state[i];
  }
  return result;
}

class BranchWalk {
 public:
  BranchWalk(const Circuit& circuit, const Budget& budget,
             const std::function<void(MatrixState&, const Bits&)>& visit)
      : circuit_(circuit), budget_(budget), visit_(visit) {}

  /// Follows all outcomes from a place in the circuit.
  void follow(std::size_t place, MatrixState state, Bits bits) {
    for (; place < circuit_.operations.size(); ++place) {
      const Operation& operation = circuit_.operations[place];
      if (!conditions_hold(circuit_, operation, bits)) continue;
      if (!is_branch_point(operation)) {
        apply_to_rows(operation, state, budget_);
        continue;
      }
      for (const bool outcome : {false, true}) {
        MatrixState projected = projection(state, operation, outcome);
        const double size = norm_of_entries(projected);
        if (size < kSmallestOperator) {
          dropped_ += size;
          continue;
        }
        Bits known = bits;
        if (operation.kind == OperationKind::measure && !operation.classical->bits.empty()) {
          known[operation.classical->bits[0]] = outcome;
        }
        follow(place + 1, std::move(projected), std::move(known));
      }
      return;
    }
    visit_(state, bits);
  }

  [[nodiscard]] double dropped() const { return dropped_; }

 private:
  const Circuit& circuit_;
  const Budget& budget_;
  const std::function<void(MatrixState&, const Bits&)>& visit_;
  double dropped_ = 0;
};

}  // namespace

double rounding_of_gates(std::size_t gates, std::size_t columns) {
  // Roundings of a gate on a unit vector: those of its matrix, and of a product with up to eight
  // columns.
  constexpr double kRoundingsOfGate = 128;
  return kRoundingsOfGate * kRoundingUnit * static_cast<double>(gates) *
         std::sqrt(static_cast<double>(columns));
}

MatrixState embedding(std::uint32_t qubit_count, std::span<const Qubit> inputs) {
  const std::size_t rows = std::size_t{1} << qubit_count;
  const std::size_t columns = std::size_t{1} << inputs.size();
  MatrixState state(rows * columns);
  for (std::size_t column = 0; column < columns; ++column) {
    std::size_t row = 0;
    for (std::size_t i = 0; i < inputs.size(); ++i) row |= ((column >> i) & 1U) << inputs[i];
    state[column * rows + row] = 1;
  }
  return state;
}

void apply_to_rows(const Operation& operation, MatrixState& state, const Budget& budget) {
  if (budget.spent()) throw OutOfBudget();
  if (operation.kind != OperationKind::gate) return;
  const std::vector<Wire> wires(operation.qubits.begin(), operation.qubits.end());
  Kernel(matrix_of(operation, {}, 0), wires).apply(state);
}

double follow_branches(const Circuit& circuit, MatrixState start, const Budget& budget,
                       const std::function<void(MatrixState&, const Bits&)>& visit) {
  BranchWalk walk(circuit, budget, visit);
  walk.follow(0, std::move(start), Bits(circuit.bit_count(), false));
  return walk.dropped();
}

bool has_free_parameters(const Circuit& circuit) {
  return std::ranges::any_of(circuit.operations, [](const Operation& operation) {
    return !std::ranges::all_of(operation.angles, &Angle::is_constant);
  });
}

}  // namespace quartz::certify
