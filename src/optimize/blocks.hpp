#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "quartz/circuit/operation.hpp"

namespace quartz {

/// Plain gates, and the wall that stands after them.
struct Block {
  std::vector<Operation> gates;
  std::optional<Operation> wall;  ///< none after the last block
};

/// Cuts a circuit at its walls, which keep their order. A gate that no earlier wall holds back
/// stands in the earliest block it can, so that blocks are as large as may be.
[[nodiscard]] std::vector<Block> split_at_walls(std::span<const Operation> operations,
                                                std::uint32_t qubits);
[[nodiscard]] std::vector<Operation> join_blocks(std::span<const Block> blocks);

}  // namespace quartz
