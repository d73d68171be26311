#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "optimize/products/product_network.hpp"

namespace quartz::optimizer {

/// A CNOT on the wires that carry the elements of one slot of a group.
struct ElementCnot {
  std::uint32_t control = 0;
  std::uint32_t target = 0;
  friend bool operator==(const ElementCnot&, const ElementCnot&) = default;
};

/// What one slot of a group has to do before one of its three parts: CNOTs after which the elements
/// of the part are on wires of the group.
struct PartInstallation {
  std::vector<ElementCnot> cnots;
  std::vector<std::uint32_t> wires;  ///< for each element of the part, the element whose wire it is
  friend bool operator==(const PartInstallation&, const PartInstallation&) = default;
};

/// How one slot of each group of a level consists of its three parts.
struct SlotStep {
  std::size_t elements = 0;  ///< number of elements in each group
  /// In the order in which the parts are carried out. Each one begins where the one before it ends.
  std::array<PartInstallation, 3> parts;
  std::vector<ElementCnot> restoration;  ///< after which each wire carries its element again
  friend bool operator==(const SlotStep&, const SlotStep&) = default;
};

/// How groups of products consist of three groups of the level below each.
struct GroupLevel {
  std::array<std::uint8_t, 3> order{};  ///< in which the parts are carried out
  std::array<SlotStep, 3> slots;
};

/// Elements of the three slots of a group: independent linear forms.
using GroupElements = std::array<std::vector<LinearForm>, 3>;

/// A list of products as a recursion. Three consecutive groups of each level, called parts, make up
/// one group of the next one; the groups of level 0 are the products, with their forms as elements.
/// All groups of a level are alike: the elements of the parts are the same sums of the elements of
/// the group.
struct RecursiveStructure {
  std::vector<GroupLevel> levels;  ///< level i + 1 consists of groups of level i
  std::vector<GroupElements>
      groups;  ///< the groups of the last level, in the order of the products
};

/// Returns the structure of a list of products that comes from a recursion such as Karatsuba's,
/// with as many levels as there are; nothing if there is none. The structure is found from the
/// forms: elements of parts that correspond to each other are added so that the group has as few
/// different elements as possible. It depends on the order of the products, and on that of their
/// forms.
[[nodiscard]] std::optional<RecursiveStructure> recursive_structure_of(
    std::span<const Product> products);

}  // namespace quartz::optimizer
