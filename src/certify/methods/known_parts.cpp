#include "certify/methods/known_parts.hpp"

#include <algorithm>

namespace quartz::certify {
namespace {

constexpr std::size_t kMaxSteps = 64;
constexpr std::size_t kMaxParts = 4096;

/// Returns whether nothing but its steps says what the part means.
bool is_simple(const Problem& part) {
  return part.left.size() + part.right.size() <= kMaxSteps && !part.is_approximate() &&
         part.condition_groups.empty() && part.outcome_symbols.empty();
}

bool is_same_wire(const WireInfo& a, const WireInfo& b) {
  return a.starts_zero == b.starts_zero && a.is_discarded == b.is_discarded;
}

bool is_same(const Problem& a, const Problem& b) {
  return a.left == b.left && a.right == b.right && a.phase == b.phase &&
         std::ranges::equal(a.wires, b.wires, is_same_wire);
}

/// Depends on what is_same() compares alone.
std::size_t hash_of(const Problem& part) {
  constexpr std::size_t kFactor = 0x9e3779b97f4a7c15ULL;
  std::size_t hash = part.wires.size();
  for (const auto* steps : {&part.left, &part.right}) {
    hash = hash * kFactor + steps->size();
    for (const Step& step : *steps) {
      hash = hash * kFactor + static_cast<std::size_t>(step.operation.gate);
      for (const Qubit qubit : step.operation.qubits) hash = hash * kFactor + qubit;
      for (const Angle& angle : step.operation.angles) hash = hash * kFactor + angle.hash();
    }
  }
  return hash;
}

}  // namespace

std::optional<Comparison> KnownParts::find(const Problem& part) const {
  if (known_.empty() || !is_simple(part)) return std::nullopt;
  const auto [begin, end] = known_.equal_range(hash_of(part));
  for (auto each = begin; each != end; ++each) {
    if (!is_same(each->second.first, part)) continue;
    Comparison result = each->second.second;
    result.log2_failure.reset();
    return result;
  }
  return std::nullopt;
}

void KnownParts::add(const Problem& part, const Comparison& result) {
  const bool is_reusable = result.outcome == Outcome::equal && result.exact_phase.has_value();
  if (!is_reusable || known_.size() == kMaxParts || !is_simple(part)) return;
  known_.emplace(hash_of(part), std::pair(part, result));
}

}  // namespace quartz::certify
