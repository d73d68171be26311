#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "quartz/circuit/operation.hpp"

namespace quartz {

/// Gates, and the wall that stands after them.
struct Block {
  std::vector<Operation> gates;        ///< plain ones
  std::optional<Operation> wall = {};  ///< none after the last block
  /// What all of the gates are under, which has no part but its condition; null: nothing.
  std::shared_ptr<const ClassicalPart> condition = {};
};

/// Cuts a circuit at its walls, which keep their order. A gate that no earlier wall holds back
/// stands in the earliest block it can, so that blocks are as large as may be. Gates that follow
/// one another under one condition are a block of their own: within the branch where it holds they
/// are plain gates, and a global phase of theirs cannot be observed.
[[nodiscard]] std::vector<Block> split_at_walls(std::span<const Operation> operations,
                                                std::uint32_t qubits);
[[nodiscard]] std::vector<Operation> join_blocks(std::span<const Block> blocks);

}  // namespace quartz
