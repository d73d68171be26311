#include <catch2/catch.hpp>
#include <random>
#include <vector>

#include "fingerprint/field_point.hpp"
#include "multiples_of_pi.hpp"
#include "quartz/base/errors.hpp"

using namespace quartz;
using namespace quartz::algebra;
using namespace quartz::fingerprint;
using quartz::test::pi;

namespace {

/// Returns a point for the phases (lambda) of p gates with these angles.
FieldPoint point_for(const std::vector<Angle>& angles, const FieldSeed& seed = {}) {
  std::vector<Operation> operations;
  for (const Angle& angle : angles) operations.push_back(make_operation(GateKind::p, {0}, {angle}));
  return FieldPoint(operations, seed);
}

}  // namespace

TEST_CASE("multiples of pi are exact roots of unity") {
  const FieldPoint point = point_for({});
  const Goldilocks one(1);
  CHECK(point.phase(Angle()) == one);
  CHECK(point.phase(pi(1)) == -one);
  CHECK(point.phase(pi(2)) == one);
  CHECK(point.phase(pi(1, 4)) + point.phase(pi(-1, 4)) == Goldilocks::sqrt2());
  CHECK(point.phase(pi(1, 3)) + point.phase(pi(-1, 3)) == one);
  CHECK(point.phase(pi(1, 2147483648)).power(2147483648) == -one);
  CHECK(point.phase(pi(-7, 4)) == point.phase(pi(1, 4)));
}

TEST_CASE("phases of sums are products of phases") {
  const std::vector<Angle> units = {pi(1, 8),
                                    pi(1, 3),
                                    Angle::radians(Rational(1, 10)),
                                    Angle::symbol("p0") * Rational(1, 6),
                                    Angle::symbol("p1") * Rational(1, 4),
                                    Angle::decimal("0.12345678901234567890123")};
  const std::uint64_t seed = 3;
  INFO("seed " << seed);
  const FieldPoint point = point_for(units, {seed});
  std::mt19937_64 random(seed);
  const auto random_angle = [&] {
    Angle angle;
    for (const Angle& unit : units) {
      angle += unit * Rational(static_cast<std::int64_t>(random() % 41) - 20);
    }
    return angle;
  };
  for (int i = 0; i < 100; ++i) {
    const Angle a = random_angle();
    const Angle b = random_angle();
    INFO(a.to_string() << " and " << b.to_string());
    REQUIRE(point.phase(a + b) == point.phase(a) * point.phase(b));
    REQUIRE(point.phase(a) * point.phase(-a) == Goldilocks(1));
  }
}

TEST_CASE("multiples of pi without a root of unity are powers of one random element") {
  const FieldPoint point = point_for({pi(1, 7)});
  const Goldilocks seventh = point.phase(pi(1, 7));
  CHECK(point.phase(pi(3, 7)) == seventh.power(3));
  CHECK(point.phase(pi(-16, 7)) * seventh.power(16) == Goldilocks(1));
  CHECK(seventh != point_for({pi(1, 7)}, {1, 0}).phase(pi(1, 7)));
  CHECK(point.phase(pi(7, 7)) == -Goldilocks(1));
}

TEST_CASE("a symbol's element depends only on its name and the seed") {
  const Angle p0 = Angle::symbol("p0");
  const FieldPoint alone = point_for({p0});
  const FieldPoint together = point_for({Angle::symbol("a"), p0, Angle::radians(Rational(1, 2))});
  CHECK(alone.phase(p0) == together.phase(p0));
  CHECK(alone.phase(p0) != point_for({p0}, {1, 0}).phase(p0));
  CHECK(alone.phase(p0) != point_for({p0}, {0, 1}).phase(p0));
  CHECK(together.phase(p0) != together.phase(Angle::symbol("a")));
}

TEST_CASE("angles that a point was not made for are refused") {
  const FieldPoint point = point_for({Angle::symbol("p0")});
  CHECK_THROWS_AS(point.phase(Angle::symbol("p0") * Rational(1, 2)), UsageError);
  CHECK_THROWS_AS(point.phase(Angle::symbol("p1")), UsageError);
  CHECK_THROWS_AS(point.phase(pi(1, 7)), UsageError);
}

TEST_CASE("random elements depend on seed, stream and label") {
  const auto first = [](const FieldSeed& seed, const char* label) {
    return FieldRandom(seed, label).next();
  };
  CHECK(first({5, 0}, "a") == first({5, 0}, "a"));
  CHECK(first({5, 0}, "a") != first({6, 0}, "a"));
  CHECK(first({5, 0}, "a") != first({5, 1}, "a"));
  CHECK(first({5, 0}, "a") != first({5, 0}, "b"));
  // The value must be the same on every platform, because fingerprints may be stored.
  CHECK(first({0, 0}, "a").value() == 12516088167476693903U);
}
