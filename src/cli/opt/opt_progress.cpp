#include "cli/opt/opt_progress.hpp"

#include <fmt/format.h>

#include "cli/output/timed_progress.hpp"
#include "quartz/base/errors.hpp"
#include "report/headline.hpp"

namespace quartz::cli {
std::string search_progress_text(const OptimizeProgress& progress, const Cost& cost,
                                 const CostValue& translated, std::optional<double> limit) {
  std::string text = time_text(progress.seconds, limit);
  for (std::size_t i = 0; i < cost.objectives().size(); ++i) {
    const Objective& objective = cost.objectives()[i];
    const std::string name(objective.name());
    const report::Figure before{name, objective.value(translated.units[i])};
    const report::Figure after{name, objective.value(progress.best_cost.units[i])};
    text += (i == 0 ? ": " : "; ") + report::comparison_text(before, after);
  }
  return text;
}

std::string_view stage_text(SuperoptimizeStage stage) {
  switch (stage) {
    case SuperoptimizeStage::translate:
      return "translating the circuit into the gate set";
    case SuperoptimizeStage::rules:
      return "obtaining the rules of the gate set";
    case SuperoptimizeStage::search:
      return "searching";
    case SuperoptimizeStage::journal:
      return "writing the journal";
    case SuperoptimizeStage::check:
      return "checking the result";
  }
  throw InternalError("a stage of no kind");
}

}  // namespace quartz::cli
