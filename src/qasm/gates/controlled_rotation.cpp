#include "qasm/gates/controlled_rotation.hpp"

#include "qasm/gates/relative_phase_x.hpp"

namespace quartz::qasm {
namespace {

using enum GateKind;

/// Returns the size of the first of the two parts of controls in append_by_parts.
std::size_t size_of_first_part(std::size_t controls, std::size_t borrowed,
                               ControlExpansion expansion) {
  std::size_t best = 1;
  std::uint64_t least = kImpossible;
  for (std::size_t first = 1; first < controls; ++first) {
    const std::size_t second = controls - first;
    const std::uint64_t cost = cost_of_x_up_to_phase(first, second + borrowed, expansion) +
                               cost_of_x_up_to_phase(second, first + borrowed, expansion);
    if (cost < least) {
      least = cost;
      best = first;
    }
  }
  return best;
}

/// Appends the rotations as a commutator (Vale et al., arXiv:2302.06377, theorem 1): the targets
/// are flipped by each of two parts of the controls, which borrows the other part, twice, and are
/// rotated back and forth between them. The second flip undoes the relative phase of the first.
/// Further targets are flipped with the first one by cx.
void append_by_parts(std::span<const Qubit> controls, std::span<const RotationTarget> targets,
                     std::span<const Qubit> borrowed, ControlExpansion expansion,
                     std::vector<Operation>& gates) {
  const std::size_t size = size_of_first_part(controls.size(), borrowed.size(), expansion);
  const std::span<const Qubit> first = controls.first(size);
  const std::span<const Qubit> second = controls.subspan(size);
  const auto flips = [&](std::span<const Qubit> part, std::span<const Qubit> other) {
    std::vector<Operation> copies;
    for (const RotationTarget& target : targets.subspan(1)) {
      copies.push_back(make_operation(cx, {targets[0].qubit, target.qubit}));
    }
    std::vector<Operation> flip = copies;
    append_x_up_to_phase(part, targets[0].qubit, joined(other, borrowed), expansion, flip);
    append_inverse(copies, flip);
    return flip;
  };
  const std::vector<Operation> by_first = flips(first, second);
  const std::vector<Operation> by_second = flips(second, first);
  const auto rotate = [&](const Rational& part) {
    for (const RotationTarget& target : targets) {
      gates.push_back(make_operation(rz, {target.qubit}, {target.angle * part}));
    }
  };
  append_all(by_first, gates);
  rotate({-1, 4});
  append_all(by_second, gates);
  rotate({1, 4});
  append_inverse(by_first, gates);
  rotate({-1, 4});
  append_inverse(by_second, gates);
  rotate({1, 4});
}

}  // namespace

std::uint64_t cost_of_controlled_rotations(std::size_t controls, std::size_t targets,
                                           std::size_t borrowed, ControlExpansion expansion) {
  if (controls == 0) return 0;
  if (controls <= most_controls_by_parities(expansion))
    return (std::uint64_t{1} << controls) * targets;
  const std::size_t first = size_of_first_part(controls, borrowed, expansion);
  const std::size_t second = controls - first;
  return 2 * (cost_of_x_up_to_phase(first, second + borrowed, expansion) +
              cost_of_x_up_to_phase(second, first + borrowed, expansion)) +
         8 * (targets - 1);
}

void append_controlled_rotations(std::span<const Qubit> controls,
                                 std::span<const RotationTarget> targets,
                                 std::span<const Qubit> borrowed, ControlExpansion expansion,
                                 std::vector<Operation>& gates) {
  if (controls.size() > most_controls_by_parities(expansion)) {
    return append_by_parts(controls, targets, borrowed, expansion, gates);
  }
  for (const auto& [qubit, angle] : targets) {
    if (controls.empty()) {
      gates.push_back(make_operation(rz, {qubit}, {angle}));
    } else if (controls.size() == 1) {
      gates.push_back(make_operation(crz, {controls[0], qubit}, {angle}));
    } else {
      append_by_parities(controls, qubit, angle, rz, gates);
    }
  }
}

}  // namespace quartz::qasm
