#include <catch2/catch.hpp>

#include "optimize/resynthesis/block_unitary.hpp"
#include "optimize/resynthesis/weyl_decomposition.hpp"
#include "quartz/base/errors.hpp"
#include "random_local_gates.hpp"
#include "random_unitaries.hpp"

using namespace quartz;
using namespace quartz::optimizer;
using namespace quartz::test;
using Eigen::Matrix4cd;

namespace {

constexpr double kPiOver4 = std::numbers::pi / 4;

double distance(const Matrix4cd& a, const Matrix4cd& b) { return (a - b).cwiseAbs().maxCoeff(); }

bool in_chamber(const std::array<double, 3>& coordinates) {
  constexpr double kSlack = 1e-13;
  const auto [a, b, c] = coordinates;
  return a <= kPiOver4 + kSlack && a >= b - kSlack && b >= std::abs(c) - kSlack &&
         (a < kPiOver4 - kSlack || c >= -kSlack);
}

void check_coordinates(const Matrix4cd& unitary, const std::array<double, 3>& expected) {
  const WeylDecomposition weyl = weyl_decomposition(unitary);
  CHECK(distance(matrix_of(weyl), unitary) < 1e-14);
  for (std::size_t k = 0; k < 3; ++k) CHECK(std::abs(weyl.coordinates[k] - expected[k]) < 1e-14);
}

Matrix4cd matrix_of_gate(GateKind kind, std::vector<Angle> angles = {}) {
  const Operation operation = make_operation(kind, {0, 1}, std::move(angles));
  return two_qubit_unitary(std::span(&operation, 1), 0, 1);
}

}  // namespace

TEST_CASE("the Weyl decomposition reproduces random unitaries", "[weyl]") {
  Random random(61);
  double largest = 0;
  for (int round = 0; round < 2000; ++round) {
    const Matrix4cd unitary = random_unitary<4>(random);
    const WeylDecomposition weyl = weyl_decomposition(unitary);
    largest = std::max(largest, distance(matrix_of(weyl), unitary));
    REQUIRE(in_chamber(weyl.coordinates));
  }
  INFO("seed 61, largest error " << largest);
  CHECK(largest < 1e-14);
}

TEST_CASE("the coordinates of known gates are the published ones", "[weyl]") {
  using enum GateKind;
  const double q = kPiOver4;
  check_coordinates(Matrix4cd::Identity(), {0, 0, 0});
  check_coordinates(matrix_of_gate(cx), {q, 0, 0});
  check_coordinates(matrix_of_gate(cz), {q, 0, 0});
  check_coordinates(matrix_of_gate(ecr), {q, 0, 0});
  check_coordinates(matrix_of_gate(swap), {q, q, q});
  check_coordinates(matrix_of_gate(iswap), {q, q, 0});
  check_coordinates(matrix_of_gate(iswapdg), {q, q, 0});
  check_coordinates(matrix_of_gate(cs), {q / 2, 0, 0});
  check_coordinates(matrix_of_gate(rzz, {Angle::radians(Rational(1, 2))}), {0.25, 0, 0});
  check_coordinates(matrix_of_gate(cp, {Angle::radians(Rational(1, 2))}), {0.125, 0, 0});
  // These are the square roots of swap: two corners that differ only in the sign of c.
  check_coordinates(canonical_gate({q / 2, q / 2, q / 2}), {q / 2, q / 2, q / 2});
  check_coordinates(canonical_gate({q / 2, q / 2, -q / 2}), {q / 2, q / 2, -q / 2});
}

TEST_CASE("local gates do not change the coordinates, even degenerate ones", "[weyl]") {
  Random random(62);
  const double q = kPiOver4;
  const double tiny = 1e-9;
  const std::vector<std::array<double, 3>> corners = {{0, 0, 0},
                                                      {q, 0, 0},
                                                      {q, q, 0},
                                                      {q, q, q},
                                                      {q / 2, 0, 0},
                                                      {q / 2, q / 2, 0},
                                                      {q, q / 2, 0},
                                                      {q / 2, q / 2, q / 2},
                                                      {q / 2, q / 2, -q / 2},
                                                      {0.3, 0.3, 0.1},
                                                      {0.3, 0.1, 0.1},
                                                      {0.3, 0.1, -0.1},
                                                      {q, 0.3, 0.3},
                                                      {q, q, 0.2},
                                                      {tiny, tiny, 0},
                                                      {tiny, 0, 0},
                                                      {q, tiny, tiny},
                                                      {q - tiny, 0.2, -0.1},
                                                      {0.3, 0.3 - tiny, 0.1},
                                                      {0.3, tiny, -tiny}};
  for (const std::array<double, 3>& corner : corners) {
    for (int round = 0; round < 50; ++round) {
      const Matrix4cd unitary =
          random_local(random) * canonical_gate(corner) * random_local(random);
      const WeylDecomposition weyl = weyl_decomposition(unitary);
      INFO("seed 62, corner " << corner[0] << ", " << corner[1] << ", " << corner[2]);
      CHECK(distance(matrix_of(weyl), unitary) < 1e-14);
      CHECK(in_chamber(weyl.coordinates));
      for (std::size_t k = 0; k < 3; ++k) {
        CHECK(std::abs(weyl.coordinates[k] - corner[k]) < 1e-14);
      }
    }
  }
}

TEST_CASE("products of one-qubit gates are distinguished from entangling gates", "[weyl]") {
  Random random(63);
  for (int round = 0; round < 100; ++round) {
    const Matrix4cd local = random_local(random);
    const auto gates = as_local_gates(local, 1e-13);
    REQUIRE(gates);
    CHECK(std::abs(std::abs((matrix_of(*gates).adjoint() * local).trace()) - 4) < 1e-13);
    CHECK_FALSE(as_local_gates(local * canonical_gate({1e-6, 0, 0}), 1e-9));
  }
}

TEST_CASE("the Weyl decomposition rejects matrices that are not unitary", "[weyl]") {
  CHECK_THROWS_AS(weyl_decomposition(Matrix4cd::Zero()), InternalError);
  // The rounding errors of a long product are tolerated.
  const Matrix4cd off = (1 + 1e-11) * canonical_gate({0.3, 0.2, 0.1});
  CHECK(distance(matrix_of(weyl_decomposition(off)), canonical_gate({0.3, 0.2, 0.1})) < 1e-14);
}
