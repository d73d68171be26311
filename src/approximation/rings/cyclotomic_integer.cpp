#include "approximation/rings/cyclotomic_integer.hpp"

#include <algorithm>
#include <utility>

namespace quartz::approximation {

CyclotomicInteger operator+(const CyclotomicInteger& x, const CyclotomicInteger& y) {
  return {{x.c[0] + y.c[0], x.c[1] + y.c[1], x.c[2] + y.c[2], x.c[3] + y.c[3]}};
}

CyclotomicInteger operator-(const CyclotomicInteger& x, const CyclotomicInteger& y) {
  return {{x.c[0] - y.c[0], x.c[1] - y.c[1], x.c[2] - y.c[2], x.c[3] - y.c[3]}};
}

CyclotomicInteger operator*(const CyclotomicInteger& x, const CyclotomicInteger& y) {
  const auto& a = x.c;
  const auto& b = y.c;
  return {{a[0] * b[0] - a[1] * b[3] - a[2] * b[2] - a[3] * b[1],
           a[0] * b[1] + a[1] * b[0] - a[2] * b[3] - a[3] * b[2],
           a[0] * b[2] + a[1] * b[1] + a[2] * b[0] - a[3] * b[3],
           a[0] * b[3] + a[1] * b[2] + a[2] * b[1] + a[3] * b[0]}};
}

bool CyclotomicInteger::is_zero() const {
  return std::all_of(c.begin(), c.end(), [](const Integer& each) { return each == 0; });
}

CyclotomicInteger cyclotomic(const RootTwoInteger& x) { return {{x.a, x.b, 0, -x.b}}; }

CyclotomicInteger one_plus_omega() { return {{1, 1, 0, 0}}; }

CyclotomicInteger turned(const CyclotomicInteger& x, unsigned power) {
  CyclotomicInteger result;
  for (unsigned j = 0; j < 4; ++j) {
    const unsigned place = j + power;
    result.c[place % 4] = (place / 4) % 2 == 0 ? x.c[j] : -x.c[j];
  }
  return result;
}

CyclotomicInteger adjoint(const CyclotomicInteger& x) {
  return {{x.c[0], -x.c[3], -x.c[2], -x.c[1]}};
}

RootTwoInteger absolute_square(const CyclotomicInteger& x) {
  const auto& c = x.c;
  return {c[0] * c[0] + c[1] * c[1] + c[2] * c[2] + c[3] * c[3],
          c[0] * (c[1] - c[3]) + c[2] * (c[1] + c[3])};
}

RootTwoInteger twice_real_part(const CyclotomicInteger& x) { return {2 * x.c[0], x.c[1] - x.c[3]}; }

RootTwoInteger twice_imaginary_part(const CyclotomicInteger& x) {
  return {2 * x.c[2], x.c[1] + x.c[3]};
}

bool is_divisible_by_root_two(const CyclotomicInteger& x) {
  return is_even(x.c[0] + x.c[2]) && is_even(x.c[1] + x.c[3]);
}

CyclotomicInteger times_root_two(CyclotomicInteger x, unsigned exponent) {
  for (Integer& each : x.c) each <<= exponent / 2;
  return exponent % 2 == 0 ? x : x * cyclotomic({0, 1});
}

CyclotomicInteger gcd(CyclotomicInteger x, CyclotomicInteger y) {
  while (!y.is_zero()) {
    // 1 / y = y^dagger (y^dagger y)^conjugate / N(y), with the norm N(y) > 0.
    const RootTwoInteger square = absolute_square(y);
    const CyclotomicInteger exact = x * adjoint(y) * cyclotomic(conjugate(square));
    const Integer denominator = norm(square);
    CyclotomicInteger rounded;
    for (unsigned j = 0; j < 4; ++j) rounded.c[j] = rounded_quotient(exact.c[j], denominator);
    x = x - rounded * y;
    std::swap(x, y);
  }
  return x;
}

}  // namespace quartz::approximation
