#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "quartz/circuit/circuit.hpp"
#include "quartz/circuit/cost.hpp"
#include "quartz/report/statistics.hpp"

namespace quartz::report {

/// A number that describes a circuit; nothing if the circuit has a gate without a weight.
struct Figure {
  std::string name;
  std::optional<double> value;
  bool is_size = false;  ///< a number of qubits or of measurements, which no cost counts
  friend bool operator==(const Figure&, const Figure&) = default;
};

/// Returns all named costs that reports always give, whatever is minimized, followed by the other
/// objectives of the cost.
[[nodiscard]] std::vector<Figure> figures_of(const Circuit& circuit, const Cost& cost);

/// Which figures a report of a run shows besides those that reports always give.
struct ShownFigures {
  bool t_depth = false;  ///< T gates or their depth are minimized, or a circuit has some
  bool sizes = false;    ///< the run changed the number of qubits or of measurements
};
[[nodiscard]] ShownFigures shown_figures(const RunReport& report);

/// The figures of the circuits of a run, of which each list has the same names.
struct RunFigures {
  std::vector<Figure> input;
  std::vector<Figure> translated;
  std::vector<Figure> result;
};
/// Returns figures_of() the circuits of a run, and those of shown_figures().
[[nodiscard]] RunFigures run_figures(const RunReport& report);

/// Returns the T depth: the value of the cost t-depth.
[[nodiscard]] std::uint64_t t_depth(const Circuit& circuit);
/// Returns the objectives of the cost, in their order.
[[nodiscard]] std::vector<Figure> objectives_of(const Circuit& circuit, const Cost& cost);
/// Returns the figures of the circuit as read. Weights are defined for the target's gates only: if
/// translation changed the gates, there are no weighted sums, even if a file gives all other gates
/// a default weight.
[[nodiscard]] std::vector<Figure> input_figures(const RunReport& report);

/// Returns the number of gates of each kind, by name.
[[nodiscard]] std::map<std::string, std::uint64_t> gates_by_kind(const Circuit& circuit);
/// Returns the number of optimization boundaries of each kind, by name.
[[nodiscard]] std::map<std::string, std::uint64_t> boundaries_by_kind(const Circuit& circuit);

}  // namespace quartz::report
