#pragma once

#include <optional>
#include <string>
#include <vector>

#include "quartz/circuit/cost.hpp"

namespace quartz::cli {

/// Text in columns: the first one flush left, the others flush right.
struct Table {
  std::vector<std::string> header;
  std::vector<std::vector<std::string>> rows;  ///< each as long as the header
};

/// The table as lines, each with a trailing newline.
[[nodiscard]] std::string format_table(const Table& table);

/// One number that is told of a circuit; none where the circuit has a gate without a weight.
struct Figure {
  std::string name;
  std::optional<double> value;
};

/// Every named cost, whatever is made small, then the weighted sums of the cost.
[[nodiscard]] std::vector<Figure> figures_of(const Circuit& circuit, const Cost& cost);

/// The figures of a circuit before and after, and the change in percent.
[[nodiscard]] Table before_after_table(const std::vector<Figure>& before,
                                       const std::vector<Figure>& after);

}  // namespace quartz::cli
