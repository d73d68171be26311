// Declarations: registers, free parameters, constants, aliases.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <optional>

#include "algebra/expression_symbol.hpp"
#include "qasm/reader/elements.hpp"
#include "qasm/reader/executor.hpp"
#include "qasm/text/interface_statement.hpp"
#include "qasm/text/number.hpp"
#include "quartz/base/errors.hpp"

namespace quartz::qasm {
// --- registers and free parameters ---

void Executor::execute(const syntax::RegisterDeclaration& declaration) {
  const bool is_quantum = declaration.is_quantum;
  const bool is_scalar = declaration.size.is_absent();
  const std::uint32_t size = is_scalar ? 1 : register_size(declaration.size, is_quantum);
  declare_register(declaration.name, size, {.is_quantum = is_quantum, .is_scalar = is_scalar});
  if (!declaration.value) return;
  const std::string_view name = declaration.name.text;
  declare_initial_bits(whole_register(find_register(name, false), name), *declaration.value);
}

std::uint32_t Executor::register_size(const syntax::Expression& expression, bool is_quantum) {
  const std::string_view place = expression.first.text;
  std::optional<std::uint64_t> size;
  if (language_.number >= 3) {
    const std::int64_t value = integer_in(expression);
    if (value >= 0) size = static_cast<std::uint64_t>(value);
  } else {
    size = read_whole_number<std::uint64_t>(place);
  }
  const std::uint32_t used = is_quantum ? circuit_.qubit_count() : circuit_.bit_count();
  if (!size || *size > kMaxElements - used) {
    source_.fail(place,
                 fmt::format("found the register size {}, expected at most {} {} in all",
                             in_quotes(place), kMaxElements, is_quantum ? "qubits" : "bits"));
  }
  if (*size == 0) source_.fail(place, "found the register size 0, expected 1 or more");
  return static_cast<std::uint32_t>(*size);
}

void Executor::check_new_name(const Token& name) const {
  if (language_.number >= 3 && is_reserved(name.text, language_.number)) {
    source_.fail(name.text,
                 fmt::format("{} is a reserved word, expected a new name", in_quotes(name.text)));
  }
  if (const std::string_view earlier = names_.declared_here(name.text); !earlier.empty()) {
    source_.fail(name.text, fmt::format("the name {} is already declared in {}",
                                        in_quotes(name.text), source_.line_text(earlier)));
  }
  if (names_.durations.contains(name.text)) {
    source_.fail(name.text,
                 fmt::format("the name {} is already that of a duration", in_quotes(name.text)));
  }
  if (names_.externs.contains(name.text)) {
    source_.fail(name.text, fmt::format("the name {} is already that of an external function",
                                        in_quotes(name.text)));
  }
  if (execution_.has_local_registers && names_.depth() == 0 && is_name_of_circuit(name.text)) {
    source_.fail(name.text, fmt::format("the name {} is already that of a register in a block",
                                        in_quotes(name.text)));
  }
}

/// Returns whether a register or a free parameter of the circuit has the name.
bool Executor::is_name_of_circuit(std::string_view name) const {
  const auto has_name = [&](const auto& each) { return each.name == name; };
  return std::any_of(circuit_.qubit_registers.begin(), circuit_.qubit_registers.end(), has_name) ||
         std::any_of(circuit_.bit_registers.begin(), circuit_.bit_registers.end(), has_name) ||
         std::any_of(circuit_.parameters.begin(), circuit_.parameters.end(), has_name) ||
         names_.durations.contains(name) || names_.externs.contains(name);
}

std::uint32_t Executor::checked_size(std::uint64_t size, std::string_view place) const {
  if (size > kMaxElements - circuit_.bit_count()) {
    source_.fail(place, fmt::format("found more than {} bits", kMaxElements));
  }
  return static_cast<std::uint32_t>(size);
}

void Executor::declare_register(const Token& name, std::uint32_t size, DeclaredRegister declared) {
  check_new_name(name);
  if (declared.is_quantum && physical_qubits_.used) {
    source_.fail(name.text, "registers and physical qubits in one program are not supported");
  }
  if (declared.is_quantum && names_.depth() != 0) {
    source_.fail(name.text, "qubits are declared outside of blocks");
  }
  auto& list = declared.is_quantum ? circuit_.qubit_registers : circuit_.bit_registers;
  const std::uint32_t first = declared.is_quantum ? circuit_.qubit_count() : circuit_.bit_count();
  if (size > kMaxElements - first) {
    source_.fail(name.text, fmt::format("found more than {} {}", kMaxElements,
                                        declared.is_quantum ? "qubits" : "bits"));
  }
  declared.index = static_cast<std::uint32_t>(list.size());
  names_.declare(name.text, declared);
  // A block declares another register of bits each time that it is executed.
  const bool is_local = names_.depth() != 0;
  if (is_local) execution_.has_local_registers = true;
  list.push_back({is_local ? unique_register_name(name.text, name.text) : std::string(name.text),
                  first, size});
}

std::string Executor::unique_register_name(std::string_view name, std::string_view place) {
  std::string unique(name);
  for (std::size_t i = 1; is_name_of_circuit(unique); ++i) {
    budget_.charge(1 + circuit_.bit_registers.size() / 8, place);
    unique = fmt::format("{}_{}", name, i);
  }
  return unique;
}

/// Declares a free parameter, whose type has no effect but is kept. Conditions read an input of
/// type bool like a bit whose value is not known, so it is a register of one bit, which the
/// statement writes.
void Executor::execute(const syntax::Input& input) {
  const Token& type = input.type.name;
  const Token& name = input.name;
  if (type.text == "bool") {
    declare_register(name, 1, {.is_quantum = false, .is_scalar = true});
    const Register& declared = circuit_.bit_registers.back();
    return builder_.add_interface_statement({OpaqueKind::input, input_statement(declared.name)},
                                            std::array{declared.first}, type.text);
  }
  std::string type_text(type.text);
  if (const auto width = width_of(input.type.width)) type_text += fmt::format("[{}]", *width);
  check_new_name(name);
  if (algebra::has_private_character(name.text)) {
    source_.fail(name.text, "the name contains a character for private use, expected letters");
  }
  NamedValue value;
  value.value = {Angle::symbol(std::string(name.text)), false};
  value.kind = NamedValue::Kind::free_parameter;
  names_.declare(name.text, std::move(value));
  circuit_.parameters.push_back({std::string(name.text), std::move(type_text)});
}

/// Declares a register of bits. The statement is kept, and declares it in what is written.
void Executor::execute(const syntax::Output& output) {
  const bool is_scalar = output.size.is_absent();
  const std::uint32_t size = is_scalar ? 1 : register_size(output.size, false);
  declare_register(output.name, size, {.is_quantum = false, .is_scalar = is_scalar});
  const Register& declared = circuit_.bit_registers.back();
  builder_.add_interface_statement(
      {OpaqueKind::output, output_statement(declared.name, declared.size)}, {}, output.word.text);
}

/// Returns the width of a type in bits; nothing if it has none.
std::optional<std::int64_t> Executor::width_of(const syntax::Expression& expression) {
  if (expression.is_absent()) return std::nullopt;
  const std::int64_t width = integer_in(expression);
  if (width < 1) {
    source_.fail(expression.first.text,
                 fmt::format("found a type of {} bits, expected 1 or more", width));
  }
  return width;
}

void Executor::declare_constant(const Token& name, Value value) {
  NamedValue constant;
  constant.value = std::move(value);
  names_.declare(name.text, std::move(constant));
}

// --- constants and aliases ---

void Executor::execute(const syntax::Constant& declaration) {
  const std::string_view type = declaration.type.name.text;
  const std::string_view place = declaration.value.first.text;
  NamedValue converted_to;
  converted_to.type = *find_cast(type);
  converted_to.width = static_cast<std::uint64_t>(width_of(declaration.type.width).value_or(0));
  check_new_name(declaration.name);
  Value value = value_of(declaration.value, true);
  if (value.measured != nullptr) source_.fail(place, "a constant cannot depend on a measurement");
  if (!value.angle.is_constant()) {
    source_.fail(place, fmt::format("a constant cannot depend on the free parameter {}",
                                    in_quotes(value.angle.symbols().front())));
  }
  const bool wants_integer = type != "float" && type != "angle";
  const bool is_negative = value.angle.value() < 0;
  const bool has_no_width = type == "uint" && converted_to.width == 0;
  if (wants_integer && (!value.is_integer || (is_negative && has_no_width))) {
    source_.fail(place, fmt::format("found the value {}, expected one of type {}",
                                    value.angle.to_string(), in_quotes(type)));
  }
  const bool is_one_bit = converted_to.type == CastType::bits && converted_to.width == 0;
  if (converted_to.type == CastType::bits && !is_one_bit) {
    (void)text_of_value(value, static_cast<std::size_t>(converted_to.width), place);
  }
  if (!is_one_bit) value = converted(value, converted_to, place);
  declare_constant(declaration.name, std::move(value));
}

/// Declares another name for qubits or bits.
void Executor::execute(const syntax::Alias& alias) {
  check_new_name(alias.name);
  const DeclaredRegister* const first = names_.find_register(alias.operands[0].name);
  DeclaredRegister declared{.is_alias = true};
  declared.is_quantum = first == nullptr || first->is_quantum;
  std::vector<std::uint32_t> elements;
  for (const syntax::Reference& part : alias.operands) {
    const Operand operand = operand_of(part, declared.is_quantum);
    declared.is_scalar = alias.operands.size() == 1 && !operand.is_whole;
    budget_.charge(operand.size / 8, part.name);
    for (std::uint32_t i = 0; i < operand.size; ++i) elements.push_back(operand[i]);
  }
  const std::string_view name = alias.name.text;
  if (has_element_twice(elements)) {
    source_.fail(name, fmt::format("the alias {} contains an element twice", in_quotes(name)));
  }
  declared.index = static_cast<std::uint32_t>(names_.aliases.size());
  names_.aliases.push_back(Operand::listing(std::move(elements), !declared.is_scalar, name));
  names_.declare(name, declared);
}

}  // namespace quartz::qasm
