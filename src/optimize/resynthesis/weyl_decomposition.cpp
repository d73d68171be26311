#include "optimize/resynthesis/weyl_decomposition.hpp"

#include <Eigen/LU>
#include <cmath>
#include <complex>
#include <numbers>
#include <utility>

#include "optimize/resynthesis/block_unitary.hpp"
#include "quartz/base/errors.hpp"

namespace quartz::optimizer {
namespace {

using Eigen::Matrix4cd;
using Eigen::Matrix4d;
using Eigen::Quaterniond;
using Entry = std::complex<double>;

constexpr double kHalfPi = std::numbers::pi / 2;

/// The magic basis (Hill, Wootters, quant-ph/9703041): Bell states with phases, in which one-qubit
/// gates of determinant 1 are the real rotations SO(4), and XX, YY and ZZ are diagonal.
const Matrix4cd& magic_basis() {
  static const Matrix4cd basis = [] {
    const Entry i(0, 1);
    Matrix4cd b;
    b << 1, i, 0, 0,  //
        0, 0, i, 1,   //
        0, 0, i, -1,  //
        1, -i, 0, 0;
    return Matrix4cd(b / std::sqrt(2.0));
  }();
  return basis;
}

/// Two symmetric matrices that commute.
struct CommutingPair {
  Matrix4d first;
  Matrix4d second;

  [[nodiscard]] double off_diagonal(int p, int q) const {
    return std::max(std::abs(first(p, q)), std::abs(second(p, q)));
  }
};

/// Applies one Jacobi rotation in the plane (p, q), by the angle that reduces the off-diagonal
/// entries of both matrices together (Bunse-Gerstner, Byers, Mehrmann 1993; Cardoso, Souloumiac
/// 1996).
void rotate_plane(CommutingPair& pair, Matrix4d& vectors, int p, int q) {
  double on = 0;
  double off = 0;
  for (const Matrix4d* matrix : {&pair.first, &pair.second}) {
    const double difference = (*matrix)(p, p) - (*matrix)(q, q);
    const double twice = 2 * (*matrix)(p, q);
    on += difference * difference - twice * twice;
    off += 2 * difference * twice;
  }
  const double angle = std::atan2(off, on) / 4;
  const double c = std::cos(angle);
  const double s = std::sin(angle);
  const auto rotate_columns = [&](Matrix4d& matrix) {
    const Eigen::Vector4d column = matrix.col(p);
    matrix.col(p) = c * column + s * matrix.col(q);
    matrix.col(q) = c * matrix.col(q) - s * column;
  };
  const auto rotate_rows = [&](Matrix4d& matrix) {
    const Eigen::RowVector4d row = matrix.row(p);
    matrix.row(p) = c * row + s * matrix.row(q);
    matrix.row(q) = c * matrix.row(q) - s * row;
  };
  for (Matrix4d* matrix : {&pair.first, &pair.second}) {
    rotate_columns(*matrix);
    rotate_rows(*matrix);
  }
  rotate_columns(vectors);
}

/// Sweeps over all planes until both matrices are diagonal; returns whether they are.
bool diagonalize(CommutingPair& pair, Matrix4d& vectors) {
  // Entries this small are rounding errors: rotating them would only mix degenerate eigenvectors.
  constexpr double kNegligible = 1e-15;
  constexpr int kSweeps = 20;
  double largest = 0;
  for (int sweep = 0; sweep < kSweeps; ++sweep) {
    largest = 0;
    for (int p = 0; p < 4; ++p) {
      for (int q = p + 1; q < 4; ++q) {
        const double entry = pair.off_diagonal(p, q);
        largest = std::max(largest, entry);
        if (entry > kNegligible) rotate_plane(pair, vectors, p, q);
      }
    }
    if (largest <= kNegligible) return true;
  }
  return largest < 1e-14;
}

/// Returns a real rotation whose columns are eigenvectors of a symmetric unitary matrix. Its real
/// and imaginary parts commute, so they have common real eigenvectors; diagonalizing both at once
/// also handles eigenvalues that are degenerate in one of them.
Matrix4d real_eigenvectors(const Matrix4cd& symmetric) {
  for (int attempt = 0; attempt < 8; ++attempt) {
    // The sweeps can get stuck at a saddle point, which any rotation leaves; the next attempt
    // therefore starts from another frame.
    Matrix4d vectors = Matrix4d::Identity();
    for (int p = 0; p < 3 && attempt > 0; ++p) {
      const double angle = 0.7 * attempt + 0.3 * p;
      Matrix4d turn = Matrix4d::Identity();
      turn.block<2, 2>(p, p) << std::cos(angle), -std::sin(angle), std::sin(angle), std::cos(angle);
      vectors = vectors * turn;
    }
    CommutingPair pair{symmetric.real(), symmetric.imag()};
    if (attempt > 0) {
      pair = {vectors.transpose() * pair.first * vectors,
              vectors.transpose() * pair.second * vectors};
    }
    if (!diagonalize(pair, vectors)) continue;
    if (vectors.determinant() < 0) vectors.col(0) = -vectors.col(0);
    return vectors;
  }
  throw InternalError("internal check failed: a two-qubit unitary has a Weyl decomposition");
}

LocalGates local_gates_of(const Matrix4cd& product) {
  // Qubit 1 indexes the 2x2 blocks, each of which is a multiple of the gate on qubit 0.
  Eigen::Index row = 0;
  Eigen::Index column = 0;
  double largest = -1;
  for (const Eigen::Index i : {0, 2}) {
    for (const Eigen::Index j : {0, 2}) {
      const double norm = product.block<2, 2>(i, j).norm();
      if (norm > largest + 1e-3) {
        largest = norm;
        row = i;
        column = j;
      }
    }
  }
  const Quaterniond first = quaternion_of(product.block<2, 2>(row, column));
  const Eigen::Matrix2cd adjoint = matrix_of(first).adjoint();
  Eigen::Matrix2cd second;
  for (const Eigen::Index i : {0, 1}) {
    for (const Eigen::Index j : {0, 1}) {
      second(i, j) = (adjoint * product.block<2, 2>(2 * i, 2 * j)).trace() / 2.0;
    }
  }
  return {first, quaternion_of(second)};
}

/// Moves the coordinates into the Weyl chamber and updates the local gates.
class ChamberWalk {
 public:
  explicit ChamberWalk(WeylDecomposition& decomposition) : weyl_(decomposition) {}

  void run() {
    for (int k = 0; k < 3; ++k) shift(k, std::nearbyint(at(k) / kHalfPi));
    order(0, 1);
    order(1, 2);
    order(0, 1);
    if (at(0) < 0) flip(0, 2);
    if (at(1) < 0) flip(1, 2);
    // On the face a = pi/4 the coordinates (a, b, c) and (a, b, -c) are equivalent.
    if (at(0) > kHalfPi / 2 - 1e-13 && at(2) < 0) {
      shift(0, 1);
      flip(0, 2);
    }
  }

 private:
  [[nodiscard]] double& at(int k) { return weyl_.coordinates[static_cast<std::size_t>(k)]; }
  static Quaterniond turn(int axis, double angle) {
    return rotation_about(static_cast<Axis>(axis), angle);
  }

  /// Uses that exp(i pi/2 PP) is a product of two Pauli gates.
  void shift(int k, double quarter_turns) {
    at(k) -= quarter_turns * kHalfPi;
    if (std::fmod(quarter_turns, 2) == 0) return;
    for (Quaterniond& gate : weyl_.after) gate = gate * turn(k, std::numbers::pi);
  }

  /// Uses that the third Pauli on one qubit changes the sign of the two others.
  void flip(int k, int l) {
    at(k) = -at(k);
    at(l) = -at(l);
    const Quaterniond third = turn(3 - k - l, std::numbers::pi);
    weyl_.after[0] = weyl_.after[0] * third;
    weyl_.before[0] = third * weyl_.before[0];
  }

  /// Uses that a quarter turn about the third axis on both qubits exchanges the two others.
  void order(int k, int l) {
    if (std::abs(at(k)) >= std::abs(at(l)) - 1e-15) return;
    std::swap(at(k), at(l));
    const Quaterniond quarter = turn(3 - k - l, kHalfPi);
    for (Quaterniond& gate : weyl_.after) gate = gate * quarter;
    for (Quaterniond& gate : weyl_.before) gate = quarter.conjugate() * gate;
  }

  WeylDecomposition& weyl_;
};

}  // namespace

Matrix4cd canonical_gate(const std::array<double, 3>& coordinates) {
  const auto [a, b, c] = coordinates;
  Eigen::Vector4cd diagonal;
  diagonal << std::polar(1.0, a - b + c), std::polar(1.0, -a + b + c), std::polar(1.0, a + b - c),
      std::polar(1.0, -a - b - c);
  return magic_basis() * diagonal.asDiagonal() * magic_basis().adjoint();
}

LocalGates inverse(const LocalGates& gates) { return {gates[0].conjugate(), gates[1].conjugate()}; }

Matrix4cd matrix_of(const LocalGates& gates) {
  const Eigen::Matrix2cd first = matrix_of(gates[0]);
  const Eigen::Matrix2cd second = matrix_of(gates[1]);
  Matrix4cd result;
  for (const Eigen::Index i : {0, 1}) {
    for (const Eigen::Index j : {0, 1}) {
      result.block<2, 2>(2 * i, 2 * j) = second(i, j) * first;
    }
  }
  return result;
}

Matrix4cd matrix_of(const WeylDecomposition& decomposition) {
  return std::polar(1.0, decomposition.phase) * matrix_of(decomposition.after) *
         canonical_gate(decomposition.coordinates) * matrix_of(decomposition.before);
}

std::optional<LocalGates> as_local_gates(const Matrix4cd& unitary, double tolerance) {
  const LocalGates gates = local_gates_of(unitary);
  // The identity |tr(A^dagger B)| = 4 - |A - e^{i phase} B|^2 / 2 would lose half of the digits.
  const Matrix4cd product = matrix_of(gates);
  const Entry overlap = overlap_of(product, unitary);
  // The overlap is NaN if one of the supposed factors is singular.
  if (!(std::abs(overlap) >= 1)) return std::nullopt;
  const Matrix4cd difference = unitary - product * (overlap / std::abs(overlap));
  if (!difference.allFinite() || difference.cwiseAbs().maxCoeff() > tolerance) return std::nullopt;
  return gates;
}

WeylDecomposition weyl_decomposition(const Matrix4cd& given) {
  const Matrix4cd deviation = given.adjoint() * given - Matrix4cd::Identity();
  ensure(deviation.allFinite() && deviation.cwiseAbs().maxCoeff() < 1e-9,
         "a two-qubit gate is unitary");
  // This is a step of Newton's iteration for the nearest unitary: products of many gates are off by
  // more than one rounding, and then the eigenvectors of the real and the imaginary part would
  // differ.
  const Matrix4cd unitary = given - given * deviation / 2.0;
  const Matrix4cd& magic = magic_basis();
  const Entry root = std::polar(1.0, -std::arg(unitary.determinant()) / 4);
  const Matrix4cd rotated = magic.adjoint() * (root * unitary) * magic;
  // As rotated = K1 D K2 with K1, K2 in SO(4) and D diagonal, its transpose times itself is K2^T
  // D^2 K2.
  const Matrix4cd square = rotated.transpose() * rotated;
  const Matrix4d vectors = real_eigenvectors(square);
  const Eigen::Vector4cd eigenvalues = (vectors.transpose() * square * vectors).diagonal();
  std::array<double, 4> angles{};
  double sum = 0;
  for (std::size_t k = 0; k < 4; ++k) {
    angles[k] = std::arg(eigenvalues[static_cast<Eigen::Index>(k)]) / 2;
    sum += angles[k];
  }
  // The determinant of D is 1, and each angle is known only modulo pi.
  if (std::abs(std::remainder(sum, 2 * std::numbers::pi)) > kHalfPi) angles[3] += std::numbers::pi;
  Eigen::Vector4cd inverse;
  for (std::size_t k = 0; k < 4; ++k) {
    inverse[static_cast<Eigen::Index>(k)] = std::polar(1.0, -angles[k]);
  }
  const Matrix4d left = (rotated * vectors * inverse.asDiagonal()).real();

  WeylDecomposition result;
  result.coordinates = {(angles[0] + angles[2]) / 2, (angles[1] + angles[2]) / 2,
                        (angles[0] + angles[1]) / 2};
  result.after = local_gates_of(magic * left * magic.adjoint());
  result.before = local_gates_of(magic * vectors.transpose() * magic.adjoint());
  ChamberWalk(result).run();
  result.phase = std::arg(overlap_of(matrix_of(result), unitary));
  return result;
}

}  // namespace quartz::optimizer
