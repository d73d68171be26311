#include "optimize/gate_blocks/gate_blocks.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

namespace quartz::optimizer {
namespace {

/// Takes the gates in an order of the circuit in which gates of the kind and other ones alternate
/// in groups that are as large as possible.
class AlternatingOrder {
 public:
  AlternatingOrder(std::span<const Operation> gates, std::uint32_t wires,
                   const std::vector<bool>& has_kind)
      : has_kind_(has_kind), waiting_for_(gates.size(), 0), next_(gates.size()) {
    std::vector<std::uint32_t> last(wires, kNoGate);
    for (std::uint32_t i = 0; i < gates.size(); ++i) {
      for (const Qubit wire : gates[i].qubits) {
        if (last[wire] != kNoGate) {
          next_[last[wire]].push_back(i);
          ++waiting_for_[i];
        }
        last[wire] = i;
      }
    }
    for (std::uint32_t i = 0; i < gates.size(); ++i) {
      if (waiting_for_[i] == 0) ready(i);
    }
  }

  [[nodiscard]] bool is_at_end() const { return ready_[0].empty() && ready_[1].empty(); }
  /// Takes all gates that are ready, and that become so, of the kind or not of it.
  [[nodiscard]] std::vector<std::uint32_t> take(bool of_kind) {
    std::vector<std::uint32_t> taken;
    std::vector<std::uint32_t>& own = ready_.at(of_kind ? 1 : 0);
    for (std::size_t i = 0; i < own.size(); ++i) {
      const std::uint32_t gate = own[i];
      taken.push_back(gate);
      for (const std::uint32_t next : next_[gate]) {
        if (--waiting_for_[next] == 0) ready(next);
      }
    }
    own.clear();
    return taken;
  }

 private:
  static constexpr std::uint32_t kNoGate = ~std::uint32_t{0};

  void ready(std::uint32_t gate) { ready_.at(has_kind_[gate] ? 1 : 0).push_back(gate); }

  const std::vector<bool>& has_kind_;
  std::vector<std::uint32_t> waiting_for_;
  std::vector<std::vector<std::uint32_t>> next_;
  std::array<std::vector<std::uint32_t>, 2> ready_;  ///< other gates, and those of the kind
};

/// Appends blocks of those of the taken gates that are connected. `set_of` is used for each qubit,
/// and none of it is kept.
void append_connected(std::span<const Operation> gates, std::span<const std::uint32_t> taken,
                      std::vector<Qubit>& set_of, std::vector<GateBlock>& blocks) {
  const auto root = [&](Qubit qubit) {
    while (set_of[qubit] != qubit) qubit = set_of[qubit] = set_of[set_of[qubit]];
    return qubit;
  };
  for (const std::uint32_t gate : taken) {
    for (const Qubit qubit : gates[gate].qubits) set_of[qubit] = qubit;
  }
  for (const std::uint32_t gate : taken) {
    const auto& qubits = gates[gate].qubits;
    for (std::size_t i = 1; i < qubits.size(); ++i) set_of[root(qubits[0])] = root(qubits[i]);
  }
  std::vector<std::pair<Qubit, std::uint32_t>> by_root;
  for (const std::uint32_t gate : taken) by_root.emplace_back(root(gates[gate].qubits[0]), gate);
  std::ranges::stable_sort(by_root, {}, &std::pair<Qubit, std::uint32_t>::first);
  for (std::size_t i = 0; i < by_root.size(); ++i) {
    if (i == 0 || by_root[i].first != by_root[i - 1].first) blocks.push_back({true, {}, {}});
    GateBlock& block = blocks.back();
    block.gates.push_back(by_root[i].second);
    std::ranges::copy(gates[by_root[i].second].qubits, std::back_inserter(block.qubits));
  }
}

}  // namespace

std::vector<GateBlock> divide_into_blocks(std::span<const Operation> gates, std::uint32_t wires,
                                          const std::vector<bool>& has_kind) {
  std::vector<GateBlock> blocks;
  std::vector<Qubit> set_of(wires);
  AlternatingOrder order(gates, wires, has_kind);
  while (!order.is_at_end()) {
    std::vector<std::uint32_t> others = order.take(false);
    if (!others.empty()) blocks.push_back({false, {}, std::move(others)});
    append_connected(gates, order.take(true), set_of, blocks);
  }
  for (GateBlock& block : blocks) {
    std::ranges::sort(block.qubits);
    block.qubits.erase(std::unique(block.qubits.begin(), block.qubits.end()), block.qubits.end());
  }
  return blocks;
}

}  // namespace quartz::optimizer
