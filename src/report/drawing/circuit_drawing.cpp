#include "report/drawing/circuit_drawing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "report/drawing/escape_html.hpp"
#include "report/drawing/label.hpp"
#include "report/drawing/placement.hpp"

namespace quartz::report {
namespace {

/// Lengths in pixels.
constexpr std::size_t kRowHeight = 36;
constexpr std::size_t kBoxHeight = 26;
constexpr std::size_t kLeastBoxWidth = 26;
constexpr std::size_t kGap = 10;               ///< between columns
constexpr std::size_t kFrameLabelHeight = 20;  ///< above the frames of repeated parts
constexpr double kCharacterWidth = 7.4;

std::size_t text_width(const std::string& text) {
  return static_cast<std::size_t>(kCharacterWidth * static_cast<double>(character_count(text)));
}

std::size_t box_width(const PlacedOperation& placed) {
  // The numbers of operands need two more characters.
  const std::size_t number = placed.symbol.numbered ? text_width(":0") : 0;
  return std::max(kLeastBoxWidth, text_width(placed.label) + number + kGap);
}

std::size_t y_of(std::size_t row) { return row * kRowHeight + kRowHeight / 2; }

/// Returns the style of the boxes of an operation.
std::string_view box_class(const Operation& operation) {
  if (operation.is_boundary()) return "boundary";
  return operation.angles.empty() ? "box" : "box rotation";
}

std::string shape(const PlacedOperation& placed, std::size_t operand, std::size_t x) {
  const std::size_t y = y_of(placed.rows[operand]);
  switch (placed.symbol.signs[operand]) {
    case OperandSign::dot:
      return fmt::format(R"(<circle class="dot" cx="{}" cy="{}" r="4.5"/>)", x, y);
    case OperandSign::plus:
      return fmt::format(
          R"(<circle class="target" cx="{0}" cy="{1}" r="11"/><path class="plus" d="M{2} {1}h12M{0} {3}v12"/>)",
          x, y, x - 6, y - 6);
    case OperandSign::cross:
      return fmt::format(R"(<path d="M{0} {1}l12 12m0 -12l-12 12"/>)", x - 6, y - 6);
    case OperandSign::box:
      break;
  }
  const std::size_t width = box_width(placed);
  const std::string number = placed.symbol.numbered ? fmt::format(":{}", operand) : "";
  return fmt::format(
      R"(<rect class="{}" x="{}" y="{}" width="{}" height="{}" rx="3"/><text class="label" x="{}" y="{}">{}</text>)",
      box_class(*placed.operation), x - width / 2, y - kBoxHeight / 2, width, kBoxHeight, x, y + 4,
      escape_html(placed.label + number));
}

/// Returns an operation as a group of shapes with its full name as a tooltip.
std::string shapes_of(const Circuit& circuit, const PlacedOperation& placed, std::size_t x) {
  const Operation& operation = *placed.operation;
  std::string shapes =
      fmt::format("<g><title>{}</title>", escape_html(full_label(circuit, operation)));
  if (operation.kind == OperationKind::barrier) {
    for (const std::size_t row : placed.rows) {
      shapes += fmt::format(R"(<path class="barrier" d="M{} {}v{}"/>)", x,
                            y_of(row) - kRowHeight / 2, kRowHeight);
    }
    return shapes + "</g>\n";
  }
  const auto [least, greatest] = std::ranges::minmax(placed.rows);
  if (least != greatest) {
    shapes += fmt::format(R"(<path d="M{0} {1}V{2}"/>)", x, y_of(least), y_of(greatest));
  }
  for (std::size_t i = 0; i < placed.rows.size(); ++i) shapes += shape(placed, i, x);
  return shapes + "</g>\n";
}

/// The positions of the columns of a drawing.
struct Columns {
  std::vector<std::size_t> left;    ///< left edges, followed by the right edge of the last column
  std::vector<std::size_t> middle;  ///< middles

  /// Returns where the wires end.
  [[nodiscard]] std::size_t end() const { return left.back() + kGap; }
};

Columns columns_of(const Placement& placement, std::size_t left) {
  std::vector<std::size_t> widths(placement.columns, kLeastBoxWidth);
  for (const PlacedOperation& each : placement.operations) {
    widths[each.column] = std::max(widths[each.column], box_width(each));
  }
  Columns columns{{left}, {}};
  for (const std::size_t width : widths) {
    columns.middle.push_back(columns.left.back() + kGap / 2 + width / 2);
    columns.left.push_back(columns.left.back() + width + kGap);
  }
  return columns;
}

/// Returns the frame around the columns of a repeated part, and the number of times.
std::string frame_around(const Frame& frame, const Columns& columns, std::size_t height) {
  const std::size_t begin = columns.left[frame.first_column] + 1;
  const std::size_t end = columns.left[frame.last_column + 1] - 1;
  return fmt::format(
      "<rect class=\"frame\" x=\"{}\" y=\"1\" width=\"{}\" height=\"{}\" rx=\"4\"/><text "
      "class=\"times\" x=\"{}\" y=\"-6\">×{}</text>\n",
      begin, end - begin, height - 2, begin, frame.count);
}

}  // namespace

CircuitDrawing draw_circuit(const Circuit& circuit, const DrawingLimits& limits) {
  const std::vector<Qubit> qubits = drawn_qubits(circuit, limits.qubits);
  const Placement placement =
      place_operations(circuit, qubits, limits.columns, limits.folds_repetitions);
  std::vector<std::string> names;
  std::size_t left = 0;
  for (const Qubit qubit : qubits) {
    names.push_back(shortened(element_name(circuit.qubit_registers, qubit)));
    left = std::max(left, text_width(names.back()) + 2 * kGap);
  }
  const Columns columns = columns_of(placement, left);
  const std::size_t height = std::max<std::size_t>(qubits.size(), 1) * kRowHeight;
  const std::size_t top = placement.frames.empty() ? 0 : kFrameLabelHeight;
  CircuitDrawing drawing;
  drawing.shown = placement.shown;
  drawing.omitted = placement.omitted;
  drawing.folded = placement.frames.size();
  drawing.svg = fmt::format(
      "<svg role=\"img\" aria-label=\"circuit\" width=\"{0}\" height=\"{1}\" viewBox=\"0 {2} {0} "
      "{1}\">\n",
      columns.end(), height + top, -static_cast<std::ptrdiff_t>(top));
  for (const Frame& frame : placement.frames) drawing.svg += frame_around(frame, columns, height);
  for (std::size_t i = 0; i < names.size(); ++i) {
    drawing.svg += fmt::format(
        "<text class=\"name\" x=\"{0}\" y=\"{1}\">{2}</text><path class=\"wire\" d=\"M{3} "
        "{4}H{5}\"/>\n",
        left - kGap / 2, y_of(i) + 4, escape_html(names[i]), left, y_of(i), columns.end());
  }
  for (const PlacedOperation& each : placement.operations) {
    drawing.svg += shapes_of(circuit, each, columns.middle[each.column]);
  }
  drawing.svg += "</svg>";
  return drawing;
}

}  // namespace quartz::report
