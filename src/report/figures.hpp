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
  friend bool operator==(const Figure&, const Figure&) = default;
};

/// Returns all named costs, whatever is minimized, followed by the weighted sums of the cost.
[[nodiscard]] std::vector<Figure> figures_of(const Circuit& circuit, const Cost& cost);
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
