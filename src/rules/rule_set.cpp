#include "quartz/rules/rule_set.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "quartz/base/errors.hpp"

namespace quartz {

std::uint64_t RuleSet::circuit_count() const noexcept {
  std::uint64_t count = 0;
  for (const EquivalenceClass& equal : classes) count += equal.members.size();
  return count;
}

std::uint64_t RuleSet::rule_count() const noexcept {
  std::uint64_t count = 0;
  for (const EquivalenceClass& equal : classes) {
    if (!equal.members.empty()) count += equal.members.size() * (equal.members.size() - 1);
  }
  return count;
}

unsigned RuleSet::most_gates() const noexcept {
  std::size_t most = 0;
  for (const EquivalenceClass& equal : classes) {
    for (const ClassMember& member : equal.members) most = std::max(most, member.gates.size());
  }
  return static_cast<unsigned>(most);
}

void require_gate_set(const RuleSet& rules, const GateSet& set, const std::string& name) {
  if (rules.gate_set_digest == set.digest) return;
  throw InputError({name},
                   fmt::format("rules of gate set '{}' ({}), expected '{}' ({})", rules.gate_set,
                               rules.gate_set_digest, set.name, set.digest));
}

}  // namespace quartz
