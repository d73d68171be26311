#include "identities.hpp"

namespace quartz {
namespace {

using enum GateKind;

Operation on(GateKind kind, std::initializer_list<Qubit> qubits, std::vector<Angle> angles = {}) {
  return make_operation(kind, qubits, std::move(angles));
}

const Rational half(1, 2);

}  // namespace

bool same_phase(const Angle& a, const Angle& b) {
  return (a - b).reduced_modulo(Rational(2)).is_zero();
}

std::vector<Pair> true_identities() {
  const Angle a = Angle::symbol("p0");
  const Angle b = Angle::symbol("p1");
  const Angle c = Angle::symbol("lambda");
  const Angle long_literal = Angle::decimal("0.78539816339744830961566");
  return {
      {"nothing is nothing", {}, {}, 2, {}},
      {"H X H = Z", {on(h, {0}), on(x, {0}), on(h, {0})}, {on(z, {0})}, 1, {}},
      {"H H = 1", {on(h, {0}), on(h, {0})}, {}, 1, {}},
      {"X Z = i Y", {on(x, {0}), on(z, {0})}, {on(y, {0})}, 1, pi(-1, 2)},
      {"rz merge", {on(rz, {0}, {a}), on(rz, {0}, {b})}, {on(rz, {0}, {a + b})}, 1, {}},
      {"ry merge", {on(ry, {0}, {a}), on(ry, {0}, {b})}, {on(ry, {0}, {a + b})}, 1, {}},
      {"rx cancels", {on(rx, {0}, {a}), on(rx, {0}, {-a})}, {}, 1, {}},
      {"rz(2 pi) = -1", {on(rz, {0}, {pi(2)})}, {}, 1, pi(1)},
      {"u1 and rz", {on(rz, {0}, {a})}, {on(u1, {0}, {a})}, 1, a * half},
      {"u1 merge with a long literal",
       {on(u1, {0}, {long_literal}), on(u1, {0}, {a})},
       {on(rz, {0}, {a + long_literal})},
       1,
       (a + long_literal) * Rational(-1, 2)},
      {"radians add",
       {on(rx, {0}, {Angle::radians(Rational(1, 10))}),
        on(rx, {0}, {Angle::radians(Rational(2, 10))})},
       {on(rx, {0}, {Angle::radians(Rational(3, 10))})},
       1,
       {}},
      {"u2 is u3", {on(u2, {0}, {a, b})}, {on(u3, {0}, {pi(1, 2), a, b})}, 1, {}},
      {"u2 u2",
       {on(u2, {0}, {a, b}), on(u2, {0}, {c, a})},
       {on(u3, {0}, {pi(1) - a - a, c + pi(1, 2), b + pi(1, 2)})},
       1,
       pi(1, 2) - a},
      {"u3 around u1",
       {on(u1, {0}, {c}), on(u3, {0}, {a, b, {}})},
       {on(u3, {0}, {a, b, c})},
       1,
       {}},
      {"t is rz(pi/4)", {on(t, {0})}, {on(rz, {0}, {pi(1, 4)})}, 1, pi(-1, 8)},
      {"t t = s", {on(t, {1}), on(t, {1})}, {on(s, {1})}, 2, {}},
      {"s dagger", {on(sdg, {0})}, {on(rz, {0}, {pi(-1, 2)})}, 1, pi(1, 4)},
      {"sixteenths", {on(p, {0}, {pi(1, 16)}), on(p, {0}, {pi(3, 16)})}, {on(t, {0})}, 1, {}},
      {"three thirds of a turn",
       {on(rx, {0}, {pi(1, 3)}), on(rx, {0}, {pi(1, 3)}), on(rx, {0}, {pi(1, 3)})},
       {on(x, {0})},
       1,
       pi(1, 2)},
      {"five fifths", {on(p, {0}, {pi(2, 5)}), on(p, {0}, {pi(8, 5)})}, {}, 1, {}},
      {"swap", {on(cx, {0, 1}), on(cx, {1, 0}), on(cx, {0, 1})}, {on(swap, {0, 1})}, 2, {}},
      {"rz passes the control",
       {on(rz, {0}, {a}), on(cx, {0, 1})},
       {on(cx, {0, 1}), on(rz, {0}, {a})},
       2,
       {}},
      {"x passes the target", {on(x, {1}), on(cx, {0, 1})}, {on(cx, {0, 1}), on(x, {1})}, 2, {}},
      {"cx with a common control",
       {on(cx, {0, 1}), on(cx, {0, 2})},
       {on(cx, {0, 2}), on(cx, {0, 1})},
       3,
       {}},
      {"cx with a common target",
       {on(cx, {0, 2}), on(cx, {1, 2})},
       {on(cx, {1, 2}), on(cx, {0, 2})},
       3,
       {}},
      {"cx chain",
       {on(cx, {0, 1}), on(cx, {1, 2}), on(cx, {0, 1})},
       {on(cx, {1, 2}), on(cx, {0, 2})},
       3,
       {}},
      {"cx turned round",
       {on(h, {0}), on(h, {1}), on(cx, {0, 1}), on(h, {0}), on(h, {1})},
       {on(cx, {1, 0})},
       2,
       {}},
      {"rotation through a parity",
       {on(cx, {0, 1}), on(rz, {1}, {a}), on(cx, {0, 1}), on(rz, {1}, {b})},
       {on(rz, {1}, {b}), on(cx, {0, 1}), on(rz, {1}, {a}), on(cx, {0, 1})},
       2,
       {}},
      {"idle qubits far apart",
       {on(cx, {3, 40}), on(rz, {3}, {a})},
       {on(rz, {3}, {a}), on(cx, {3, 40})},
       50,
       {}},
  };
}

std::vector<Pair> false_identities() {
  const Angle a = Angle::symbol("p0");
  const Angle b = Angle::symbol("p1");
  return {
      {"wrong angle", {on(rz, {0}, {a}), on(rz, {0}, {b})}, {on(rz, {0}, {a - b})}, 1, {}},
      {"wrong sign", {on(rz, {0}, {pi(1, 4)})}, {on(rz, {0}, {pi(-1, 4)})}, 1, {}},
      {"wrong phase", {on(t, {0})}, {on(rz, {0}, {pi(1, 4)})}, 1, pi(1, 8)},
      {"no phase", {on(x, {0}), on(z, {0})}, {on(y, {0})}, 1, {}},
      {"phase of another parameter", {on(rz, {0}, {a})}, {on(u1, {0}, {a})}, 1, b * half},
      {"wrong operand", {on(cx, {0, 1}), on(x, {0})}, {on(x, {0}), on(cx, {0, 1})}, 2, {}},
      {"wrong control", {on(cx, {0, 1})}, {on(cx, {1, 0})}, 2, {}},
      {"another qubit", {on(h, {0})}, {on(h, {2})}, 3, {}},
      {"equal at zero only", {on(rx, {0}, {a})}, {}, 1, {}},
      {"equal at p0 = p1 only", {on(ry, {0}, {a})}, {on(ry, {0}, {b})}, 1, {}},
      {"equal but for a tiny angle", {on(rz, {0}, {a})}, {on(rz, {0}, {a + pi(1, 256)})}, 1, {}},
      {"radians are no pi",
       {on(rx, {0}, {Angle::radians(Rational(3141592, 1000000))})},
       {on(rx, {0}, {pi(1)})},
       1,
       {}},
      {"relative sign in one column of eight", {}, {on(ccz, {0, 1, 2})}, 3, {}},
      {"a third", {on(rx, {0}, {pi(1, 3)}), on(rx, {0}, {pi(1, 3)})}, {on(x, {0})}, 1, pi(1, 2)},
      {"far apart", {on(cx, {3, 40})}, {on(cx, {40, 3})}, 50, {}},
  };
}

std::vector<Pair> gate_table_identities(unsigned qubits) {
  std::vector<Pair> pairs;
  for (const Gate& row : gate_table()) {
    if (row.qubits > qubits) continue;
    Operation itself;
    itself.gate = row.kind;
    for (Qubit i = 0; i < row.qubits; ++i) itself.qubits.push_back(i);
    for (const std::string_view name : row.parameters) {
      itself.angles.push_back(Angle::symbol(std::string(name)));
    }
    const std::string name(row.name);
    const Decomposition inverse = inverse_of(itself);
    std::vector<Operation> both = {itself};
    both.insert(both.end(), inverse.operations.begin(), inverse.operations.end());
    pairs.push_back({name + " inverse", both, {}, row.qubits, inverse.phase});
    for (std::size_t i = 0; i < row.decompositions.size(); ++i) {
      const Decomposition& pattern = row.decompositions[i];
      Operation instance = itself;
      if (!pattern.when.empty()) instance.angles = pattern.when;
      const Decomposition written = instantiate(pattern, instance);
      pairs.push_back({name + " decomposition " + std::to_string(i),
                       written.operations,
                       {instance},
                       row.qubits,
                       written.phase});
    }
  }
  return pairs;
}

}  // namespace quartz
