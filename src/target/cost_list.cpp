#include "target/cost_list.hpp"

#include "quartz/base/nearest_name.hpp"
#include "quartz/circuit/cost.hpp"

namespace quartz::target {

std::vector<std::string_view> split_cost_list(std::string_view list) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t comma = list.find(',');
    parts.push_back(list.substr(0, comma));
    if (comma == std::string_view::npos) return parts;
    list.remove_prefix(comma + 1);
  }
}

std::string unknown_cost_message(std::string_view name) {
  std::vector<std::string_view> names;
  for (const CostName& cost : cost_names()) names.push_back(cost.name);
  return unknown_name_message("cost", name, "known costs", names);
}

}  // namespace quartz::target
