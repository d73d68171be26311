#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "quartz/circuit/cost.hpp"

namespace quartz::cli {

/// Text in columns: the first one flush left, the others flush right.
struct Table {
  std::vector<std::string> header;
  std::vector<std::vector<std::string>> rows;  ///< each as long as the header
};

/// The table as lines, each with a trailing newline.
[[nodiscard]] std::string format_table(const Table& table);

/// One number that is told of a circuit; none where the circuit has a gate without a weight.
struct Figure {
  std::string name;
  std::optional<double> value;
  friend bool operator==(const Figure&, const Figure&) = default;
};

/// Every named cost, whatever is minimized, then the weighted sums of the cost.
[[nodiscard]] std::vector<Figure> figures_of(const Circuit& circuit, const Cost& cost);

/// The figures of a circuit before and after, and the change in percent. Figures that grew are
/// marked.
[[nodiscard]] Table before_after_table(const std::vector<Figure>& before,
                                       const std::vector<Figure>& after);
/// The same for a circuit that was translated in between, with the changes from the input and from the
/// translated circuit. Figures above the input's are marked; where the input has no such figure, those
/// above the translated circuit's.
[[nodiscard]] Table translated_after_table(const std::vector<Figure>& input,
                                           const std::vector<Figure>& translated,
                                           const std::vector<Figure>& after);

/// A line for each reason why figures grew: the translation into the gate set, and the cost that
/// was minimized. Empty if none grew.
[[nodiscard]] std::string growth_notes(const std::vector<Figure>& input,
                                       const std::vector<Figure>& translated,
                                       const std::vector<Figure>& after, std::string_view cost);

}  // namespace quartz::cli
