#pragma once

#include <string>
#include <vector>

#include "cli/opt/opt_report.hpp"
#include "quartz/circuit/cost.hpp"

/// The report of quartz-opt --report, an HTML document.
namespace quartz::cli {

/// The least cost at a time of the search.
struct CostAtTime {
  double seconds = 0;
  CostValue cost;
};

/// The least cost as the search went on, thinned to a bounded number of points.
class CostHistory {
 public:
  static constexpr std::size_t kMaxPoints = 512;

  /// Adds a point if the cost differs from that of the last one.
  void add(double seconds, const CostValue& cost);
  [[nodiscard]] const std::vector<CostAtTime>& points() const { return points_; }

 private:
  std::vector<CostAtTime> points_;
};

/// Returns a complete HTML document that needs no other file and no network: the circuits, figures,
/// cost against time, passes and rewrites, the check, and the command that repeats the run.
[[nodiscard]] std::string html_report(const OptReport& report, const CostHistory& history,
                                      const std::string& command);

}  // namespace quartz::cli
