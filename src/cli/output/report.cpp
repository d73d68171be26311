#include "cli/output/report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "quartz/base/errors.hpp"

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

/// Returns the value that a figure must exceed to be marked.
const std::optional<double>& reference(const Figure& input, const Figure& translated) {
  return input.value ? input.value : translated.value;
}

/// Adds a column that marks the rows of figures that grew, if there are any.
void mark_growth(Table& table, const std::vector<bool>& grown) {
  if (std::find(grown.begin(), grown.end(), true) == grown.end()) return;
  table.header.emplace_back();
  for (std::size_t i = 0; i < grown.size(); ++i) {
    table.rows[i].emplace_back(grown[i] ? "grew" : "");
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
  return value ? fmt::format("{:.10g}", *value) : "-";
}

Table before_after_table(const std::vector<Figure>& before, const std::vector<Figure>& after) {
  ensure(before.size() == after.size(), "figures before and after correspond");
  Table table{{"gates", "before", "after", "change"}, {}};
  std::vector<bool> grown;
  for (std::size_t i = 0; i < before.size(); ++i) {
    table.rows.push_back({before[i].name, figure_text(before[i].value), figure_text(after[i].value),
                          change_in_percent(before[i].value, after[i].value)});
    grown.push_back(grew(before[i].value, after[i].value));
  }
  mark_growth(table, grown);
  return table;
}

Table translated_after_table(const std::vector<Figure>& input,
                             const std::vector<Figure>& translated,
                             const std::vector<Figure>& after) {
  ensure(input.size() == after.size() && translated.size() == after.size(),
         "figures of all circuits correspond");
  Table table{{"gates", "input", "translated", "after", "vs input", "vs translated"}, {}};
  std::vector<bool> grown;
  for (std::size_t i = 0; i < input.size(); ++i) {
    table.rows.push_back({input[i].name, figure_text(input[i].value),
                          figure_text(translated[i].value), figure_text(after[i].value),
                          change_in_percent(input[i].value, after[i].value),
                          change_in_percent(translated[i].value, after[i].value)});
    grown.push_back(grew(reference(input[i], translated[i]), after[i].value));
  }
  mark_growth(table, grown);
  return table;
}

std::string growth_notes(const std::vector<Figure>& input, const std::vector<Figure>& translated,
                         const std::vector<Figure>& after, std::string_view cost) {
  std::vector<std::string_view> in_search;
  std::vector<std::string_view> in_translation;
  for (std::size_t i = 0; i < after.size(); ++i) {
    if (!grew(reference(input[i], translated[i]), after[i].value)) continue;
    const bool by_search = grew(translated[i].value, after[i].value);
    (by_search ? in_search : in_translation).push_back(after[i].name);
  }
  std::string text;
  if (!in_translation.empty()) {
    text += fmt::format("note     {} grew in the translation into the gate set\n",
                        fmt::join(in_translation, ", "));
  }
  if (!in_search.empty()) {
    text += fmt::format("note     {} grew, because the cost to minimize was {} (--cost)\n",
                        fmt::join(in_search, ", "), cost);
  }
  return text;
}

}  // namespace quartz::cli
