#include <algorithm>
#include <optional>
#include <set>

#include "quartz/base/errors.hpp"
#include "quartz/circuit/gate.hpp"
#include "quartz/target/gate_set.hpp"

namespace quartz {
namespace {

/// Limit for the number of letters: enumeration is infeasible beyond it, so a larger alphabet is a
/// mistake in the gate set.
constexpr std::size_t kMaxLetters = std::size_t{1} << 17;

using Operands = QubitList;

/// Returns whether symmetric operands are in ascending order, which selects one of their equal
/// orders.
bool is_canonical(const Gate& row, const Operands& operands) {
  for (std::size_t i = 0; i < operands.size(); ++i) {
    for (std::size_t j = i + 1; j < operands.size(); ++j) {
      if (row.symmetry[i] == row.symmetry[j] && operands[i] > operands[j]) return false;
    }
  }
  return true;
}

/// Collects all choices of distinct operands in lexicographic order, symmetric ones once.
void collect_operands(const Gate& row, unsigned qubits, Operands& chosen,
                      std::vector<Operands>& result) {
  if (chosen.size() == row.qubits) {
    if (is_canonical(row, chosen)) result.push_back(chosen);
    return;
  }
  for (Qubit qubit = 0; qubit < qubits; ++qubit) {
    if (std::find(chosen.begin(), chosen.end(), qubit) != chosen.end()) continue;
    chosen.push_back(qubit);
    collect_operands(row, qubits, chosen, result);
    chosen.pop_back();
  }
}

/// Returns the angle of a parameter for an expression. For a parameter with a range this must be a
/// constant, which may be shifted by whole turns.
std::optional<Angle> angle_for(const Angle& expression, const GateSetEntry& entry,
                               std::size_t parameter) {
  if (entry.ranges.empty() || !entry.ranges[parameter]) return expression;
  const Angle reduced = expression.reduced_symmetric(2);
  if (!entry.ranges[parameter]->contains(reduced)) return std::nullopt;
  return reduced;
}

/// Collects every tuple of expressions for a gate's parameters in which no parameter occurs twice.
/// A tuple such as (p0, 2*p0) is a special case of a more general equality, and upstream Quartz
/// omits it too.
void collect_angles(const GateSetEntry& entry, const std::vector<Angle>& expressions,
                    AngleList& chosen, std::set<std::string>& used,
                    std::vector<AngleList>& result) {
  if (chosen.size() == gate(entry.gate).parameters.size()) {
    if (result.size() >= kMaxLetters) throw InputError("the alphabet of the gate set is too large");
    result.push_back(chosen);
    return;
  }
  for (const Angle& expression : expressions) {
    const std::vector<std::string> symbols = expression.symbols();
    if (std::any_of(symbols.begin(), symbols.end(),
                    [&](const std::string& symbol) { return used.contains(symbol); })) {
      continue;
    }
    const std::optional<Angle> angle = angle_for(expression, entry, chosen.size());
    if (!angle) continue;
    used.insert(symbols.begin(), symbols.end());
    chosen.push_back(*angle);
    collect_angles(entry, expressions, chosen, used, result);
    chosen.pop_back();
    for (const std::string& symbol : symbols) used.erase(symbol);
  }
}

std::vector<AngleList> angle_choices(const GateSetEntry& entry, const AlphabetRule& rule) {
  if (!entry.angles.empty()) return entry.angles;
  std::vector<AngleList> choices;
  AngleList chosen;
  std::set<std::string> used;
  collect_angles(entry, rule.expressions, chosen, used, choices);
  return choices;
}

}  // namespace

std::vector<Operation> alphabet(const GateSet& set, unsigned qubits) {
  std::vector<Operation> letters;
  for (const GateSetEntry& entry : set.entries) {
    std::vector<Operands> operand_choices;
    Operands chosen;
    collect_operands(gate(entry.gate), qubits, chosen, operand_choices);
    const std::vector<AngleList> angles = angle_choices(entry, set.alphabet);
    if (letters.size() + operand_choices.size() * angles.size() > kMaxLetters) {
      throw InputError("the alphabet of the gate set '" + set.name + "' is too large");
    }
    for (const Operands& operands : operand_choices) {
      for (const AngleList& choice : angles) {
        Operation letter;
        letter.gate = entry.gate;
        letter.qubits = operands;
        letter.angles = choice;
        letters.push_back(std::move(letter));
      }
    }
  }
  return letters;
}

}  // namespace quartz
