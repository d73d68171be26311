#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "report/figures.hpp"

namespace quartz::cli {

using report::Figure;

/// Text in columns: the first one aligned left, the others aligned right.
struct Table {
  std::vector<std::string> header;
  std::vector<std::vector<std::string>> rows;  ///< each as long as the header
};

/// Returns the table as lines, each with a trailing newline.
[[nodiscard]] std::string format_table(const Table& table);
/// Returns the header and the rows, of the same length, without newlines.
[[nodiscard]] std::vector<std::string> format_lines(const Table& table);
/// Returns a number as it is shown in tables; a dash if it is missing.
[[nodiscard]] std::string figure_text(const std::optional<double>& value);

/// Returns a table with the figures of a circuit before and after, and the change in percent. Marks
/// figures that grew.
[[nodiscard]] Table before_after_table(const std::vector<Figure>& before,
                                       const std::vector<Figure>& after);
/// Like before_after_table for a circuit that was translated before, with a column for the input.
/// The input has other gates, so that its figures are not compared with those of the others.
[[nodiscard]] Table translated_after_table(const std::vector<Figure>& input,
                                           const std::vector<Figure>& translated,
                                           const std::vector<Figure>& after);

/// Returns a line that says why figures grew in the search; empty if none did. `cost` is the cost
/// that was minimized.
[[nodiscard]] std::string growth_note(const std::vector<Figure>& before,
                                      const std::vector<Figure>& after, std::string_view cost);

}  // namespace quartz::cli
