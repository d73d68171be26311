#include "optimize/passes/free_swaps.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "circuit/history.hpp"
#include "circuit/permutation/final_swaps.hpp"
#include "optimize/cost/scalar_gate_cost.hpp"
#include "optimize/resynthesis/block_unitary.hpp"
#include "optimize/resynthesis/two_qubit_runs.hpp"
#include "optimize/resynthesis/two_qubit_synthesis.hpp"
#include "quartz/base/errors.hpp"

namespace quartz::optimizer {
namespace {

using circuit::GateNumber;

/// Most gates that the SWAP gates of one call move past, so that the time and the journal of a
/// large circuit stay small.
constexpr std::size_t kMaxMoves = 200'000;
constexpr std::size_t kNoSwap = ~std::size_t{0};

/// Decides which blocks cost less with a SWAP gate behind them.
class BlockCosts {
 public:
  BlockCosts(const Circuit& circuit, const GateSet& set, const Cost& cost)
      : circuit_(circuit),
        gate_cost_(scalar_gate_cost_in_blocks(cost, set)),
        synthesis_(set, gate_cost_) {
    swap_.row(1).swap(swap_.row(2));
  }

  [[nodiscard]] bool is_known() const { return synthesis_.available(); }
  [[nodiscard]] bool is_cheaper_with_swap(const TwoQubitRun& block) const {
    std::vector<Operation> gates;
    for (const std::size_t index : block.places) gates.push_back(circuit_.operations[index]);
    const std::uint64_t now = sum_of_costs(gates, gate_cost_);
    const Eigen::Matrix4cd unitary = two_qubit_unitary(gates, block.qubits[0], block.qubits[1]);
    const auto kept = synthesis_.synthesize(unitary, now);
    const std::uint64_t least = kept ? std::min(now, kept->cost) : now;
    return synthesis_.synthesize(swap_ * unitary, least).has_value();
  }

 private:
  const Circuit& circuit_;
  ScalarGateCost gate_cost_;
  TwoQubitSynthesis synthesis_;
  Eigen::Matrix4cd swap_ = Eigen::Matrix4cd::Identity();
};

/// The operations of a circuit that are not final, while SWAP gates move to their places.
class MovedSwaps {
 public:
  /// The circuit gets this number of SWAP gates.
  MovedSwaps(const Circuit& circuit, const std::vector<bool>& is_final, std::size_t swaps)
      : final_count_(static_cast<std::size_t>(std::ranges::count(is_final, true))),
        recorder_(circuit.operations.size() + swaps) {
    for (std::size_t i = 0; i < is_final.size(); ++i) {
      first_places_.push_back(items_.size());
      if (is_final[i]) continue;
      const auto number = static_cast<GateNumber>(items_.size());
      items_.push_back({circuit.operations[i], number, i});
    }
    next_swap_ = static_cast<GateNumber>(items_.size());
  }

  /// Returns whether only gates follow on the qubits of a block, behind its last gate, and counts
  /// them. In the body of a loop that is never so, because its end is on all qubits: a SWAP gate
  /// whose effect leaves the circuit must be executed once.
  [[nodiscard]] bool is_followed_by_gates(const TwoQubitRun& block, SwapPlaces places,
                                          std::size_t& moves) const {
    const std::array<Qubit, 2> wires = wires_of(block);
    for (std::size_t i = place_of(block.places.back()) + 1; i < items_.size(); ++i) {
      if (!touches(items_[i].operation, wires)) continue;
      if (items_[i].operation.is_boundary() || places == SwapPlaces::at_the_end) return false;
      ++moves;
    }
    return true;
  }
  /// Moves a SWAP gate from the end to the place behind a block.
  void insert_behind(const TwoQubitRun& block) {
    const std::array<Qubit, 2> wires = wires_of(block);
    pairs_.push_back(wires);
    const std::size_t first = place_of(block.places.back()) + 1;
    Item swap{make_operation(GateKind::swap, {wires[0], wires[1]}), next_swap_++, kNoSwap};
    for (std::size_t i = items_.size(); i-- > first;) {
      if (touches(items_[i].operation, wires)) pass(items_[i], swap);
    }
    items_.insert(items_.begin() + static_cast<std::ptrdiff_t>(first), std::move(swap));
  }
  /// Returns the wires of the SWAP gates.
  [[nodiscard]] std::span<const std::array<Qubit, 2>> pairs() const { return pairs_; }
  /// Replaces the operations before the final ones, and returns the history of that.
  [[nodiscard]] circuit::HistoryPointer apply_to(std::vector<Operation>& operations) && {
    std::vector<GateNumber> order;
    for (std::size_t i = 0; i < items_.size(); ++i) {
      order.push_back(items_[i].number);
      operations[i] = std::move(items_[i].operation);
    }
    for (std::size_t i = 0; i < final_count_; ++i) {
      order.push_back(static_cast<GateNumber>(items_.size() + i));
    }
    if (recorder_.is_empty() && std::ranges::is_sorted(order)) return nullptr;
    return std::move(recorder_).finish(std::move(order));
  }

 private:
  struct Item {
    Operation operation;
    GateNumber number = 0;
    std::size_t origin = kNoSwap;  ///< index in the circuit
  };

  static bool touches(const Operation& operation, const std::array<Qubit, 2>& wires) {
    return std::ranges::any_of(operation.qubits,
                               [&](Qubit qubit) { return qubit == wires[0] || qubit == wires[1]; });
  }
  [[nodiscard]] std::size_t place_of(std::size_t origin) const {
    std::size_t place = first_places_[origin];
    while (items_.at(place).origin != origin) ++place;  // behind as many SWAP gates
    return place;
  }
  [[nodiscard]] std::array<Qubit, 2> wires_of(const TwoQubitRun& block) const {
    for (const std::size_t gate : block.places) {
      const Operation& now = items_[place_of(gate)].operation;
      if (now.qubits.size() == 2) return {now.qubits[0], now.qubits[1]};
    }
    throw InternalError("a block has a gate on two qubits");
  }
  /// Exchanges a SWAP gate with the gate before it, which then is on the other wires.
  void pass(Item& item, Item& swap) {
    const std::array<GateNumber, 2> removed{item.number, swap.number};
    const Qubit a = swap.operation.qubits[0];
    const Qubit b = swap.operation.qubits[1];
    for (Qubit& qubit : item.operation.qubits) qubit = qubit == a ? b : qubit == b ? a : qubit;
    swap.number = recorder_.next_number();
    item.number = swap.number + 1;
    const std::array<Operation, 2> inserted{swap.operation, item.operation};
    recorder_.rewrite(removed, {}, inserted);
  }

  std::vector<Item> items_;
  std::vector<std::size_t> first_places_;  ///< index of each operation before there are SWAP gates
  std::size_t final_count_ = 0;
  GateNumber next_swap_ = 0;
  std::vector<std::array<Qubit, 2>> pairs_;
  circuit::HistoryRecorder recorder_;
};

/// Returns the blocks of operations that are not final, with their indices in the circuit.
std::vector<TwoQubitRun> blocks_of(const Circuit& circuit, const std::vector<bool>& is_final) {
  std::vector<Operation> operations;
  std::vector<std::size_t> origins;
  for (std::size_t i = 0; i < is_final.size(); ++i) {
    if (is_final[i]) continue;
    operations.push_back(circuit.operations[i]);
    origins.push_back(i);
  }
  std::vector<TwoQubitRun> blocks = two_qubit_runs(operations, circuit.qubit_count());
  for (TwoQubitRun& block : blocks) {
    for (std::size_t& place : block.places) place = origins[place];
  }
  return blocks;
}

/// Returns the blocks that get a SWAP gate, in the order of their ends.
std::vector<TwoQubitRun> chosen_blocks(const Circuit& circuit, const std::vector<bool>& is_final,
                                       const BlockCosts& costs, SwapPlaces places) {
  const MovedSwaps unmoved(circuit, is_final, 0);
  std::vector<TwoQubitRun> chosen;
  std::size_t moves = 0;
  for (TwoQubitRun& block : blocks_of(circuit, is_final)) {
    if (!costs.is_cheaper_with_swap(block)) continue;
    std::size_t own_moves = 0;
    if (!unmoved.is_followed_by_gates(block, places, own_moves)) continue;
    moves += own_moves;
    if (moves > kMaxMoves) break;
    chosen.push_back(std::move(block));
  }
  std::ranges::sort(chosen, {}, [](const TwoQubitRun& block) { return block.places.back(); });
  return chosen;
}

}  // namespace

std::optional<circuit::DerivedCircuit> with_free_swaps(const Circuit& circuit, const GateSet& set,
                                                       const Cost& cost, SwapPlaces places) {
  const BlockCosts costs(circuit, set, cost);
  if (!costs.is_known()) return std::nullopt;
  const std::vector<bool> is_final = final_operations(circuit);
  const std::vector<TwoQubitRun> chosen = chosen_blocks(circuit, is_final, costs, places);
  if (chosen.empty()) return std::nullopt;
  MovedSwaps moved(circuit, is_final, chosen.size());
  for (const TwoQubitRun& block : chosen) moved.insert_behind(block);
  circuit::FinalSwaps swaps = circuit::with_final_swaps(circuit, moved.pairs());
  circuit::HistoryPointer history = std::move(moved).apply_to(swaps.circuit.operations);
  circuit::Derivation derivation = circuit::Derivation::by(std::move(swaps.history))
                                       .then(circuit::Derivation::by(std::move(history)));
  return circuit::DerivedCircuit{std::move(swaps.circuit), std::move(derivation),
                                 std::move(swaps.permutation)};
}

}  // namespace quartz::optimizer
