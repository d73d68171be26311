#include "cli/opt/batch_summary.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "cli/color.hpp"
#include "cli/output/report.hpp"
#include "quartz/base/counted.hpp"

namespace quartz::cli {
namespace {

using Json = nlohmann::ordered_json;

/// Sums over the inputs that have a result.
struct Totals {
  std::vector<CostChange> costs;
  double seconds = 0;
  std::size_t failed = 0;
  std::size_t verified = 0;
};

std::optional<double> sum_of(std::optional<double> a, std::optional<double> b) {
  if (!a || !b) return std::nullopt;
  return *a + *b;
}

Totals totals_of(const std::vector<BatchRow>& rows, const Cost& cost) {
  Totals totals;
  for (const Objective& objective : cost.objectives()) {
    totals.costs.push_back({std::string(objective.name()), 0, 0});
  }
  for (const BatchRow& row : rows) {
    totals.seconds += row.seconds;
    totals.failed += row.failed() ? 1 : 0;
    totals.verified += row.outcome.check.verified.value_or(false) ? 1 : 0;
    for (std::size_t i = 0; i < row.outcome.costs.size(); ++i) {
      CostChange& total = totals.costs[i];
      total.before = sum_of(total.before, row.outcome.costs[i].before);
      total.after = sum_of(total.after, row.outcome.costs[i].after);
    }
  }
  return totals;
}

void add_costs(std::vector<std::string>& cells, const std::vector<CostChange>& costs) {
  for (const CostChange& cost : costs) {
    cells.push_back(figure_text(cost.before));
    cells.push_back(figure_text(cost.after));
  }
}

std::string verdict_of(const BatchRow& row) {
  if (!row.error.empty()) return fmt::format("failed (exit code {})", static_cast<int>(row.code));
  return row.outcome.check.text;
}

/// Returns a line for each input and one of totals. Lines of failures are red.
std::string table_of(const std::vector<BatchRow>& rows, const Totals& totals, bool shows_colors) {
  Table table{{"file"}, {}};
  for (const CostChange& cost : totals.costs) {
    table.header.push_back(cost.name + " before");
    table.header.emplace_back("after");
  }
  table.header.emplace_back("seconds");
  std::vector<std::string> verdicts{"checked"};
  for (const BatchRow& row : rows) {
    std::vector<std::string>& cells = table.rows.emplace_back();
    cells.push_back(row.files.input);
    add_costs(cells, row.error.empty() ? row.outcome.costs : std::vector<CostChange>());
    cells.resize(table.header.size() - 1, "-");
    cells.push_back(fmt::format("{:.2f}", row.seconds));
    verdicts.push_back(verdict_of(row));
  }
  std::vector<std::string>& cells = table.rows.emplace_back();
  cells.push_back(
      fmt::format("{} of {}", rows.size() - totals.failed, counted(rows.size(), "file")));
  add_costs(cells, totals.costs);
  cells.push_back(fmt::format("{:.2f}", totals.seconds));
  verdicts.push_back(fmt::format("{} verified, {} failed", totals.verified, totals.failed));
  std::string text;
  for (std::size_t i = 0; const std::string& line : format_lines(table)) {
    const bool is_failure = i > 0 && i <= rows.size() && rows[i - 1].failed();
    text += colored(line + "  " + verdicts[i], Color::red, shows_colors && is_failure) + "\n";
    ++i;
  }
  return text;
}

/// Returns whole numbers as integers, and null for a missing figure, as the statistics do.
Json figure_of(const std::optional<double>& value) {
  if (!value) return nullptr;
  if (*value == std::floor(*value)) return static_cast<std::uint64_t>(*value);
  return *value;
}

Json json_of(const std::vector<CostChange>& costs) {
  Json json = Json::object();
  for (const CostChange& cost : costs) {
    json[cost.name] = {{"before", figure_of(cost.before)}, {"after", figure_of(cost.after)}};
  }
  return json;
}

Json json_of(const std::vector<BatchRow>& rows, const Totals& totals) {
  Json files = Json::array();
  for (const BatchRow& row : rows) {
    const bool has_result = row.error.empty();
    files.push_back({{"file", row.files.input},
                     {"output", has_result ? Json(row.files.output) : Json(nullptr)},
                     {"exit_code", static_cast<int>(row.code)},
                     {"error", has_result ? Json(nullptr) : Json(row.error)},
                     {"seconds", row.seconds},
                     {"stats", has_result ? Json::parse(row.outcome.stats) : Json(nullptr)}});
  }
  return {{"files", files},
          {"totals",
           {{"files", rows.size()},
            {"failed", totals.failed},
            {"verified", totals.verified},
            {"cost", json_of(totals.costs)},
            {"seconds", totals.seconds}}}};
}

}  // namespace

ExitCode code_of(const std::vector<BatchRow>& rows) {
  ExitCode worst = ExitCode::done;
  for (const BatchRow& row : rows) worst = worse(worst, row.code);
  return worst;
}

std::string summary_table(const std::vector<BatchRow>& rows, const Cost& cost, bool shows_colors) {
  return table_of(rows, totals_of(rows, cost), shows_colors);
}

std::string summary_json(const std::vector<BatchRow>& rows, const Cost& cost) {
  // Names of files and messages may have bytes that are not UTF-8.
  return json_of(rows, totals_of(rows, cost)).dump(2, ' ', false, Json::error_handler_t::replace) +
         "\n";
}

}  // namespace quartz::cli
