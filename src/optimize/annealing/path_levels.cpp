#include "optimize/annealing/path_levels.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <ranges>

namespace quartz::optimizer {
namespace {

/// Maximum number of wires of a window.
constexpr std::size_t kMostGaps = 8;

}  // namespace

PathLevels::PathLevels(std::span<const Length> lengths, const rewrite::WireLists& circuit)
    : lengths_(lengths) {
  rebuild(circuit);
}

bool PathLevels::set_to(const rewrite::WiredGate& gate, rewrite::GateIndex index) {
  Length before = 0;
  for (unsigned i = 0; i < gate.size; ++i) before = std::max(before, to(gate.previous[i]));
  const Length level = before + lengths_[gate.label];
  return std::exchange(levels_[index].to, level) != level;
}

bool PathLevels::set_from(const rewrite::WiredGate& gate, rewrite::GateIndex index) {
  Length after = 0;
  for (unsigned i = 0; i < gate.size; ++i) after = std::max(after, from(gate.next[i]));
  const Length level = after + lengths_[gate.label];
  return std::exchange(levels_[index].from, level) != level;
}

void PathLevels::find_longest(const rewrite::WireLists& circuit) {
  longest_ = 0;
  for (std::uint32_t wire = 0; wire < circuit.wires(); ++wire) {
    longest_ = std::max(longest_, from(circuit.first_on(static_cast<rewrite::Wire>(wire))));
  }
}

void PathLevels::rebuild(const rewrite::WireLists& circuit) {
  levels_.assign(circuit.places(), {});
  const std::vector<rewrite::GateIndex> order = circuit.order();
  for (const rewrite::GateIndex index : order) set_to(circuit[index], index);
  for (const rewrite::GateIndex index : std::views::reverse(order)) {
    set_from(circuit[index], index);
  }
  find_longest(circuit);
}

void PathLevels::update_ends(const rewrite::WireLists& circuit,
                             std::span<const rewrite::WireLists::Gap> gaps,
                             std::span<const rewrite::GateIndex> inserted) {
  for (const rewrite::GateIndex index : inserted) set_to(circuit[index], index);
  const auto add = [&](rewrite::GateIndex index) {
    if (index == rewrite::kNoGate) return;
    queue_.emplace_back(circuit[index].position, index);
    std::ranges::push_heap(queue_, std::greater());
  };
  queue_.clear();
  for (const rewrite::WireLists::Gap& gap : gaps) add(gap.after);
  while (!queue_.empty()) {
    const rewrite::GateIndex index = queue_.front().second;
    std::ranges::pop_heap(queue_, std::greater());
    queue_.pop_back();
    const rewrite::WiredGate& gate = circuit[index];
    if (!set_to(gate, index)) continue;
    for (unsigned i = 0; i < gate.size; ++i) add(gate.next[i]);
  }
}

bool PathLevels::update_beginnings(const rewrite::WireLists& circuit,
                                   std::span<const rewrite::WireLists::Gap> gaps,
                                   std::span<const rewrite::GateIndex> inserted) {
  bool reaches_start = false;
  for (const rewrite::GateIndex index : std::views::reverse(inserted)) {
    set_from(circuit[index], index);
  }
  const auto add = [&](rewrite::GateIndex index) {
    if (index == rewrite::kNoGate) {
      reaches_start = true;
      return;
    }
    queue_.emplace_back(circuit[index].position, index);
    std::ranges::push_heap(queue_);
  };
  queue_.clear();
  for (const rewrite::WireLists::Gap& gap : gaps) add(gap.before);
  while (!queue_.empty()) {
    const rewrite::GateIndex index = queue_.front().second;
    std::ranges::pop_heap(queue_);
    queue_.pop_back();
    const rewrite::WiredGate& gate = circuit[index];
    if (!set_from(gate, index)) continue;
    for (unsigned i = 0; i < gate.size; ++i) add(gate.previous[i]);
  }
  return reaches_start;
}

void PathLevels::update(const rewrite::WireLists& circuit,
                        std::span<const rewrite::WireLists::Gap> gaps,
                        std::span<const rewrite::GateIndex> inserted) {
  if (levels_.size() < circuit.places()) levels_.resize(circuit.places());
  update_ends(circuit, gaps, inserted);
  if (update_beginnings(circuit, gaps, inserted)) find_longest(circuit);
}

PathLevels::Length PathLevels::through(const rewrite::WireLists& circuit,
                                       std::span<const rewrite::GateIndex> gates) const {
  Length length = 0;
  for (const rewrite::GateIndex gate : gates) length = std::max(length, through(circuit, gate));
  return length;
}

PathLevels::Length PathLevels::through_instead(std::span<const rewrite::WireLists::Gap> gaps,
                                               std::span<const rewrite::PlainGate> gates) const {
  std::array<Length, kMostGaps> level{};
  for (std::size_t k = 0; k < gaps.size(); ++k) level[k] = to(gaps[k].before);
  for (const rewrite::PlainGate& gate : gates) {
    std::array<std::size_t, 3> local{};
    Length end = 0;
    for (unsigned i = 0; i < gate.size; ++i) {
      while (gaps[local[i]].wire != gate.wires[i]) ++local[i];
      end = std::max(end, level[local[i]]);
    }
    end += lengths_[gate.label];
    for (unsigned i = 0; i < gate.size; ++i) level[local[i]] = end;
  }
  Length length = 0;
  for (std::size_t k = 0; k < gaps.size(); ++k) {
    length = std::max(length, level[k] + from(gaps[k].after));
  }
  return length;
}

}  // namespace quartz::optimizer
