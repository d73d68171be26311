#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <numbers>
#include <random>
#include <string>
#include <vector>

#include "multiples_of_pi.hpp"
#include "quartz/algebra/angle.hpp"
#include "quartz/base/errors.hpp"

using quartz::Angle;
using quartz::InputError;
using quartz::OverflowError;
using quartz::parse_angle;
using quartz::Rational;
using quartz::UsageError;
using quartz::test::pi;

namespace {

constexpr std::int64_t kLargest = std::numeric_limits<std::int64_t>::max();

Angle number(std::int64_t numerator, std::int64_t denominator = 1) {
  return Angle::radians(Rational(numerator, denominator));
}

/// Returns an angle of any kind: small and huge fractions, decimals, literals, parameters.
Angle random_angle(std::mt19937_64& random) {
  const auto pick = [&](std::int64_t low, std::int64_t high) {
    return std::uniform_int_distribution<std::int64_t>(low, high)(random);
  };
  const auto fraction = [&] {
    switch (pick(0, 4)) {
      case 0:
        return Rational(0);
      case 1:
        return Rational(pick(-9, 9), pick(1, 9));
      case 2:
        return Rational(pick(-kLargest, kLargest), pick(1, kLargest));
      case 3:
        return Rational(pick(-kLargest, kLargest), 1LL << pick(0, 62));
      default:
        return Rational(pick(-1000000, 1000000), 1000000);
    }
  };
  Angle angle = Angle::pi_times(fraction()) + Angle::radians(fraction());
  for (const char* symbol : {"p0", "p1", "theta", "_x9", "e1", "pi2", "θ"}) {
    if (pick(0, 3) == 0) angle += Angle::symbol(symbol) * fraction();
  }
  if (pick(0, 3) == 0) {
    std::string digits = std::to_string(pick(0, 9)) + ".";
    for (std::int64_t i = pick(1, 40); i > 0; --i)
      digits.push_back(static_cast<char>('0' + pick(0, 9)));
    angle += Angle::decimal(digits) * Rational(pick(-5, 5), pick(1, 5));
  }
  return angle;
}

}  // namespace

TEST_CASE("Angles print in the shortest exact form") {
  const std::vector<std::pair<Angle, std::string>> table = {
      {Angle(), "0"},
      {pi(1), "pi"},
      {pi(-1), "-pi"},
      {pi(1, 4), "pi/4"},
      {pi(-3, 4), "-3*pi/4"},
      {pi(2), "2*pi"},
      {number(1, 4), "0.25"},
      {number(-5, 2), "-2.5"},
      {number(1, 3), "1/3"},
      {number(1, 1000), "0.001"},
      {number(kLargest), "9223372036854775807"},
      {number(kLargest, 2), "9223372036854775807/2"},
      {pi(-3, 4) + number(1, 4), "-3*pi/4+0.25"},
      {Angle::symbol("theta") * Rational(2) + pi(1), "2*theta+pi"},
      {Angle::symbol("b") - Angle::symbol("a") * Rational(1, 2), "-a/2+b"},
      {Angle::decimal("0.78539816339744830962"), "7.8539816339744830962e-1"},
      {Angle::decimal("0.78539816339744830962") * Rational(-3, 2), "-3*7.8539816339744830962e-1/2"},
  };
  for (const auto& [angle, text] : table) CHECK(angle.to_string() == text);
}

TEST_CASE("A printed angle reads back as the same angle") {
  const std::uint64_t seed = 31337;
  INFO("seed " << seed);
  std::mt19937_64 random(seed);
  int read = 0;
  for (int i = 0; i < 3000; ++i) {
    Angle angle;
    try {
      angle = random_angle(random);
    } catch (const OverflowError&) {
      continue;
    }
    const std::string text = angle.to_string();
    INFO(text);
    REQUIRE(parse_angle(text) == angle);
    ++read;
  }
  CHECK(read > 1000);
}

TEST_CASE("Linear expressions are read exactly") {
  const Angle p0 = Angle::symbol("p0");
  const Angle p1 = Angle::symbol("p1");
  const std::vector<std::pair<std::string, Angle>> table = {
      {"0", Angle()},
      {"pi", pi(1)},
      {"3*π/4", pi(3, 4)},
      {" - pi / 4 ", pi(-1, 4)},
      {"3*pi/4", pi(3, 4)},
      {"0.75*pi", pi(3, 4)},
      {"pi*0.5", pi(1, 2)},
      {"2*(pi - 3*pi/2)", pi(-1)},
      {"--+-pi", pi(-1)},
      {"pi/(-2)", pi(-1, 2)},
      {"pi/-2", pi(-1, 2)},
      {"1-2-3", number(-4)},
      {"8/2/2", number(2)},
      {"2*3/4*5", number(15, 2)},
      {"1e2", number(100)},
      {"1.5E-3", number(3, 2000)},
      {".5", number(1, 2)},
      {"5.", number(5)},
      {"p0+p1", p0 + p1},
      {"p1+p0", p0 + p1},
      {"2*p0", p0 * Rational(2)},
      {"p0*2/3-p0", p0 * Rational(-1, 3)},
      {"(p0-p1)/2+pi/4", (p0 - p1) * Rational(1, 2) + pi(1, 4)},
      {"p0-p0", Angle()},
      {"9223372036854775807", number(kLargest)},
      {"1000000000000000000", number(1000000000000000000)},
      {"0.30000000000000000000000000", number(3, 10)},
      {"0.1+0.2", number(3, 10)},
  };
  for (const auto& [text, angle] : table) {
    INFO(text);
    CHECK(parse_angle(text) == angle);
  }
}

TEST_CASE("The error for a malformed expression names what was found and its column") {
  const std::vector<std::pair<std::string, std::string>> table = {
      {"", "in the angle '', column 1: found the end, expected a number, 'pi', a parameter or '('"},
      {"pi/",
       "in the angle 'pi/', column 4: found the end, expected a number, 'pi', a parameter "
       "or '('"},
      {"p0+*2",
       "in the angle 'p0+*2', column 4: found '*', expected a number, 'pi', a parameter "
       "or '('"},
      {"(pi", "in the angle '(pi', column 4: found the end, expected ')'"},
      {"pi)", "in the angle 'pi)', column 3: found ')', expected an operator or the end"},
      {"2pi", "in the angle '2pi', column 2: found 'p', expected an operator or the end"},
      {"2π", "in the angle '2π', column 2: found 'π', expected an operator or the end"},
      {"1.2.3", "in the angle '1.2.3', column 4: found '.', expected an operator or the end"},
      {"2e", "in the angle '2e', column 2: found 'e', expected an operator or the end"},
      {"p0*p1", "in the angle 'p0*p1', column 3: one side of '*' must be a plain number"},
      {"pi*pi", "in the angle 'pi*pi', column 3: one side of '*' must be a plain number"},
      {"1/pi", "in the angle '1/pi', column 2: the right side of '/' must be a plain number"},
      {"pi / 0", "in the angle 'pi / 0', column 4: division by zero"},
      {"1e99999", "in the angle '1e99999', column 1: the number is out of range"},
      {"pi/3037000500/3037000500",
       "in the angle 'pi/3037000500/3037000500', column 14: the exact "
       "result needs fractions of more than 64 bits"},
      {"9223372036854775807/3+1/7",
       "in the angle '9223372036854775807/3+1/7', column 22: the exact result "
       "needs fractions of more than 64 bits"},
      {"pi;", "in the angle 'pi;', column 3: found ';', expected an operator or the end"},
  };
  for (const auto& [text, message] : table) {
    CHECK_THROWS_MATCHES(parse_angle(text), InputError, Catch::Message(message));
  }
}

TEST_CASE("Sums beyond 64 bits are exact if they are decimals") {
  CHECK(parse_angle("9223372036854775807+1") == Angle::decimal("9223372036854775808"));
  CHECK(parse_angle("pi/7+0.12345678901234567*pi+pi/11-pi/7-0.12345678901234567*pi") == pi(1, 11));
}

TEST_CASE("Hostile expressions neither hang nor exhaust the stack") {
  CHECK_THROWS_AS(parse_angle(std::string(1000000, '(')), InputError);
  CHECK(parse_angle(std::string(1000000, '-') + "pi") == pi(1));
  CHECK_THROWS_AS(parse_angle(std::string("pi\0", 3)), InputError);
  CHECK_THROWS_AS(parse_angle(std::string(100000, '9') + "e9999999999"), InputError);
  CHECK(parse_angle(std::string(100, '(') + "pi" + std::string(100, ')')) == pi(1));
  // Sums take time for each parameter they have so far. A long sum of a few parameters is read.
  std::string sum = "p0";
  for (int i = 1; i < 1000; ++i) sum += "+p" + std::to_string(i);
  CHECK(parse_angle(sum + "-p0-p1").terms().size() == 998);
  CHECK_THROWS_WITH(parse_angle(sum + "-p1000"),
                    Catch::Matchers::EndsWith("found more than 1000 parameters"));
}

TEST_CASE("Decimal literals keep every digit") {
  CHECK(Angle::decimal("0.5") == number(1, 2));
  CHECK(Angle::decimal("007.50e+1") == number(75));
  CHECK(Angle::decimal("0") == Angle());
  CHECK(Angle::decimal("0e5").is_zero());
  // 0.1 and its neighbour are different angles although the same double is nearest to both.
  const Angle a = Angle::decimal("0.1000000000000000000001");
  CHECK(a != Angle::decimal("0.1"));
  CHECK(a.is_constant());
  CHECK_FALSE(a.is_pi_multiple());
  CHECK(a == Angle::decimal("1000000000000000000001e-22"));
  CHECK(a.value() == Approx(0.1));
  CHECK((a - a).is_zero());
  for (const char* text :
       {"", ".", "e5", "1e", "1e+", "1e+-5", "1..2", "-1", "+1", "0x10", "1 ", "nan", "inf"}) {
    INFO(text);
    CHECK_THROWS_AS(Angle::decimal(text), InputError);
  }
}

TEST_CASE("The name of a parameter is an identifier") {
  CHECK(Angle::symbol("theta_1").symbols() == std::vector<std::string>{"theta_1"});
  for (const char* name : {"", "1a", "pi", "π", "a b", "a+b", "a-1"}) {
    INFO(name);
    CHECK_THROWS_AS(Angle::symbol(name), UsageError);
  }
}

TEST_CASE("Angles add and scale exactly") {
  const Angle theta = Angle::symbol("theta");
  CHECK(pi(1, 4) + pi(1, 4) == pi(1, 2));
  CHECK((theta + theta) == theta * Rational(2));
  CHECK((theta - theta).is_zero());
  CHECK((theta * Rational(0)).is_zero());
  CHECK(-(pi(1, 2) - theta) == theta - pi(1, 2));
  CHECK(number(1, 10) + number(2, 10) == number(3, 10));
  CHECK((Angle::symbol("b") + Angle::symbol("a")).symbols() == std::vector<std::string>{"a", "b"});
  Angle doubled = theta + pi(1);
  doubled += doubled;
  CHECK(doubled == theta * Rational(2) + pi(2));
}

TEST_CASE("An overflow leaves the angle unchanged") {
  Angle angle = pi(kLargest) + Angle::symbol("a");
  const Angle before = angle;
  CHECK_THROWS_AS(angle += pi(1), OverflowError);
  CHECK(angle == before);
  CHECK_FALSE(quartz::try_add(angle, pi(1)).has_value());
  CHECK(quartz::try_add(angle, pi(-1)) == pi(kLargest - 1) + Angle::symbol("a"));
}

TEST_CASE("Random angles obey the laws of a vector space") {
  const std::uint64_t seed = 77;
  INFO("seed " << seed);
  std::mt19937_64 random(seed);
  const auto small = [&] {
    const auto pick = [&](int low, int high) {
      return std::uniform_int_distribution<int>(low, high)(random);
    };
    return pi(pick(-9, 9), pick(1, 9)) + number(pick(-9, 9), pick(1, 9)) +
           Angle::symbol("a") * Rational(pick(-2, 2)) +
           Angle::symbol("b") * Rational(pick(-2, 2), 3) +
           Angle::decimal("3.14159265358979323846") * Rational(pick(-2, 2));
  };
  const std::map<std::string, double> bindings = {{"a", 0.7}, {"b", -1.9}};
  for (int i = 0; i < 300; ++i) {
    const Angle x = small();
    const Angle y = small();
    const Angle z = small();
    CHECK(x + y == y + x);
    CHECK((x + y) + z == x + (y + z));
    CHECK((x - y) + y == x);
    CHECK((x + y) * Rational(3, 7) == x * Rational(3, 7) + y * Rational(3, 7));
    CHECK((x + y).value(bindings) == Approx(x.value(bindings) + y.value(bindings)).margin(1e-12));
    // A strict total order that agrees with equality.
    CHECK(((x < y) + (y < x) + (x == y)) == 1);
    if (x < y && y < z) CHECK(x < z);
    if (x == y) CHECK(std::hash<Angle>{}(x) == std::hash<Angle>{}(y));
    CHECK(std::hash<Angle>{}(x) == std::hash<Angle>{}(y + (x - y)));
  }
}

TEST_CASE("Reduction moves the pi part only, by whole periods") {
  CHECK(pi(9, 4).reduced_modulo(2) == pi(1, 4));
  CHECK(pi(-1, 4).reduced_modulo(2) == pi(7, 4));
  CHECK(pi(2).reduced_modulo(2).is_zero());
  CHECK(pi(5, 2).reduced_modulo(4) == pi(5, 2));
  CHECK(pi(7, 4).reduced_symmetric(2) == pi(-1, 4));
  CHECK(pi(1).reduced_symmetric(2) == pi(1));
  CHECK(pi(-1).reduced_symmetric(2) == pi(1));
  CHECK(pi(3).reduced_symmetric(4) == pi(-1));
  constexpr std::int64_t large = 9000000000000000011;
  CHECK(pi(-1, large).reduced_symmetric(4) == pi(-1, large));
  CHECK((pi(-1, large) + number(1)).reduced_symmetric(2) == pi(-1, large) + number(1));
  const Angle mixed = pi(5, 2) + number(100) + Angle::symbol("a");
  CHECK(mixed.reduced_modulo(2) == pi(1, 2) + number(100) + Angle::symbol("a"));
}

TEST_CASE("Parameters are replaced all at once") {
  const Angle a = Angle::symbol("a");
  const Angle b = Angle::symbol("b");
  CHECK((a * Rational(2) + b).substitute({{"a", b}, {"b", a}}) == a + b * Rational(2));
  CHECK((a + pi(1)).substitute({{"a", pi(1, 2)}}) == pi(3, 2));
  CHECK((a - b).substitute({{"a", b}}).is_zero());
  CHECK((a + b).substitute({}) == a + b);
}

TEST_CASE("The value of an angle needs a value for every parameter") {
  const Angle angle = pi(1, 2) + number(1, 4) + Angle::symbol("a") * Rational(1, 2);
  CHECK(angle.value({{"a", 3.0}}) == Approx(std::numbers::pi / 2 + 0.25 + 1.5));
  CHECK_THROWS_MATCHES(angle.value(), UsageError, Catch::Message("parameter 'a' has no value"));
}

TEST_CASE("Constants, parameters and multiples of pi are distinguished") {
  CHECK(Angle().is_zero());
  CHECK(Angle().is_pi_multiple());
  CHECK(pi(1, 3).is_pi_multiple());
  CHECK(pi(1, 3).is_constant());
  CHECK_FALSE(number(1).is_pi_multiple());
  CHECK(number(1).is_constant());
  CHECK_FALSE(Angle::symbol("a").is_constant());
  CHECK_FALSE((pi(1) + Angle::symbol("a")).is_pi_multiple());
  CHECK((Angle::decimal("0.12345678901234567890123") + Angle::symbol("a")).symbols() ==
        std::vector<std::string>{"a"});
}

TEST_CASE("Phases of any number of long decimals add up exactly") {
  // Each phase has 18 decimals, so += overflows after a few terms.
  const std::uint64_t seed = 4;
  INFO("seed " << seed);
  std::mt19937_64 random(seed);
  std::vector<Angle> phases;
  for (int i = 0; i < 2000; ++i) {
    std::string digits = std::to_string(random() % 10) + ".";
    for (int d = 0; d < 18; ++d) digits.push_back(static_cast<char>('0' + random() % 10));
    phases.push_back(Angle::decimal(digits) * Rational(random() % 2 == 0 ? 1 : -1, 2) + pi(7, 4));
  }
  Angle plain;
  CHECK_THROWS_AS(
      [&] {
        for (const Angle& phase : phases) plain += phase;
      }(),
      OverflowError);

  Angle total;
  double expected = 0;
  for (const Angle& phase : phases) {
    total.add_phase(phase);
    expected += phase.value();
  }
  CHECK(total.pi_part() >= Rational(0));
  CHECK(total.pi_part() < Rational(2));
  CHECK(std::remainder(total.value() - expected, 2 * std::numbers::pi) == Approx(0).margin(1e-8));
  CHECK(parse_angle(total.to_string()) == total);
  // Besides the multiple of pi there is one fraction of 64 bits, or one literal or its negative.
  CHECK(total.terms().size() + (total.radian_part().is_zero() ? 0 : 1) == 1);
  for (const Angle::Term& term : total.terms()) {
    CHECK(std::abs(term.coefficient.to_double()) == 1);
  }
  // The sum is exact, in any order.
  Angle backwards;
  for (auto phase = phases.rbegin(); phase != phases.rend(); ++phase) backwards.add_phase(*phase);
  CHECK(backwards == total);
  for (const Angle& phase : phases) total.add_phase(-phase);
  CHECK(total == Angle());
}

TEST_CASE("Phases that are decimals of any size add to one number") {
  const auto sum_of = [](const std::vector<Angle>& phases) {
    Angle total;
    for (const Angle& phase : phases) total.add_phase(phase);
    return total;
  };
  const Angle longer = Angle::decimal("0.98765432109876543210987654321");
  const Angle large = Angle::decimal("123456789012345678901234567890123456789012345");
  // What 64 bits hold is a fraction again.
  CHECK(sum_of({longer, number(1, 2), -longer}) == number(1, 2));
  CHECK(sum_of({longer, Angle::decimal("0.01234567890123456789012345679")}) == number(1));
  // More than 128 bits
  CHECK(sum_of({longer, large}) ==
        Angle::decimal(
            "123456789012345678901234567890123456789012345.98765432109876543210987654321"));
  CHECK(sum_of({longer, large, number(-1, 4), -longer * Rational(3), longer * Rational(2)}) ==
        Angle::decimal("123456789012345678901234567890123456789012344.75"));
  CHECK(sum_of({longer * Rational(1, 2), -large, large}) ==
        Angle::decimal("0.493827160549382716054938271605"));
  // One literal keeps its coefficient, and two do not.
  CHECK(sum_of({longer * Rational(1, 2), longer * Rational(1, 8)}) == longer * Rational(5, 8));
  CHECK(sum_of({longer * Rational(1, 2), number(1, 8)}) ==
        Angle::decimal("0.618827160549382716054938271605"));
  // Thirds are no decimals.
  CHECK(sum_of({longer * Rational(1, 3), number(1, 3), longer, number(1, 7)}) ==
        longer * Rational(1, 3) + longer + number(10, 21));
  // Literals of too many digits together stay apart.
  const Angle tiny = Angle::decimal("1e-390");
  CHECK(sum_of({tiny, large, longer, number(1, 2)}) == tiny + large + longer + number(1, 2));
  CHECK(sum_of({tiny, longer, -longer}) == tiny);
  CHECK(sum_of({large, Angle::symbol("a"), longer, -Angle::symbol("a")}) ==
        sum_of({large, longer}));
}

TEST_CASE("Phases that are long decimals times pi add exactly to other fractions of pi") {
  // 7 * 11 * 10^17 and 2^29 * 5^17 are above 2^63.
  Angle total = pi(1, 7);
  const Angle decimal = parse_angle("0.12345678901234567*pi");
  total.add_phase(decimal);
  total.add_phase(pi(1, 11));
  CHECK(parse_angle(total.to_string()) == total);
  total.add_phase(pi(1, 1LL << 40));
  const double expected = (1.0 / 7 + 0.12345678901234567 + 1.0 / 11 + 0x1p-40) * std::numbers::pi;
  CHECK(total.value() == Approx(expected).epsilon(1e-14));
  CHECK(total.value_modulo(2) == Approx(expected).epsilon(1e-14));
  CHECK(parse_angle(total.to_string()) == total);
  Angle part;
  part.add_phase(total * Rational(-3, 4));
  CHECK(parse_angle(part.to_string()) == part);
  CHECK(total.is_constant());
  total.add_phase(pi(-1, 11));
  total.add_phase(-decimal);
  total.add_phase(pi(-1, 1LL << 40));
  CHECK(total == pi(1, 7));
  total.add_phase(decimal, 1'000'000);
  total.add_phase(-decimal, 999'999);
  total.add_phase(-decimal);
  CHECK(total == pi(1, 7));
  // More digits than any fraction of 64 bits has, together with radians and a parameter.
  const Angle longer = Angle::pi_literal("1.98765432109876543210987654321");
  Angle sum = Angle::decimal("0.98765432109876543210987654321") + Angle::symbol("a") * Rational(2);
  sum.add_phase(longer);
  sum.add_phase(longer);
  CHECK(sum.value({{"a", 0.25}}) ==
        Approx(0.987654321098765 + 0.5 + 1.97530864219753 * std::numbers::pi));
  CHECK(parse_angle(sum.to_string()) == sum);
  sum.add_phase(longer * Rational(-2));
  CHECK(sum ==
        Angle::decimal("0.98765432109876543210987654321") + Angle::symbol("a") * Rational(2));
}

TEST_CASE("Phases add modulo a full turn") {
  Angle total = pi(3, 2);
  total.add_phase(pi(3, 4));
  CHECK(total == pi(1, 4));
  total.add_phase(Angle::symbol("a") - pi(1, 2));
  CHECK(total == pi(7, 4) + Angle::symbol("a"));
  Angle thirds = number(kLargest, 3);
  CHECK_THROWS_AS(thirds.add_phase(number(kLargest, 3)), OverflowError);
}

TEST_CASE("Angles of any size are reduced exactly before they are rounded") {
  // The references were computed in integer arithmetic with pi to 5000 bits, modulo 4 pi.
  struct Row {
    const char* text;
    double reduced;
  };
  for (const Row& row : {Row{"1e12", -0.6576247591367864}, Row{"12345678.9", -1.113629797158435},
                         Row{"1e22", 5.263007914620499}, Row{"1e300", 4.543370959115518},
                         Row{"-1e9", 5.705789883678201},
                         Row{"123456789012345678901234567890.123", 1.962646587605614}}) {
    INFO(row.text);
    const Angle angle = parse_angle(row.text);
    CHECK(std::abs(angle.value_modulo(4) - row.reduced) < 2e-15);
    // The reduction also holds together with a multiple of pi and a parameter.
    const Angle more = angle + pi(1, 3) + Angle::symbol("t") * Rational(1, 2);
    const double turn = 4 * std::numbers::pi;
    const double expected = std::remainder(row.reduced + std::numbers::pi / 3 + 0.25, turn);
    CHECK(std::abs(std::remainder(more.value_modulo(4, {{"t", 0.5}}) - expected, turn)) < 4e-15);
    CHECK(angle.value_modulo_error() < 1e-15);
  }
  // A bound parameter counts as the exact number that its double represents.
  const Angle scaled = Angle::symbol("t") * Rational(1'000'000'000);
  CHECK(std::abs(scaled.value_modulo(4, {{"t", 1000.0}}) - parse_angle("1e12").value_modulo(4)) <
        1e-15);
  // Small angles are rounded like `value` does.
  const Angle small = pi(5, 7) + number(3, 10);
  CHECK(small.value_modulo(2) == small.value());
}

TEST_CASE("Angles beyond 1e300 are out of range") {
  CHECK(parse_angle("1e300").in_range());
  CHECK_THROWS_AS(parse_angle("1.1e300"), InputError);
  CHECK_THROWS_AS(parse_angle("1e300*10"), InputError);
  CHECK_THROWS_AS(parse_angle("1e301-1e301+2e302"), InputError);
}
