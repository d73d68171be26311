#include "qasm/gates/multi_controlled.hpp"

#include <algorithm>
#include <array>

#include "qasm/gates/controlled_rotation.hpp"
#include "qasm/gates/relative_phase_x.hpp"
#include "quartz/base/errors.hpp"

namespace quartz::qasm {
namespace {

using enum GateKind;

/// Returns the number of cx for the increments of append_phase_by_increments.
std::uint64_t cost_of_increments(std::size_t controls, std::size_t counter) {
  return 4 * counter * (counter - 1) + 2 * cost_of_controlled_rotations(controls, counter, 0, {});
}

/// A way to have a phase on some qubits: the last ones of them are taken off, and the rest has a
/// phase again.
struct PhaseStep {
  std::uint64_t cost = 0;  ///< number of cx, all further steps included
  std::size_t taken = 1;
};

/// Returns the best step for each number of qubits up to this one.
std::vector<PhaseStep> phase_steps(std::size_t qubits, ControlExpansion expansion) {
  std::vector<PhaseStep> steps(std::max<std::size_t>(qubits, 2) + 1);
  steps[2].cost = 2;
  for (std::size_t n = 3; n <= qubits; ++n) {
    steps[n] = {cost_of_controlled_rotations(n - 1, 1, 0, expansion) + steps[n - 1].cost, 1};
    if (expansion == ControlExpansion::few_rotations) continue;
    for (std::size_t taken = 2; taken < n; ++taken) {
      const std::uint64_t cost = cost_of_increments(n - taken, taken) + steps[n - taken].cost;
      if (cost < steps[n].cost) steps[n] = {cost, taken};
    }
  }
  return steps;
}

/// Appends the quantum Fourier transform without its swaps: qubit j, in the order of increasing
/// significance, gets the phase of the number by pi / 2^j.
void append_fourier_transform(std::span<const Qubit> number, std::vector<Operation>& gates) {
  for (std::size_t j = number.size(); j-- > 0;) {
    append_hadamard(number[j], gates);
    for (std::size_t i = j; i-- > 0;) {
      const Angle angle = Angle::pi_times({1, std::int64_t{1} << (j - i)});
      gates.push_back(make_operation(cp, {number[i], number[j]}, {angle}));
    }
  }
}

/// Appends the phase e^{i angle} on the states in which all controls and all L qubits of the
/// counter are 1, and e^{-i angle / 2^L} on those in which all controls are. The counter is
/// incremented if all controls are 1, with one phase for each unit, decremented and given the
/// opposite phases: only a counter that overflows has lost some (Gidney, "Constructing large
/// controlled nots", 2015). The increments are additions in the Fourier basis (Draper,
/// quant-ph/0008033).
void append_phase_by_increments(std::span<const Qubit> controls, std::span<const Qubit> counter,
                                const Angle& angle, std::vector<Operation>& gates) {
  std::vector<Operation> transform;
  append_fourier_transform(counter, transform);
  std::vector<RotationTarget> unit;
  for (std::size_t j = 0; j < counter.size(); ++j) {
    unit.push_back({counter[j], Angle::pi_times({1, std::int64_t{1} << j})});
  }
  std::vector<Operation> increment = transform;
  append_controlled_rotations(controls, unit, {}, {}, increment);
  append_inverse(transform, increment);
  const auto append_phases = [&](std::int64_t sign) {
    for (std::size_t j = 0; j < counter.size(); ++j) {
      const Rational part(sign, std::int64_t{1} << (counter.size() - j));
      gates.push_back(make_operation(p, {counter[j]}, {angle * part}));
    }
  };
  append_all(increment, gates);
  append_phases(-1);
  append_inverse(increment, gates);
  append_phases(1);
}

void append_phase_on(std::span<const Qubit> qubits, const Angle& angle,
                     std::span<const PhaseStep> steps, ControlExpansion expansion,
                     std::vector<Operation>& gates) {
  const std::size_t n = qubits.size();
  const bool is_sign = angle == Angle::pi_times(1);
  if (n == 1) {
    gates.push_back(make_operation(p, {qubits[0]}, {angle}));
  } else if (n == 2) {
    gates.push_back(is_sign ? make_operation(cz, {qubits[0], qubits[1]})
                            : make_operation(cp, {qubits[0], qubits[1]}, {angle}));
  } else if (n == 3 && is_sign) {
    gates.push_back(make_operation(ccz, {qubits[0], qubits[1], qubits[2]}));
  } else {
    const std::size_t taken = steps[n].taken;
    const std::span<const Qubit> rest = qubits.first(n - taken);
    if (taken == 1) {
      const RotationTarget target{qubits.back(), angle};
      append_controlled_rotations(rest, std::span(&target, 1), {}, expansion, gates);
    } else {
      append_phase_by_increments(rest, qubits.last(taken), angle, gates);
    }
    append_phase_on(rest, angle * Rational(1, std::int64_t{1} << taken), steps, expansion, gates);
  }
}

/// Appends x with two or three controls.
void append_named_x(std::span<const Qubit> controls, Qubit target, std::vector<Operation>& gates) {
  Operation gate = make_operation(controls.size() == 2 ? ccx : c3x, {});
  gate.qubits.assign(controls.begin(), controls.end());
  gate.qubits.push_back(target);
  gates.push_back(std::move(gate));
}

/// Appends x with three or more controls, exactly: 18 cx, or 8m - 8 for four or more.
void append_x_borrowing_many(std::span<const Qubit> controls, Qubit target,
                             std::span<const Qubit> borrowed, std::vector<Operation>& gates) {
  const auto append_flip = [&](std::span<const Qubit> some) {
    append_named_x(some, target, gates);
  };
  append_x_by_chain(controls, borrowed, append_flip, gates);
}

/// Returns gates that set one of the controls, `product`, to the product of all but the first two,
/// up to a relative phase, if the first two are 1; otherwise to something else. A control that is 1
/// is flipped to become a clean qubit: where it is 0, some other control of the product is too.
std::vector<Operation> ladder(std::span<const Qubit> controls, Qubit& product) {
  std::vector<Operation> gates;
  const auto append_product = [&](Qubit a, Qubit b, Qubit to) {
    gates.push_back(make_operation(rccx, {a, b, to}));
    gates.push_back(make_operation(x, {to}));
    product = to;
  };
  const std::size_t pairs = controls.size() / 2;  // the first pair included
  for (std::size_t j = 1; j < pairs; ++j) {
    append_product(controls[2 * j], controls[2 * j + 1], controls[2 * j - 1]);
  }
  std::size_t j = pairs - 1;  // the last pair that the product does not have yet
  if (controls.size() % 2 == 1) {
    product = controls.back();
  } else {
    --j;
  }
  for (; j >= 1; --j) append_product(product, controls[2 * j - 1], controls[2 * j - 2]);
  return gates;
}

/// Appends x with five or more controls: 12m - 18 cx (Khattar and Gidney, arXiv:2407.17966). The
/// first two controls flip the borrowed qubit between two uses of it, of which the first one uses
/// its state and the second one the sum.
void append_x_borrowing_one(std::span<const Qubit> controls, Qubit target, Qubit borrowed,
                            std::vector<Operation>& gates) {
  Qubit product{};
  const std::vector<Operation> rungs = ladder(controls, product);
  for (int i = 0; i < 2; ++i) {
    append_all(rungs, gates);
    append_named_x(std::array{borrowed, product}, target, gates);
    append_inverse(rungs, gates);
    gates.push_back(make_operation(rccx, {controls[0], controls[1], borrowed}));
  }
}

}  // namespace

void append_multi_controlled_x(std::span<const Qubit> controls, Qubit target,
                               std::span<const Qubit> borrowed, ControlExpansion expansion,
                               std::vector<Operation>& gates) {
  const bool has_rotations = expansion != ControlExpansion::few_rotations;
  const std::size_t m = controls.size();
  if (m == 0) {
    gates.push_back(make_operation(x, {target}));
  } else if (m == 1) {
    gates.push_back(make_operation(cx, {controls[0], target}));
  } else if (m == 2 || (m == 3 && has_rotations)) {
    append_named_x(controls, target, gates);
  } else if (!borrowed.empty() && borrowed.size() >= chain_length(m)) {
    append_x_borrowing_many(controls, target, borrowed, gates);
  } else if (!borrowed.empty()) {
    append_x_borrowing_one(controls, target, borrowed[0], gates);
  } else {
    append_hadamard(target, gates);
    append_multi_controlled_phase(joined(controls, std::span(&target, 1)), Angle::pi_times(1), {},
                                  expansion, gates);
    append_hadamard(target, gates);
  }
}

void append_multi_controlled_phase(std::span<const Qubit> qubits, const Angle& angle,
                                   std::span<const Qubit> borrowed, ControlExpansion expansion,
                                   std::vector<Operation>& gates) {
  ensure(!qubits.empty(), "a phase gate has a qubit");
  if (angle.is_zero()) return;
  const bool is_sign = angle == Angle::pi_times(1);
  const std::size_t controls = qubits.size() - 1;
  const bool has_rotations = expansion != ControlExpansion::few_rotations;
  if (is_sign && controls >= 3 && ((controls == 3 && has_rotations) || !borrowed.empty())) {
    append_hadamard(qubits.back(), gates);
    append_multi_controlled_x(qubits.first(controls), qubits.back(), borrowed, expansion, gates);
    append_hadamard(qubits.back(), gates);
  } else {
    append_phase_on(qubits, angle, phase_steps(qubits.size(), expansion), expansion, gates);
  }
}

}  // namespace quartz::qasm
