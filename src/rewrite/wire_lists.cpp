#include "rewrite/wire_lists.hpp"

#include <algorithm>
#include <limits>

#include "quartz/base/errors.hpp"

namespace quartz::rewrite {
namespace {

/// Maximum number of wires of a window.
constexpr std::size_t kMaxGaps = 8;

}  // namespace

WireLists::WireLists(std::span<const PlainGate> gates, std::uint32_t wires)
    : first_(wires, kNoGate), last_(wires, kNoGate), size_(gates.size()) {
  ensure(wires <= std::numeric_limits<Wire>::max(), "a search takes at most 65535 qubits");
  gates_.reserve(gates.size() + gates.size() / 8 + 16);
  set_spacing(gates.size());
  for (const PlainGate& gate : gates) {
    const auto index = static_cast<GateIndex>(gates_.size());
    WiredGate& wired = gates_.emplace_back();
    wired.position = (std::uint64_t{index} + 1) * spacing_;
    wired.wires = gate.wires;
    wired.label = gate.label;
    wired.size = gate.size;
    wired.marked = gate.marked;
    wired.next.fill(kNoGate);
    wired.previous.fill(kNoGate);
    for (unsigned i = 0; i < gate.size; ++i) {
      const Wire wire = gate.wires[i];
      const GateIndex before = last_[wire];
      wired.previous[i] = before;
      if (before == kNoGate) {
        first_[wire] = index;
      } else {
        gates_[before].next[gates_[before].operand_of(wire)] = index;
      }
      last_[wire] = index;
    }
  }
}

std::vector<GateIndex> WireLists::order() const {
  // Keys in a row of memory are sorted in half the time of indices that refer to the gates.
  struct Key {
    std::uint64_t position = 0;
    GateIndex index = kNoGate;
    auto operator<=>(const Key&) const = default;
  };
  std::vector<Key> keys;
  keys.reserve(size_);
  for (GateIndex i = 0; i < gates_.size(); ++i) {
    if (gates_[i].size != 0) keys.push_back({gates_[i].position, i});
  }
  if (!std::ranges::is_sorted(keys)) std::ranges::sort(keys);
  std::vector<GateIndex> indices;
  indices.reserve(keys.size());
  for (const Key& key : keys) indices.push_back(key.index);
  return indices;
}

std::vector<PlainGate> WireLists::gates(std::span<const GateIndex> order) const {
  std::vector<PlainGate> result;
  result.reserve(order.size());
  for (const GateIndex index : order) {
    const WiredGate& gate = gates_[index];
    result.push_back({gate.wires, gate.size, false, gate.label});
  }
  return result;
}

void WireLists::set_spacing(std::size_t gates) {
  spacing_ = (std::uint64_t{1} << 63U) / (gates + 1);
}

void WireLists::renumber(std::span<RemovedGate> log) {
  std::vector<std::uint64_t> positions;
  positions.reserve(size_ + log.size());
  for (const WiredGate& gate : gates_) {
    if (gate.size != 0) positions.push_back(gate.position);
  }
  for (const RemovedGate& gate : log) positions.push_back(gate.position);
  std::ranges::sort(positions);
  positions.erase(std::unique(positions.begin(), positions.end()), positions.end());
  set_spacing(positions.size());
  const auto renumbered = [&](std::uint64_t position) {
    const auto rank = std::ranges::lower_bound(positions, position) - positions.begin();
    return (static_cast<std::uint64_t>(rank) + 1) * spacing_;
  };
  for (WiredGate& gate : gates_) {
    if (gate.size != 0) gate.position = renumbered(gate.position);
  }
  for (RemovedGate& gate : log) gate.position = renumbered(gate.position);
}

[[gnu::always_inline]] inline GateIndex WireLists::take_place() {
  if (free_.empty()) {
    gates_.emplace_back();
    return static_cast<GateIndex>(gates_.size() - 1);
  }
  const GateIndex index = free_.back();
  free_.pop_back();
  return index;
}

[[gnu::always_inline]] inline WireLists::Bounds WireLists::bounds_of(std::span<const Gap> gaps,
                                                                     std::size_t gates) const {
  Bounds bounds{0, std::numeric_limits<std::uint64_t>::max()};
  for (const Gap& gap : gaps) {
    if (gap.before != kNoGate) bounds.low = std::max(bounds.low, gates_[gap.before].position);
    if (gap.after != kNoGate) bounds.high = std::min(bounds.high, gates_[gap.after].position);
  }
  ensure(bounds.low < bounds.high, "a window lies between what is before and what is after it");
  // Steps at the end of the circuit are as wide as elsewhere if the range has room.
  const std::uint64_t step =
      std::min(spacing_, (std::numeric_limits<std::uint64_t>::max() - bounds.low) / (gates + 1));
  bounds.high = std::min(bounds.high, bounds.low + step * (gates + 1));
  return bounds;
}

[[gnu::always_inline]] inline void WireLists::link(Wire wire, GateIndex before, GateIndex after) {
  if (before == kNoGate) {
    first_[wire] = after;
  } else {
    gates_[before].next[gates_[before].operand_of(wire)] = after;
  }
  if (after == kNoGate) {
    last_[wire] = before;
  } else {
    gates_[after].previous[gates_[after].operand_of(wire)] = before;
  }
}

[[gnu::always_inline]] inline void WireLists::put(GateIndex index, const PlainGate& gate,
                                                  std::uint64_t position, std::span<const Gap> gaps,
                                                  std::span<GateIndex> last) {
  WiredGate& wired = gates_[index];
  wired.position = position;
  wired.wires = gate.wires;
  wired.label = gate.label;
  wired.size = gate.size;
  wired.marked = gate.marked;
  for (unsigned i = 0; i < gate.size; ++i) {
    std::size_t k = 0;
    while (gaps[k].wire != gate.wires[i]) ++k;
    link(gaps[k].wire, last[k], index);
    last[k] = index;
  }
}

void WireLists::replace(std::span<const GateIndex> window, std::span<const Gap> gaps,
                        std::span<const PlainGate> replacement, std::span<RemovedGate> log) {
  for (const GateIndex index : window) {
    gates_[index].size = 0;
    free_.push_back(index);
  }
  size_ += replacement.size();
  size_ -= window.size();
  Bounds bounds = bounds_of(gaps, replacement.size());
  if (bounds.high - bounds.low <= replacement.size()) {
    renumber(log);
    bounds = bounds_of(gaps, replacement.size());
    ensure(bounds.high - bounds.low > replacement.size(), "renumbering leaves room");
  }
  const std::uint64_t step = (bounds.high - bounds.low) / (replacement.size() + 1);
  std::array<GateIndex, kMaxGaps> last{};
  for (std::size_t i = 0; i < gaps.size(); ++i) last[i] = gaps[i].before;
  std::uint64_t position = bounds.low;
  replaced_.clear();
  for (const PlainGate& gate : replacement) {
    position += step;
    const GateIndex index = take_place();
    replaced_.push_back(index);
    put(index, gate, position, gaps, last);
  }
  for (std::size_t i = 0; i < gaps.size(); ++i) link(gaps[i].wire, last[i], gaps[i].after);
}

void WireLists::undo(std::span<const RemovedGate> removed, std::span<const Gap> gaps,
                     std::span<const GateIndex> inserted) {
  // The replacement reused the places of the removed gates for its first gates, the last place
  // first, and took other places for further gates, which become free here. If it inserted fewer
  // gates, the unused places are the last ones in the list.
  for (std::size_t i = inserted.size(); i-- > 0;) {
    gates_[inserted[i]].size = 0;
    if (i >= removed.size()) free_.push_back(inserted[i]);
  }
  for (std::size_t i = inserted.size(); i < removed.size(); ++i) free_.pop_back();
  size_ += removed.size();
  size_ -= inserted.size();
  std::array<GateIndex, kMaxGaps> last{};
  for (std::size_t i = 0; i < gaps.size(); ++i) last[i] = gaps[i].before;
  for (const RemovedGate& gate : removed) put(gate.index, gate.gate, gate.position, gaps, last);
  for (std::size_t i = 0; i < gaps.size(); ++i) link(gaps[i].wire, last[i], gaps[i].after);
}

}  // namespace quartz::rewrite
