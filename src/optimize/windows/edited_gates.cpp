#include "optimize/windows/edited_gates.hpp"

#include <algorithm>
#include <utility>

namespace quartz::optimizer {
namespace {

/// Difference of the labels of consecutive gates, and of a new gate and the one before it if there
/// is room. Often the next window ends where the last one did, and its gates follow those of the
/// last one.
constexpr std::uint64_t kSpacing = std::uint64_t{1} << 32U;
constexpr std::uint64_t kSpacingOfNew = std::uint64_t{1} << 12U;

bool has_links(const Operation& gate) { return gate.qubits.size() <= 2; }

std::size_t operand_on(const Operation& gate, Qubit qubit) {
  return gate.qubits[0] == qubit ? 0 : 1;
}

}  // namespace

EditedGates::EditedGates(std::span<const Operation> gates)
    : gates_(gates.begin(), gates.end()), links_(gates.size()), recorder_(gates.size()) {
  std::vector<Index> last_on;  // for each qubit
  for (Index i = 0; i < gates.size(); ++i) {
    links_[i].label = (i + 1) * kSpacing;
    links_[i].previous = i == 0 ? kEnd : i - 1;
    links_[i].next = i + 1 == gates.size() ? kEnd : i + 1;
    for (const Qubit qubit : gates[i].qubits) {
      if (qubit >= last_on.size()) last_on.resize(qubit + 1, kEnd);
      connect(qubit, std::exchange(last_on[qubit], i), i);
    }
  }
  if (gates.empty()) return;
  first_ = 0;
  last_ = static_cast<Index>(gates.size()) - 1;
}

void EditedGates::connect(Qubit qubit, Index before, Index after) {
  if (before != kEnd && has_links(gates_[before])) {
    links_[before].next_on.at(operand_on(gates_[before], qubit)) = after;
  }
  if (after != kEnd && has_links(gates_[after])) {
    links_[after].previous_on.at(operand_on(gates_[after], qubit)) = before;
  }
}

std::vector<EditedGates::Gap> EditedGates::remove(std::span<const Index> removed) {
  std::vector<Gap> gaps;
  for (const Index gate : removed) {
    const Links& links = links_[gate];
    (links.previous == kEnd ? first_ : links_[links.previous].next) = links.next;
    (links.next == kEnd ? last_ : links_[links.next].previous) = links.previous;
    for (std::size_t operand = 0; operand < gates_[gate].qubits.size(); ++operand) {
      const Qubit qubit = gates_[gate].qubits[operand];
      auto gap = std::ranges::find(gaps, qubit, &Gap::qubit);
      if (gap == gaps.end()) gap = gaps.insert(gap, {qubit, links.previous_on.at(operand)});
      gap->after = links.next_on.at(operand);
    }
  }
  return gaps;
}

void EditedGates::relabel() {
  std::uint64_t label = 0;
  for (Index gate = first_; gate != kEnd; gate = next(gate)) {
    links_[gate].label = label += kSpacing;
  }
}

void EditedGates::insert_before(Index anchor, std::span<const Operation> inserted) {
  Index before = anchor == kEnd ? last_ : previous(anchor);
  const auto label_of = [&](Index gate) { return gate == kEnd ? 0 : links_[gate].label; };
  const auto room = [&] {
    const std::uint64_t end =
        anchor == kEnd ? label_of(before) + (inserted.size() + 1) * kSpacing : label_of(anchor);
    return (end - label_of(before)) / (inserted.size() + 1);
  };
  if (room() == 0) relabel();
  const std::uint64_t step = std::min(room(), kSpacingOfNew);
  for (const Operation& gate : inserted) {
    const auto index = static_cast<Index>(gates_.size());
    gates_.push_back(gate);
    Links& links = links_.emplace_back();
    links.label = label_of(before) + step;
    links.previous = before;
    (before == kEnd ? first_ : links_[before].next) = index;
    before = index;
  }
  if (before != kEnd) links_[before].next = anchor;
  (anchor == kEnd ? last_ : links_[anchor].previous) = before;
}

EditedGates::Index EditedGates::replace(std::span<const Index> removed, Index anchor,
                                        std::span<const Operation> inserted) {
  recorder_.rewrite(removed, {}, inserted);
  const Index before = previous(removed.front());
  std::vector<Gap> gaps = remove(removed);
  const auto first_new = static_cast<Index>(gates_.size());
  insert_before(anchor, inserted);
  for (Index i = first_new; i < gates_.size(); ++i) {
    for (const Qubit qubit : gates_[i].qubits) {
      const auto gap = std::ranges::find(gaps, qubit, &Gap::qubit);
      connect(qubit, std::exchange(gap->before, i), i);
    }
  }
  for (const Gap& gap : gaps) connect(gap.qubit, gap.before, gap.after);
  return before == kEnd ? first_ : next(before);
}

std::vector<Operation> EditedGates::gates() const {
  std::vector<Operation> result;
  for (Index gate = first_; gate != kEnd; gate = next(gate)) result.push_back(gates_[gate]);
  return result;
}

circuit::HistoryPointer EditedGates::finish_history() && {
  if (recorder_.is_empty()) return nullptr;
  std::vector<Index> order;
  for (Index gate = first_; gate != kEnd; gate = next(gate)) order.push_back(gate);
  return std::move(recorder_).finish(std::move(order));
}

}  // namespace quartz::optimizer
