#include <algorithm>
#include <map>
#include <queue>

#include "approximation/exact_unitary.hpp"
#include "quartz/base/errors.hpp"

namespace quartz::approximation {
namespace {

/// The rotation of the Bloch sphere that a unitary causes: a 3 x 3 matrix over Z[sqrt(2)], row by
/// row, divided by sqrt(2)^exponent. The least exponent is the number of T gates of the normal form
/// (Gosset, Kliuchnikov, Mosca, Russo, arXiv 1308.4134).
struct BlochRotation {
  std::array<std::array<RootTwoInteger, 3>, 3> rows;
  unsigned exponent = 0;
};

/// The axes of the Bloch sphere, as indices.
enum Axis : unsigned { axis_x, axis_y, axis_z };

RootTwoInteger negated(const RootTwoInteger& x) { return {-x.a, -x.b}; }

/// Returns x / sqrt(2) of an x with an even a.
RootTwoInteger divided_by_root_two(const RootTwoInteger& x) { return {x.b, x.a / 2}; }

/// Divides all entries by sqrt(2) as often as they all can be.
void reduce(BlochRotation& rotation) {
  const auto is_reducible = [&] {
    return rotation.exponent > 0 &&
           std::all_of(rotation.rows.begin(), rotation.rows.end(), [](const auto& row) {
             return std::all_of(row.begin(), row.end(),
                                [](const RootTwoInteger& x) { return is_even(x.a); });
           });
  };
  for (; is_reducible(); --rotation.exponent) {
    for (auto& row : rotation.rows) {
      for (RootTwoInteger& entry : row) entry = divided_by_root_two(entry);
    }
  }
}

/// Returns where the unitary takes an axis: half of the trace of U P U^dagger Q for all Q.
BlochRotation bloch_rotation(const ExactUnitary& unitary) {
  const auto& [a, b, c, d] = unitary.entries;
  BlochRotation rotation;
  rotation.exponent = 2 * unitary.exponent + 2;
  const auto set_column = [&](Axis axis, const CyclotomicInteger& lower_left,
                              const CyclotomicInteger& upper_left) {
    // The image is x X + y Y + z Z with x + i y lower left and z upper left.
    rotation.rows[axis_x][axis] = twice_real_part(lower_left);
    rotation.rows[axis_y][axis] = twice_imaginary_part(lower_left);
    rotation.rows[axis_z][axis] = twice_real_part(upper_left);
  };
  const CyclotomicInteger a_conjugate = adjoint(a);
  const CyclotomicInteger b_conjugate = adjoint(b);
  const CyclotomicInteger da = d * a_conjugate;
  const CyclotomicInteger cb = c * b_conjugate;
  const CyclotomicInteger ba = b * a_conjugate;
  set_column(axis_x, da + cb, ba + adjoint(ba));
  set_column(axis_y, turned(da - cb, 2), turned(ba - adjoint(ba), 2));
  set_column(axis_z, c * a_conjugate - d * b_conjugate, a * a_conjugate - b * b_conjugate);
  // The factor 2 of the real parts is in the exponent.
  reduce(rotation);
  return rotation;
}

/// Multiplies by a Clifford gate from the left: rows are exchanged and negated.
void apply_clifford(GateKind gate, BlochRotation& rotation) {
  auto& [x, y, z] = rotation.rows;
  const auto negate = [](auto& row) {
    for (RootTwoInteger& entry : row) entry = negated(entry);
  };
  switch (gate) {
    case GateKind::h:  // X <-> Z, Y -> -Y
      std::swap(x, z);
      return negate(y);
    case GateKind::s:  // X -> Y -> -X
      std::swap(x, y);
      return negate(x);
    case GateKind::sdg:
      std::swap(x, y);
      return negate(y);
    case GateKind::z:
      negate(x);
      return negate(y);
    case GateKind::x:
      negate(y);
      return negate(z);
    default:
      throw InternalError("a gate that is not a Clifford gate in a normal form");
  }
}

/// Multiplies by T^dagger from the left, where that lowers the exponent by 1.
void apply_inverse_t(BlochRotation& rotation) {
  auto& [x, y, z] = rotation.rows;
  const auto half = [](const RootTwoInteger& value) {
    ensure(is_even(value.a) && is_even(value.b), "a T gate does not lower the exponent");
    return RootTwoInteger{value.a / 2, value.b / 2};
  };
  for (unsigned column = 0; column < 3; ++column) {
    const RootTwoInteger sum = x[column] + y[column];
    const RootTwoInteger difference = y[column] - x[column];
    x[column] = half(sum);
    y[column] = half(difference);
    z[column] = divided_by_root_two(z[column]);
  }
  --rotation.exponent;
}

/// Returns the only row all of whose entries can be divided by sqrt(2). The leftmost T gate of the
/// normal form is about this axis.
Axis axis_of_leftmost_t(const BlochRotation& rotation) {
  for (const Axis axis : {axis_x, axis_y, axis_z}) {
    const auto& row = rotation.rows[axis];
    if (std::all_of(row.begin(), row.end(), [](const auto& x) { return is_even(x.a); })) {
      return axis;
    }
  }
  throw InternalError("a matrix that is not a product of Clifford+T gates");
}

/// The images of the axes under a Clifford gate: entries 0, 1 and -1.
using SignedPermutation = std::array<int, 9>;

SignedPermutation signed_permutation(const BlochRotation& rotation) {
  SignedPermutation result{};
  for (unsigned row = 0; row < 3; ++row) {
    for (unsigned column = 0; column < 3; ++column) {
      result[3 * row + column] = static_cast<int>(rotation.rows[row][column].a);
    }
  }
  return result;
}

/// Returns a shortest word for each of the 24 Clifford gates on one qubit, leftmost factor first.
std::map<SignedPermutation, std::vector<GateKind>> clifford_words() {
  std::map<SignedPermutation, std::vector<GateKind>> words;
  std::queue<BlochRotation> open;
  BlochRotation identity;
  for (unsigned axis = 0; axis < 3; ++axis) identity.rows[axis][axis].a = 1;
  words[signed_permutation(identity)] = {};
  open.push(identity);
  while (!open.empty()) {
    const BlochRotation rotation = open.front();
    open.pop();
    const std::vector<GateKind> word = words[signed_permutation(rotation)];
    for (const GateKind gate :
         {GateKind::z, GateKind::s, GateKind::sdg, GateKind::x, GateKind::h}) {
      BlochRotation product = rotation;
      apply_clifford(gate, product);
      std::vector<GateKind> longer = word;
      longer.insert(longer.begin(), gate);
      if (words.emplace(signed_permutation(product), longer).second) open.push(product);
    }
  }
  return words;
}

}  // namespace

std::vector<GateKind> normal_form(const ExactUnitary& unitary) {
  static const std::map<SignedPermutation, std::vector<GateKind>> words = clifford_words();
  BlochRotation rotation = bloch_rotation(unitary);
  std::vector<GateKind> gates;  // leftmost factor first
  while (rotation.exponent > 0) {
    const Axis axis = axis_of_leftmost_t(rotation);
    if (axis == axis_y) {  // S H Z H^dagger S^dagger = Y
      gates.push_back(GateKind::s);
      apply_clifford(GateKind::sdg, rotation);
    }
    if (axis != axis_z) {  // H Z H = X
      gates.push_back(GateKind::h);
      apply_clifford(GateKind::h, rotation);
    }
    gates.push_back(GateKind::t);
    apply_inverse_t(rotation);
  }
  const auto word = words.find(signed_permutation(rotation));
  ensure(word != words.end(), "the rest of a normal form is not a Clifford gate");
  gates.insert(gates.end(), word->second.begin(), word->second.end());
  std::reverse(gates.begin(), gates.end());
  return gates;
}

}  // namespace quartz::approximation
