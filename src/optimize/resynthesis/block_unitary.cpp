#include "optimize/resynthesis/block_unitary.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <span>
#include <utility>
#include <vector>

#include "circuit/custom_gates/per_gate.hpp"
#include "optimize/state/numeric_angle.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/circuit/gate.hpp"
#include "quartz/circuit/unitary.hpp"

namespace quartz::optimizer {
namespace {

std::vector<Complex> constant_entries_of(const Gate& row) {
  Operation plain;
  plain.gate = row.kind;
  return unitary_of(plain);
}

/// Returns the gate's matrix, row-major, in `room` or where those of gates without parameters are
/// kept.
std::span<const Complex> entries_of(const Operation& operation, std::vector<Complex>& room) {
  static circuit::PerGate<std::vector<Complex>> constant(constant_entries_of);
  if (operation.angles.empty()) return constant.of(operation.gate);
  room = unitary_of(operation);
  return room;
}

Eigen::Matrix2cd one_qubit_matrix(const Operation& operation) {
  std::vector<Complex> room;
  const std::span<const Complex> entries = entries_of(operation, room);
  ensure(entries.size() == 4, "a gate of a run acts on one qubit");
  Eigen::Matrix2cd matrix;
  matrix << entries[0], entries[1], entries[2], entries[3];
  return matrix;
}

/// Returns the matrix on two qubits; with `swapped`, operand 0 is the second qubit.
Eigen::Matrix4cd two_qubit_matrix(const Operation& operation, bool swapped) {
  std::vector<Complex> room;
  const std::span<const Complex> entries = entries_of(operation, room);
  ensure(entries.size() == 16, "a gate of a block acts on two qubits");
  const auto place = [&](Eigen::Index i) { return swapped ? (i & 1) * 2 + i / 2 : i; };
  Eigen::Matrix4cd matrix;
  for (Eigen::Index row = 0; row < 4; ++row) {
    for (Eigen::Index column = 0; column < 4; ++column) {
      matrix(place(row), place(column)) = entries[static_cast<std::size_t>(row * 4 + column)];
    }
  }
  return matrix;
}

}  // namespace

Eigen::Matrix2cd one_qubit_unitary(std::span<const Operation> gates) {
  Eigen::Matrix2cd unitary = Eigen::Matrix2cd::Identity();
  for (const Operation& operation : gates) unitary = one_qubit_matrix(operation) * unitary;
  return unitary;
}

Eigen::Matrix4cd two_qubit_unitary(std::span<const Operation> gates, Qubit first, Qubit second) {
  Eigen::Matrix4cd unitary = Eigen::Matrix4cd::Identity();
  for (const Operation& operation : gates) {
    if (operation.qubits.size() == 2) {
      const bool swapped = operation.qubits[0] == second;
      ensure(
          operation.qubits[swapped ? 1 : 0] == first && operation.qubits[swapped ? 0 : 1] == second,
          "the gates of a block act on its qubits");
      unitary = two_qubit_matrix(operation, swapped) * unitary;
      continue;
    }
    const Eigen::Matrix2cd matrix = one_qubit_matrix(operation);
    // The loops visit pairs of rows whose indices differ in the gate's bit.
    const bool on_first = operation.qubits[0] == first;
    ensure(on_first || operation.qubits[0] == second, "the gates of a block act on its qubits");
    const Eigen::Index bit = on_first ? 1 : 2;
    for (const Eigen::Index low : {Eigen::Index{0}, on_first ? Eigen::Index{2} : Eigen::Index{1}}) {
      const Eigen::RowVector4cd zero = unitary.row(low);
      const Eigen::RowVector4cd one = unitary.row(low + bit);
      unitary.row(low) = matrix(0, 0) * zero + matrix(0, 1) * one;
      unitary.row(low + bit) = matrix(1, 0) * zero + matrix(1, 1) * one;
    }
  }
  return unitary;
}

Eigen::MatrixXcd unitary_on(std::span<const Operation> gates, std::span<const Qubit> qubits) {
  const Eigen::Index size = Eigen::Index{1} << qubits.size();
  Eigen::MatrixXcd unitary = Eigen::MatrixXcd::Identity(size, size);
  for (const Operation& operation : gates) {
    std::vector<Complex> room;
    const std::span<const Complex> entries = entries_of(operation, room);
    const auto dimension = static_cast<Eigen::Index>(1) << operation.qubits.size();
    std::vector<Eigen::Index> bits;
    for (const Qubit qubit : operation.qubits) {
      const auto place = std::find(qubits.begin(), qubits.end(), qubit);
      ensure(place != qubits.end(), "the gates of a block act on its qubits");
      bits.push_back(Eigen::Index{1} << (place - qubits.begin()));
    }
    // Row `index` of the gate's matrix belongs to the row of the unitary with these bits.
    const auto spread = [&](Eigen::Index index) {
      Eigen::Index row = 0;
      for (std::size_t k = 0; k < bits.size(); ++k) row |= ((index >> k) & 1) * bits[k];
      return row;
    };
    const Eigen::Index all = spread(dimension - 1);
    const Eigen::MatrixXcd before = unitary;
    for (Eigen::Index row = 0; row < size; ++row) {
      const Eigen::Index rest = row & ~all;
      unitary.row(row).setZero();
      for (Eigen::Index k = 0; k < dimension; ++k) {
        if (spread(k) != (row & all)) continue;
        for (Eigen::Index column = 0; column < dimension; ++column) {
          unitary.row(row) += entries[static_cast<std::size_t>(k * dimension + column)] *
                              before.row(rest | spread(column));
        }
      }
    }
  }
  return unitary;
}

template <typename Matrix>
Complex overlap_of(const Matrix& a, const Matrix& b) {
  Complex sum = 0;
  for (Eigen::Index column = 0; column < a.cols(); ++column) {
    for (Eigen::Index row = 0; row < a.rows(); ++row) {
      sum += std::conj(a(row, column)) * b(row, column);
    }
  }
  return sum;
}

template <typename Matrix>
std::optional<PhaseMatch> nearest_phase(const Matrix& unitary, const Matrix& other) {
  const Complex overlap = overlap_of(other, unitary);
  if (!(std::abs(overlap) >= 1)) return std::nullopt;
  PhaseMatch match;
  match.phase = nearest_angle(std::arg(overlap));
  const Matrix difference = unitary - std::polar(1.0, match.phase.value()) * other;
  if (!difference.allFinite()) return std::nullopt;
  match.error = difference.cwiseAbs().maxCoeff();
  match.distance = difference.norm();
  return match;
}

template <typename Matrix>
std::optional<PhaseMatch> match_phase(const Matrix& unitary, const Matrix& other) {
  const std::optional<PhaseMatch> match = nearest_phase(unitary, other);
  return match && match->error <= kNumericTolerance ? match : std::nullopt;
}

template Complex overlap_of(const Eigen::Matrix4cd&, const Eigen::Matrix4cd&);
template std::optional<PhaseMatch> nearest_phase(const Eigen::MatrixXcd&, const Eigen::MatrixXcd&);
template std::optional<PhaseMatch> match_phase(const Eigen::Matrix2cd&, const Eigen::Matrix2cd&);
template std::optional<PhaseMatch> match_phase(const Eigen::Matrix4cd&, const Eigen::Matrix4cd&);
template std::optional<PhaseMatch> match_phase(const Eigen::MatrixXcd&, const Eigen::MatrixXcd&);

}  // namespace quartz::optimizer
