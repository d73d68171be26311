#include "alphabets.hpp"

#include <utility>
#include <vector>

namespace quartz {

using namespace enumerate;
namespace {

GateSet nam_with(unsigned parameters, std::vector<Angle> expressions) {
  GateSet set;
  set.name = "nam";
  set.digest = "of a test";
  set.entries = {{GateKind::h, {}}, {GateKind::x, {}}, {GateKind::rz, {}}, {GateKind::cx, {}}};
  set.alphabet = {parameters, std::move(expressions)};
  return set;
}

}  // namespace

GateSet nam() {
  const Angle p0 = Angle::symbol("p0");
  const Angle p1 = Angle::symbol("p1");
  return nam_with(2, {p0, p1, p0 * Rational(2), p0 + p1, p1 * Rational(2)});
}

GateSet nam_constants() {
  std::vector<Angle> angles;
  for (int k = 1; k < 8; ++k) angles.push_back(Angle::pi_times(Rational(k, 4)));
  return nam_with(0, std::move(angles));
}

Letters letters_of(const GateSet& set, unsigned qubits) {
  return make_letters(alphabet(set, qubits), qubits);
}

}  // namespace quartz
