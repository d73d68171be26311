#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "quartz/circuit/circuit.hpp"
#include "quartz/circuit/cost.hpp"
#include "quartz/report/statistics.hpp"

/// Numbers about the circuits of a run. Reports share one RunFigures, because circuits are large.
namespace quartz::report {

/// A number that describes a circuit; nothing if the circuit has a gate without a weight.
struct Figure {
  std::string name;
  std::optional<double> value;
  bool is_size = false;  ///< a number of qubits or of measurements, which no cost counts
  friend bool operator==(const Figure&, const Figure&) = default;
};

/// What reports say about a circuit, with declared gates as the gates of their bodies.
struct CircuitFigures {
  /// All named costs that reports always give, whatever is minimized, followed by the other
  /// objectives of the cost.
  std::vector<Figure> costs;
  std::uint64_t t_depth = 0;  ///< the value of the cost t-depth
  std::uint64_t qubits = 0;
  std::uint64_t measurements = 0;
  /// The number of gates of each kind, by name.
  std::map<std::string, std::uint64_t> gates;
  /// The number of optimization boundaries of each kind, by name; a call of a declared gate is one.
  std::map<std::string, std::uint64_t> boundaries;
};
/// Counts all figures in few passes over the circuit.
[[nodiscard]] CircuitFigures figures_of(const Circuit& circuit, const Cost& cost);

/// Which figures a report of a run shows besides those that reports always give.
struct ShownFigures {
  bool t_depth = false;  ///< T gates or their depth are minimized, or a circuit has some
  bool sizes = false;    ///< the run changed the number of qubits or of measurements
};

/// The figures of the circuits of a run, and which of them its reports show.
struct RunFigures {
  /// The circuit as read. Weights are defined for the target's gates only: if translation changed
  /// the gates, there are no weighted sums, even if a file gives all other gates a default weight.
  CircuitFigures input;
  CircuitFigures translated;
  CircuitFigures result;
  ShownFigures shown;
};
/// Returns these figures. Reads only the circuits of the report, on `threads` threads.
[[nodiscard]] RunFigures run_figures(const RunReport& report, unsigned threads);
/// Returns quartz::statistics_of() a run whose figures are known.
[[nodiscard]] std::string statistics_of(const RunReport& report, const RunFigures& figures);

/// Returns the costs of a circuit and its other figures that a report shows.
[[nodiscard]] std::vector<Figure> shown_figures(const CircuitFigures& figures,
                                                const ShownFigures& shown);
/// Returns the objectives of the cost, in their order.
[[nodiscard]] std::vector<Figure> objectives_of(const CircuitFigures& figures, const Cost& cost);

}  // namespace quartz::report
