#include <catch2/catch.hpp>
#include <stop_token>

#include "approximation/unitary_search.hpp"
#include "base/random.hpp"
#include "quartz/base/errors.hpp"

namespace quartz::approximation {
namespace {

Angle random_angle(FastRandom& random) {
  return Angle::pi_times({static_cast<int>(random.below(1999)) - 999, 997});
}

SpecialUnitary random_target(double epsilon, FastRandom& random) {
  SpecialUnitary target = identity(bits_for(epsilon));
  apply_rz(random_angle(random), target);
  apply_h(target);
  apply_rz(random_angle(random), target);
  apply_h(target);
  apply_rz(random_angle(random), target);
  return target;
}

}  // namespace

TEST_CASE("prefixes of normal forms lead to the unitaries that one lattice has", "[product]") {
  FastRandom random(20261128);
  for (const double epsilon : {1e-1, 1e-2, 1e-3, 1e-4}) {
    for (unsigned trial = 0; trial < 3; ++trial) {
      INFO("distance " << epsilon << ", trial " << trial);
      const SpecialUnitary target = random_target(epsilon, random);
      const auto with_one_lattice = search_unitary(target, epsilon, {}, 1e9);
      // The smaller the regions are, the longer are the prefixes.
      for (const double most_points : {1.0, 100.0}) {
        const auto with_prefixes = search_unitary(target, epsilon, {}, most_points);
        REQUIRE((with_one_lattice && with_prefixes));
        CHECK(t_count(with_prefixes->gates) == t_count(with_one_lattice->gates));
        CHECK(with_prefixes->distance == Approx(with_one_lattice->distance).epsilon(1e-9));
        CHECK(phase_between(product(with_prefixes->gates), with_prefixes->unitary).has_value());
        const RotationApproximation word = word_of(*with_prefixes);
        CHECK(word.distance <= epsilon);
      }
    }
  }
}

TEST_CASE("a search for a unitary ends once a stop is requested", "[product]") {
  FastRandom random(3);
  std::stop_source stop;
  stop.request_stop();
  CHECK_THROWS_AS(search_unitary(random_target(1e-6, random), 1e-6, stop.get_token(), 100),
                  Stopped);
}

}  // namespace quartz::approximation
