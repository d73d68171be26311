#include "quartz/optimize/cheaper_swaps.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "optimize/cost/gate_cost.hpp"
#include "optimize/resynthesis/block_unitary.hpp"
#include "optimize/resynthesis/two_qubit_synthesis.hpp"
#include "quartz/circuit/output_permutation.hpp"

namespace quartz {
namespace {

/// The gates on two qubits behind which there is nothing but measurements.
struct LastBlock {
  std::array<Qubit, 2> qubits{};
  std::vector<Operation> gates;  ///< in program order
};

bool has_constant_angles(const Operation& operation) {
  return std::ranges::all_of(operation.angles,
                             [](const Angle& angle) { return angle.is_constant(); });
}

/// Collects the last blocks of a circuit from its end.
class LastBlocks {
 public:
  explicit LastBlocks(std::size_t qubits) : wires_(qubits) {}

  void prepend(const Operation& operation) {
    const bool is_in_block =
        !operation.is_boundary() && operation.qubits.size() <= 2 && has_constant_angles(operation);
    if (is_in_block && operation.qubits.size() == 2) {
      prepend_pair(operation);
    } else if (is_in_block && operation.qubits.size() == 1) {
      Wire& wire = wires_[operation.qubits[0]];
      if (!wire.is_closed) gates_of(wire).push_back(operation);
    } else {
      for (const Qubit qubit : operation.qubits) wires_[qubit].is_closed = true;
    }
  }
  [[nodiscard]] std::vector<LastBlock> take() {
    for (LastBlock& block : blocks_) std::ranges::reverse(block.gates);
    return std::move(blocks_);
  }

 private:
  static constexpr std::size_t kNone = ~std::size_t{0};

  struct Wire {
    bool is_closed = false;
    std::size_t block = kNone;     ///< index in `blocks_`
    std::vector<Operation> gates;  ///< while it is in no block; backwards
  };

  std::vector<Operation>& gates_of(Wire& wire) {
    return wire.block == kNone ? wire.gates : blocks_[wire.block].gates;
  }
  void prepend_pair(const Operation& operation) {
    Wire& first = wires_[operation.qubits[0]];
    Wire& second = wires_[operation.qubits[1]];
    if (!first.is_closed && !second.is_closed && first.block == second.block) {
      if (first.block == kNone) begin_block(operation, first, second);
      blocks_[first.block].gates.push_back(operation);
    } else {
      first.is_closed = true;
      second.is_closed = true;
    }
  }
  void begin_block(const Operation& operation, Wire& first, Wire& second) {
    LastBlock block{{operation.qubits[0], operation.qubits[1]}, std::move(first.gates)};
    block.gates.insert(block.gates.end(), second.gates.begin(), second.gates.end());
    first.block = blocks_.size();
    second.block = blocks_.size();
    blocks_.push_back(std::move(block));
  }

  std::vector<Wire> wires_;
  std::vector<LastBlock> blocks_;
};

std::vector<LastBlock> last_blocks(const Circuit& circuit) {
  LastBlocks blocks(circuit.qubit_count());
  const std::vector<bool> is_final = final_operations(circuit);
  for (std::size_t i = circuit.operations.size(); i-- > 0;) {
    if (!is_final[i]) blocks.prepend(circuit.operations[i]);
  }
  return blocks.take();
}

}  // namespace

std::vector<std::array<Qubit, 2>> pairs_cheaper_with_swap(const Circuit& circuit,
                                                          const GateSet& set, const Cost& cost) {
  const optimizer::GateCost gate_cost = optimizer::gate_cost_of(cost, set);
  const optimizer::TwoQubitSynthesis synthesis(set, gate_cost);
  std::vector<std::array<Qubit, 2>> pairs;
  if (!synthesis.available()) return pairs;
  Eigen::Matrix4cd swap = Eigen::Matrix4cd::Identity();
  swap.row(1).swap(swap.row(2));
  for (const LastBlock& block : last_blocks(circuit)) {
    if (block.gates.size() > optimizer::kMaxRunGates) continue;
    double now = 0;
    for (const Operation& gate : block.gates) now += gate_cost(gate);
    const Eigen::Matrix4cd unitary =
        optimizer::two_qubit_unitary(block.gates, block.qubits[0], block.qubits[1]);
    const auto kept = synthesis.synthesize(unitary, now);
    const double least = kept ? std::min(now, kept->cost) : now;
    if (synthesis.synthesize(swap * unitary, least)) pairs.push_back(block.qubits);
  }
  return pairs;
}

}  // namespace quartz
