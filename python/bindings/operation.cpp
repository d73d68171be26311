#include "python/bindings/operation.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <span>
#include <string_view>

#include "quartz/circuit/gate.hpp"

namespace quartz::python {
namespace {

namespace nb = nanobind;

std::string_view kind_of(const Operation& operation) {
  static constexpr std::array<std::string_view, 5> names{"gate", "measure", "reset", "barrier",
                                                         "opaque"};
  return names.at(static_cast<std::size_t>(operation.kind));
}

template <typename Items>
nb::tuple tuple_of(const Items& items) {
  nb::list list;
  for (const auto& item : items) list.append(nb::cast(item));
  return nb::tuple(list);
}

nb::tuple bits_of(const OperationView& view) {
  const ClassicalPart* const classical = view.operation.classical.get();
  return classical == nullptr ? nb::tuple() : tuple_of(classical->bits);
}

std::string text_of(const OperationView& view) {
  std::string text = name_of(view.operation);
  const char* separator = "(";
  for (const Angle& angle : view.operation.angles) {
    text += separator + angle.to_readable_string();
    separator = ", ";
  }
  if (!view.operation.angles.empty()) text += ")";
  separator = " ";
  for (const Qubit qubit : view.operation.qubits) {
    text += separator + std::to_string(qubit);
    separator = ", ";
  }
  return text;
}

void define_condition(nb::module_& module) {
  nb::class_<ConditionView>(module, "Condition",
                            "A condition of an operation: a register, or one bit of it, has a "
                            "value (or, if ``negated``, another one); or an expression of bits is "
                            "not zero (or, if ``negated``, zero).")
      .def_ro("register", &ConditionView::bit_register,
              "The name of the register; None if there is an expression.")
      .def_ro("expression", &ConditionView::expression,
              "The expression, in which bits are numbered through all registers, as in ``b[3]``; "
              "None if a register is compared.")
      .def_ro("element", &ConditionView::element,
              "The index of the bit in the register; None if the whole register is compared.")
      .def_ro("value", &ConditionView::value, "The value that the register or the bit must have.")
      .def_ro("negated", &ConditionView::negated, "Whether the condition must not hold.");
}

/// Returns the text of classical bits by their numbers in the circuit.
std::string bits_text(std::span<const std::uint32_t> bits) {
  std::string text;
  for (const std::uint32_t bit : bits) {
    text += (text.empty() ? "" : " ++ ") + ("b[" + std::to_string(bit) + "]");
  }
  return bits.size() == 1 ? text : "(" + text + ")";
}

ConditionView view_of(const Circuit& circuit, const Condition& condition) {
  ConditionView view{std::nullopt, condition.element, condition.value, condition.negated};
  if (condition.expression == nullptr) {
    view.bit_register = circuit.bit_registers.at(condition.bit_register).name;
  } else if (contains(*condition.expression, BitOperator::selection)) {
    view.expression = key_of(*condition.expression);
  } else {
    view.expression = text_of(*condition.expression, bits_text);
  }
  return view;
}

}  // namespace

std::string name_of(const Operation& operation) {
  switch (operation.kind) {
    case OperationKind::gate:
      return std::string(gate(operation.gate).name);
    case OperationKind::opaque:
      return operation.classical->opaque_name;
    default:
      return std::string(kind_of(operation));
  }
}

OperationView view_of(const Circuit& circuit, const Operation& operation) {
  OperationView view{operation, {}, nullptr};
  if (!operation.conditions().empty()) {
    view.frame = std::make_shared<const Circuit>(without_operations(circuit));
  }
  for (const Condition& condition : operation.conditions()) {
    view.conditions.push_back(view_of(circuit, condition));
  }
  return view;
}

void define_operation(nb::module_& module) {
  define_condition(module);
  nb::class_<OperationView>(module, "Operation", "One operation of a circuit.")
      .def_prop_ro(
          "name", [](const OperationView& view) { return name_of(view.operation); },
          "The name of the gate, ``measure``, ``reset``, ``barrier``, or the name of an opaque "
          "gate.")
      .def_prop_ro(
          "kind", [](const OperationView& view) { return std::string(kind_of(view.operation)); },
          "``gate``, ``measure``, ``reset``, ``barrier`` or ``opaque``.")
      .def_prop_ro(
          "qubits", [](const OperationView& view) { return tuple_of(view.operation.qubits); },
          nb::sig("def qubits(self) -> tuple[int, ...]"), "The qubits, in the gate's own order.")
      .def_prop_ro(
          "parameters", [](const OperationView& view) { return tuple_of(view.operation.angles); },
          nb::sig("def parameters(self) -> tuple[Angle, ...]"),
          "The exact angles; ``float(angle)`` is one in radians.")
      .def_prop_ro("bits", &bits_of, nb::sig("def bits(self) -> tuple[int, ...]"),
                   "The classical bit that a measurement writes.")
      .def_prop_ro(
          "conditions", [](const OperationView& view) { return tuple_of(view.conditions); },
          nb::sig("def conditions(self) -> tuple[Condition, ...]"),
          "The conditions, all of which must hold; the outermost one is first.")
      .def(
          "__eq__",
          [](const OperationView& left, const OperationView& right) {
            return left.operation == right.operation && left.conditions == right.conditions;
          },
          nb::is_operator(), nb::sig("def __eq__(self, other: object, /) -> bool"))
      .def("__repr__",
           [](const OperationView& view) { return "<quartz.Operation: " + text_of(view) + ">"; });
}

}  // namespace quartz::python
