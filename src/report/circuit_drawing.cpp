#include "report/circuit_drawing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "quartz/circuit/gate.hpp"
#include "report/escape_html.hpp"
#include "report/gate_symbol.hpp"
#include "report/label.hpp"
#include "report/repetitions.hpp"

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

/// An operation in its column.
struct PlacedOperation {
  const Operation* operation = nullptr;
  std::size_t column = 0;
  GateSymbol symbol;
  std::string label;  ///< in the boxes
};

std::size_t box_width(const PlacedOperation& placed) {
  // The numbers of operands need two more characters.
  const std::size_t number = placed.symbol.numbered ? text_width(":0") : 0;
  return std::max(kLeastBoxWidth, text_width(placed.label) + number + kGap);
}

std::size_t y_of(std::size_t qubit) { return qubit * kRowHeight + kRowHeight / 2; }

/// Returns how an operation that is not a gate is drawn.
GateSymbol symbol_of_boundary(const Circuit& circuit, const Operation& operation) {
  GateSymbol symbol{std::vector(operation.qubits.size(), OperandSign::box), "", false};
  if (operation.kind == OperationKind::reset) symbol.name = "|0⟩";
  if (operation.kind == OperationKind::opaque) {
    symbol.name = operation.classical->opaque_name;
    symbol.numbered = operation.qubits.size() > 1;
  }
  if (operation.kind == OperationKind::measure) {
    const bool has_bit = operation.classical != nullptr && !operation.classical->bits.empty();
    symbol.name =
        has_bit ? "M " + element_name(circuit.bit_registers, operation.classical->bits.front())
                : "M";
  }
  return symbol;
}

PlacedOperation place(const Circuit& circuit, const Operation& operation, std::size_t column) {
  PlacedOperation placed{&operation, column, {}, {}};
  placed.symbol = operation.kind == OperationKind::gate ? symbol_of(gate(operation.gate))
                                                        : symbol_of_boundary(circuit, operation);
  const std::string condition = operation.conditions().empty() ? "" : "if ";
  placed.label = shortened(condition + placed.symbol.name + angles_label(operation));
  return placed;
}

/// Returns the style of the boxes of an operation.
std::string_view box_class(const Operation& operation) {
  if (operation.is_boundary()) return "boundary";
  return operation.angles.empty() ? "box" : "box rotation";
}

std::string shape(const PlacedOperation& placed, std::size_t operand, std::size_t x) {
  const std::size_t y = y_of(placed.operation->qubits[operand]);
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
    for (const Qubit qubit : operation.qubits) {
      shapes += fmt::format(R"(<path class="barrier" d="M{} {}v{}"/>)", x,
                            y_of(qubit) - kRowHeight / 2, kRowHeight);
    }
    return shapes + "</g>\n";
  }
  const auto [least, greatest] = std::ranges::minmax(operation.qubits);
  if (least != greatest) {
    shapes += fmt::format(R"(<path d="M{0} {1}V{2}"/>)", x, y_of(least), y_of(greatest));
  }
  for (std::size_t i = 0; i < operation.qubits.size(); ++i) shapes += shape(placed, i, x);
  return shapes + "</g>\n";
}

/// A frame around a part that is repeated.
struct Frame {
  std::size_t first_column = 0;
  std::size_t last_column = 0;
  std::size_t count = 0;  ///< how many times the part occurs
};

/// Operations in columns, as far as they are drawn.
struct Placement {
  std::vector<PlacedOperation> operations;
  std::vector<Frame> frames;
  std::size_t shown = 0;
  std::size_t omitted = 0;
  std::size_t columns = 0;
};

/// Puts the operations of a circuit into columns.
class Placer {
 public:
  Placer(const Circuit& circuit, std::size_t qubits, std::size_t columns)
      : circuit_(circuit), columns_(columns), next_(qubits) {}

  /// Places one operation after those before it. Returns whether there is room for it.
  bool add(const Operation& operation) {
    if (operation.qubits.empty()) return true;
    const auto [least, greatest] = std::ranges::minmax(operation.qubits);
    const auto end = next_.begin() + std::min<std::ptrdiff_t>(greatest + 1, std::ssize(next_));
    const bool is_cut = greatest >= next_.size();
    const std::size_t column =
        least < next_.size() ? *std::max_element(next_.begin() + least, end) : 0;
    if (is_cut || column >= columns_) {
      ++placement_.omitted;
      // Nothing on these qubits is drawn behind an operation that is not.
      if (least < next_.size()) std::fill(next_.begin() + least, end, columns_);
      return false;
    }
    std::fill(next_.begin() + least, end, column + 1);
    placement_.columns = std::max(placement_.columns, column + 1);
    placement_.operations.push_back(place(circuit_, operation, column));
    ++placement_.shown;
    return true;
  }
  /// Places a part that is repeated, in columns of its own.
  void add(const Repetition& repetition) {
    const std::size_t first_column = align();
    std::size_t drawn = 0;
    for (std::size_t i = 0; i < repetition.length; ++i) {
      drawn += add(circuit_.operations[repetition.first + i]) ? 1 : 0;
    }
    const std::size_t others = repetition.length * (repetition.count - 1);
    const bool is_complete = drawn == repetition.length;
    (is_complete ? placement_.shown : placement_.omitted) += others;
    const std::size_t end_column = align();
    if (drawn == 0) return;
    placement_.frames.push_back(
        {first_column, std::min(end_column, placement_.columns) - 1, repetition.count});
  }
  [[nodiscard]] Placement finish() { return std::move(placement_); }

 private:
  /// Makes the next operation on every qubit begin in the same column, and returns it.
  std::size_t align() {
    const auto most = std::ranges::max_element(next_);
    const std::size_t column = most == next_.end() ? 0 : *most;
    std::ranges::fill(next_, column);
    return column;
  }

  const Circuit& circuit_;
  std::size_t columns_;
  std::vector<std::size_t> next_;  ///< the first free column of each qubit
  Placement placement_;
};

Placement place_all(const Circuit& circuit, std::size_t qubits, const DrawingLimits& limits) {
  // More are not drawn, even if all of them are folded.
  constexpr std::size_t most_folded = 20'000;
  std::vector<Repetition> repetitions;
  if (limits.folds_repetitions) repetitions = repetitions_in(circuit, most_folded);
  Placer placer(circuit, qubits, limits.columns);
  auto repetition = repetitions.begin();
  for (std::size_t i = 0; i < circuit.operations.size();) {
    if (repetition != repetitions.end() && repetition->first == i) {
      placer.add(*repetition);
      i = (repetition++)->end();
    } else {
      placer.add(circuit.operations[i++]);
    }
  }
  return placer.finish();
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
  const std::size_t qubits = std::min<std::size_t>(circuit.qubit_count(), limits.qubits);
  const Placement placement = place_all(circuit, qubits, limits);
  std::vector<std::string> names;
  std::size_t left = 0;
  for (std::size_t i = 0; i < qubits; ++i) {
    names.push_back(shortened(element_name(circuit.qubit_registers, i)));
    left = std::max(left, text_width(names.back()) + 2 * kGap);
  }
  const Columns columns = columns_of(placement, left);
  const std::size_t height = std::max<std::size_t>(qubits, 1) * kRowHeight;
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
  for (std::size_t i = 0; i < qubits; ++i) {
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
