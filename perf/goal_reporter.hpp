#pragma once

#include <benchmark/benchmark.h>

#include <vector>

namespace quartz::perf {

/// Prints each benchmark as one line: its rate, its goal, and the ratio of the two.
class GoalReporter : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context& context) override;
  void ReportRuns(const std::vector<Run>& runs) override;
};

}  // namespace quartz::perf
