#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <random>
#include <sstream>
#include <string>

#include "programs.hpp"
#include "qasm/text/number.hpp"

using namespace quartz;
using namespace quartz::qasm;
using quartz::test::pi;
using quartz::test::radians;

namespace {

std::string shortest(double value) {
  std::ostringstream text;
  text.precision(17);
  text << value;
  return text.str();
}

}  // namespace

TEST_CASE("Numbers keep every digit") {
  CHECK(read_number("0") == Angle());
  CHECK(read_number("7") == radians(7));
  CHECK(read_number("9223372036854775807") == radians(std::numeric_limits<std::int64_t>::max()));
  CHECK(read_number("0.25") == radians(1, 4));
  CHECK(read_number(".5") == radians(1, 2));
  CHECK(read_number("5.") == radians(5));
  CHECK(read_number("1e3") == radians(1000));
  CHECK(read_number("25E-2") == radians(1, 4));
  CHECK(read_number("1.5e+1") == radians(15));
  CHECK(read_number("3.37668816425103") == radians(337668816425103, 100000000000000));
  CHECK(read_number("0.1234567890123456789012345") ==
        Angle::decimal("0.1234567890123456789012345"));
}

TEST_CASE("Numbers beyond the range of a double are refused, tiny ones are kept") {
  CHECK_THROWS_WITH(read_number("1e400"), "the number '1e400' is out of the range of a double");
  CHECK_THROWS_WITH(read_number(std::string(400, '9')),
                    Catch::Contains("is out of the range of a double"));
  CHECK_THROWS_WITH(read_number("1e99999999999"),
                    "the exponent of '1e99999999999' is out of range");
  CHECK_THROWS_WITH(read_number("1e-2147483648"),
                    "the exponent of '1e-2147483648' is out of range");
  CHECK(read_number("1e-400") == Angle::decimal("1e-400"));
}

TEST_CASE("A decimal that is the double of a simple multiple of pi is that multiple") {
  CHECK(read_number("3.141592653589793") == pi(1));
  CHECK(read_number("1.5707963267948966") == pi(1, 2));
  CHECK(read_number("0.7853981633974483") == pi(1, 4));
  CHECK(read_number("0.78539816339744830962") == pi(1, 4));
  CHECK(read_number("6.283185307179586") == pi(2));
  CHECK(read_number("1.0471975511965976") == pi(1, 3));
  CHECK(read_number("4.71238898038469") == pi(3, 2));
  CHECK(read_number("2.356194490192345e0") == pi(3, 4));
  CHECK(read_number("9.587379924285257e-05") == pi(1, 32768));
}

TEST_CASE("Multiples of pi are recognized in any order of multiplying, dividing and rounding") {
  CHECK(read_number("1.0471975511965976") == pi(1, 3));  // pi/3 in doubles
  CHECK(read_number("1.0471975511965979") == pi(1, 3));  // the double nearest to pi/3
  CHECK(read_number("1.0471975511965974") == Angle::decimal("1.0471975511965974"));
  for (int d = 1; d <= 64; ++d) {
    for (int k = 1; k <= 2 * d; ++k) {
      if (std::gcd(k, d) != 1) continue;
      constexpr double in_doubles = std::numbers::pi;
      for (const double value :
           {k * in_doubles / d, k * (in_doubles / d), static_cast<double>(k) / d * in_doubles}) {
        const std::string text = shortest(value);
        INFO(k << "*pi/" << d << " = " << text);
        CHECK(read_number(text) == pi(k, d));
      }
    }
  }
}

TEST_CASE("A number with more digits than a double and an exponent is read as written") {
  CHECK(read_number("7.8539816339744830962e-1") == Angle::decimal("0.78539816339744830962"));
  CHECK(read_number("9.587379924285257000000e-5") == Angle::decimal("9.587379924285257e-5"));
}

TEST_CASE("A decimal that is only near to a multiple of pi is read as written") {
  CHECK(read_number("3.14159265359") == radians(314159265359, 100000000000));
  CHECK(read_number("1.5707963267948968") == radians(15707963267948968, 10000000000000000));
  CHECK(read_number("1.5707963267948963") == radians(15707963267948963, 10000000000000000));
  CHECK(read_number("0.785398163397448") == radians(785398163397448, 1000000000000000));
}

TEST_CASE("Denominators that are powers of two go up to 2^20") {
  for (int power = 7; power <= 20; ++power) {
    const std::int64_t d = std::int64_t{1} << power;
    for (const std::int64_t k : {std::int64_t{1}, d / 2 - 1, d - 1, 2 * d - 1}) {
      const double value = static_cast<double>(k) * std::numbers::pi / static_cast<double>(d);
      INFO(k << "*pi/" << d);
      CHECK(read_number(shortest(value)) == pi(k, d));
    }
  }
  CHECK(read_number(shortest(std::numbers::pi / (1 << 21))).pi_part().is_zero());
  CHECK(read_number(shortest(std::numbers::pi / 65)).pi_part().is_zero());
}

TEST_CASE("Random decimals are not read as multiples of pi") {
  constexpr unsigned seed = 20240607;
  INFO("seed " << seed);
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> values(0.0, 12.0);
  for (int i = 0; i < 2000; ++i) {
    const std::string text = shortest(values(random));
    INFO(text);
    CHECK(read_number(text) == Angle::decimal(text));
  }
}

TEST_CASE("A computed double becomes the shortest decimal that reads back") {
  CHECK(angle_from_double(0.1) == radians(1, 10));
  CHECK(angle_from_double(-2.5) == radians(-5, 2));
  CHECK(angle_from_double(0.0) == Angle());
  CHECK(angle_from_double(std::sin(0.5)) == Angle::decimal("0.479425538604203"));
  CHECK(angle_from_double(std::acos(-1.0)) == pi(1));
  CHECK(angle_from_double(-std::asin(1.0)) == pi(-1, 2));
  CHECK(angle_from_double(1e300) == Angle::decimal("1e300"));
  CHECK_THROWS_WITH(angle_from_double(std::numeric_limits<double>::infinity()),
                    "the value of the expression is not finite");
  CHECK_THROWS_AS(angle_from_double(std::nan("")), InputError);
}

TEST_CASE("Digits of OpenQASM 3 may be separated by underscores") {
  using namespace quartz::test;
  CHECK(parse_3("qubit[1_2] q; rx(1_000.5_0e1_0) q[1_1]; delay[1_000ns] q[0xb];").operations ==
        parse_3("qubit[12] q; rx(1000.50e10) q[11]; delay[1_000ns] q[11];").operations);
  CHECK(parse_3("qubit q; const int n = 1_0; bit[n] c; c = 1_0;").operations ==
        parse_3("qubit q; bit[10] c; c = 10;").operations);
  CHECK(error_of(version_3 + "qubit[1__0] q;") ==
        "test:3:7: found '1__0', which is neither a number nor a name");
  CHECK(error_of(version_3 + "qubit[1_] q;") ==
        "test:3:7: found '1_', which is neither a number nor a name");
  CHECK(error_of(version_2 + "qreg q[1_0];") ==
        "test:3:8: found '1_0', which is neither a number nor a name");
}
