#include "workflow/stages/certification.hpp"

#include <algorithm>
#include <exception>
#include <memory>
#include <new>
#include <thread>
#include <utility>

#include "quartz/base/parallel_for.hpp"
#include "workflow/certificate/encoded_circuit.hpp"
#include "workflow/chosen_rules.hpp"

namespace quartz::workflow {
namespace {

/// Processor time of the certificate while the search goes on, as a fraction of that of the
/// process. The search also loses what the certificate takes of the processor's cache: with a share
/// of 9%, annealing on two cores was 15% slower. A core on which nothing searches permits more.
constexpr double kCertificateShare = 0.05;
constexpr double kShareOnIdleCore = 0.1;
/// The same while less than half of the search's gain is certified. Linear passes improve a million
/// gates within seconds, and the check at the end has no time to prove that.
constexpr double kShareBeforeGain = 0.5;
/// The same while the best circuit that is certified is behind the best one, if the first circuit
/// has at least this many operations: the history of one that is improved everywhere at once grows
/// faster than a replay with the smallest share.
constexpr double kShareBehind = 0.4;
constexpr std::size_t kMinOperationsOfBehind = 100'000;

/// Fractions of the check's time for both ways to certify the result at the same time, with a time
/// that the caller chose, of which little is kept for what is tried then, and by default: 3 seconds
/// for a search of a minute.
constexpr double kShareOfBothWays = 0.9;
constexpr double kDefaultShareOfBothWays = 0.6;

/// Most memory of a direct comparison while the search goes on, in bytes.
constexpr double kComparisonMemory = 2.5e8;

/// Returns a function that forms the same circuit from its encoding, or this function if there is
/// no memory for that.
std::function<circuit::DerivedCircuit()> encoded_if_possible(
    std::function<circuit::DerivedCircuit()> form) {
  try {
    return encoded(form());
  } catch (const std::bad_alloc&) {
    return form;
  }
}

}  // namespace

RunningCertificate& Certification::running_certificate(double seconds_left) {
  if (!certificate_) {
    CertificateOptions certificate = certificate_options();
    certificate.seconds_of_search = seconds_left;
    certificate_.emplace(std::move(certificate), std::move(prepared_));
  }
  return *certificate_;
}

FirstCircuits Certification::first_circuits() const {
  const bool is_free = state_.options.qubit_order == QubitOrder::free;
  return {&state_.first.circuit, is_free ? &state_.circuit : &state_.first.circuit};
}

ReplayOptions Certification::replay_options() const {
  const SuperoptimizeOptions& options = state_.options;
  ReplayOptions replay;
  replay.memory_bytes = options.check_memory_bytes;
  replay.seed = options.seed;
  replay.epsilon = options.epsilon;
  if (options.check_steps != 0) replay.max_steps = options.check_steps;
  replay.custom_gates = state_.set.custom_gates();
  if (options.qubit_order == QubitOrder::free) {
    replay.swaps = swap_gates(options);
    replay.assumptions = options.assumptions;
  }
  return replay;
}

void Certification::prepare() {
  if (state_.options.check == CheckPolicy::off) return;
  try {
    prepared_ = std::make_shared<PreparedReplay>(first_circuits(), replay_options());
  } catch (const std::exception&) {
    // The certificate tries it again, and says what is wrong.
  }
}

CertificateOptions Certification::certificate_options() const {
  CertificateOptions certificate;
  certificate.circuits = first_circuits();
  certificate.replay = replay_options();
  const std::size_t operations =
      state_.first.circuit.operations.size() + state_.circuit_now().operations.size();
  if (replays_alone(operations) && thread_count(state_.options.threads) > 1) {
    certificate.threads_at_end = ReplayThreads::two;
  }
  certificate.seconds_at_end = share_of_replay(operations, share_of_both_ways()) * check_seconds();
  // With steps, what is certified must not depend on the time.
  if (state_.options.steps == 0) {
    const bool has_idle_core =
        std::thread::hardware_concurrency() > thread_count(state_.options.threads);
    certificate.share = has_idle_core ? kShareOnIdleCore : kCertificateShare;
    certificate.share_before_gain = kShareBeforeGain;
    if (state_.translated().operations.size() >= kMinOperationsOfBehind) {
      certificate.share_behind = kShareBehind;
    }
  }
  if (state_.options.qubit_order == QubitOrder::free) return certificate;
  // A direct comparison of a million gates takes as much memory as their replay, beside it.
  if (replays_alone(operations)) return certificate;
  EquivalenceOptions direct;
  direct.memory_bytes = std::min(state_.options.check_memory_bytes, kComparisonMemory);
  direct.seed = state_.options.seed;
  direct.epsilon = state_.options.epsilon;
  certificate.compare = [this, direct](const Circuit& circuit, double seconds,
                                       const std::stop_token& stop) {
    EquivalenceOptions options = direct;
    options.seconds = seconds;
    options.stop = stop;
    return compare_directly(state_.first.circuit, circuit, options, seconds);
  };
  return certificate;
}

std::function<circuit::DerivedCircuit()> Certification::form_of_start() const {
  // The translated circuit stays as it is until everything is checked: a large one is not copied.
  if (state_.is_translation) {
    return [translated = &state_.translated(), derivation = state_.now.derivation,
            permutation = state_.now.permutation] {
      return circuit::DerivedCircuit{*translated, derivation, permutation};
    };
  }
  if (state_.now.circuit.operations.size() >= kMinEncodedOperations) return encoded(state_.now);
  return [start = std::make_shared<const circuit::DerivedCircuit>(state_.now)] { return *start; };
}

void Certification::follow(optimizer::SearchListener& listener, double seconds_left) {
  if (state_.options.check == CheckPolicy::off || !state_.now.derivation.is_recorded()) return;
  std::function<circuit::DerivedCircuit()> form;
  try {
    form = form_of_start();
  } catch (const std::bad_alloc&) {
    return;
  }
  RunningCertificate& certificate = running_certificate(seconds_left);
  const std::uint64_t steps = state_.now.derivation.steps();
  const OutputPermutation permutation = state_.permutation();
  certificate.consider(
      {state_.circuit_now().operations.size(), steps, permutation, std::move(form)});
  listener.follows_one_thread = [&certificate] { return certificate.follows_one_history(); };
  listener.on_best = [&certificate, steps, permutation,
                      before = state_.now.derivation](optimizer::UnformedCircuit best) {
    std::function<circuit::DerivedCircuit()> derived = [before, found = std::move(best.form)] {
      circuit::DerivedCircuit formed = found();
      formed.derivation = before.then(std::move(formed.derivation));
      return formed;
    };
    // The search soon has another version of a large circuit, and this one would be kept as well.
    if (best.operations >= kMinEncodedOperations) derived = encoded_if_possible(std::move(derived));
    certificate.consider({best.operations, steps + best.steps, permutation, std::move(derived)});
  };
}

double Certification::check_seconds() const {
  return state_.options.check_seconds.value_or(default_check_seconds(
      state_.options.seconds, state_.options.steps, state_.operations_of_translation()));
}

double Certification::share_of_both_ways() const {
  // With steps, what is certified must not depend on the time.
  if (state_.options.steps != 0 || thread_count(state_.options.threads) == 1) return 0;
  return state_.options.check_seconds ? kShareOfBothWays : kDefaultShareOfBothWays;
}

CheckRequest Certification::request() {
  CheckRequest request;
  request.policy = state_.options.check;
  request.coupling = state_.result.coupling;
  request.rules_name = name_of(state_.options.rules);
  request.equivalence.seconds = check_seconds();
  request.equivalence.memory_bytes = state_.options.check_memory_bytes;
  request.equivalence.seed = state_.options.seed;
  request.equivalence.epsilon = state_.options.epsilon;
  if (state_.result.seconds_before)
    request.checkpoint_name = state_.options.checkpoint.folder.string();
  // A stop during the search ends only the search; its result is still checked.
  if (!state_.options.stop.stop_requested()) request.equivalence.stop = state_.options.stop;
  if (state_.options.qubit_order == QubitOrder::free) {
    request.order =
        FreeOrderOfResult{&state_.circuit, state_.permutation(), state_.options.assumptions};
  }
  if (!state_.records() || !state_.now.derivation.is_recorded()) return request;
  request.certificate = &running_certificate(0);
  request.history = state_.now.derivation.history();
  request.share_of_both_ways = share_of_both_ways();
  return request;
}

std::optional<Circuit> Certification::reordered_input() const {
  if (state_.options.qubit_order == QubitOrder::keep) return std::nullopt;
  Circuit circuit =
      with_output_permutation(state_.circuit, state_.permutation(), swap_gates(state_.options));
  return state_.options.assumptions.any() ? with_assumptions(circuit, state_.options.assumptions)
                                          : circuit;
}

CheckOutcome Certification::check() {
  const CheckRequest checked = request();
  std::optional<Circuit> reordered;
  bool has_memory = true;
  try {
    reordered = reordered_input();
  } catch (const std::bad_alloc&) {
    has_memory = false;  // the input is larger than what is left of the memory
  }
  const Circuit& expected = reordered ? *reordered : state_.first.circuit;
  CheckOutcome outcome = has_memory ? check_result(expected, state_.circuit_now(), checked)
                                    : unchecked_for_memory(state_.circuit_now(), checked);
  certificate_.reset();
  prepared_.reset();
  return outcome;
}

}  // namespace quartz::workflow
