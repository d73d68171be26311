#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "optimize/product_reduction/flip_search.hpp"

namespace quartz::optimizer {

/// Products whose forms are in the order of three slots: each element of the basis belongs to one
/// slot, and a form is a sum of elements of its slot.
struct GradedProducts {
  std::array<std::uint64_t, 3> slots{};  ///< for each slot, its elements
  std::vector<WordProduct> products;
};

/// Returns the products with their forms in the order of slots; nothing if the elements of the
/// basis cannot be divided in this way.
[[nodiscard]] std::optional<GradedProducts> in_slots(std::span<const WordProduct> products);

}  // namespace quartz::optimizer
