#include "cli/output/report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <ranges>

#include "quartz/base/errors.hpp"
#include "report/headline.hpp"

namespace quartz::cli {
namespace {

std::vector<std::size_t> column_widths(const Table& table) {
  std::vector<std::size_t> widths;
  for (const std::string& cell : table.header) widths.push_back(cell.size());
  for (const std::vector<std::string>& row : table.rows) {
    ensure(row.size() == widths.size(), "every row of a table has all columns");
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  return widths;
}

std::string format_row(const std::vector<std::string>& row,
                       const std::vector<std::size_t>& widths) {
  std::string line;
  for (std::size_t i = 0; i < row.size(); ++i) {
    line += i == 0 ? fmt::format("{:<{}}", row[i], widths[i])
                   : fmt::format("  {:>{}}", row[i], widths[i]);
  }
  return line;
}

std::string change_in_percent(const std::optional<double>& before,
                              const std::optional<double>& after) {
  if (before == after) return "0.0%";
  if (!before || !after || *before == 0) return "-";
  return fmt::format("{:+.1f}%", 100 * (*after / *before - 1));
}

bool grew(const std::optional<double>& before, const std::optional<double>& after) {
  return before && after && *after > *before;
}

/// Returns the names of the figures that grew, without sizes: these grow because the caller permits
/// it, and not because another figure is minimized.
std::vector<std::string_view> grown_figures(const std::vector<Figure>& before,
                                            const std::vector<Figure>& after) {
  std::vector<std::string_view> names;
  for (std::size_t i = 0; i < after.size(); ++i) {
    const Figure& now = after[i];
    if (!now.is_size && grew(before[i].value, now.value)) names.emplace_back(now.name);
  }
  return names;
}

/// Adds a column that marks the rows of figures that grew, if there are any.
void mark_growth(Table& table, const std::vector<Figure>& before,
                 const std::vector<Figure>& after) {
  const auto grew_at = [&](std::size_t i) { return grew(before[i].value, after[i].value); };
  const auto rows = std::views::iota(std::size_t{0}, after.size());
  if (std::ranges::none_of(rows, grew_at)) return;
  table.header.emplace_back();
  for (std::size_t i = 0; i < after.size(); ++i) {
    table.rows[i].emplace_back(grew_at(i) ? "grew" : "");
  }
}

}  // namespace

std::vector<std::string> format_lines(const Table& table) {
  const std::vector<std::size_t> widths = column_widths(table);
  std::vector<std::string> lines{format_row(table.header, widths)};
  for (const std::vector<std::string>& row : table.rows) lines.push_back(format_row(row, widths));
  return lines;
}

std::string format_table(const Table& table) {
  std::string text;
  for (std::string& line : format_lines(table)) {
    line.erase(line.find_last_not_of(' ') + 1);  // removes empty cells at the end
    text += line + "\n";
  }
  return text;
}

std::string figure_text(const std::optional<double>& value) {
  return value ? report::number_text(*value) : "-";
}

Table before_after_table(const std::vector<Figure>& before, const std::vector<Figure>& after) {
  ensure(before.size() == after.size(), "figures before and after correspond");
  Table table{{"gates", "before", "after", "change"}, {}};
  for (std::size_t i = 0; i < before.size(); ++i) {
    table.rows.push_back({before[i].name, figure_text(before[i].value), figure_text(after[i].value),
                          change_in_percent(before[i].value, after[i].value)});
  }
  mark_growth(table, before, after);
  return table;
}

Table translated_after_table(const std::vector<Figure>& input,
                             const std::vector<Figure>& translated,
                             const std::vector<Figure>& after) {
  ensure(input.size() == after.size() && translated.size() == after.size(),
         "figures of all circuits correspond");
  Table table{{"gates", "input", "translated", "after", "change"}, {}};
  for (std::size_t i = 0; i < input.size(); ++i) {
    table.rows.push_back({input[i].name, figure_text(input[i].value),
                          figure_text(translated[i].value), figure_text(after[i].value),
                          change_in_percent(translated[i].value, after[i].value)});
  }
  mark_growth(table, translated, after);
  return table;
}

std::string growth_note(const std::vector<Figure>& before, const std::vector<Figure>& after,
                        std::string_view cost) {
  const std::vector<std::string_view> grown = grown_figures(before, after);
  if (grown.empty()) return "";
  return fmt::format("note     {} grew, because the cost to minimize was {} (--cost)\n",
                     fmt::join(grown, ", "), cost);
}

}  // namespace quartz::cli
