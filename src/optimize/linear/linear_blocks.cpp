#include "optimize/linear/linear_blocks.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

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

/// Takes the gates in an order of the circuit in which linear gates and other ones alternate in
/// groups that are as large as possible.
class AlternatingOrder {
 public:
  AlternatingOrder(std::span<const Operation> gates, std::uint32_t wires)
      : gates_(gates), waiting_for_(gates.size(), 0), next_(gates.size()) {
    std::vector<std::uint32_t> last(wires, kNone);
    for (std::uint32_t i = 0; i < gates.size(); ++i) {
      for (const Qubit wire : gates[i].qubits) {
        if (last[wire] != kNone) {
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
  /// Takes all gates that are ready, and that become so, of one kind.
  [[nodiscard]] std::vector<std::uint32_t> take(bool linear) {
    std::vector<std::uint32_t> taken;
    std::vector<std::uint32_t>& own = ready_.at(linear ? 1 : 0);
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
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  void ready(std::uint32_t gate) { ready_.at(is_linear(gates_[gate]) ? 1 : 0).push_back(gate); }

  std::span<const Operation> gates_;
  std::vector<std::uint32_t> waiting_for_;
  std::vector<std::vector<std::uint32_t>> next_;
  std::array<std::vector<std::uint32_t>, 2> ready_;  ///< other gates, and linear ones
};

/// Connected linear gates that follow each other.
struct LinearBlock {
  std::vector<Qubit> qubits;
  std::vector<std::uint32_t> gates;
};

/// Divides gates into those that are connected. `set_of` is used for each qubit, and none of it is
/// kept.
std::vector<LinearBlock> blocks_of(std::span<const Operation> gates,
                                   std::span<const std::uint32_t> taken,
                                   std::vector<Qubit>& set_of) {
  const auto root = [&](Qubit qubit) {
    while (set_of[qubit] != qubit) qubit = set_of[qubit] = set_of[set_of[qubit]];
    return qubit;
  };
  for (const std::uint32_t gate : taken) {
    for (const Qubit qubit : gates[gate].qubits) set_of[qubit] = qubit;
  }
  for (const std::uint32_t gate : taken) {
    set_of[root(gates[gate].qubits[0])] = root(gates[gate].qubits[1]);
  }
  std::vector<LinearBlock> blocks;
  std::vector<std::pair<Qubit, std::uint32_t>> by_root;
  for (const std::uint32_t gate : taken) by_root.emplace_back(root(gates[gate].qubits[0]), gate);
  std::ranges::stable_sort(by_root, {}, &std::pair<Qubit, std::uint32_t>::first);
  for (std::size_t i = 0; i < by_root.size(); ++i) {
    if (i == 0 || by_root[i].first != by_root[i - 1].first) blocks.emplace_back();
    LinearBlock& block = blocks.back();
    block.gates.push_back(by_root[i].second);
    for (const Qubit qubit : gates[by_root[i].second].qubits) block.qubits.push_back(qubit);
  }
  for (LinearBlock& block : blocks) {
    std::ranges::sort(block.qubits);
    block.qubits.erase(std::unique(block.qubits.begin(), block.qubits.end()), block.qubits.end());
  }
  return blocks;
}

class LinearResynthesis {
 public:
  LinearResynthesis(std::span<const Operation> gates, std::uint32_t wires,
                    const CouplingMap* coupling)
      : gates_(gates),
        order_(gates, wires),
        set_of_(wires),
        coupling_(coupling),
        recorder_(gates.size()) {}

  [[nodiscard]] circuit::DerivedGates run(const Budget& budget) {
    while (!order_.is_at_end()) {
      for (const std::uint32_t gate : order_.take(false)) keep(gate);
      const std::vector<std::uint32_t> linear = order_.take(true);
      for (const LinearBlock& block : blocks_of(gates_, linear, set_of_)) {
        if (budget.spent() || !replace(block)) {
          for (const std::uint32_t gate : block.gates) keep(gate);
        }
      }
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
  [[nodiscard]] bool replace(const LinearBlock& block) {
    const std::size_t wires = block.qubits.size();
    if (wires < kMinWires || wires > kMaxLinearWires) return false;
    LinearMap map(wires);
    std::size_t before = 0;
    for (const std::uint32_t gate : block.gates) {
      append(gates_[gate], block, map);
      before += cnots_of(gates_[gate]);
    }
    if (before < kMinCnots) return false;
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

  static void append(const Operation& gate, const LinearBlock& block, LinearMap& map) {
    const auto wire = [&](std::size_t operand) {
      const auto place = std::ranges::lower_bound(block.qubits, gate.qubits[operand]);
      return static_cast<std::uint8_t>(place - block.qubits.begin());
    };
    map.append({wire(0), wire(1)});
    if (gate.gate != GateKind::swap) return;
    map.append({wire(1), wire(0)});
    map.append({wire(0), wire(1)});
  }

  void insert(const LinearBlock& block, const std::vector<Operation>& after) {
    circuit::GateNumber number = recorder_.next_number();
    recorder_.rewrite(block.gates, {}, after);
    for (std::size_t i = 0; i < after.size(); ++i) numbers_.push_back(number++);
    result_.insert(result_.end(), after.begin(), after.end());
  }

  std::span<const Operation> gates_;
  AlternatingOrder order_;
  std::vector<Qubit> set_of_;
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
