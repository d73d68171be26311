#include "cli/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

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

std::string change_in_percent(std::uint64_t before, std::uint64_t after) {
  if (before == after) return "0.0%";
  if (before == 0) return "-";
  const double ratio = static_cast<double>(after) / static_cast<double>(before);
  return fmt::format("{:+.1f}%", 100 * (ratio - 1));
}

}  // namespace

std::string format_table(const Table& table) {
  const std::vector<std::size_t> widths = column_widths(table);
  std::string text = format_row(table.header, widths);
  for (const std::vector<std::string>& row : table.rows) text += format_row(row, widths);
  return text;
}

Table before_after_table(const GateCounts& before, const GateCounts& after) {
  using Figure = std::pair<const char*, std::uint64_t GateCounts::*>;
  constexpr Figure figures[] = {{"total", &GateCounts::total},
                                {"two-qubit", &GateCounts::two_qubit},
                                {"T", &GateCounts::t},
                                {"depth", &GateCounts::depth}};
  Table table{{"gates", "before", "after", "change"}, {}};
  for (const auto& [name, figure] : figures) {
    table.rows.push_back({name, fmt::format("{}", before.*figure), fmt::format("{}", after.*figure),
                          change_in_percent(before.*figure, after.*figure)});
  }
  return table;
}

}  // namespace quartz::cli
