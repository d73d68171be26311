#include <catch2/catch.hpp>
#include <set>

#include "approximation/exact_unitary.hpp"
#include "base/random.hpp"
#include "precise_distance.hpp"
#include "quartz/approximation/rotation.hpp"
#include "quartz/base/errors.hpp"

namespace quartz {
namespace {

using test::distance;
using test::Real;

std::size_t count_t(const RotationApproximation& approximation) {
  return static_cast<std::size_t>(
      std::count(approximation.gates.begin(), approximation.gates.end(), GateKind::t));
}

Angle random_angle(FastRandom& random) {
  if (random.below(3) == 0) {
    return Angle::pi_times({static_cast<int>(random.below(2001)) - 1000, 1 + random.below(300)});
  }
  return Angle::radians({static_cast<int>(random.below(20000001)) - 10000000, 1000003});
}

TEST_CASE("approximated rotations are within the distance that they state", "[rotation]") {
  FastRandom random(1);
  for (const double epsilon : {1.0, 0.3, 1e-2, 1e-3, 1e-5, 1e-8, 1e-10, 1e-13}) {
    for (unsigned trial = 0; trial < 20; ++trial) {
      const Angle angle = random_angle(random);
      INFO("rz(" << angle.to_string() << ") within " << epsilon);
      const RotationApproximation found = approximate_rotation(angle, epsilon);
      CHECK(found.t_count == count_t(found));
      CHECK(found.distance <= epsilon);
      const Real exact = distance(found, angle);
      CHECK(exact <= Real(found.distance) + Real(1e-90));
      CHECK(Real(found.distance) <= exact * Real(1 + 1e-12) + Real(1e-90));
    }
  }
}

TEST_CASE("distances near the smallest permitted one are proved as well", "[rotation]") {
  const Angle angle = parse_angle("0.3");
  const RotationApproximation found = approximate_rotation(angle, 1e-20);
  CHECK(found.distance <= 1e-20);
  CHECK(distance(found, angle) <= Real(found.distance));
}

TEST_CASE("multiples of pi/4 are exact and have at most one T gate", "[rotation]") {
  for (int eighths = -20; eighths <= 20; ++eighths) {
    const Angle angle = Angle::pi_times({eighths, 4});
    INFO("rz(" << angle.to_string() << ")");
    const RotationApproximation found = approximate_rotation(angle, 0);
    CHECK(found.distance == 0);
    CHECK(found.t_count == static_cast<std::size_t>(eighths % 2 != 0));
    CHECK(found.t_count == count_t(found));
    CHECK(distance(found, angle) < Real(1e-90));
  }
}

TEST_CASE("an angle close to a multiple of pi/4 takes its gates", "[rotation]") {
  CHECK(approximate_rotation(parse_angle("0.00001"), 1e-4).gates.empty());
  CHECK(approximate_rotation(parse_angle("pi/4+0.00001"), 1e-4).t_count == 1);
}

TEST_CASE("the result depends on the angle and the distance only", "[rotation]") {
  const Angle angle = parse_angle("1.2345");
  const RotationApproximation first = approximate_rotation(angle, 1e-6);
  static_cast<void>(approximate_rotation(parse_angle("0.7"), 1e-3));
  CHECK(approximate_rotation(angle, 1e-6).gates == first.gates);
  CHECK(approximate_rotation(parse_angle("1.2345+4*pi"), 1e-6).gates == first.gates);
}

TEST_CASE("rotations have no more T gates than those of gridsynth", "[rotation]") {
  // The lesser T counts of pygridsynth 2.0.0 with and without up_to_phase for rz(0.1), rz(0.2) ...
  struct Row {
    double epsilon;
    std::array<std::size_t, 10> t_counts;
  };
  const std::array<Row, 3> rows{{
      {1e-3, {34, 30, 29, 33, 33, 30, 32, 30, 29, 33}},
      {1e-5, {54, 52, 49, 51, 51, 51, 51, 51, 51, 52}},
      {1e-10, {102, 103, 101, 102, 102, 103, 104, 102, 103, 104}},
  }};
  for (const Row& row : rows) {
    std::size_t sum = 0;
    std::size_t sum_of_gridsynth = 0;
    for (unsigned j = 0; j < row.t_counts.size(); ++j) {
      const Angle angle = Angle::radians({j + 1, 10});
      INFO("rz(" << angle.to_string() << ") within " << row.epsilon);
      const std::size_t t_count = approximate_rotation(angle, row.epsilon).t_count;
      CHECK(t_count <= row.t_counts[j]);
      sum += t_count;
      sum_of_gridsynth += row.t_counts[j];
    }
    CHECK(sum < sum_of_gridsynth);
  }
}

/// A unitary as the overlap with rotations needs it: its diagonal, in double precision.
struct Diagonal {
  std::complex<double> upper;
  std::complex<double> lower;
};

std::complex<double> value(const approximation::CyclotomicInteger& x, unsigned exponent) {
  std::complex<double> sum = 0;
  for (unsigned j = 0; j < 4; ++j) {
    sum += static_cast<double>(x.c[j]) * std::polar(1.0, j * 0.78539816339744830962);
  }
  return sum * std::pow(2.0, -0.5 * exponent);
}

/// Returns the diagonals of all unitaries with this many T gates, by their normal forms. Clifford
/// gates at the end are applied first.
std::vector<Diagonal> all_diagonals(unsigned t_count) {
  using enum GateKind;
  const std::vector<std::vector<GateKind>> cosets{{}, {h}, {s, h}};
  std::vector<std::vector<GateKind>> words;
  for (const std::vector<GateKind>& pauli :
       std::vector<std::vector<GateKind>>{{}, {x}, {z}, {x, z}}) {
    for (const std::vector<GateKind>& rest :
         std::vector<std::vector<GateKind>>{{}, {s}, {h}, {h, s}, {s, h}, {s, h, s}}) {
      words.push_back(pauli);
      words.back().insert(words.back().end(), rest.begin(), rest.end());
    }
  }
  for (unsigned j = 0; j < t_count; ++j) {
    std::vector<std::vector<GateKind>> longer;
    for (const std::vector<GateKind>& word : words) {
      for (const std::vector<GateKind>& syllable :
           std::vector<std::vector<GateKind>>{{t}, {t, h}, {t, h, s}}) {
        if (syllable.size() == 1 && j + 1 != t_count) continue;
        longer.push_back(word);
        longer.back().insert(longer.back().end(), syllable.begin(), syllable.end());
      }
    }
    words = std::move(longer);
  }
  std::vector<Diagonal> result;
  for (const std::vector<GateKind>& word : words) {
    const approximation::ExactUnitary unitary = approximation::product(word);
    result.push_back(
        {value(unitary.entries[0], unitary.exponent), value(unitary.entries[3], unitary.exponent)});
  }
  return result;
}

TEST_CASE("no Clifford+T unitary with fewer T gates is as close", "[rotation]") {
  constexpr unsigned most = 7;
  std::vector<std::vector<Diagonal>> diagonals;
  for (unsigned t_count = 0; t_count < most; ++t_count) diagonals.push_back(all_diagonals(t_count));
  FastRandom random(5);
  for (unsigned trial = 0; trial < 60; ++trial) {
    const Angle angle = random_angle(random);
    const double epsilon = 0.05 + 0.3 * random.unit();
    const std::complex<double> half = std::polar(1.0, angle.value_modulo(4) / 2);
    INFO("rz(" << angle.to_string() << ") within " << epsilon);
    const std::size_t found = approximate_rotation(angle, epsilon).t_count;
    for (std::size_t t_count = 0; t_count < std::min<std::size_t>(most, found + 1); ++t_count) {
      // The distance up to a phase is sqrt(2 - |trace|).
      const bool exists = std::any_of(
          diagonals[t_count].begin(), diagonals[t_count].end(), [&](const Diagonal& diagonal) {
            const double trace = std::abs(diagonal.upper * half + diagonal.lower * std::conj(half));
            return std::sqrt(std::max(0.0, 2 - trace)) <= epsilon - 1e-9;
          });
      CHECK(exists == (t_count == found));
    }
  }
}

TEST_CASE("angles with parameters and distances out of range are usage errors", "[rotation]") {
  CHECK_THROWS_AS(approximate_rotation(parse_angle("theta"), 1e-3), UsageError);
  CHECK_THROWS_AS(approximate_rotation(parse_angle("0.1"), 0), UsageError);
  CHECK_THROWS_AS(approximate_rotation(parse_angle("0.1"), 1e-31), UsageError);
  CHECK_THROWS_AS(approximate_rotation(parse_angle("0.1"), 1.5), UsageError);
  CHECK_THROWS_AS(approximate_rotation(parse_angle("0.1"), std::nan("")), UsageError);
  CHECK_THROWS_AS(approximate_rotation(parse_angle("pi"), -1), UsageError);
}

}  // namespace
}  // namespace quartz
