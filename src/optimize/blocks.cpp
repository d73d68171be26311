#include "optimize/blocks.hpp"

#include <algorithm>

namespace quartz {
namespace {

/// A gate that is a wall for the sake of its condition only.
bool is_conditional_gate(const Operation& operation) {
  return operation.kind == OperationKind::gate && operation.is_wall();
}

class Splitter {
 public:
  Splitter(std::span<const Operation> operations, std::uint32_t qubits) : earliest_(qubits, 0) {
    // Most circuits are one block. Its gates come up to the first wall at least.
    const auto is_wall = [](const Operation& operation) { return operation.is_wall(); };
    const auto first_wall = std::find_if(operations.begin(), operations.end(), is_wall);
    blocks.back().gates.reserve(static_cast<std::size_t>(first_wall - operations.begin()));
    for (const Operation& operation : operations) add(operation);
  }

  std::vector<Block> blocks = std::vector<Block>(1);

 private:
  void add(const Operation& operation) {
    if (is_conditional_gate(operation)) {
      add_conditional(operation);
    } else if (operation.is_wall()) {
      add_wall(operation);
    } else {
      add_gate(operation);
    }
  }

  void add_wall(const Operation& wall) {
    blocks.back().wall = wall;
    blocks.emplace_back();
    for (const Qubit qubit : wall.qubits) earliest_[qubit] = blocks.size() - 1;
  }

  void add_gate(const Operation& gate) {
    std::size_t block = 0;
    for (const Qubit qubit : gate.qubits) block = std::max(block, earliest_[qubit]);
    while (block < blocks.size() && blocks[block].condition != nullptr) ++block;
    if (block == blocks.size()) blocks.emplace_back();
    put(gate, block);
  }

  void add_conditional(const Operation& gate) {
    const auto& condition = blocks.back().condition;
    if (condition == nullptr || *condition != *gate.classical) {
      blocks.emplace_back().condition = gate.classical;
    }
    Operation plain = gate;
    plain.classical = nullptr;
    put(plain, blocks.size() - 1);
  }

  void put(const Operation& gate, std::size_t block) {
    blocks[block].gates.push_back(gate);
    for (const Qubit qubit : gate.qubits) earliest_[qubit] = block;
  }

  /// The first block whose gates may still touch the qubit: the one after its last wall, or the one
  /// where its last gate stands.
  std::vector<std::size_t> earliest_;
};

}  // namespace

std::vector<Block> split_at_walls(std::span<const Operation> operations, std::uint32_t qubits) {
  return std::move(Splitter(operations, qubits).blocks);
}

std::vector<Operation> join_blocks(std::span<const Block> blocks) {
  std::size_t size = 0;
  for (const Block& block : blocks) size += block.gates.size() + 1;
  std::vector<Operation> operations;
  operations.reserve(size);
  for (const Block& block : blocks) {
    for (const Operation& gate : block.gates) {
      operations.push_back(gate);
      operations.back().classical = block.condition;
    }
    if (block.wall) operations.push_back(*block.wall);
  }
  return operations;
}

}  // namespace quartz
