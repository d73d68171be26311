#include "optimize/pauli/one_qubit_group.hpp"

#include "quartz/base/errors.hpp"

namespace quartz::optimizer {
namespace {

/// Returns k if a gate is another one times e^{i k pi/4}, for k from 0 to 7.
std::optional<std::uint8_t> eighths_between(const OneQubitClifford& gate,
                                            const OneQubitClifford& other) {
  const auto quotient = (gate * other.adjoint()).as_pauli();
  if (!quotient || quotient->pauli != LocalPauli()) return std::nullopt;
  const Rational eighths = quotient->phase.pi_part() * Rational(4);
  return static_cast<std::uint8_t>((eighths.numerator() % 8 + 8) % 8);
}

/// Returns -i times the Pauli operator of an axis.
OneQubitClifford half_turn(PauliAxis axis) {
  return OneQubitClifford::quarter_turn(axis) * OneQubitClifford::quarter_turn(axis);
}

OneQubitGroup::SignedAxis axis_before(const OneQubitClifford& gate, PauliAxis axis) {
  const OneQubitClifford image = gate.adjoint() * half_turn(axis) * gate;
  for (const PauliAxis other : kPauliAxes) {
    const std::optional<std::uint8_t> eighths = eighths_between(image, half_turn(other));
    if (eighths) return {other, *eighths == 4};
  }
  throw InternalError("a Clifford gate maps Pauli operators to Pauli operators");
}

}  // namespace

const OneQubitGroup& OneQubitGroup::get() {
  static const OneQubitGroup group;
  return group;
}

OneQubitGroup::OneQubitGroup() {
  gates_.emplace_back();
  for (std::size_t i = 0; i < gates_.size(); ++i) {
    for (const PauliAxis axis : kPauliAxes) {
      const OneQubitClifford next = OneQubitClifford::quarter_turn(axis) * gates_[i];
      if (!find(next)) gates_.push_back(next);
    }
  }
  ensure(gates_.size() == kElements, "there are 24 Clifford gates on one qubit");
  for (std::size_t i = 0; i < kElements; ++i) {
    for (std::size_t j = 0; j < kElements; ++j) products_[i][j] = of(gates_[i] * gates_[j]);
    for (const PauliAxis axis : kPauliAxes) {
      before_[i][static_cast<std::size_t>(axis)] = axis_before(gates_[i], axis);
    }
  }
  for (const PauliAxis axis : kPauliAxes) {
    OneQubitClifford turned;
    for (Element& element : turns_[static_cast<std::size_t>(axis)]) {
      element = of(turned);
      turned = OneQubitClifford::quarter_turn(axis) * turned;
    }
  }
}

std::optional<OneQubitGroup::Element> OneQubitGroup::find(const OneQubitClifford& clifford) const {
  for (std::size_t i = 0; i < gates_.size(); ++i) {
    const std::optional<std::uint8_t> eighths = eighths_between(clifford, gates_[i]);
    if (eighths) return Element{static_cast<Number>(i), *eighths};
  }
  return std::nullopt;
}

OneQubitGroup::Element OneQubitGroup::of(const OneQubitClifford& clifford) const {
  const std::optional<Element> found = find(clifford);
  ensure(found.has_value(), "the group has every Clifford gate on one qubit");
  return *found;
}

}  // namespace quartz::optimizer
