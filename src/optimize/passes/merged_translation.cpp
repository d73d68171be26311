#include "optimize/passes/merged_translation.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "circuit/history.hpp"
#include "optimize/cancellation/adjacent_inverses.hpp"
#include "optimize/cost/scalar_gate_cost.hpp"
#include "optimize/runs/letter_codes.hpp"
#include "optimize/runs/run_product.hpp"
#include "optimize/runs/run_words.hpp"
#include "optimize/runs/scanned_runs.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/circuit/gate.hpp"
#include "target/derivations/derivation.hpp"
#include "target/translation.hpp"

namespace quartz::optimizer {
namespace {

/// Number of operations between two checks of the stop token.
constexpr std::size_t kOperationsBetweenStopChecks = 1024;

/// Gates of runs as which decompositions are written between the gates on several qubits, so that
/// they have few gates. The words that replace them have gates of the set.
constexpr std::array kGatesOfRuns{GateKind::h, GateKind::x,   GateKind::z,
                                  GateKind::s, GateKind::sdg, GateKind::rz};

void look_for_stop(const std::stop_token& stop, std::size_t operation) {
  if (operation % kOperationsBetweenStopChecks == 0 && stop.stop_requested()) {
    throw Stopped("stopped while translating the circuit");
  }
}

/// Returns a set with all gates of runs.
GateSet with_gates_of_runs(GateSet set) {
  for (const GateKind kind : kGatesOfRuns) {
    if (std::ranges::find(set.entries, kind, &GateSetEntry::gate) != set.entries.end()) continue;
    set.entries.push_back({.gate = kind});
  }
  return set;
}

/// A gate cannot be translated with merged runs.
struct CannotMerge {};

class MergedTranslation {
 public:
  MergedTranslation(const Circuit& circuit, const PassContext& context, std::size_t expected_size,
                    RunWords& words)
      : circuit_(circuit),
        expected_size_(expected_size),
        context_(context),
        words_(words),
        set_of_steps_(with_gates_of_runs(context.set)),
        steps_(set_of_steps_),
        in_set_(context.set),
        recorder_(circuit.operations.size()),
        wires_(circuit.qubit_count()),
        codes_(words) {}

  [[nodiscard]] circuit::DerivedCircuit run() && {
    result_ = target::translated_without_operations(circuit_, context_.set);
    remove_inverses();
    // The pages that are not used take no memory.
    result_.operations.reserve(expected_size_ - expected_size_ / 4);
    for (RunPlace place = 0; place < circuit_.operations.size(); ++place) {
      look_for_stop(context_.stop, place);
      if (!is_removed_.empty() && is_removed_[place]) continue;
      const Operation& operation = circuit_.operations[place];
      if (!joins_run(operation, place)) translate(operation, place);
    }
    for (Wire& wire : wires_) write_run(wire);
    wires_.clear();
    finish_removal();
    for (const std::optional<Kind>& kind : kinds_) {
      if (kind) result_.global_phase.add_phase(kind->phase, kind->count);
    }
    result_.global_phase.add_phase(Angle::pi_times(Rational(eighths_ % 8, 4)));
    return {std::move(result_), context_.records
                                    ? circuit::Derivation::by(std::move(recorder_).finish(numbers_))
                                    : circuit::Derivation::unrecorded()};
  }

 private:
  /// Index of an operation of the result.
  using ResultPlace = std::uint32_t;
  static constexpr ResultPlace kNoResultPlace = ~ResultPlace{0};
  /// An operation of the result that is no gate of runs, and the word before it on a wire.
  struct Written {
    ResultPlace gate = kNoResultPlace;  ///< kNoResultPlace between two words next to each other
    ResultPlace word = 0;               ///< the first gate of the word
    ResultPlace word_size = 0;
  };
  struct Wire {
    std::vector<Written> written;
    std::vector<circuit::GateNumber> run;  ///< the gates behind what is written
    std::vector<Operation> gates;          ///< those of `run`, while they are in the set
    RunProduct product;                    ///< that of `run`
    bool is_in_set = true;                 ///< whether the gates of `run` are in the set

    void clear_run() {
      run.clear();
      gates.clear();
      product.clear();
      is_in_set = true;
    }
  };
  /// The decomposition of gates of a kind without parameters. Its runs between two gates on several
  /// qubits are words already.
  struct Kind {
    std::vector<Operation> steps;  ///< on operands 0, 1, ...
    std::vector<bool> is_written;  ///< whether a step is written as it is, and joins no run
    Angle phase;
    std::vector<circuit::RecordedGate> recorded;
    std::int64_t count = 0;
  };

  void remove_inverses() {
    const ScannedRuns scanned = scan_runs(circuit_.operations, circuit_.qubit_count(), words_,
                                          context_.records ? &recorder_ : nullptr);
    result_.global_phase.add_phase(scanned.phase);
    eighths_ = scanned.eighths;
    if (!scanned.has_removed) return;
    is_removed_.reserve(scanned.roles.size());
    for (const RunRole role : scanned.roles) is_removed_.push_back(role == RunRole::removed);
  }

  /// Appends a gate to the run on its wire. Returns false if it is no gate of runs.
  bool joins_run(const Operation& operation, circuit::GateNumber number) {
    if (operation.is_boundary() || operation.qubits.size() != 1) return false;
    const RunGate& form = words_.classified(operation);
    if (form.kind == RunGate::Kind::other) return false;
    Wire& wire = wires_[operation.qubits[0]];
    if (!wire.product.append(operation, form)) {
      end_run(wire);
      if (!wire.product.append(operation, form)) throw CannotMerge();
    }
    wire.is_in_set = wire.is_in_set && target::stays(context_.set, operation);
    if (wire.is_in_set) {
      wire.gates.push_back(operation);
    } else {
      wire.gates.clear();
    }
    wire.run.push_back(number);
    return true;
  }

  /// Writes an operation that is no gate of runs.
  void translate(const Operation& operation, circuit::GateNumber number) {
    if (target::stays(context_.set, operation)) {
      write(Operation(operation), number);
    } else if (operation.classical != nullptr) {
      translate_conditional(operation, number);
    } else if (operation.angles.empty()) {
      translate_fixed(operation, number);
    } else {
      Decomposition steps = derived(operation, derivations_of(operation));
      result_.global_phase.add_phase(steps.phase);
      const circuit::GateNumber first = recorder_.next_number();
      if (context_.records) recorder_.rewrite(std::array{number}, {}, steps.operations);
      for (std::size_t i = 0; i < steps.operations.size(); ++i) {
        append(std::move(steps.operations[i]), first + static_cast<circuit::GateNumber>(i));
      }
    }
  }

  /// Gates under a condition are not merged. Their phase cannot be observed.
  void translate_conditional(const Operation& operation, circuit::GateNumber number) {
    Decomposition steps = derived(operation, in_set_);
    for (Operation& step : steps.operations) step.classical = operation.classical;
    circuit::GateNumber next = recorder_.next_number();
    if (context_.records) recorder_.rewrite(std::array{number}, {}, steps.operations);
    for (Operation& step : steps.operations) write(std::move(step), next++);
  }

  void translate_fixed(const Operation& operation, circuit::GateNumber number) {
    const auto index = static_cast<std::size_t>(operation.gate);
    if (index >= kinds_.size()) kinds_.resize(index + 1);
    if (!kinds_[index]) {
      kinds_[index] =
          kind_of(derived(on_own_operands(gate(operation.gate)), derivations_of(operation)));
    }
    Kind& kind = *kinds_[index];
    ++kind.count;
    const circuit::GateNumber first = recorder_.next_number();
    if (context_.records) {
      recorded_ = kind.recorded;
      for (circuit::RecordedGate& step : recorded_) {
        for (Qubit& qubit : step.qubits) qubit = operation.qubits[qubit];
      }
      recorder_.rewrite(std::array{number}, {}, recorded_);
    }
    for (std::size_t i = 0; i < kind.steps.size(); ++i) {
      Operation step = kind.steps[i];
      for (Qubit& qubit : step.qubits) qubit = operation.qubits[qubit];
      append(std::move(step), first + static_cast<circuit::GateNumber>(i), kind.is_written[i]);
    }
  }

  /// Returns the decomposition of a kind with words between its gates on several qubits.
  [[nodiscard]] Kind kind_of(const Decomposition& decomposition) {
    struct Operand {
      std::vector<Operation> run;
      RunProduct product;
      bool is_inside = false;  ///< whether a gate that joins no run is before
    };
    Kind kind;
    kind.phase = decomposition.phase;
    std::vector<Operand> operands;
    const auto end_run_of = [&](Operand& operand, bool is_inside) {
      if (operand.run.empty()) return;
      if (is_inside && operand.is_inside) {
        const RunProduct& product = operand.product;
        const RunWords::Word& word = words_.cheapest(product.axes(), product.clifford().number);
        Angle phase = product.phase();
        append_word(words_, word, product, operand.run.front().qubits[0], kind.steps, phase);
        kind.phase.add_phase(phase);
        kind.phase.add_phase(
            Angle::pi_times(Rational(std::int64_t{product.clifford().eighths} - word.eighths, 4)));
      } else {
        kind.steps.insert(kind.steps.end(), operand.run.begin(), operand.run.end());
      }
      kind.is_written.resize(kind.steps.size(), is_inside && operand.is_inside);
      operand.run.clear();
      operand.product.clear();
    };
    for (const Operation& step : decomposition.operations) {
      for (const Qubit qubit : step.qubits) {
        if (qubit >= operands.size()) operands.resize(qubit + 1);
      }
      if (step.qubits.size() == 1) {
        const RunGate& form = words_.classified(step);
        Operand& operand = operands[step.qubits[0]];
        if (form.kind != RunGate::Kind::other && operand.product.append(step, form)) {
          operand.run.push_back(step);
          continue;
        }
      }
      for (const Qubit qubit : step.qubits) {
        end_run_of(operands[qubit], true);
        operands[qubit].is_inside = true;
      }
      kind.steps.push_back(step);
      kind.is_written.push_back(true);
    }
    for (Operand& operand : operands) end_run_of(operand, false);
    for (const Operation& step : kind.steps) {
      kind.recorded.push_back(
          {recorder_.gates().code_of(step), {step.qubits.begin(), step.qubits.end()}});
    }
    return kind;
  }

  /// Appends a gate of a decomposition.
  void append(Operation&& step, circuit::GateNumber number, bool is_written = false) {
    if (is_written || !joins_run(step, number)) write(std::move(step), number);
  }

  /// Writes an operation of the result behind the runs on its wires.
  void write(Operation&& operation, circuit::GateNumber number) {
    if (cancels(operation, number)) return;
    for (const Qubit qubit : operation.qubits) end_run(wires_[qubit]);
    const auto place = static_cast<ResultPlace>(result_.operations.size());
    for (const Qubit qubit : operation.qubits) wires_[qubit].written.back().gate = place;
    result_.operations.push_back(std::move(operation));
    numbers_.push_back(number);
  }

  /// Removes a gate, which has been written, together with the next one on its wires if they are
  /// inverse, and nothing or a run that is the identity is between them. Returns whether it did.
  bool cancels(const Operation& next, circuit::GateNumber number) {
    if (next.is_boundary() || next.qubits.empty()) return false;
    const Wire& first = wires_[next.qubits.front()];
    if (first.written.empty() || first.written.back().gate == kNoResultPlace) return false;
    const ResultPlace place = first.written.back().gate;
    const Operation& before = result_.operations[place];
    if (before.is_boundary() || before.qubits.size() != next.qubits.size()) return false;
    const bool is_adjacent = std::ranges::all_of(next.qubits, [&](Qubit qubit) {
      const Wire& wire = wires_[qubit];
      return !wire.written.empty() && wire.written.back().gate == place &&
             wire.product.is_identity();
    });
    const std::optional<Angle> phase = is_adjacent ? phase_of_inverses(before, next) : std::nullopt;
    if (!phase) return false;
    for (const Qubit qubit : next.qubits) remove_identity(wires_[qubit]);
    result_.global_phase.add_phase(*phase);
    if (context_.records) {
      recorder_.rewrite(std::array{numbers_[place], number}, {},
                        std::span<const circuit::RecordedGate>());
    }
    removed_.push_back(place);
    for (const Qubit qubit : next.qubits) reopen(wires_[qubit]);
    return true;
  }

  /// Removes the run of a wire, which is the identity.
  void remove_identity(Wire& wire) {
    if (wire.run.empty()) return;
    result_.global_phase.add_phase(wire.product.phase());
    eighths_ = (eighths_ + wire.product.clifford().eighths) % 8;
    if (context_.records) {
      recorder_.rewrite(wire.run, {}, std::span<const circuit::RecordedGate>());
    }
    wire.clear_run();
  }

  /// Continues the run before the last gate of a wire, which is removed.
  void reopen(Wire& wire) {
    const Written last = wire.written.back();
    wire.written.pop_back();
    for (ResultPlace place = last.word; place != last.word + last.word_size; ++place) {
      Operation& gate = result_.operations[place];
      if (!wire.product.append(gate, words_.classified(gate))) throw CannotMerge();
      wire.run.push_back(numbers_[place]);
      if (wire.is_in_set) wire.gates.push_back(std::move(gate));
      removed_.push_back(place);
    }
  }

  /// Removes what was removed from the list of operations.
  void finish_removal() {
    if (removed_.empty()) return;
    std::ranges::sort(removed_);
    std::size_t size = 0;
    auto removed = removed_.begin();
    for (std::size_t place = 0; place < result_.operations.size(); ++place) {
      if (removed != removed_.end() && *removed == place) {
        ++removed;
        continue;
      }
      if (size != place) {
        result_.operations[size] = std::move(result_.operations[place]);
        numbers_[size] = numbers_[place];
      }
      ++size;
    }
    result_.operations.resize(size);
    numbers_.resize(size);
  }

  /// Writes the run of a wire, before a gate that is written next, if there is one.
  void end_run(Wire& wire) {
    const auto word_begin = static_cast<ResultPlace>(result_.operations.size());
    write_run(wire);
    wire.written.push_back({kNoResultPlace, word_begin,
                            static_cast<ResultPlace>(result_.operations.size()) - word_begin});
  }

  void write_run(Wire& wire) {
    if (wire.run.empty()) return;
    const RunProduct& product = wire.product;
    const RunWords::Word& word = words_.cheapest(product.axes(), product.clifford().number);
    if (wire.is_in_set && word.weight >= product.weight()) {
      for (Operation& gate : wire.gates) result_.operations.push_back(std::move(gate));
      numbers_.insert(numbers_.end(), wire.run.begin(), wire.run.end());
    } else {
      write_word(wire, word);
    }
    wire.clear_run();
  }

  void write_word(const Wire& wire, const RunWords::Word& word) {
    const RunProduct& product = wire.product;
    const std::size_t size = result_.operations.size();
    Angle phase = product.phase();
    const auto qubit = static_cast<Qubit>(&wire - wires_.data());
    append_word(words_, word, product, qubit, result_.operations, phase);
    if (!phase.is_zero()) result_.global_phase.add_phase(phase);
    eighths_ = (eighths_ + product.clifford().eighths + 8U - word.eighths) % 8;
    recorded_.clear();
    circuit::GateNumber next = recorder_.next_number();
    for (std::size_t i = size; i < result_.operations.size(); ++i) {
      const Operation& gate = result_.operations[i];
      recorded_.push_back(
          {codes_.code_of(word.steps[i - size].letter, gate, recorder_), {gate.qubits[0]}});
      numbers_.push_back(next++);
    }
    if (context_.records) recorder_.rewrite(wire.run, {}, recorded_);
  }

  /// Returns how a gate without a condition is decomposed. What gates on one qubit become is not
  /// between gates on several ones, and the gates of the set are made for it.
  [[nodiscard]] target::Derivations& derivations_of(const Operation& operation) {
    return operation.qubits.size() == 1 ? in_set_ : steps_;
  }

  [[nodiscard]] static Decomposition derived(const Operation& operation,
                                             target::Derivations& derivations) {
    std::optional<Decomposition> steps = derivations.derive(operation);
    if (!steps) throw CannotMerge();
    return *std::move(steps);
  }

  const Circuit& circuit_;
  std::size_t expected_size_;
  const PassContext& context_;
  RunWords& words_;
  GateSet set_of_steps_;
  target::Derivations steps_;   ///< into the gates of runs and those of the set
  target::Derivations in_set_;  ///< into the gates of the set
  circuit::HistoryRecorder recorder_;
  std::vector<bool> is_removed_;  ///< by place; empty if all gates stay
  std::vector<Wire> wires_;
  std::vector<std::optional<Kind>> kinds_;
  LetterCodes codes_;
  std::vector<circuit::RecordedGate> recorded_;  ///< room for one rewrite
  Circuit result_;
  std::vector<circuit::GateNumber> numbers_;  ///< those of the operations of the result
  std::vector<ResultPlace> removed_;          ///< operations of the result that were removed again
  unsigned eighths_ = 0;                      ///< added to the phase, in units of pi/4
};

}  // namespace

std::size_t size_of_translation(const Circuit& circuit, const PassContext& context) {
  std::vector<std::pair<const Operation*, std::size_t>> kinds;
  for (std::size_t i = 0; i < circuit.operations.size(); ++i) {
    look_for_stop(context.stop, i);
    const Operation& operation = circuit.operations[i];
    if (operation.kind != OperationKind::gate) continue;
    const auto index = static_cast<std::size_t>(operation.gate);
    if (index >= kinds.size()) kinds.resize(index + 1);
    if (kinds[index].first == nullptr) kinds[index].first = &operation;
    ++kinds[index].second;
  }
  std::size_t sum = circuit.operations.size();
  target::Derivations derivations(context.set);
  for (const auto& [first, count] : kinds) {
    if (first == nullptr || target::stays(context.set, *first)) continue;
    const std::optional<Decomposition> steps = derivations.derive(*first);
    if (steps) sum += count * steps->operations.size() - count;
  }
  return sum;
}

std::optional<circuit::DerivedCircuit> translated_with_merged_runs(const Circuit& circuit,
                                                                   const PassContext& context,
                                                                   std::size_t expected_size) {
  const ScalarGateCost weight = scalar_gate_cost_in_blocks(context.cost, context.set);
  // Gates of the input that the set lacks have no weight, and none of them stays.
  RunWords words(context.set, [&](const Operation& gate) {
    return context.set.contains(gate) ? weight(gate) : 0;
  });
  if (!words.available()) return std::nullopt;
  try {
    return MergedTranslation(circuit, context, expected_size, words).run();
  } catch (const CannotMerge&) {
    return std::nullopt;
  } catch (const OverflowError&) {
    return std::nullopt;
  }
}

}  // namespace quartz::optimizer
