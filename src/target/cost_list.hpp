#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace quartz::target {

/// Splits a comma-separated list of costs, such as "t,two-qubit". Parts may be empty.
[[nodiscard]] std::vector<std::string_view> split_cost_list(std::string_view list);

/// Returns "unknown cost 'speed'; known costs: total, ...".
[[nodiscard]] std::string unknown_cost_message(std::string_view name);

}  // namespace quartz::target
