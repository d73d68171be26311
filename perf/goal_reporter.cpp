#include "goal_reporter.hpp"

#include <fmt/format.h>

#include <array>
#include <string>
#include <utility>

namespace quartz::perf {
namespace {

/// Formats a number with three significant digits.
std::string three_digits(double number) {
  return fmt::format("{:.{}f}", number, number < 9.995 ? 2 : number < 99.95 ? 1 : 0);
}

/// Formats a rate with a unit prefix, as in "1.27 M" for 1,270,000.
std::string rate_text(double rate) {
  constexpr std::array<std::pair<double, const char*>, 3> kUnits{
      {{1e9, " G"}, {1e6, " M"}, {1e3, " k"}}};
  for (const auto& [unit, letter] : kUnits) {
    if (rate >= unit) return three_digits(rate / unit) + letter;
  }
  return three_digits(rate) + "  ";
}

}  // namespace

bool GoalReporter::ReportContext(const Context&) {
  GetOutputStream() << fmt::format("{:<34} {:>10} {:>10} {:>8}  {}\n", "benchmark", "rate", "goal",
                                   "of goal", "items per second of processor time");
  return true;
}

void GoalReporter::ReportRuns(const std::vector<Run>& runs) {
  for (const Run& run : runs) {
    if (run.error_occurred) {
      GetErrorStream() << run.benchmark_name() << ": " << run.error_message << "\n";
      continue;
    }
    // Google Benchmark also reports the spread of repetitions, which is not a rate.
    if (run.aggregate_name == "stddev" || run.aggregate_name == "cv") continue;
    const double rate = run.counters.at("items_per_second");
    const double goal = run.counters.at("goal");
    std::string name =
        run.run_name.function_name + (run.run_name.args.empty() ? "" : "/") + run.run_name.args;
    if (!run.aggregate_name.empty()) name += " (" + run.aggregate_name + ")";
    GetOutputStream() << fmt::format("{:<34} {:>10} {:>10} {:>7.2f}x  {}\n", name, rate_text(rate),
                                     rate_text(goal), rate / goal, run.report_label);
  }
  GetOutputStream().flush();
}

}  // namespace quartz::perf
