#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "circuit/history.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/circuit/gate.hpp"
#include "quartz/target/gate_set.hpp"
#include "target/derivations/derivation.hpp"
#include "target/derivations/inexpressible.hpp"
#include "target/translation.hpp"

namespace quartz {
namespace {

/// Number of operations between two checks of the stop token: a few milliseconds.
constexpr std::size_t kOperationsBetweenStopChecks = 1024;

std::string text_of(const Operation& operation) {
  std::string text(gate(operation.gate).name);
  if (operation.angles.empty()) return text;
  std::vector<std::string> angles;
  for (const Angle& angle : operation.angles) angles.push_back(angle.to_string());
  return fmt::format("{}({})", text, fmt::join(angles, ", "));
}

/// Returns whether the set offers the gate with its angles exactly as they are written.
bool offers_as_written(const GateSet& set, const Operation& operation) {
  return std::any_of(set.entries.begin(), set.entries.end(), [&](const GateSetEntry& entry) {
    if (entry.gate == operation.gate && !entry.ranges.empty()) return set.contains(operation);
    return entry.gate == operation.gate &&
           (entry.angles.empty() || std::find(entry.angles.begin(), entry.angles.end(),
                                              operation.angles) != entry.angles.end());
  });
}

/// Looks now and then whether to stop.
class LookForStop {
 public:
  explicit LookForStop(const std::stop_token& stop) : stop_(stop) {}

  /// Called before each operation. Throws Stopped.
  void at_next() {
    if (operations_++ % kOperationsBetweenStopChecks == 0 && stop_.stop_requested()) {
      throw Stopped("stopped while translating the circuit");
    }
  }

 private:
  const std::stop_token& stop_;
  std::size_t operations_ = 0;
};

std::vector<GateKind> gates_in_turns(const GateSet& set) {
  std::vector<GateKind> gates;
  for (const GateSetEntry& entry : set.entries) {
    if (entry.written_in_turns) gates.push_back(entry.gate);
  }
  std::sort(gates.begin(), gates.end());
  return gates;
}

/// Returns the names of the bundled gate sets that can express the gate.
std::vector<std::string> sets_that_express(const Operation& operation) {
  std::vector<std::string> names;
  for (const std::string& name : bundled_gate_sets()) {
    const GateSet set = load_gate_set(name);
    try {
      if (set.contains(operation) || target::Derivations(set).derive(operation)) {
        names.push_back(name);
      }
    } catch (const OverflowError&) {
      // Another set may need smaller fractions.
    }
  }
  return names;
}

/// Returns whether the set is one of those that come with Quartz, not one from a file.
bool is_bundled(const GateSet& set) {
  return std::ranges::count(bundled_gate_sets(), set.name) != 0 &&
         load_gate_set(set.name).digest == set.digest;
}

[[noreturn]] void fail_to_express(const Operation& operation, const GateSet& set) {
  std::vector<std::string_view> names;
  for (const GateSetEntry& entry : set.entries) names.push_back(gate(entry.gate).name);
  const std::string target =
      fmt::format("the gate set '{}' ({})", set.name, fmt::join(names, ", "));
  const std::vector<std::string> others = sets_that_express(operation);
  const std::string where =
      others.empty() ? "nor into a bundled gate set"
                     : fmt::format("gate sets that can express it: {}", fmt::join(others, ", "));
  const std::string text = text_of(operation);
  if (target::is_certainly_inexpressible(operation, set)) {
    throw InexpressibleGate(
        fmt::format("{} cannot be expressed exactly in {}; {}", text, target,
                    others.empty() ? "no decomposition into a bundled gate set is known" : where),
        operation);
  }
  // A file may say how built-in gates are written in gates of its set.
  const bool takes_translation = !is_custom(operation.gate) && !is_bundled(set);
  throw InexpressibleGate(
      fmt::format("no decomposition of {} into {} is known{}{}{}", text, target,
                  others.empty() ? ", " : "; ", where,
                  takes_translation
                      ? fmt::format("; 'translations' in the file of the gate set can define {}",
                                    gate(operation.gate).name)
                      : ""),
      operation);
}

Decomposition expressed(const Operation& operation, const GateSet& set,
                        target::Derivations& derivations) {
  try {
    std::optional<Decomposition> result = derivations.derive(operation);
    if (!result.has_value()) fail_to_express(operation, set);
    return *std::move(result);
  } catch (const OverflowError&) {
    throw UntranslatableGate(
        fmt::format("{}: its angles in the gate set '{}' need numbers of more than 64 bits",
                    text_of(operation), set.name),
        operation);
  }
}

/// Adds the phase of a translated gate to that of the circuit.
void add_phase(Angle& sum, const Operation& operation, const Angle& phase, std::int64_t times = 1) {
  try {
    sum.add_phase(phase, times);
  } catch (const OverflowError& error) {
    throw UntranslatableGate(
        fmt::format("{}: its global phase cannot be added to those of other gates: {}",
                    text_of(operation), error.what()),
        operation);
  }
}

/// The translations of gates without parameters, of which most circuits have a few kinds, so that
/// each is derived once. Their phases are added at the end, times the number of gates.
class FixedTranslations {
 public:
  FixedTranslations(const GateSet& set, target::Derivations& derivations)
      : set_(set), derivations_(derivations) {}

  /// Appends the translation of a gate, without its phase.
  void append(const Operation& operation, std::vector<Operation>& to) {
    const auto kind = static_cast<std::size_t>(operation.gate);
    if (kind >= kinds_.size()) kinds_.resize(kind + 1);
    if (!kinds_[kind]) {
      (void)expressed(operation, set_, derivations_);  // an error names the gate of the circuit
      const Operation general = on_own_operands(gate(operation.gate));
      kinds_[kind] = Kind{expressed(general, set_, derivations_), operation};
    }
    ++kinds_[kind]->count;
    for (const Operation& step : kinds_[kind]->steps.operations) {
      Operation& written = to.emplace_back(step);
      for (Qubit& qubit : written.qubits) qubit = operation.qubits[qubit];
    }
  }

  void add_phases(Angle& sum) const {
    for (const std::optional<Kind>& kind : kinds_) {
      if (!kind) continue;
      add_phase(sum, kind->first, kind->steps.phase, kind->count);
    }
  }

 private:
  struct Kind {
    Decomposition steps;  ///< on operands 0, 1, ...
    Operation first;      ///< the first gate of the kind
    std::int64_t count = 0;
  };

  const GateSet& set_;
  target::Derivations& derivations_;
  std::vector<std::optional<Kind>> kinds_;
};

/// Translates the operations of a circuit one after the other.
class Translator {
 public:
  explicit Translator(const GateSet& set)
      : set_(set), derivations_(set), fixed_(set, derivations_) {}
  Translator(const Translator&) = delete;
  Translator& operator=(const Translator&) = delete;

  /// Appends the translation of a gate that does not stay. Its phase is added to `phase` unless
  /// that is null, or by add_phases() at the end.
  void append(const Operation& operation, std::vector<Operation>& to, Angle* phase) {
    if (operation.angles.empty() && operation.classical == nullptr) {
      fixed_.append(operation, to);
      return;
    }
    Decomposition steps = expressed(operation, set_, derivations_);
    for (Operation& step : steps.operations) {
      step.classical = operation.classical;
      to.push_back(std::move(step));
    }
    // Under a condition a phase multiplies one branch of a classical alternative as a whole: it
    // cannot be observed, and the circuit cannot represent it.
    if (operation.classical == nullptr && phase != nullptr) {
      add_phase(*phase, operation, steps.phase);
    }
  }

  void add_phases(Angle& sum) const { fixed_.add_phases(sum); }

 private:
  const GateSet& set_;
  target::Derivations derivations_;
  FixedTranslations fixed_;
};

/// Returns the circuit in gates of a set, and records how it was derived unless `recorded` is null.
Circuit translate(const Circuit& circuit, const GateSet& set, const std::stop_token& stop,
                  circuit::GateByGateHistory* recorded) {
  Translator translator(set);
  LookForStop look(stop);
  Circuit result = target::translated_without_operations(circuit, set);
  result.operations.reserve(circuit.operations.size());
  for (const Operation& operation : circuit.operations) {
    look.at_next();
    if (target::stays(set, operation)) {
      result.operations.push_back(operation);
      if (recorded != nullptr) recorded->keep();
      continue;
    }
    const std::size_t first = result.operations.size();
    translator.append(operation, result.operations, &result.global_phase);
    if (recorded != nullptr) recorded->replace(std::span(result.operations).subspan(first));
  }
  translator.add_phases(result.global_phase);
  return result;
}

}  // namespace

bool target::stays(const GateSet& set, const Operation& operation) {
  return operation.kind != OperationKind::gate || offers_as_written(set, operation);
}

Circuit target::translated_without_operations(const Circuit& circuit, const GateSet& set) {
  Circuit result = without_operations(circuit);
  result.gates_in_turns = gates_in_turns(set);
  return result;
}

bool target::is_translated(const Circuit& circuit, const GateSet& set,
                           const std::stop_token& stop) {
  LookForStop look(stop);
  return circuit.gates_in_turns == gates_in_turns(set) &&
         std::ranges::all_of(circuit.operations, [&](const Operation& operation) {
           look.at_next();
           return stays(set, operation);
         });
}

void target::for_each_translated_part(
    const Circuit& circuit, const GateSet& set, const std::stop_token& stop,
    const std::function<void(std::span<const Operation>)>& visit) {
  constexpr std::size_t kPart = 2048;
  Translator translator(set);
  LookForStop look(stop);
  std::vector<Operation> part;
  for (const Operation& operation : circuit.operations) {
    look.at_next();
    if (stays(set, operation)) {
      part.push_back(operation);
    } else {
      translator.append(operation, part, nullptr);
    }
    if (part.size() < kPart) continue;
    visit(part);
    part.clear();
  }
  visit(part);
}

circuit::DerivedCircuit target::translated(const Circuit& circuit, const GateSet& set,
                                           const std::stop_token& stop) {
  circuit::GateByGateHistory recorded(circuit.operations.size());
  Circuit result = translate(circuit, set, stop, &recorded);
  return {std::move(result), circuit::Derivation::by(std::move(recorded).finish())};
}

Circuit translate(const Circuit& circuit, const GateSet& set, const std::stop_token& stop) {
  return translate(circuit, set, stop, nullptr);
}

}  // namespace quartz
