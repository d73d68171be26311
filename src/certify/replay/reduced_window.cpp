#include "certify/replay/reduced_window.hpp"

#include <algorithm>
#include <array>

namespace quartz::certify {
namespace {

static_assert(ReplayedCircuit::kMaxWindowWires <= 64, "a set of wires fits a word");

std::uint64_t wires_of(const ReplayedCircuit::WindowOperation& gate) {
  std::uint64_t wires = 0;
  for (const std::uint8_t operand : gate.operands) wires |= std::uint64_t{1} << operand;
  return wires;
}

bool is_same(const ReplayedCircuit::WindowOperation& a, const ReplayedCircuit::WindowOperation& b) {
  return a.code == b.code && std::ranges::equal(a.operands, b.operands);
}

}  // namespace

void ReducedWindow::remove_common_start() {
  std::uint64_t blocked = 0;  // wires on which a gate of the left circuit is left
  kept_.clear();
  for (const ReplayedCircuit::WindowOperation& gate : left_) {
    const std::uint64_t wires = wires_of(gate);
    if ((wires & blocked) == 0) {
      // The first gate of the right circuit on one of these wires must be the same gate.
      const auto first = std::ranges::find_if(
          right_, [&](const auto& other) { return (wires_of(other) & wires) != 0; });
      if (first != right_.end() && is_same(gate, *first)) {
        right_.erase(first);
        continue;
      }
    }
    blocked |= wires;
    kept_.push_back(gate);
  }
  std::swap(left_, kept_);
}

void ReducedWindow::number_wires() {
  constexpr std::uint8_t kUnknown = 255;
  std::array<std::uint8_t, ReplayedCircuit::kMaxWindowWires> numbers;
  numbers.fill(kUnknown);
  wires_ = 0;
  std::size_t size = 0;
  for (const List* list : {&left_, &right_}) {
    for (const auto& gate : *list) size += gate.operands.size();
  }
  operands_.resize(size);
  std::size_t next = 0;
  for (List* list : {&left_, &right_}) {
    for (auto& gate : *list) {
      const std::size_t first = next;
      for (const std::uint8_t operand : gate.operands) {
        if (numbers[operand] == kUnknown) numbers[operand] = static_cast<std::uint8_t>(wires_++);
        operands_[next++] = numbers[operand];
      }
      gate.operands = std::span(operands_).subspan(first, next - first);
    }
  }
}

void ReducedWindow::reduce(Gates left, Gates right) {
  left_.assign(left.begin(), left.end());
  right_.assign(right.begin(), right.end());
  remove_common_start();
  std::ranges::reverse(left_);
  std::ranges::reverse(right_);
  remove_common_start();
  std::ranges::reverse(left_);
  std::ranges::reverse(right_);
  number_wires();
}

}  // namespace quartz::certify
