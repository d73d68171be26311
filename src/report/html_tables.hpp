#pragma once

#include <nlohmann/json.hpp>
#include <string>

/// The tables of HTML reports, from the statistics of a run (quartz/report/statistics.hpp).
namespace quartz::report {

using Json = nlohmann::ordered_json;

/// Returns whether the input was translated, so that its gates are not those of the others.
[[nodiscard]] bool was_translated(const Json& statistics);

/// Returns the named costs and the weighted sums of the input, the translated circuit and the
/// result, with the change from the second to the third. What grew is marked.
[[nodiscard]] std::string figure_table(const Json& statistics);
/// Returns the number of gates of each kind in the three circuits, and the totals.
[[nodiscard]] std::string gate_table(const Json& statistics);
/// Returns the passes that ran, with their runs, the gates that they removed, and their times.
[[nodiscard]] std::string pass_table(const Json& statistics);
/// Returns the rewrites that led to the result, as far as they are listed.
[[nodiscard]] std::string rewrite_table(const Json& statistics);

}  // namespace quartz::report
