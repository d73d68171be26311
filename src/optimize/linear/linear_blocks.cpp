#include "optimize/linear/linear_blocks.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "optimize/gate_blocks/gate_blocks.hpp"
#include "optimize/linear/linear_synthesis.hpp"

namespace quartz::optimizer {
namespace {

/// Smaller blocks are left to other methods, which find the best ones.
constexpr std::size_t kMinWires = 3;
constexpr std::size_t kMinCnots = 3;

bool is_linear(const Operation& operation) {
  return !operation.is_boundary() &&
         (operation.gate == GateKind::cx || operation.gate == GateKind::swap);
}

std::size_t cnots_of(const Operation& gate) { return gate.gate == GateKind::swap ? 3 : 1; }

class LinearResynthesis {
 public:
  LinearResynthesis(std::span<const Operation> gates, std::uint32_t wires,
                    const CouplingMap* coupling)
      : gates_(gates), wires_(wires), coupling_(coupling), recorder_(gates.size()) {}

  [[nodiscard]] circuit::DerivedGates run(const Budget& budget) {
    std::vector<bool> is_linear_gate;
    is_linear_gate.reserve(gates_.size());
    result_.reserve(gates_.size());
    numbers_.reserve(gates_.size());
    for (const Operation& gate : gates_) is_linear_gate.push_back(is_linear(gate));
    for (const GateBlock& block : divide_into_blocks(gates_, wires_, is_linear_gate)) {
      if (block.has_kind && !budget.spent() && replace(block)) continue;
      for (const std::uint32_t gate : block.gates) keep(gate);
    }
    if (recorder_.is_empty()) return circuit::DerivedGates::unchanged(gates_);
    return {std::move(result_),
            {},
            circuit::Derivation::by(std::move(recorder_).finish(std::move(numbers_)))};
  }

 private:
  void keep(std::uint32_t gate) {
    result_.push_back(gates_[gate]);
    numbers_.push_back(gate);
  }

  /// Returns whether the block was replaced by fewer CNOTs.
  [[nodiscard]] bool replace(const GateBlock& block) {
    const std::size_t wires = block.qubits.size();
    if (wires < kMinWires || wires > kMaxLinearWires) return false;
    LinearMap map(wires);
    std::size_t before = 0;
    for (const std::uint32_t gate : block.gates) {
      append(gates_[gate], block, map);
      before += cnots_of(gates_[gate]);
    }
    if (before < kMinCnots || is_forest(block)) return false;
    const std::optional<std::vector<LinearCnot>> found = synthesize_linear_map(map, before);
    if (!found) return false;
    std::vector<Operation> after;
    for (const LinearCnot& cnot : *found) {
      const Qubit control = block.qubits[cnot.control];
      const Qubit target = block.qubits[cnot.target];
      if (coupling_ != nullptr && !coupling_->allows(control, target)) return false;
      after.push_back(make_operation(GateKind::cx, {control, target}));
    }
    insert(block, after);
    return true;
  }

  /// Returns whether no two CNOTs of a block are on a cycle of wires. There are no fewer CNOTs for
  /// its map then: in a tree, each cut is crossed by a map that is not a product, which follows
  /// leaf by leaf, so that any other circuit connects all wires of the tree, too. Most blocks of
  /// random gates are of this kind.
  [[nodiscard]] bool is_forest(const GateBlock& block) const {
    std::array<std::uint8_t, kMaxLinearWires> parents{};
    std::iota(parents.begin(), parents.end(), std::uint8_t{0});
    const auto root_of = [&](std::uint8_t wire) {
      while (parents.at(wire) != wire) wire = parents.at(wire) = parents.at(parents.at(wire));
      return wire;
    };
    return std::ranges::all_of(block.gates, [&](std::uint32_t gate) {
      const std::uint8_t first = root_of(wire_of(gates_[gate], 0, block));
      const std::uint8_t second = root_of(wire_of(gates_[gate], 1, block));
      parents.at(first) = second;
      return first != second && gates_[gate].gate != GateKind::swap;
    });
  }

  [[nodiscard]] static std::uint8_t wire_of(const Operation& gate, std::size_t operand,
                                            const GateBlock& block) {
    const auto place = std::ranges::lower_bound(block.qubits, gate.qubits[operand]);
    return static_cast<std::uint8_t>(place - block.qubits.begin());
  }

  static void append(const Operation& gate, const GateBlock& block, LinearMap& map) {
    const auto wire = [&](std::size_t operand) { return wire_of(gate, operand, block); };
    map.append({wire(0), wire(1)});
    if (gate.gate != GateKind::swap) return;
    map.append({wire(1), wire(0)});
    map.append({wire(0), wire(1)});
  }

  void insert(const GateBlock& block, const std::vector<Operation>& after) {
    circuit::GateNumber number = recorder_.next_number();
    recorder_.rewrite(block.gates, {}, after);
    for (std::size_t i = 0; i < after.size(); ++i) numbers_.push_back(number++);
    result_.insert(result_.end(), after.begin(), after.end());
  }

  std::span<const Operation> gates_;
  std::uint32_t wires_;
  const CouplingMap* coupling_;
  circuit::HistoryRecorder recorder_;
  std::vector<Operation> result_;
  std::vector<circuit::GateNumber> numbers_;  ///< those of the gates of the result
};

}  // namespace

circuit::DerivedGates resynthesize_linear_blocks(std::span<const Operation> gates,
                                                 std::uint32_t wires, const CouplingMap* coupling,
                                                 const Budget& budget) {
  // Most circuits without long runs of CNOTs are passed over.
  if (std::ranges::count_if(gates, is_linear) < static_cast<std::ptrdiff_t>(kMinCnots)) {
    return circuit::DerivedGates::unchanged(gates);
  }
  return LinearResynthesis(gates, wires, coupling).run(budget);
}

}  // namespace quartz::optimizer
