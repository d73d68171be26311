#include "cli/output/circuit_drawing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>
#include <vector>

#include "cli/output/html.hpp"
#include "quartz/circuit/gate.hpp"

namespace quartz::cli {
namespace {

constexpr std::size_t kColumnWidth = 62;
constexpr std::size_t kRowHeight = 36;
constexpr std::size_t kNameWidth = 70;
constexpr std::size_t kBoxWidth = 54;
constexpr std::size_t kBoxHeight = 26;
constexpr std::size_t kMaxLabel = 9;  ///< characters that fit into a box

/// How a gate is drawn whose operands are not all boxes.
struct Symbol {
  std::string_view gate;
  char controls;  ///< sign of all operands but the last: '*' a dot, 'x' a cross
  char target;    ///< sign of the last operand; '+' a circle with a plus
};

constexpr std::array kSymbols{Symbol{"cx", '*', '+'}, Symbol{"ccx", '*', '+'},
                              Symbol{"cz", '*', '*'}, Symbol{"ccz", '*', '*'},
                              Symbol{"swap", 'x', 'x'}};

std::size_t x_of(std::size_t column) {
  return kNameWidth + column * kColumnWidth + kColumnWidth / 2;
}
std::size_t y_of(std::size_t qubit) { return qubit * kRowHeight + kRowHeight / 2; }

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

/// Returns the name of an operation with its angles, such as "rz(pi/4)".
std::string full_label(const Operation& operation) {
  std::string label = name_of(operation);
  for (std::size_t i = 0; i < operation.angles.size(); ++i) {
    label += (i == 0 ? "(" : ",") + operation.angles[i].to_string();
  }
  if (!operation.angles.empty()) label += ")";
  return operation.conditions().empty() ? label : "if: " + label;
}

std::string sign(char kind, std::size_t x, std::size_t y) {
  switch (kind) {
    case '*':
      return fmt::format(R"(<circle class="dot" cx="{}" cy="{}" r="4"/>)", x, y);
    case '+':
      return fmt::format(
          R"(<circle class="box" cx="{0}" cy="{1}" r="10"/><path d="M{2} {1}h20M{0} {3}v20"/>)", x,
          y, x - 10, y - 10);
    default:
      return fmt::format(R"(<path d="M{0} {1}l12 12m0 -12l-12 12"/>)", x - 6, y - 6);
  }
}

std::string box(const std::string& label, std::size_t x, std::size_t y) {
  std::string shown = label;
  if (shown.size() > kMaxLabel) shown = shown.substr(0, kMaxLabel - 2) + "..";
  return fmt::format(
      R"(<rect class="box" x="{}" y="{}" width="{}" height="{}" rx="3"/><text x="{}" y="{}">{}</text>)",
      x - kBoxWidth / 2, y - kBoxHeight / 2, kBoxWidth, kBoxHeight, x, y + 4, escape_html(shown));
}

/// Returns an operation as a group of shapes with its full name as a tooltip.
std::string shapes_of(const Operation& operation, std::size_t column) {
  const std::size_t x = x_of(column);
  const std::string label = full_label(operation);
  const auto [least, greatest] = std::ranges::minmax(operation.qubits);
  std::string shapes = fmt::format("<g><title>{}</title>", escape_html(label));
  if (least != greatest) {
    shapes += fmt::format(R"(<path d="M{0} {1}V{2}"/>)", x, y_of(least), y_of(greatest));
  }
  const auto* const symbol = operation.is_boundary()
                                 ? kSymbols.end()
                                 : std::ranges::find(kSymbols, name_of(operation), &Symbol::gate);
  for (const Qubit& qubit : operation.qubits) {
    if (symbol == kSymbols.end()) {
      shapes += box(label, x, y_of(qubit));
    } else {
      const bool is_target = &qubit == &operation.qubits.back();
      shapes += sign(is_target ? symbol->target : symbol->controls, x, y_of(qubit));
    }
  }
  return shapes + "</g>\n";
}

/// Returns the names of the first qubits, such as "q[3]".
std::vector<std::string> qubit_names(const Circuit& circuit, std::size_t count) {
  std::vector<std::string> names;
  for (const Register& each : circuit.qubit_registers) {
    for (std::uint32_t i = 0; i < each.size && names.size() < count; ++i) {
      names.push_back(fmt::format("{}[{}]", each.name, i));
    }
  }
  return names;
}

}  // namespace

CircuitDrawing draw_circuit(const Circuit& circuit, const DrawingLimits& limits) {
  const std::vector<std::string> names =
      qubit_names(circuit, std::min<std::size_t>(circuit.qubit_count(), limits.qubits));
  std::vector<std::size_t> next(names.size());  // the first free column of each qubit
  std::size_t columns = 0;
  CircuitDrawing drawing;
  std::string shapes;
  for (const Operation& operation : circuit.operations) {
    if (operation.qubits.empty()) continue;
    const auto [least, greatest] = std::ranges::minmax(operation.qubits);
    const auto end = next.begin() + std::min<std::ptrdiff_t>(greatest + 1, std::ssize(next));
    const bool is_cut = greatest >= next.size();
    const std::size_t column =
        least < next.size() ? *std::max_element(next.begin() + least, end) : 0;
    if (is_cut || column >= limits.columns) {
      ++drawing.omitted;
      // Nothing on these qubits is drawn behind an operation that is not.
      if (least < next.size()) std::fill(next.begin() + least, end, limits.columns);
      continue;
    }
    std::fill(next.begin() + least, end, column + 1);
    columns = std::max(columns, column + 1);
    shapes += shapes_of(operation, column);
    ++drawing.shown;
  }
  const std::size_t width = kNameWidth + std::max<std::size_t>(columns, 1) * kColumnWidth;
  const std::size_t height = std::max<std::size_t>(names.size(), 1) * kRowHeight;
  drawing.svg = fmt::format(
      "<svg role=\"img\" aria-label=\"circuit\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} "
      "{1}\">\n",
      width, height);
  for (std::size_t i = 0; i < names.size(); ++i) {
    drawing.svg += fmt::format(
        "<text class=\"name\" x=\"{0}\" y=\"{1}\">{2}</text><path class=\"wire\" d=\"M{3} "
        "{4}H{5}\"/>\n",
        kNameWidth - 8, y_of(i) + 4, escape_html(names[i]), kNameWidth, y_of(i), width);
  }
  drawing.svg += shapes + "</svg>";
  return drawing;
}

}  // namespace quartz::cli
