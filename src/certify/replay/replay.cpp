#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <fstream>
#include <memory>
#include <numbers>
#include <numeric>
#include <span>
#include <sstream>
#include <utility>

#include "base/processor_time.hpp"
#include "base/text/bound_text.hpp"
#include "certify/order/first_circuit.hpp"
#include "certify/replay/journal_reader.hpp"
#include "certify/replay/replayed_steps.hpp"
#include "certify/replay/window_proofs.hpp"
#include "formats/journal_records.hpp"
#include "quartz/base/counted.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/certify/journal.hpp"
#include "quartz/circuit/gate.hpp"

namespace quartz {
namespace {

using namespace certify;
using formats::RecordKind;

/// Steps between two checks of the time limit.
constexpr std::uint64_t kStepsPerCheck = 1024;

/// Returns the gate that a text such as "rz(pi/4)" names, without qubits. Throws InputError.
Operation parse_gate(const std::string& text, const CustomGates& custom_gates) {
  const std::size_t open = text.find('(');
  const Gate* const row = find_gate(std::string_view(text).substr(0, open), custom_gates);
  if (row == nullptr) throw InputError("there is no gate '" + text + "'");
  Operation operation;
  operation.gate = row->kind;
  if (open != std::string::npos) {
    if (text.back() != ')') throw InputError("')' is missing after '" + text + "'");
    std::size_t begin = open + 1;
    while (begin < text.size()) {
      const std::size_t end = std::min(text.find(',', begin), text.size() - 1);
      operation.angles.push_back(parse_angle(std::string_view(text).substr(begin, end - begin)));
      begin = end + 1;
    }
  }
  if (operation.angles.size() != row->parameters.size()) {
    throw InputError(fmt::format("'{}' has {}, expected {}", text,
                                 counted(operation.angles.size(), "angle"),
                                 row->parameters.size()));
  }
  return operation;
}

}  // namespace

namespace certify {

/// Replays the records of one journal.
class Replay {
 public:
  /// Begins with the first circuit, without a journal.
  Replay(const Circuit& first, OutputPermutation permutation, const ReplayOptions& options)
      : main_(first, {}, options),
        budget_(Budget::of_seconds(options.seconds, options.stop)),
        options_(options),
        permutation_(std::move(permutation)) {
    budget_.memory_bytes = options.memory_bytes;
  }

  /// Continues behind what another one has replayed, outside of a lemma, in another stream.
  Replay(const Replay& other, std::istream& journal, const ReplayOptions& options)
      : main_(other.main_),
        lemmas_(other.lemmas_),
        pairs_of_lemmas_(other.pairs_of_lemmas_),
        gates_(other.gates_),
        budget_(other.budget_),
        options_(options),
        start_(other.start_),
        last_look_(other.last_look_),
        permutation_(other.permutation_),
        steps_(other.steps_),
        spent_on_exchanges_(other.spent_on_exchanges_) {
    ensure(other.open_ == nullptr, "a lemma is replayed as a whole");
    if (other.reader_) reader_.emplace(*other.reader_, journal);
  }

  /// Begins to read a journal. The stream must outlive this object.
  void read(std::istream& journal, const std::string& name) { reader_.emplace(journal, name); }
  [[nodiscard]] bool has_journal() const { return reader_.has_value(); }

  /// Applies all records up to the end of the journal. Returns the reason if one of them is not
  /// proved.
  [[nodiscard]] Fault run();
  /// Does the same up to the last record that the stream has so far.
  [[nodiscard]] Fault run_available();
  [[nodiscard]] std::uint64_t steps() const { return steps_; }
  /// Returns the exchanges so far; their time is what has passed.
  [[nodiscard]] const RunningReplay::Exchanges& exchanges() const { return spent_on_exchanges_; }
  [[nodiscard]] Fault difference_from(const Circuit& output) {
    return main_.difference_from(output);
  }
  /// Returns why the permutation is not that of the journal, or nothing if it is.
  [[nodiscard]] Fault difference_from(OutputPermutation permutation) const;
  /// Fills the figures of the report.
  void fill(ReplayReport& report) const;

 private:
  /// The lemma that is being proved.
  struct OpenLemma {
    OpenLemma(Circuit circuit, std::span<const Operation> gates, const ReplayOptions& options)
        : steps(circuit, gates, options) {
      lemma.before = std::move(circuit.operations);
    }
    ReplayedSteps steps;
    ReplayedLemma lemma;
  };

  /// Reads and applies one record. Returns the reason if it is not proved.
  [[nodiscard]] Fault apply_next();
  /// Each returns why the record is wrong, if it is.
  [[nodiscard]] Fault apply();
  [[nodiscard]] Fault apply_exchange();
  [[nodiscard]] Fault apply_swap();
  [[nodiscard]] Fault begin_lemma();
  [[nodiscard]] Fault end_lemma();
  [[nodiscard]] Fault end();
  /// Counts a step that was proved, if there is no fault.
  [[nodiscard]] Fault counted(Fault fault) {
    if (!fault) ++steps_;
    return fault;
  }
  void define_gate();
  /// Returns whether the time of the record depends on what it spans. Most records are none of
  /// these, and look at the clock only now and then.
  [[nodiscard]] bool is_long_record() const;
  /// Returns the circuit that the records are about.
  [[nodiscard]] ReplayedSteps& current() { return open_ ? open_->steps : main_; }

  ReplayedSteps main_;
  std::unique_ptr<OpenLemma> open_;  ///< null outside of lemmas
  std::vector<ReplayedLemma> lemmas_;
  std::uint64_t pairs_of_lemmas_ = 0;    ///< pairs of circuits that were proved in them
  std::vector<Operation> gates_;         ///< those that the journal defines
  std::optional<JournalReader> reader_;  ///< nothing before read()
  Budget budget_;
  const ReplayOptions& options_;
  const Budget::Clock::time_point start_ = Budget::Clock::now();
  Budget::Clock::time_point last_look_ = start_;
  bool has_just_looked_ = false;  ///< whether nothing was done since the last look
  JournalRecord record_;
  OutputPermutation permutation_;  ///< by the SWAP gates so far, those of the input included
  std::uint64_t steps_ = 0;
  RunningReplay::Exchanges spent_on_exchanges_;
};

Fault Replay::run() {
  do {
    if (Fault fault = apply_next()) return fault;
  } while (record_.kind != RecordKind::end);
  return {};
}

Fault Replay::run_available() {
  while (reader_->has_next()) {
    if (Fault fault = apply_next()) return fault;
  }
  return {};
}

bool Replay::is_long_record() const {
  return record_.kind != RecordKind::gate && record_.kind != RecordKind::rewrite &&
         record_.kind != RecordKind::renumber;
}

Fault Replay::apply_next() {
  reader_->next(record_);
  const bool is_end = record_.kind == RecordKind::end;
  const bool has_looked = std::exchange(has_just_looked_, false);
  if (is_end || is_long_record() || steps_ % kStepsPerCheck == 0) {
    if (!has_looked) last_look_ = Budget::Clock::now();
    if (!is_end && (budget_.stop.stop_requested() || last_look_ >= budget_.deadline)) {
      return fmt::format("step {}: the time limit is reached", steps_ + 1);
    }
  }
  if (!is_end && steps_ == options_.max_steps) {
    return fmt::format("the limit of {} is reached", quartz::counted(options_.max_steps, "step"));
  }
  Fault fault = apply();
  return fault ? Fault(fmt::format("step {}: {}", steps_ + 1, fault.reason())) : fault;
}

Fault Replay::apply() {
  switch (record_.kind) {
    case RecordKind::end:
      reader_->require_end();
      return end();
    case RecordKind::gate:
      define_gate();
      return {};
    case RecordKind::rewrite:
      return counted(current().rewrite(record_, budget_));
    case RecordKind::renumber:
      current().renumber();
      return {};
    case RecordKind::exchange:
    case RecordKind::exchange_in_context:
      return apply_exchange();
    case RecordKind::final_swap:
      return apply_swap();
    case RecordKind::lemma:
      return begin_lemma();
    case RecordKind::end_of_lemma:
      return end_lemma();
    case RecordKind::use_of_lemma:
      return counted(current().use(record_, lemmas_));
  }
  return {};
}

void Replay::define_gate() {
  try {
    gates_.push_back(parse_gate(record_.text, options_.custom_gates));
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: {}", reader_->name(), error.what()));
  }
  main_.define_gate(gates_.back());
  if (open_) open_->steps.define_gate(gates_.back());
}

Fault Replay::apply_exchange() {
  // To ask for the processor time takes as long as a short exchange. An exchange that follows this
  // one begins when it ends.
  Fault fault = current().exchange(record_, budget_);
  const Budget::Clock::time_point begin = std::exchange(last_look_, Budget::Clock::now());
  has_just_looked_ = true;
  spent_on_exchanges_.seconds += std::chrono::duration<double>(last_look_ - begin).count();
  if (!fault) ++spent_on_exchanges_.steps;
  record_.release_large_lists();
  return counted(std::move(fault));
}

Fault Replay::apply_swap() {
  if (open_) return "a lemma has no final SWAP gates";
  if (Fault fault = main_.swap(record_)) return fault;
  const std::array<std::uint64_t, 2> wires{record_.places[0].wire, record_.places[1].wire};
  // What ended on one of the wires now ends on the other.
  for (Qubit& place : permutation_) {
    if (place == wires[0]) {
      place = static_cast<Qubit>(wires[1]);
    } else if (place == wires[1]) {
      place = static_cast<Qubit>(wires[0]);
    }
  }
  ++steps_;
  return {};
}

Fault Replay::begin_lemma() {
  if (open_) return "a lemma begins within another one";
  std::vector<Operation> operations;
  Qubit wires = 0;
  auto operand = record_.operands.begin();
  for (std::size_t i = 0; i < record_.gates.size(); ++i) {
    if (record_.gates[i] >= gates_.size()) {
      return fmt::format("gate {} is not defined", record_.gates[i]);
    }
    Operation& operation = operations.emplace_back(gates_[record_.gates[i]]);
    const Gate& row = gate(operation.gate);
    for (std::uint32_t k = 0; k < record_.arities[i]; ++k) {
      const Qubit wire = *operand++;
      if (wire > wires) return fmt::format("wire {} of a lemma before wire {}", wire, wires);
      if (wire == wires) ++wires;
      if (std::ranges::find(operation.qubits, wire) != operation.qubits.end()) {
        return fmt::format("'{}' is on wire {} twice", row.name, wire);
      }
      operation.qubits.push_back(wire);
    }
    if (operation.qubits.size() != row.qubits) {
      return fmt::format("'{}' with {} operands", row.name, operation.qubits.size());
    }
  }
  if (operations.empty()) return "a lemma has no gates";
  open_ = std::make_unique<OpenLemma>(make_circuit(wires, std::move(operations)), gates_, options_);
  return {};
}

Fault Replay::end_lemma() {
  if (!open_) return "a lemma ends that has not begun";
  if (Fault fault = open_->steps.end_lemma(record_, open_->lemma)) return fault;
  pairs_of_lemmas_ += open_->steps.total().pairs;
  lemmas_.push_back(std::move(open_->lemma));
  open_.reset();
  return {};
}

Fault Replay::end() {
  if (open_) return "the journal ends within a lemma";
  if (record_.steps != steps_) {
    return fmt::format("the journal ends after {}, expected {}", quartz::counted(steps_, "step"),
                       record_.steps);
  }
  if (record_.operations != main_.size()) {
    return fmt::format("the journal ends with {}, expected {}",
                       quartz::counted(main_.size(), "operation"), record_.operations);
  }
  return {};
}

Fault Replay::difference_from(OutputPermutation permutation) const {
  if (permutation.empty()) {
    permutation.resize(permutation_.size());
    std::iota(permutation.begin(), permutation.end(), Qubit{0});
  }
  if (permutation == permutation_) return {};
  return fmt::format("the output permutation of the journal is [{}], expected [{}]",
                     fmt::join(permutation_, ", "), fmt::join(permutation, ", "));
}

void Replay::fill(ReplayReport& report) const {
  report.steps = steps_;
  report.seconds = std::chrono::duration<double>(last_look_ - start_).count();
  report.bytes = reader_->bytes();
  const WindowProofs::Total total = main_.total();
  report.distinct_steps = total.pairs + pairs_of_lemmas_;
  report.distance = total.strength.distance;
  report.log2_failure = total.strength.log2_failure;
  // left = e^{i phase} right, so each use turns the output by -phase.
  report.phase = -total.phase;
  report.drops_phase = total.drops_phase;
}

}  // namespace certify

namespace {

/// A phase that may come from rounding is a part of the distance.
void add_numeric_phase(ReplayReport& report) {
  constexpr double kMaxRounding = 1e-9;
  if (report.distance == 0 || !report.phase.is_constant()) return;
  const double phase = std::abs(std::remainder(report.phase.value_modulo(2), 2 * std::numbers::pi));
  if (phase > kMaxRounding) return;
  report.distance += phase;
  report.phase = Angle();
}

}  // namespace

EquivalenceReport as_equivalence_report(const ReplayReport& replay) {
  EquivalenceReport report;
  report.method = "replay of " + counted(replay.steps, "rewrite");
  if (!replay.is_certified) {
    report.witness = "the journal does not certify the circuits: " + replay.fault;
    return report;
  }
  const bool is_equal = replay.phase.is_zero() && !replay.drops_phase;
  report.verdict = replay.is_approximate ? EquivalenceVerdict::within_epsilon
                   : is_equal            ? EquivalenceVerdict::equal
                                         : EquivalenceVerdict::equal_up_to_phase;
  if (replay.distance != 0) {
    report.method += ", operator-norm distance below " + upper_bound_text(replay.distance);
  }
  if (replay.phase.is_constant() && !replay.drops_phase) {
    report.phase = replay.phase.value_modulo(2);
  }
  report.distance = replay.distance;
  report.log2_failure = replay.log2_failure;
  return report;
}

ReplayReport replay_journal(const Circuit& input, const Circuit& output,
                            const std::filesystem::path& journal, const ReplayOptions& options) {
  std::ifstream file(journal, std::ios::binary);
  if (!file) throw InputError("cannot read " + journal.string());
  return replay_journal(input, output, file, journal.string(), options);
}

namespace {

/// Returns the report about a circuit to which a replay should have led. `fault` is why a step is
/// not proved, if there is such a step.
ReplayReport report_of(Replay& replay, Fault fault, const Angle& input_phase, const Circuit& output,
                       const OutputPermutation& permutation, const ReplayOptions& options) {
  const double epsilon = options.epsilon;
  ReplayReport report;
  if (!fault) {
    // A conditional expression would copy the output, which takes long if it is large.
    fault = options.assumptions.any()
                ? replay.difference_from(with_assumptions(output, options.assumptions))
                : replay.difference_from(output);
  }
  if (!fault) fault = replay.difference_from(permutation);
  try {
    replay.fill(report);
    report.phase.add_phase(output.global_phase);
    report.phase.add_phase(-input_phase);
    report.phase = report.phase.reduced_symmetric(2);
    add_numeric_phase(report);
  } catch (const OverflowError& error) {
    if (!fault) fault = fmt::format("the phase does not fit exact arithmetic: {}", error.what());
  }
  // Each step is within the tolerance; without this limit, many of them could lead anywhere.
  if (!fault && report.distance > tolerance_of(epsilon)) {
    fault = fmt::format("the distances of all steps add up to {:.9g}, which is more than {:.9g}",
                        report.distance, tolerance_of(epsilon));
  }
  report.is_approximate = is_beyond_rounding(report.distance, epsilon);
  report.is_certified = !fault;
  report.fault = fault.reason();
  return report;
}

}  // namespace

ReplayReport replay_journal(const Circuit& input, const Circuit& output, std::istream& journal,
                            const std::string& name, const ReplayOptions& options) {
  FirstCircuit first = first_circuit_of(input, options);
  Replay replay(first.changed ? *first.changed : input, std::move(first.permutation), options);
  replay.read(journal, name);
  Fault fault = replay.run();
  return report_of(replay, std::move(fault), input.global_phase, output, options.permutation,
                   options);
}

/// The stream grows; the replay reads it.
class RunningReplay::State {
 public:
  State(const Circuit& input, std::string name, const ReplayOptions& options)
      : phase_(input.global_phase),
        name_(std::move(name)),
        options_(options),
        replay_(replay_of(input, first_circuit_of(input, options_), options_)) {}

  State(const State& other)
      : phase_(other.phase_),
        name_(other.name_),
        options_(other.options_),
        replay_(other.replay_, journal_, options_),
        seconds_of_exchanges_(other.seconds_of_exchanges_),
        fault_(other.fault_) {}
  State& operator=(const State&) = delete;
  ~State() = default;

  bool replay(std::string_view blocks) {
    if (fault_) return false;
    // What was read is not kept.
    journal_.str(std::string(blocks));
    journal_.clear();
    if (!replay_.has_journal()) replay_.read(journal_, name_);
    const double thread_before = thread_seconds();
    const auto before = Budget::Clock::now();
    const double exchanges_before = replay_.exchanges().seconds;
    fault_ = replay_.run_available();
    const std::chrono::duration<double> passed = Budget::Clock::now() - before;
    if (passed.count() > 0) {
      const double used = std::min((thread_seconds() - thread_before) / passed.count(), 1.0);
      seconds_of_exchanges_ += used * (replay_.exchanges().seconds - exchanges_before);
    }
    return !fault_;
  }
  [[nodiscard]] ReplayReport report_for(const Circuit& output,
                                        const OutputPermutation& permutation) {
    if (!replay_.has_journal()) {
      ReplayReport report;
      report.fault = "the journal has not begun";
      return report;
    }
    return report_of(replay_, fault_, phase_, output, permutation, options_);
  }
  [[nodiscard]] std::uint64_t steps() const { return replay_.steps(); }
  [[nodiscard]] Exchanges exchanges() const {
    return {replay_.exchanges().steps, seconds_of_exchanges_};
  }

 private:
  /// The replay has its own form of the circuit, of which a large one is not copied before.
  static Replay replay_of(const Circuit& input, FirstCircuit first, const ReplayOptions& options) {
    return {first.changed ? *first.changed : input, std::move(first.permutation), options};
  }

  Angle phase_;  ///< global phase of the input
  std::string name_;
  ReplayOptions options_;
  std::istringstream journal_;
  Replay replay_;
  /// Processor time: that of a block, divided as the time that passes is.
  double seconds_of_exchanges_ = 0;
  Fault fault_;
};

RunningReplay::RunningReplay(const Circuit& input, std::string name, const ReplayOptions& options)
    : state_(std::make_unique<State>(input, std::move(name), options)) {}
RunningReplay::RunningReplay(const RunningReplay& other)
    : state_(std::make_unique<State>(*other.state_)) {}
RunningReplay::RunningReplay(RunningReplay&&) noexcept = default;
RunningReplay& RunningReplay::operator=(RunningReplay&&) noexcept = default;
RunningReplay::~RunningReplay() = default;

bool RunningReplay::replay(std::string_view blocks) { return state_->replay(blocks); }
ReplayReport RunningReplay::report_for(const Circuit& output,
                                       const OutputPermutation& permutation) {
  return state_->report_for(output, permutation);
}
std::uint64_t RunningReplay::steps() const { return state_->steps(); }
RunningReplay::Exchanges RunningReplay::exchanges() const { return state_->exchanges(); }

}  // namespace quartz
