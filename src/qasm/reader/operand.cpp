// Operands: registers, aliases, their elements and slices.
#include <fmt/core.h>

#include <algorithm>
#include <tuple>

#include "qasm/reader/elements.hpp"
#include "qasm/reader/executor.hpp"
#include "qasm/text/header.hpp"
#include "qasm/text/number.hpp"
#include "quartz/base/counted.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/base/nearest_name.hpp"

namespace quartz::qasm {
namespace {

std::string_view noun(bool is_quantum) { return is_quantum ? "qubit" : "bit"; }

}  // namespace

const DeclaredRegister& Executor::find_register(std::string_view name, bool is_quantum) const {
  const DeclaredRegister* const found = names_.find_register(name);
  if (found == nullptr && names_.find_value(name) != nullptr) {
    source_.fail(name, fmt::format("found the variable {}, expected {}", in_quotes(name),
                                   is_quantum ? "qubits" : "classical bits"));
  }
  if (found == nullptr) {
    std::vector<std::string_view> names;
    for (const auto& [known, declared] : names_.registers) {
      if (declared.is_quantum == is_quantum) names.push_back(known);
    }
    const std::string_view nearest = nearest_name(name, names);
    source_.fail(
        name, fmt::format("unknown register {}{}", in_quotes(name),
                          nearest.empty() ? std::string()
                                          : fmt::format("; did you mean {}?", in_quotes(nearest))));
  }
  if (found->is_quantum != is_quantum) {
    source_.fail(name, fmt::format("found the {} register {}, expected a {} one",
                                   is_quantum ? "classical" : "quantum", in_quotes(name),
                                   is_quantum ? "quantum" : "classical"));
  }
  return *found;
}

const Register& Executor::register_of(const DeclaredRegister& declared) const {
  ensure(!declared.is_alias, "an alias is not a register");
  return (declared.is_quantum ? circuit_.qubit_registers : circuit_.bit_registers)[declared.index];
}

Operand Executor::whole_register(const DeclaredRegister& declared, std::string_view name) const {
  if (declared.is_alias) {
    Operand operand = names_.aliases[declared.index];
    operand.place = name;
    return operand;
  }
  const Register& target = register_of(declared);
  return {target.first, target.size, !declared.is_scalar, name};
}

Operand Executor::operand_of(const syntax::Reference& reference, bool is_quantum) {
  if (reference.name.starts_with('$')) return physical_qubit(reference.name, is_quantum);
  if (!is_quantum && !reference.is_whole()) use_bits_of_angle(reference.name);
  Operand operand = whole_register(find_register(reference.name, is_quantum), reference.name);
  if (!reference.number.empty()) {
    const std::uint32_t element = plain_index(reference.number, operand, is_quantum);
    return {operand[element], 1, false, operand.place};
  }
  bool has_elements = true;
  for (const syntax::Selection& selection : reference.selections) {
    // Only what is a register has elements, as in q[{3, 1, 4}][0].
    if (!has_elements) fail_found({TokenKind::left_bracket, selection.bracket}, "';'");
    operand = elements_of(operand, selection, is_quantum);
    has_elements = operand.is_whole;
  }
  return operand;
}

/// Returns the operand `$3`. A program has either physical qubits or registers of qubits.
Operand Executor::physical_qubit(std::string_view name, bool is_quantum) {
  const std::string_view dollar = name.substr(0, 1);
  if (!is_quantum) fail_found({TokenKind::other, dollar}, describe(TokenKind::identifier));
  const std::uint32_t qubit = *read_whole_number<std::uint32_t>(name.substr(1));
  if (!physical_qubits_.used && !circuit_.qubit_registers.empty()) {
    source_.fail(dollar, "registers and physical qubits in one program are not supported");
  }
  use_physical_qubits(qubit + 1);
  return {qubit, 1, false, name};
}

void Executor::execute(const syntax::PhysicalQubit& declaration) {
  (void)physical_qubit(declaration.name, true);
}

void Executor::use_physical_qubits(std::uint32_t count) {
  if (!physical_qubits_.used) {
    physical_qubits_.used = true;
    circuit_.qubit_registers.push_back(
        {std::string(kPhysicalRegister), 0, physical_qubits_.announced});
  }
  std::uint32_t& size = circuit_.qubit_registers[0].size;
  size = std::max(size, count);
}

void Executor::fail_out_of_range(std::string_view index, std::string_view place,
                                 const Operand& whole, bool is_quantum) const {
  source_.fail(place, fmt::format("index {} is out of range: register {} has {}", index,
                                  in_quotes(whole.place), counted(whole.size, noun(is_quantum))));
}

std::int64_t Executor::integer_in(const ExpressionScope& scope,
                                  const syntax::Expression& expression) {
  const std::string_view place = expression.first.text;
  Expression code;
  resolve_in(scope, expression, code);
  if (code.uses_parameters()) {
    source_.fail(place, "expected a constant, found one that depends on a gate parameter");
  }
  const Value value = code.evaluate({}, source_);
  check_not_measured(value, place);
  const Rational number = value.angle.radian_part();
  if (!value.is_integer || value.angle != Angle::radians(number) || !number.is_integer()) {
    source_.fail(place,
                 fmt::format("found the value {}, expected an integer", value.angle.to_string()));
  }
  return number.numerator();
}

std::uint32_t Executor::plain_index(std::string_view number, const Operand& whole,
                                    bool is_quantum) const {
  const auto index = read_whole_number<std::uint32_t>(number);
  if (!index || *index >= whole.size) fail_out_of_range(number, number, whole, is_quantum);
  return *index;
}

/// Returns the element with an index; in version 3 a negative index counts from the end.
std::uint32_t Executor::element_of(const Operand& whole, const syntax::Expression& index,
                                   bool is_quantum) {
  if (language_.number < 3) return plain_index(index.first.text, whole, is_quantum);
  return element_at(integer_in(index), index.first.text, whole, is_quantum);
}

std::uint32_t Executor::element_at(std::int64_t index, std::string_view place, const Operand& whole,
                                   bool is_quantum) const {
  const std::int64_t size = whole.size;
  if (index < -size || index >= size) {
    fail_out_of_range(std::to_string(index), place, whole, is_quantum);
  }
  return static_cast<std::uint32_t>(index < 0 ? index + size : index);
}

/// Returns what brackets select: an element, a range (which includes both ends) or a list.
Operand Executor::elements_of(const Operand& whole, const syntax::Selection& selection,
                              bool is_quantum) {
  using Kind = syntax::Index::Kind;
  const syntax::Index& index = selection.items[0];
  Operand result;
  if (index.kind == Kind::list) {
    std::vector<std::uint32_t> elements;
    for (const syntax::Expression& each : index.values) {
      elements.push_back(whole[element_of(whole, each, is_quantum)]);
    }
    if (has_element_twice(elements)) {
      source_.fail(index.first.text, "the list contains an index twice");
    }
    result = Operand::listing(std::move(elements), true, whole.place);
  } else if (index.kind == Kind::range) {
    result = range_of(whole, index, is_quantum);
  } else {
    result = {whole[element_of(whole, index.values[0], is_quantum)], 1, false, whole.place};
  }
  if (selection.items.size() > 1) {
    fail_found({TokenKind::comma, selection.items[1].before}, describe(TokenKind::right_bracket));
  }
  return result;
}

/// Returns the elements of `first : last` or `first : step : last`.
Operand Executor::range_of(const Operand& whole, const syntax::Index& range, bool is_quantum) {
  const auto& [first_value, step_value, last_value] =
      std::tie(range.values[0], range.values[1], range.values[2]);
  const std::uint32_t first =
      first_value.is_absent() ? 0 : element_of(whole, first_value, is_quantum);
  const std::int64_t step = step_value.is_absent() ? 1 : integer_in(step_value);
  const std::int64_t last =
      last_value.is_absent() ? whole.size - 1 : element_of(whole, last_value, is_quantum);
  if (step == 0) source_.fail(range.middle, "found the step 0 in a range");
  std::vector<std::uint32_t> elements;
  for (std::int64_t i = first; step > 0 ? i <= last : i >= last; i += step) {
    elements.push_back(whole[static_cast<std::uint32_t>(i)]);
    if (step > whole.size || step < -std::int64_t{whole.size}) break;
  }
  if (elements.empty()) source_.fail(range.first.text, "found an empty range");
  budget_.charge(elements.size() / 8, range.first.text);
  return Operand::listing(std::move(elements), true, whole.place);
}

/// Writes the qubits of an operation to scratch_.qubits. A qubit named twice counts once; without
/// operands (OpenQASM 3) the set consists of all qubits.
void Executor::read_qubit_set(const syntax::SetOperation& operation) {
  std::vector<Qubit> qubits;
  const auto add = [&](const Operand& operand) {
    for (std::uint32_t i = 0; i < operand.size; ++i) qubits.push_back(operand[i]);
  };
  if (operation.qubits.empty()) {
    if (physical_qubits_.used) {
      fail_found(operation.next, "physical qubits, because their number is not declared");
    }
    add({0, circuit_.qubit_count(), true, operation.next.text});
  }
  for (const syntax::Reference& operand : operation.qubits) add(operand_of(operand, true));
  if (operation.qubits.size() > 1 && has_element_twice(qubits)) {
    std::vector<bool> seen(circuit_.qubit_count());
    std::erase_if(qubits, [&](Qubit qubit) {
      const bool again = seen[qubit];
      seen[qubit] = true;
      return again;
    });
  }
  scratch_.qubits = std::move(qubits);
}

}  // namespace quartz::qasm
