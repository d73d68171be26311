#include <boost/multiprecision/cpp_bin_float.hpp>
#include <catch2/catch.hpp>

#include "approximation/fixed_point.hpp"

namespace quartz::approximation {
namespace {

/// 400 digits, more than the angles below need.
using Real = boost::multiprecision::number<boost::multiprecision::cpp_bin_float<1330>>;

Real difference(const Integer& a, const Real& exact, unsigned bits) {
  return abs(Real(boost::multiprecision::cpp_int(a)) - ldexp(exact, static_cast<int>(bits)));
}

TEST_CASE("pi and the square root of 2 are within two units of the last bit", "[fixed_point]") {
  for (const unsigned bits : {20U, 64U, 200U, 1000U}) {
    CHECK(difference(pi(bits), boost::math::constants::pi<Real>(), bits) <= 2);
    CHECK(difference(root_two(bits), sqrt(Real(2)), bits) <= 1);
  }
}

TEST_CASE("points of half angles are within two units of the last bit", "[fixed_point]") {
  const std::vector<std::pair<std::string, Real>> angles{
      {"0", 0},
      {"pi", boost::math::constants::pi<Real>()},
      {"-7*pi/3", -7 * boost::math::constants::pi<Real>() / 3},
      {"0.1", Real(1) / 10},
      {"-2.5", Real(-5) / 2},
      {"1e-40", 1 / pow(Real(10), 40)},
      {"123456789012345678901234567890.5+pi/7",
       Real("123456789012345678901234567890.5") + boost::math::constants::pi<Real>() / 7},
      {"1e200", pow(Real(10), 200)},
  };
  for (const auto& [text, value] : angles) {
    for (const unsigned bits : {30U, 150U, 400U}) {
      INFO(text << " with " << bits << " bits");
      const CirclePoint point = half_angle_point(parse_angle(text), bits);
      CHECK(difference(point.cosine, cos(value / 2), bits) <= 2);
      CHECK(difference(point.sine, sin(value / 2), bits) <= 2);
    }
  }
}

}  // namespace
}  // namespace quartz::approximation
