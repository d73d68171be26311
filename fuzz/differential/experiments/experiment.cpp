#include "experiments/experiment.hpp"

#include <array>
#include <exception>

#define QUARTZ_EXPERIMENT(name, description) \
  namespace quartz::differential::name {     \
  Case draw(std::uint64_t seed);             \
  Outcome run(const Case& input);            \
  }
#include "experiments/experiments.inc"
#undef QUARTZ_EXPERIMENT

namespace quartz::differential {
namespace {

#define QUARTZ_EXPERIMENT(name, description) Experiment{#name, description, name::draw, name::run},
constexpr std::array kExperiments = {
#include "experiments/experiments.inc"
};
#undef QUARTZ_EXPERIMENT

}  // namespace

std::span<const Experiment> experiments() { return kExperiments; }

Outcome run_guarded(const Experiment& experiment, const Case& input) {
  try {
    return experiment.run(input);
  } catch (const std::exception& error) {
    Outcome outcome;
    outcome.finding = std::string("undocumented exception: ") + error.what();
    return outcome;
  }
}

std::string kind_of(const std::string& finding) { return finding.substr(0, finding.find(':')); }

}  // namespace quartz::differential
