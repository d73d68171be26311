#include "workflow/stages/stage_times.hpp"

#include <algorithm>
#include <numeric>

namespace quartz::workflow {

double seconds_of_search(std::span<const StageTime> stages) {
  return std::accumulate(stages.begin(), stages.end(), 0.0, [](double sum, const StageTime& stage) {
    const bool is_check = stage.name == to_string(SuperoptimizeStage::check);
    return is_check ? sum : sum + stage.seconds;
  });
}

void add_stages(std::vector<StageTime>& total, std::span<const StageTime> next) {
  for (const StageTime& stage : next) {
    const auto known = std::ranges::find(total, stage.name, &StageTime::name);
    if (known == total.end()) {
      total.push_back(stage);
    } else {
      known->seconds += stage.seconds;
    }
  }
}

}  // namespace quartz::workflow
