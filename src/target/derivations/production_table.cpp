#include "target/derivations/production_table.hpp"

#include <algorithm>
#include <mutex>
#include <string>

#include "quartz/circuit/canonical.hpp"

namespace quartz::target {
namespace {

/// Returns the phase if the normalized angles equal a choice of constants up to whole turns: the
/// gate equals e^{i phase} times the gate with the constants.
std::optional<Angle> phase_to_constants(const Operation& normalized, AngleList constants) {
  Operation other = on_own_operands(gate(normalized.gate), std::move(constants));
  const Angle phase = normalize_angles(other);
  if (other.angles != normalized.angles) return std::nullopt;
  return -phase;
}

/// Replaces the parameters in a pattern of Decomposition::when, where a parameter itself means any
/// angle, by the operation's angles.
AngleList filled_in(const AngleList& pattern, const Operation& operation) {
  const Gate& row = gate(operation.gate);
  const std::map<std::string, Angle> angles = angles_by_name(row, operation.angles);
  AngleList result;
  for (const Angle& angle : pattern) result.push_back(angle.substitute(angles));
  return result;
}

/// Returns whether the decomposition of a one-qubit gate contains a fraction of its parameter.
/// Applied repeatedly, it would never return to an earlier angle.
bool divides_angles(const Decomposition& pattern, const Gate& row) {
  if (row.qubits > 1) return false;
  for (const Operation& step : pattern.operations) {
    for (const Angle& angle : step.angles) {
      for (const Angle::Term& term : angle.terms()) {
        if (!term.coefficient.is_integer()) return true;
      }
    }
  }
  return false;
}

bool have_equal_ranges(const GateSetEntry& a, const GateSetEntry& b) {
  return std::ranges::equal(a.ranges, b.ranges, [](const auto& one, const auto& other) {
    if (!one.has_value() || !other.has_value()) return one.has_value() == other.has_value();
    return one->least == other->least && one->greatest == other->greatest;
  });
}

bool are_equal_translations(const Translation& a, const Translation& b) {
  const Decomposition& left = a.decomposition;
  const Decomposition& right = b.decomposition;
  return a.gate == b.gate && left.operations == right.operations && left.phase == right.phase &&
         left.when == right.when;
}

/// Returns whether both sets have the same gates and translations: what productions depend on.
bool have_equal_gates(const GateSet& a, const GateSet& b) {
  const auto are_equal = [](const GateSetEntry& one, const GateSetEntry& other) {
    return one.gate == other.gate && one.angles == other.angles && have_equal_ranges(one, other);
  };
  return std::ranges::equal(a.entries, b.entries, are_equal) &&
         std::ranges::equal(a.translations, b.translations, are_equal_translations);
}

/// The tables that are not in use, the one used last at the end.
class IdleTables {
 public:
  IdleTables() { tables_.reserve(kMostTables); }

  std::unique_ptr<ProductionTable> take(const GateSet& set) {
    const std::scoped_lock lock(mutex_);
    const auto found = std::ranges::find_if(
        tables_, [&](const auto& table) { return have_equal_gates(table->set(), set); });
    if (found == tables_.end()) return nullptr;
    std::unique_ptr<ProductionTable> table = std::move(*found);
    tables_.erase(found);
    return table;
  }

  void put(std::unique_ptr<ProductionTable> table) {
    const std::scoped_lock lock(mutex_);
    if (tables_.size() == tables_.capacity()) tables_.erase(tables_.begin());
    tables_.push_back(std::move(table));
    // Angles that are not multiples of a set's constants may add entries without end.
    std::size_t entries = 0;
    for (const auto& each : tables_) entries += each->size();
    while (entries > kMostEntries) {
      entries -= tables_.front()->size();
      tables_.erase(tables_.begin());
    }
  }

 private:
  static constexpr std::size_t kMostTables = 64;
  static constexpr std::size_t kMostEntries = 40'000;

  std::mutex mutex_;
  std::vector<std::unique_ptr<ProductionTable>> tables_;
};

IdleTables& idle_tables() {
  static IdleTables tables;
  return tables;
}

}  // namespace

std::pair<ProductionTable::Index, Angle> ProductionTable::index_of(const Operation& operation) {
  Operation normalized = on_own_operands(gate(operation.gate), operation.angles);
  const Angle phase = normalize_angles(normalized);
  Symbol symbol(normalized.gate, normalized.angles);
  const auto known = index_.find(symbol);
  if (known != index_.end()) return {known->second, phase};
  // An angle may overflow here, and the table is used again afterwards.
  Entry now;
  now.symbol = symbol;
  now.is_identity = is_identity(normalized);
  const auto offered = std::ranges::find(set_.entries, normalized.gate, &GateSetEntry::gate);
  if (offered != set_.entries.end()) {
    if (offered->angles.empty() && set_.contains(normalized)) {
      now.in_set.emplace(normalized.angles, Angle());
    }
    for (const AngleList& choice : offered->angles) {
      const std::optional<Angle> difference = phase_to_constants(normalized, choice);
      if (difference.has_value()) now.in_set.emplace(choice, *difference);
    }
  }
  entries_.push_back(std::move(now));
  index_.emplace(std::move(symbol), entries_.size() - 1);
  return {entries_.size() - 1, phase};
}

bool ProductionTable::all_in_set(const std::vector<Operation>& operations) const {
  return std::all_of(operations.begin(), operations.end(), [&](const Operation& operation) {
    Operation normalized = on_own_operands(gate(operation.gate), operation.angles);
    static_cast<void>(normalize_angles(normalized));
    return set_.contains(normalized) || is_identity(normalized);
  });
}

std::vector<const Decomposition*> ProductionTable::decompositions_of(GateKind kind) const {
  std::vector<const Decomposition*> result;
  for (const Translation& translation : set_.translations) {
    if (translation.gate == kind) result.push_back(&translation.decomposition);
  }
  for (const Decomposition& decomposition : gate(kind).decompositions) {
    result.push_back(&decomposition);
  }
  return result;
}

const std::vector<ProductionTable::Production>& ProductionTable::productions_of(Index index) {
  if (entries_[index].productions.has_value()) return *entries_[index].productions;
  const Operation operation =
      on_own_operands(gate(entries_[index].symbol.first), entries_[index].symbol.second);
  std::vector<Production> productions;
  for (const Decomposition* const each : decompositions_of(operation.gate)) {
    const Decomposition& pattern = *each;
    Production production;
    Operation source = operation;
    if (!pattern.when.empty()) {
      source.angles = filled_in(pattern.when, operation);
      const std::optional<Angle> phase = phase_to_constants(operation, source.angles);
      if (!phase.has_value()) continue;
      production.phase = *phase;
    }
    const Decomposition steps = instantiate(pattern, source);
    if (divides_angles(pattern, gate(operation.gate)) && !all_in_set(steps.operations)) {
      continue;
    }
    production.phase.add_phase(steps.phase);
    for (const Operation& step : steps.operations) {
      const auto [symbol, phase] = index_of(step);
      production.steps.push_back({symbol, {step.qubits.begin(), step.qubits.end()}});
      production.phase.add_phase(phase);
    }
    productions.push_back(std::move(production));
  }
  entries_[index].productions = std::move(productions);
  return *entries_[index].productions;
}

BorrowedProductions::BorrowedProductions(const GateSet& set) : table_(idle_tables().take(set)) {
  if (table_ == nullptr) table_ = std::make_unique<ProductionTable>(set);
}

BorrowedProductions::~BorrowedProductions() { idle_tables().put(std::move(table_)); }

}  // namespace quartz::target
