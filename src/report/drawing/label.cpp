#include "report/drawing/label.hpp"

#include <algorithm>
#include <cctype>

#include "quartz/circuit/gate.hpp"

namespace quartz::report {
namespace {

constexpr std::size_t kMaxCharacters = 16;

bool begins_a_character(char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80; }

bool is_part_of_a_name(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}

/// Returns an expression of OpenQASM with the letter for the number pi: "3π/4" for "3*pi/4".
std::string with_greek_pi(const std::string& expression) {
  std::string text;
  for (std::size_t i = 0; i < expression.size();) {
    if (!is_part_of_a_name(expression[i])) {
      text += expression[i++];
      continue;
    }
    const auto begin = expression.begin() + static_cast<std::ptrdiff_t>(i);
    const std::string name(begin, std::find_if_not(begin, expression.end(), is_part_of_a_name));
    if (name == "pi" && text.ends_with('*')) text.pop_back();
    text += name == "pi" ? "π" : name;
    i += name.size();
  }
  return text;
}

std::string name_of(const Operation& operation) {
  switch (operation.kind) {
    case OperationKind::gate:
      return std::string(gate(operation.gate).name);
    case OperationKind::measure:
      return "measure";
    case OperationKind::reset:
      return "reset";
    case OperationKind::barrier:
      return "barrier";
    case OperationKind::opaque:
      break;
  }
  return operation.classical->opaque_name;
}

}  // namespace

std::string element_name(const std::vector<Register>& registers, std::size_t index) {
  for (const Register& each : registers) {
    if (index < each.size) return each.name + "[" + std::to_string(index) + "]";
    index -= each.size;
  }
  return {};
}

std::string full_label(const Circuit& circuit, const Operation& operation) {
  std::string label = operation.conditions().empty() ? "" : "if: ";
  label += name_of(operation);
  for (std::size_t i = 0; i < operation.angles.size(); ++i) {
    label += (i == 0 ? "(" : ",") + operation.angles[i].to_readable_string();
  }
  if (!operation.angles.empty()) label += ")";
  for (std::size_t i = 0; i < operation.qubits.size(); ++i) {
    label += (i == 0 ? " " : ",") + element_name(circuit.qubit_registers, operation.qubits[i]);
  }
  if (operation.kind == OperationKind::measure && operation.classical != nullptr &&
      !operation.classical->bits.empty()) {
    label += " -> " + element_name(circuit.bit_registers, operation.classical->bits.front());
  }
  return label;
}

std::string angles_label(const Operation& operation) {
  std::string label;
  for (std::size_t i = 0; i < operation.angles.size(); ++i) {
    label += (i == 0 ? "(" : ",") + with_greek_pi(operation.angles[i].to_readable_string());
  }
  return operation.angles.empty() ? label : label + ")";
}

std::size_t character_count(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, begins_a_character));
}

std::string shortened(std::string_view label) {
  if (character_count(label) <= kMaxCharacters) return std::string(label);
  std::size_t length = 0;
  for (std::size_t characters = 0; length < label.size(); ++length) {
    if (begins_a_character(label[length]) && ++characters == kMaxCharacters) break;
  }
  return std::string(label.substr(0, length)) + "…";
}

}  // namespace quartz::report
