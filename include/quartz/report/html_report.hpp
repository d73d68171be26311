#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "quartz/circuit/circuit.hpp"
#include "quartz/circuit/cost.hpp"

/// Reports as HTML. They need no other file and no network, and contain no scripts.
namespace quartz {

/// The least cost at a time of the search.
struct CostAtTime {
  double seconds = 0;
  std::vector<double> values;  ///< one for each objective of the cost
};

/// The least cost as the search went on, thinned to a bounded number of points.
class CostHistory {
 public:
  static constexpr std::size_t kMaxPoints = 512;

  /// Adds a point if the cost differs from that of the last one.
  void add(double seconds, const CostValue& value, const Cost& cost);
  [[nodiscard]] const std::vector<CostAtTime>& points() const { return points_; }

 private:
  std::vector<CostAtTime> points_;
};

/// A run, as a report shows it. What is referenced must outlive it.
struct HtmlReport {
  const Circuit& before;          ///< the input
  const Circuit& after;           ///< the result
  const std::string& statistics;  ///< statistics_of the run
  std::span<const CostAtTime> history = {};
  std::string circuit_name = {};
  std::string command = {};  ///< the command or the call that repeats the run
};

/// Returns a complete document: the circuits, figures, cost against time, passes and rewrites, the
/// check, and how to repeat the run. Throws InputError if the statistics are not those of a run.
[[nodiscard]] std::string html_report(const HtmlReport& report);
/// Returns an element for notebooks with the first half of html_report: figures, circuits, cost
/// against time, and the check. Throws InputError if the statistics are not those of a run.
[[nodiscard]] std::string html_summary(const HtmlReport& report);
/// Returns an element for notebooks with the circuit as a drawing, and its sizes.
[[nodiscard]] std::string html_drawing(const Circuit& circuit);

}  // namespace quartz
