#include "approximation/special_unitary.hpp"

namespace quartz::approximation {
namespace {

/// Multiplications by unitaries keep the length of the error. The roundings of four coordinates add
/// up to 4 units, and those of the factor itself, too.
constexpr std::uint64_t kErrorOfProduct = 8;

/// Returns -i times a point.
CirclePoint turned_back(const CirclePoint& point) { return {point.sine, -point.cosine}; }

/// Returns -i (a + sign b) / sqrt(2).
CirclePoint mixed(const CirclePoint& a, const CirclePoint& b, int sign, unsigned bits) {
  const Integer half = root_two(bits);  // sqrt(2) / 2, with one bit more
  const CirclePoint sum{floor_shift((a.cosine + sign * b.cosine) * half, bits + 1),
                        floor_shift((a.sine + sign * b.sine) * half, bits + 1)};
  return turned_back(sum);
}

}  // namespace

SpecialUnitary identity(unsigned bits) {
  SpecialUnitary unitary;
  unitary.bits = bits;
  unitary.a.cosine = Integer(1) << bits;
  return unitary;
}

void apply_rz(const Angle& angle, SpecialUnitary& unitary) {
  apply_turn(half_angle_point(angle, unitary.bits), unitary);
}

void apply_turn(const CirclePoint& turn, SpecialUnitary& unitary) {
  unitary.a = product(unitary.a, {turn.cosine, -turn.sine}, unitary.bits);
  unitary.b = product(unitary.b, turn, unitary.bits);
  unitary.error += kErrorOfProduct;
}

void apply_h(SpecialUnitary& unitary) {
  const CirclePoint a = unitary.a;
  unitary.a = mixed(a, unitary.b, 1, unitary.bits);
  unitary.b = mixed(a, unitary.b, -1, unitary.bits);
  unitary.error += kErrorOfProduct;
}

void apply_inverse_h(SpecialUnitary& unitary) {
  apply_h(unitary);
  for (CirclePoint* const entry : {&unitary.a, &unitary.b}) {
    *entry = {-entry->cosine, -entry->sine};
  }
}

void apply_x(SpecialUnitary& unitary) {
  const CirclePoint a = unitary.a;
  unitary.a = turned_back(unitary.b);
  unitary.b = turned_back(a);
}

void multiply_by_phase(const CirclePoint& phase, SpecialUnitary& unitary) {
  unitary.a = product(unitary.a, phase, unitary.bits);
  unitary.b = product(unitary.b, phase, unitary.bits);
  unitary.error += kErrorOfProduct;
}

}  // namespace quartz::approximation
