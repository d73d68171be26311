#include "cli/report.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "quartz/errors.hpp"

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
  return line + "\n";
}

std::string number(const std::optional<double>& value) {
  return value ? fmt::format("{:.10g}", *value) : "-";
}

std::string change_in_percent(const std::optional<double>& before,
                              const std::optional<double>& after) {
  if (before == after) return "0.0%";
  if (!before || !after || *before == 0) return "-";
  return fmt::format("{:+.1f}%", 100 * (*after / *before - 1));
}

}  // namespace

std::string format_table(const Table& table) {
  const std::vector<std::size_t> widths = column_widths(table);
  std::string text = format_row(table.header, widths);
  for (const std::vector<std::string>& row : table.rows) text += format_row(row, widths);
  return text;
}

std::vector<Figure> figures_of(const Circuit& circuit, const Cost& cost) {
  std::vector<Figure> figures;
  const GateCounts counts = count_gates(circuit);
  for (const CostName& row : cost_names()) {
    figures.push_back({std::string(row.name), static_cast<double>(counts.*row.count)});
  }
  for (const Objective& objective : cost.objectives()) {
    if (objective.named() != nullptr) continue;
    figures.push_back({std::string(objective.name()), std::nullopt});
    if (objective.covers(circuit)) {
      figures.back().value = objective.value(objective.units_of(circuit));
    }
  }
  return figures;
}

Table before_after_table(const std::vector<Figure>& before, const std::vector<Figure>& after) {
  ensure(before.size() == after.size(), "the same figures before and after");
  Table table{{"gates", "before", "after", "change"}, {}};
  for (std::size_t i = 0; i < before.size(); ++i) {
    table.rows.push_back({before[i].name, number(before[i].value), number(after[i].value),
                          change_in_percent(before[i].value, after[i].value)});
  }
  return table;
}

}  // namespace quartz::cli
