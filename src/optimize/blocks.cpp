#include "optimize/blocks.hpp"

#include <algorithm>

namespace quartz {

std::vector<Block> split_at_walls(std::span<const Operation> operations, std::uint32_t qubits) {
  std::vector<Block> blocks(1);
  // The first block whose gates may still touch the qubit: the one after its last wall, or the one
  // where its last gate stands.
  std::vector<std::size_t> earliest(qubits, 0);
  for (const Operation& operation : operations) {
    if (operation.is_wall()) {
      blocks.back().wall = operation;
      blocks.emplace_back();
      for (const Qubit qubit : operation.qubits) earliest[qubit] = blocks.size() - 1;
      continue;
    }
    std::size_t block = 0;
    for (const Qubit qubit : operation.qubits) block = std::max(block, earliest[qubit]);
    for (const Qubit qubit : operation.qubits) earliest[qubit] = block;
    blocks[block].gates.push_back(operation);
  }
  return blocks;
}

std::vector<Operation> join_blocks(std::span<const Block> blocks) {
  std::vector<Operation> operations;
  for (const Block& block : blocks) {
    operations.insert(operations.end(), block.gates.begin(), block.gates.end());
    if (block.wall) operations.push_back(*block.wall);
  }
  return operations;
}

}  // namespace quartz
