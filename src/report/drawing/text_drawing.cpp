#include "quartz/report/text_drawing.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "report/drawing/label.hpp"
#include "report/drawing/placement.hpp"

namespace quartz {
namespace {

using report::OperandSign;
using report::PlacedOperation;
using report::Placement;

constexpr std::string_view kContinued = " »";

/// The cells of one column: for each qubit the text on its wire, and the text below it. Empty texts
/// are filled with the wire or with space.
struct Column {
  std::vector<std::string> on_wire;
  std::vector<std::string> below;
};

std::string repeated(std::string_view text, std::size_t count) {
  std::string result;
  for (std::size_t i = 0; i < count; ++i) result += text;
  return result;
}

/// Returns the text in the middle of `width` characters.
std::string centered(const std::string& text, std::size_t width, std::string_view filling) {
  const std::size_t missing = width - std::min(width, report::character_count(text));
  return repeated(filling, missing / 2) + text + repeated(filling, missing - missing / 2);
}

std::string text_of_operand(const PlacedOperation& placed, std::size_t operand) {
  if (placed.operation->kind == OperationKind::barrier) return "░";
  switch (placed.symbol.signs[operand]) {
    case OperandSign::dot:
      return "●";
    case OperandSign::plus:
      return "⊕";
    case OperandSign::cross:
      return "╳";
    case OperandSign::box:
      break;
  }
  const std::string number = placed.symbol.numbered ? ":" + std::to_string(operand) : "";
  return "┤" + placed.label + number + "├";
}

void add(const PlacedOperation& placed, Column& column) {
  const Operation& operation = *placed.operation;
  if (operation.kind != OperationKind::barrier) {
    const auto [least, greatest] = std::ranges::minmax(operation.qubits);
    for (Qubit qubit = least; qubit < greatest; ++qubit) {
      column.below[qubit] = "│";
      if (qubit > least) column.on_wire[qubit] = "┼";
    }
  }
  for (std::size_t i = 0; i < operation.qubits.size(); ++i) {
    column.on_wire[operation.qubits[i]] = text_of_operand(placed, i);
  }
}

/// Operations by their columns, and the widths of these in characters.
struct Columns {
  std::vector<std::vector<PlacedOperation>> operations;
  std::vector<std::size_t> widths;
};

Columns columns_of(const Circuit& circuit) {
  Placement placement =
      report::place_operations(circuit, report::drawn_qubits(circuit, circuit.qubit_count()),
                               std::numeric_limits<std::size_t>::max());
  Columns columns;
  columns.operations.resize(placement.columns);
  columns.widths.resize(placement.columns, 1);
  for (PlacedOperation& each : placement.operations) {
    std::size_t& width = columns.widths[each.column];
    for (std::size_t i = 0; i < each.operation->qubits.size(); ++i) {
      width = std::max(width, report::character_count(text_of_operand(each, i)));
    }
    columns.operations[each.column].push_back(std::move(each));
  }
  return columns;
}

/// The names of the qubits, all in the same width.
struct Names {
  std::vector<std::string> texts;
  std::size_t width = 0;
};

Names names_of(const Circuit& circuit) {
  Names names;
  for (std::size_t i = 0; i < circuit.qubit_count(); ++i) {
    names.texts.push_back(report::element_name(circuit.qubit_registers, i));
    names.width = std::max(names.width, report::character_count(names.texts.back()));
  }
  return names;
}

void trim(std::string& line) { line.erase(line.find_last_not_of(' ') + 1); }

/// Lines for the qubits and for what is between them.
struct Lines {
  std::vector<std::string> wires;
  std::vector<std::string> below;
};

Lines begin_lines(const Names& names) {
  Lines lines;
  for (const std::string& name : names.texts) {
    const std::size_t missing = names.width - report::character_count(name);
    lines.wires.push_back(name + std::string(missing, ' ') + " ─");
    lines.below.emplace_back(names.width + 2, ' ');
  }
  return lines;
}

/// Returns the columns first .. end - 1 as text.
std::string text_of_columns(const Names& names, const Columns& columns, std::size_t first,
                            std::size_t end) {
  const std::size_t qubits = names.texts.size();
  Lines lines = begin_lines(names);
  for (std::size_t i = first; i < end; ++i) {
    Column column{std::vector<std::string>(qubits), std::vector<std::string>(qubits)};
    for (const PlacedOperation& each : columns.operations[i]) add(each, column);
    for (std::size_t qubit = 0; qubit < qubits; ++qubit) {
      lines.wires[qubit] += centered(column.on_wire[qubit], columns.widths[i], "─") + "─";
      lines.below[qubit] += centered(column.below[qubit], columns.widths[i], " ") + " ";
    }
  }
  std::string text;
  for (std::size_t qubit = 0; qubit < qubits; ++qubit) {
    text += lines.wires[qubit];
    if (end < columns.widths.size()) text += kContinued;
    text += "\n";
    trim(lines.below[qubit]);
    if (!lines.below[qubit].empty()) text += lines.below[qubit] + "\n";
  }
  return text;
}

}  // namespace

std::string text_drawing(const Circuit& circuit, const TextDrawingOptions& options) {
  const Columns columns = columns_of(circuit);
  const Names names = names_of(circuit);
  const std::size_t left = names.width + 2;
  std::string text;
  std::size_t first = 0;
  do {
    std::size_t end = first;
    std::size_t width = left + report::character_count(kContinued);
    while (end < columns.widths.size() &&
           (end == first || width + columns.widths[end] + 1 <= options.width)) {
      width += columns.widths[end++] + 1;
    }
    if (first > 0) text += "\n";
    text += text_of_columns(names, columns, first, end);
    first = end;
  } while (first < columns.widths.size());
  return text;
}

}  // namespace quartz
