#include "rewrite/wire_lists.hpp"

#include <algorithm>
#include <limits>

#include "quartz/errors.hpp"

namespace quartz {

WireLists::WireLists(std::span<const PlainGate> gates, std::uint32_t wires)
    : first_(wires, kNoGate), last_(wires, kNoGate), size_(gates.size()) {
  ensure(wires <= std::numeric_limits<Wire>::max(), "a search takes at most 65535 qubits");
  gates_.reserve(gates.size() + gates.size() / 8 + 16);
  for (const PlainGate& gate : gates) {
    const auto index = static_cast<GateIndex>(gates_.size());
    WiredGate& wired = gates_.emplace_back();
    wired.position = (std::uint64_t{index} + 1) * kSpacing;
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
  std::vector<GateIndex> indices;
  indices.reserve(size_);
  for (GateIndex i = 0; i < gates_.size(); ++i) {
    if (gates_[i].size != 0) indices.push_back(i);
  }
  const auto is_before = [&](GateIndex a, GateIndex b) {
    return gates_[a].position != gates_[b].position ? gates_[a].position < gates_[b].position
                                                    : a < b;
  };
  if (!std::is_sorted(indices.begin(), indices.end(), is_before)) {
    std::sort(indices.begin(), indices.end(), is_before);
  }
  return indices;
}

std::vector<PlainGate> WireLists::gates() const {
  std::vector<PlainGate> result;
  result.reserve(size_);
  for (const GateIndex index : order()) {
    const WiredGate& gate = gates_[index];
    result.push_back({gate.wires, gate.label, gate.size, gate.marked});
  }
  return result;
}

void WireLists::renumber() {
  std::uint64_t position = kSpacing;
  for (const GateIndex index : order()) {
    gates_[index].position = position;
    position += kSpacing;
  }
}

GateIndex WireLists::take_place() {
  if (free_.empty()) {
    gates_.emplace_back();
    return static_cast<GateIndex>(gates_.size() - 1);
  }
  const GateIndex index = free_.back();
  free_.pop_back();
  return index;
}

void WireLists::replace(std::span<const GateIndex> window, std::span<const Gap> gaps,
                        std::span<const PlainGate> replacement) {
  for (const GateIndex index : window) {
    gates_[index].size = 0;
    free_.push_back(index);
  }
  size_ += replacement.size();
  size_ -= window.size();

  // New gates lie after everything before the window and before everything after it.
  std::uint64_t low = 0;
  std::uint64_t high = 0;
  const auto find_bounds = [&] {
    low = 0;
    high = std::numeric_limits<std::uint64_t>::max();
    for (const Gap& gap : gaps) {
      if (gap.before != kNoGate) low = std::max(low, gates_[gap.before].position);
      if (gap.after != kNoGate) high = std::min(high, gates_[gap.after].position);
    }
    // At the end of the circuit steps are as wide as elsewhere.
    high = std::min(high, low + kSpacing * (replacement.size() + 1));
  };
  find_bounds();
  ensure(low < high, "a window lies between what is before and what is after it");
  if (high - low <= replacement.size()) {
    renumber();
    find_bounds();
    ensure(high - low > replacement.size(), "renumbering leaves room");
  }
  const std::uint64_t step = (high - low) / (replacement.size() + 1);

  std::array<GateIndex, 8> last{};  // on the wire of each gap
  for (std::size_t i = 0; i < gaps.size(); ++i) last[i] = gaps[i].before;
  const auto link = [&](const Gap& gap, GateIndex before, GateIndex after) {
    if (before == kNoGate) {
      first_[gap.wire] = after;
    } else {
      gates_[before].next[gates_[before].operand_of(gap.wire)] = after;
    }
    if (after == kNoGate) {
      last_[gap.wire] = before;
    } else {
      gates_[after].previous[gates_[after].operand_of(gap.wire)] = before;
    }
  };
  std::uint64_t position = low;
  replaced_.clear();
  for (const PlainGate& gate : replacement) {
    position += step;
    const GateIndex index = take_place();
    replaced_.push_back(index);
    WiredGate& wired = gates_[index];
    wired.position = position;
    wired.wires = gate.wires;
    wired.label = gate.label;
    wired.size = gate.size;
    wired.marked = gate.marked;
    for (unsigned i = 0; i < gate.size; ++i) {
      std::size_t k = 0;
      while (gaps[k].wire != gate.wires[i]) ++k;
      link(gaps[k], last[k], index);
      last[k] = index;
    }
  }
  for (std::size_t i = 0; i < gaps.size(); ++i) link(gaps[i], last[i], gaps[i].after);
}

}  // namespace quartz
