#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <set>

#include "quartz/base/errors.hpp"
#include "quartz/base/parallel_for.hpp"
#include "quartz/circuit/canonical.hpp"
#include "quartz/circuit/gate.hpp"
#include "quartz/circuit/unitary.hpp"
#include "quartz/rules/rule_set.hpp"

namespace quartz {
namespace {

/// The largest number of qubits that quartz-gen enumerates.
constexpr std::size_t kMaxTestedQubits = 8;
/// Far above the rounding errors of a few gates on normalized states, and so small that errors of
/// rules within it cannot add up to what the check of a result considers a difference.
constexpr double kTolerance = 1e-12;
constexpr std::size_t kClassesAtOnce = 64;

/// Like GateSet::contains, except that an identity within a gate's ranges counts as a gate:
/// enumeration has such letters, while circuits omit them.
bool is_offered(const GateSet& set, const Operation& operation) {
  const auto entry =
      std::find_if(set.entries.begin(), set.entries.end(),
                   [&](const GateSetEntry& candidate) { return candidate.gate == operation.gate; });
  if (entry == set.entries.end()) return false;
  return entry->ranges.empty() ? set.contains(operation) : entry->in_ranges(operation.angles);
}

/// Checks one class; its qubits are renumbered from 0.
class ClassCheck {
 public:
  ClassCheck(const EquivalenceClass& equal, const GateSet& set) : equal_(equal), set_(set) {}

  /// Returns a description of the first error in the class, "circuit 2: ...", or an empty string.
  [[nodiscard]] std::string fault() {
    for (std::size_t i = 0; i < equal_.members.size(); ++i) {
      const std::string wrong = fault_of_gates(equal_.members[i]);
      if (!wrong.empty()) return fmt::format("circuit {}: {}", i + 1, wrong);
    }
    if (qubits_.size() > kMaxTestedQubits) {
      return fmt::format("its circuits act on {} qubits, expected at most {}", qubits_.size(),
                         kMaxTestedQubits);
    }
    const std::size_t overflowing = first_with_overflow();
    if (overflowing != 0) {
      return fmt::format("circuit {}: its angles are too long for exact arithmetic", overflowing);
    }
    return fault_of_equalities();
  }

 private:
  [[nodiscard]] std::string fault_of_gates(const ClassMember& member) {
    for (const std::string& symbol : member.phase.symbols()) symbols_.insert(symbol);
    for (const Operation& operation : member.gates) {
      if (!is_offered(set_, operation)) {
        return fmt::format("{} is not in the gate set '{}'", text_of(operation), set_.name);
      }
      for (const Qubit qubit : operation.qubits) {
        qubits_.try_emplace(qubit, static_cast<Qubit>(qubits_.size()));
      }
      for (const Angle& angle : operation.angles) {
        for (const std::string& symbol : angle.symbols()) symbols_.insert(symbol);
      }
    }
    return {};
  }

  [[nodiscard]] static std::string text_of(const Operation& operation) {
    std::string text(gate(operation.gate).name);
    for (std::size_t i = 0; i < operation.angles.size(); ++i) {
      text += (i == 0 ? "(" : ", ") + operation.angles[i].to_string();
    }
    return operation.angles.empty() ? text : text + ")";
  }

  /// Returns the number of the first circuit whose phase difference to another one overflows 64-bit
  /// fractions, or whose constant angles cannot be normalized; 0 if there is none.
  [[nodiscard]] std::size_t first_with_overflow() const {
    for (std::size_t i = 0; i < equal_.members.size(); ++i) {
      const ClassMember& member = equal_.members[i];
      try {
        Angle normalization;
        for (Operation operation : member.gates) normalization += normalize_angles(operation);
        for (const ClassMember& other : equal_.members) {
          static_cast<void>(member.phase - other.phase - normalization);
        }
      } catch (const OverflowError&) {
        return i + 1;
      }
    }
    return 0;
  }

  [[nodiscard]] std::string fault_of_equalities() {
    std::mt19937_64 random(symbols_.size() + 1);
    std::uniform_real_distribution<double> distribution(-3, 3);
    Bindings bindings;
    for (const std::string& symbol : symbols_) bindings.emplace(symbol, distribution(random));
    std::vector<Complex> start(std::size_t{1} << qubits_.size());
    double norm = 0;
    for (Complex& amplitude : start) {
      amplitude = {distribution(random), distribution(random)};
      norm += std::norm(amplitude);
    }
    for (Complex& amplitude : start) amplitude /= std::sqrt(norm);

    std::vector<Complex> first;
    for (std::size_t i = 0; i < equal_.members.size(); ++i) {
      const ClassMember& member = equal_.members[i];
      std::vector<Complex> state = start;
      for (Operation operation : member.gates) {
        for (Qubit& qubit : operation.qubits) qubit = qubits_.at(qubit);
        apply_gate(operation, state, bindings);
      }
      // unitary(member) = e^{i phase} unitary(first)
      const Complex phase = std::polar(1.0, -member.phase.value(bindings));
      for (Complex& amplitude : state) amplitude *= phase;
      if (i == 0) first = state;
      for (std::size_t j = 0; j < state.size(); ++j) {
        if (!(std::abs(state[j] - first[j]) < kTolerance)) {
          return fmt::format("circuit {} is not equal to circuit 1 with the phase given", i + 1);
        }
      }
    }
    return {};
  }

  const EquivalenceClass& equal_;
  const GateSet& set_;
  std::map<Qubit, Qubit> qubits_;
  std::set<std::string> symbols_;
};

}  // namespace

void require_usable_rules(const RuleSet& rules, const GateSet& set, const std::string& name,
                          unsigned threads) {
  parallel_for(thread_count(threads), rules.classes.size(), kClassesAtOnce,
               [&](unsigned, std::size_t begin, std::size_t end) {
                 for (std::size_t i = begin; i < end; ++i) {
                   const std::string fault = ClassCheck(rules.classes[i], set).fault();
                   if (fault.empty()) continue;
                   throw InputError({name}, fmt::format("wrong rule set: class {}: {}; quartz-gen "
                                                        "prove checks all of it",
                                                        i + 1, fault));
                 }
               });
}

}  // namespace quartz
