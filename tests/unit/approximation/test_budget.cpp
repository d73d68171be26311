#include <catch2/catch.hpp>
#include <cmath>

#include "quartz/approximation/one_qubit_product.hpp"
#include "quartz/approximation/rotation.hpp"
#include "quartz/base/errors.hpp"

namespace quartz {
namespace {

std::vector<Angle> some_angles() {
  std::vector<Angle> angles;
  for (int j = 1; j <= 12; ++j) angles.push_back(Angle::radians({j, 10}));
  for (int j = 0; j < 5; ++j) angles.push_back(Angle::pi_times({1, 16}));
  angles.push_back(Angle::pi_times({3, 4}));
  return angles;
}

double sum_of_distances(const std::vector<RotationApproximation>& approximations) {
  double sum = 0;
  for (const RotationApproximation& each : approximations) sum += each.distance;
  return sum;
}

std::size_t sum_of_t_counts(const std::vector<RotationApproximation>& approximations) {
  std::size_t sum = 0;
  for (const RotationApproximation& each : approximations) sum += each.t_count;
  return sum;
}

TEST_CASE("the distances of approximated rotations add up to at most epsilon", "[budget]") {
  const std::vector<Angle> angles = some_angles();
  for (const double epsilon : {0.1, 1e-3, 1e-6}) {
    const std::vector<RotationApproximation> found = approximate_rotations(angles, epsilon);
    REQUIRE(found.size() == angles.size());
    CHECK(sum_of_distances(found) <= epsilon);
    CHECK(found.back().distance == 0);
    CHECK(found.back().t_count == 1);
  }
}

TEST_CASE("a divided budget needs fewer T gates than equal parts", "[budget]") {
  const std::vector<Angle> angles = some_angles();
  for (const double epsilon : {1e-3, 1e-6}) {
    std::size_t with_equal_parts = 0;
    for (const Angle& angle : angles) {
      const double part = epsilon / static_cast<double>(angles.size() - 1);  // one is exact
      with_equal_parts += approximate_rotation(angle, part).t_count;
    }
    CHECK(sum_of_t_counts(approximate_rotations(angles, epsilon)) < with_equal_parts);
  }
}

TEST_CASE("a division that may take little time is within the budget", "[budget]") {
  std::vector<OneQubitProduct> products;
  for (int i = 1; i <= 12; ++i) {
    products.push_back({{GateKind::rz, Angle::pi_times({i, 101})}});
    if (i % 3 == 0) {
      products.back().push_back({GateKind::h, {}});
      products.back().push_back({GateKind::rz, Angle::pi_times({1, 7 + i})});
    }
  }
  for (const double epsilon : {1e-2, 1e-5}) {
    // From one search for each product to several.
    for (const double seconds : {1e-6, 0.05, 0.2}) {
      INFO("distance " << epsilon << ", " << seconds << " s");
      double sum = 0;
      for (const RotationApproximation& each :
           approximate_products(products, epsilon, {.threads = 2, .seconds = seconds})) {
        sum += each.distance;
      }
      CHECK(sum <= epsilon);
    }
  }
}

TEST_CASE("rotations by tiny angles take no longer than others", "[rotation]") {
  // The identity is right beside the segment, and so are some 2^k epsilon points of the grid.
  const RotationApproximation word = approximate_rotation(Angle::decimal("0.000000001"), 3e-10);
  CHECK(word.distance <= 3e-10);
  CHECK(word.t_count <= 126);  // 4 log2(1 / epsilon)

  // Here, as many points are inside of the ellipse and have a conjugate outside of the disc, or are
  // below the chord. One of these took seconds, and a Fourier transform of 40 qubits minutes.
  for (const auto& [angle, epsilon] : {std::pair("0.0000000001", 8e-12), std::pair("3e-9", 1e-9),
                                       std::pair("pi/1073741824", 1.3e-9),
                                       std::pair("pi/1099511627776", 1e-12)}) {
    CAPTURE(angle, epsilon);
    const RotationApproximation other = approximate_rotation(parse_angle(angle), epsilon);
    CHECK(other.distance <= epsilon);
    CHECK(other.t_count <= static_cast<std::size_t>(4 * std::log2(1 / epsilon)));
  }
}

TEST_CASE("a single rotation takes the whole budget", "[budget]") {
  const std::vector<Angle> angles{parse_angle("0.4")};
  const std::vector<RotationApproximation> found = approximate_rotations(angles, 1e-4);
  CHECK(found.front().t_count == approximate_rotation(angles.front(), 1e-4).t_count);
}

TEST_CASE("the number of threads does not change approximations", "[budget]") {
  const std::vector<Angle> angles = some_angles();
  const std::vector<RotationApproximation> one = approximate_rotations(angles, 1e-4, 1);
  const std::vector<RotationApproximation> two = approximate_rotations(angles, 1e-4, 2);
  for (std::size_t i = 0; i < angles.size(); ++i) CHECK(one[i].gates == two[i].gates);
}

TEST_CASE("exact rotations need no budget, and others at least a small one", "[budget]") {
  const std::vector<Angle> exact{parse_angle("pi/4"), parse_angle("-pi/2")};
  CHECK(sum_of_t_counts(approximate_rotations(exact, 0)) == 1);
  CHECK(approximate_rotations({}, 0).empty());
  const std::vector<Angle> angles{parse_angle("pi/4"), parse_angle("0.1")};
  CHECK_THROWS_AS(approximate_rotations(angles, 0), UsageError);
  CHECK_THROWS_AS(approximate_rotations(angles, 1.5), UsageError);
  CHECK_THROWS_AS(approximate_rotations(angles, 1e-30), UsageError);
  std::stop_source stop;
  stop.request_stop();
  CHECK_THROWS_AS(approximate_rotations(angles, 1e-3, 1, stop.get_token()), Stopped);
}

}  // namespace
}  // namespace quartz
