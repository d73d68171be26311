#include "qasm/gates/multi_controlled.hpp"

#include <algorithm>

#include "quartz/base/errors.hpp"

namespace quartz::qasm {
namespace {

using enum GateKind;

std::vector<Qubit> joined(std::span<const Qubit> a, std::span<const Qubit> b) {
  std::vector<Qubit> all(a.begin(), a.end());
  all.insert(all.end(), b.begin(), b.end());
  return all;
}

/// Implements lemma 7.2: m controls and m - 2 borrowed qubits take 4(m - 2) Toffoli gates.
void append_ladder(std::span<const Qubit> controls, Qubit target, std::span<const Qubit> borrowed,
                   std::vector<Operation>& gates) {
  const std::size_t m = controls.size();
  const auto rung = [&](std::size_t i) {
    const Qubit to = i == m - 1 ? target : borrowed[i - 1];
    gates.push_back(make_operation(ccx, {controls[i], borrowed[i - 2], to}));
  };
  for (const std::size_t top : {m - 1, m - 2}) {
    for (std::size_t i = top; i >= 2; --i) rung(i);
    gates.push_back(make_operation(ccx, {controls[0], controls[1], borrowed[0]}));
    for (std::size_t i = 2; i <= top; ++i) rung(i);
  }
}

/// Implements lemma 7.3: four x gates with half of the controls each, which can borrow the other
/// controls.
void append_in_halves(std::span<const Qubit> controls, Qubit target, Qubit borrowed,
                      std::vector<Operation>& gates) {
  const std::size_t half = (controls.size() + 1) / 2;
  const std::span<const Qubit> first = controls.first(half);
  const std::vector<Qubit> second = joined(controls.subspan(half), std::span(&borrowed, 1));
  const std::vector<Qubit> lent_to_first = joined(controls.subspan(half), std::span(&target, 1));
  for (int i = 0; i < 2; ++i) {
    append_multi_controlled_x(first, borrowed, lent_to_first, gates);
    append_multi_controlled_x(second, target, first, gates);
  }
}

}  // namespace

void append_multi_controlled_x(std::span<const Qubit> controls, Qubit target,
                               std::span<const Qubit> borrowed, std::vector<Operation>& gates) {
  const std::size_t m = controls.size();
  if (m == 0) {
    gates.push_back(make_operation(x, {target}));
  } else if (m == 1) {
    gates.push_back(make_operation(cx, {controls[0], target}));
  } else if (m == 2) {
    gates.push_back(make_operation(ccx, {controls[0], controls[1], target}));
  } else if (borrowed.size() + 2 >= m) {
    append_ladder(controls, target, borrowed, gates);
  } else if (!borrowed.empty() && m > 3) {
    append_in_halves(controls, target, borrowed[0], gates);
  } else if (m == 3) {
    gates.push_back(make_operation(c3x, {controls[0], controls[1], controls[2], target}));
  } else if (m == 4) {
    gates.push_back(
        make_operation(c4x, {controls[0], controls[1], controls[2], controls[3], target}));
  } else {
    gates.push_back(make_operation(h, {target}));
    append_multi_controlled_phase(joined(controls, std::span(&target, 1)), Angle::pi_times(1),
                                  gates);
    gates.push_back(make_operation(h, {target}));
  }
}

void append_multi_controlled_phase(std::span<const Qubit> qubits, const Angle& angle,
                                   std::vector<Operation>& gates) {
  ensure(!qubits.empty(), "a phase gate has a qubit");
  if (angle.is_zero()) return;
  const bool is_sign = angle == Angle::pi_times(1);
  const Qubit last = qubits.back();
  if (qubits.size() == 1) {
    gates.push_back(make_operation(p, {last}, {angle}));
  } else if (qubits.size() == 2) {
    gates.push_back(is_sign ? make_operation(cz, {qubits[0], last})
                            : make_operation(cp, {qubits[0], last}, {angle}));
  } else if (qubits.size() == 3 && is_sign) {
    gates.push_back(make_operation(ccz, {qubits[0], qubits[1], last}));
  } else {
    // b t + a t - (a xor b) t = 2 a b t, where a is the product of all qubits but the last two.
    const Angle half = angle * Rational(1, 2);
    const Qubit middle = qubits[qubits.size() - 2];
    const std::span<const Qubit> others = qubits.first(qubits.size() - 2);
    gates.push_back(make_operation(cp, {middle, last}, {half}));
    append_multi_controlled_x(others, middle, std::span(&last, 1), gates);
    gates.push_back(make_operation(cp, {middle, last}, {-half}));
    append_multi_controlled_x(others, middle, std::span(&last, 1), gates);
    append_multi_controlled_phase(joined(others, std::span(&last, 1)), half, gates);
  }
}

}  // namespace quartz::qasm
