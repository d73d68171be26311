#include "qasm/gates/relative_phase_x.hpp"

#include "quartz/base/errors.hpp"
#include "quartz/circuit/gate.hpp"

namespace quartz::qasm {
namespace {

using enum GateKind;

}  // namespace

std::vector<Qubit> joined(std::span<const Qubit> a, std::span<const Qubit> b) {
  std::vector<Qubit> all(a.begin(), a.end());
  all.insert(all.end(), b.begin(), b.end());
  return all;
}

void append_all(std::span<const Operation> some, std::vector<Operation>& gates) {
  gates.insert(gates.end(), some.begin(), some.end());
}

void append_inverse(std::span<const Operation> some, std::vector<Operation>& gates) {
  for (std::size_t i = some.size(); i-- > 0;) {
    const Decomposition inverse = inverse_of(some[i]);
    ensure(inverse.phase.is_zero(), "the gate's inverse has no phase");
    append_all(inverse.operations, gates);
  }
}

void append_hadamard(Qubit target, std::vector<Operation>& gates) {
  gates.push_back(make_operation(h, {target}));
}

void append_by_parities(std::span<const Qubit> controls, Qubit target, const Angle& angle,
                        GateKind kind, std::vector<Operation>& gates) {
  const std::size_t m = controls.size();
  const std::uint64_t parities = std::uint64_t{1} << m;
  const Angle part = angle * Rational(1, static_cast<std::int64_t>(parities));
  for (std::uint64_t i = 0; i < parities; ++i) {
    // The parity has as many controls as the Gray code i ^ (i / 2) has ones, odd for odd i.
    gates.push_back(make_operation(kind, {target}, {i % 2 == 0 ? part : -part}));
    std::size_t changed = 0;
    while (changed + 1 < m && ((i + 1) >> changed) % 2 == 0) ++changed;
    gates.push_back(make_operation(cx, {controls[changed], target}));
  }
}

std::uint64_t cost_of_x_up_to_phase(std::size_t controls, std::size_t borrowed,
                                    ControlExpansion expansion) {
  if (controls == 1) return 1;
  if (controls <= most_controls_by_parities(expansion)) return std::uint64_t{1} << controls;
  return borrowed < chain_length(controls) ? kImpossible : controls == 3 ? 14 : 8 * controls - 12;
}

std::vector<Operation> chain(std::span<const Qubit> controls, std::span<const Qubit> borrowed) {
  if (controls.size() == 3) {
    return {make_operation(rccx, {controls[0], controls[1], borrowed[0]})};
  }
  std::vector<Operation> down;
  for (std::size_t i = chain_length(controls.size()); i-- > 1;) {
    const Qubit to = borrowed[i];
    append_hadamard(to, down);
    down.push_back(make_operation(t, {to}));
    down.push_back(make_operation(cx, {controls[i + 2], to}));
    down.push_back(make_operation(tdg, {to}));
    down.push_back(make_operation(cx, {borrowed[i - 1], to}));
  }
  std::vector<Operation> gates = down;
  gates.push_back(make_operation(rc3x, {controls[0], controls[1], controls[2], borrowed[0]}));
  append_inverse(down, gates);
  return gates;
}

void append_x_up_to_phase(std::span<const Qubit> controls, Qubit target,
                          std::span<const Qubit> borrowed, ControlExpansion expansion,
                          std::vector<Operation>& gates) {
  const auto append_by_parities_of = [&](std::span<const Qubit> some) {
    append_hadamard(target, gates);
    append_by_parities(some, target, Angle::pi_times(1), p, gates);
    append_hadamard(target, gates);
  };
  if (controls.size() == 1) {
    gates.push_back(make_operation(cx, {controls[0], target}));
  } else if (controls.size() <= most_controls_by_parities(expansion)) {
    append_by_parities_of(controls);
  } else {
    append_x_by_chain(controls, borrowed, append_by_parities_of, gates);
  }
}

}  // namespace quartz::qasm
