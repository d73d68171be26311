#include "workflow/certificate/history_part.hpp"

#include <utility>

#include "base/processor_time.hpp"
#include "quartz/circuit/program_assumptions.hpp"

namespace quartz::workflow {

CircuitOfReplay::CircuitOfReplay(const Circuit& circuit, const ReplayOptions& options)
    : circuit_(&circuit) {
  if (options.assumptions.any()) {
    without_resets_ = without_assumptions(circuit, options.assumptions);
  }
}

HistoryPart::HistoryPart(const FirstCircuits& circuits, const ReplayOptions& options,
                         std::function<void()> after_block)
    : input_(circuits.input),
      replay_(std::make_unique<HistoryReplay>(*circuits.first, *circuits.input, options,
                                              std::move(after_block))) {}

HistoryPart::HistoryPart(FormedCircuit start, const FirstCircuits& circuits,
                         const ReplayOptions& options, std::function<void()> after_block)
    : input_(circuits.input),
      start_(std::make_unique<const Start>(std::move(start), options)),
      replay_(std::make_unique<HistoryReplay>(start_->formed.found,
                                              circuits.first->operations.size(), first(), options,
                                              std::move(after_block))) {}

std::uint64_t HistoryPart::steps() const {
  return (start_ == nullptr ? 0 : start_->formed.version.steps) + replay_->steps();
}

CircuitOnTheWay HistoryPart::first() const {
  if (start_ == nullptr) return {input_};
  const CertifiableCircuit& version = start_->formed.version;
  return {&*start_->circuit, version.permutation, version.steps};
}

HistoryPart::End HistoryPart::end_before() const {
  const FormedCircuit& formed = start_->formed;
  return {&*start_->circuit, &formed.found.derivation.history(), &formed.version.permutation,
          formed.version.steps};
}

HistoryPart::Outcome HistoryPart::continue_to(const End& end) {
  Outcome outcome;
  outcome.part.first = first();
  try {
    outcome.part.last = {end.circuit, *end.permutation, end.steps};
    const std::uint64_t steps_before = replay_->steps();
    const RunningReplay::Exchanges exchanges_before = replay_->exchanges();
    const double seconds_before = thread_seconds();
    outcome.part.report = replay_->continued_to(*end.history, *end.circuit, *end.permutation);
    // An exchange of a whole circuit takes as long as hundreds of thousands of rewrites.
    const RunningReplay::Exchanges exchanges = replay_->exchanges();
    outcome.steps = static_cast<double>((replay_->steps() - exchanges.steps) -
                                        (steps_before - exchanges_before.steps));
    outcome.seconds =
        (thread_seconds() - exchanges.seconds) - (seconds_before - exchanges_before.seconds);
  } catch (...) {
    outcome.interruption = std::current_exception();
  }
  return outcome;
}

}  // namespace quartz::workflow
