#include "optimize/product_synthesis/recursive_synthesis.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "optimize/product_synthesis/linear_reduction.hpp"
#include "optimize/product_synthesis/recursive_structure.hpp"
#include "optimize/product_synthesis/triple_walks.hpp"
#include "optimize/products/bit_matrix.hpp"
#include "quartz/base/errors.hpp"

namespace quartz::optimizer {
namespace {

using Cnots = std::vector<NetworkCnot>;

constexpr TripleParities kAllParities = 127;

/// CNOTs that carry out a group on wires of its elements: first those of slot 0, then 1, then 2.
struct GroupCircuit {
  std::size_t wires = 0;
  Cnots cnots;
};

Cnots reversed(const Cnots& cnots) { return {cnots.rbegin(), cnots.rend()}; }

/// Appends CNOTs on other wires.
void append_on(std::span<const std::uint32_t> wires, const Cnots& cnots, Cnots& all) {
  for (const NetworkCnot& cnot : cnots) {
    all.push_back({wires[cnot.control], wires[cnot.target]});
  }
}

/// Returns what wires carry after CNOTs.
std::vector<LinearForm> carried_after(std::size_t wires, const Cnots& cnots) {
  std::vector<LinearForm> carried = identity_matrix(wires);
  for (const NetworkCnot& cnot : cnots) carried[cnot.target] ^= carried[cnot.control];
  return carried;
}

/// Returns whether a slot of a group falls apart into the elements of two of its parts, and those
/// of the third part are sums of these, on the wires of the first or the second one.
bool consists_of_two_parts(const SlotStep& step) {
  const std::vector<std::uint32_t>& first = step.parts[0].wires;
  const std::vector<std::uint32_t>& second = step.parts[1].wires;
  const std::vector<std::uint32_t>& third = step.parts[2].wires;
  return step.elements == first.size() + second.size() && step.parts[0].cnots.empty() &&
         step.parts[1].cnots.empty() && (third == first || third == second);
}

/// Builds the circuit of a group from that of its parts.
///
/// In slots that consist of two parts, nothing is restored after the third part: a second run of
/// the group, reversed, leads back. The circuit of the first two parts may leave their elements
/// changed for the same reason. As both are changed in the same way, their sums are as well, and
/// the reversed circuit carries out the third part.
class GroupBuilder {
 public:
  GroupBuilder(const GroupLevel& level, const GroupCircuit& part) : level_(level), part_(part) {
    std::uint32_t first = 0;
    for (std::size_t slot = 0; slot < level.slots.size(); ++slot) {
      first_of_.at(slot) = first;
      first += static_cast<std::uint32_t>(level.slots.at(slot).elements);
    }
    group_.wires = first;
  }

  [[nodiscard]] GroupCircuit build() {
    for (std::size_t i = 0; i < 3; ++i) {
      std::vector<std::uint32_t> wires;
      for (std::size_t slot = 0; slot < level_.slots.size(); ++slot) {
        const PartInstallation& part = level_.slots.at(slot).parts.at(i);
        append(slot, part.cnots);
        for (const std::uint32_t element : part.wires)
          wires.push_back(first_of_.at(slot) + element);
      }
      append_on(wires, i < 2 ? part_.cnots : reversed(part_.cnots), group_.cnots);
    }
    for (std::size_t slot = 0; slot < level_.slots.size(); ++slot) {
      const SlotStep& step = level_.slots.at(slot);
      if (!consists_of_two_parts(step)) append(slot, step.restoration);
    }
    return std::move(group_);
  }

 private:
  void append(std::size_t slot, const std::vector<ElementCnot>& cnots) {
    const std::uint32_t first = first_of_.at(slot);
    for (const auto& [control, target] : cnots) {
      group_.cnots.push_back({first + control, first + target});
    }
  }

  const GroupLevel& level_;
  const GroupCircuit& part_;
  GroupCircuit group_;
  std::array<std::uint32_t, 3> first_of_{};
};

/// The state of all wires while groups are carried out.
class Wires {
 public:
  explicit Wires(std::size_t wires) : carried_(identity_matrix(wires)), inverse_(carried_) {}

  void append(const Cnots& cnots) {
    for (const NetworkCnot& cnot : cnots) {
      carried_[cnot.target] ^= carried_[cnot.control];
      for (LinearForm& coordinates : inverse_) {
        if (coordinates[cnot.target]) coordinates.flip(cnot.control);
      }
    }
    cnots_.insert(cnots_.end(), cnots.begin(), cnots.end());
  }
  /// Returns the wires whose sum a form is.
  [[nodiscard]] LinearForm coordinates_of(const LinearForm& form) const {
    return multiply(form, inverse_);
  }
  [[nodiscard]] std::size_t size() const { return carried_.size(); }
  [[nodiscard]] Cnots take() { return std::move(cnots_); }

 private:
  std::vector<LinearForm> carried_;
  std::vector<LinearForm> inverse_;  ///< the wires whose sum each input is
  Cnots cnots_;
};

/// CNOTs after which each of some forms is on a wire of its own.
struct RecursionPlacement {
  Cnots cnots;
  std::vector<std::uint32_t> wires;  ///< for each form
};

/// Chooses the wires of forms, which are given as sums of wires, by elimination: the wire of a form
/// is one of those whose sum it is, after the forms with fewer wires have been eliminated.
RecursionPlacement placement_of(const std::vector<LinearForm>& forms, std::size_t wires) {
  std::vector<std::size_t> order(forms.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return forms[i].count(); });
  std::vector<LinearForm> rows = identity_matrix(wires);
  std::vector<std::pair<LinearForm, std::size_t>> eliminated;  // with their wires
  RecursionPlacement result;
  result.wires.resize(forms.size());
  for (const std::size_t i : order) {
    LinearForm left = forms[i];
    for (const auto& [form, wire] : eliminated) {
      if (left[wire]) left ^= form;
    }
    const LinearForm own = left & forms[i];
    const std::size_t wire = own.any() ? own.find_first() : left.find_first();
    ensure(wire != LinearForm::npos, "the elements of a group are independent");
    eliminated.emplace_back(std::move(left), wire);
    rows[wire] = forms[i];
    result.wires[i] = static_cast<std::uint32_t>(wire);
  }
  result.cnots = cnots_of_linear_map(rows);
  return result;
}

/// Returns the elements of a group in the order of the wires of its circuit.
std::vector<LinearForm> listed(const GroupElements& group) {
  std::vector<LinearForm> elements;
  for (const std::vector<LinearForm>& of_slot : group) {
    elements.insert(elements.end(), of_slot.begin(), of_slot.end());
  }
  return elements;
}

/// Carries out a group, or its reversed circuit where it is nearer.
void append_group(const GroupElements& group, const GroupCircuit& circuit, Wires& wires) {
  const std::vector<LinearForm> elements = listed(group);
  std::vector<LinearForm> coordinates;
  for (const LinearForm& form : elements) coordinates.push_back(wires.coordinates_of(form));
  RecursionPlacement placement = placement_of(coordinates, wires.size());
  RecursionPlacement other = placement_of(
      multiply(carried_after(circuit.wires, circuit.cnots), coordinates), wires.size());
  const bool is_reversed = other.cnots.size() < placement.cnots.size();
  if (is_reversed) placement = std::move(other);
  wires.append(placement.cnots);
  Cnots cnots;
  append_on(placement.wires, is_reversed ? reversed(circuit.cnots) : circuit.cnots, cnots);
  wires.append(cnots);
}

/// Carries out groups in their order, and then the linear map of the network. Returns nothing if
/// the budget is spent before.
std::optional<Cnots> cnots_of_groups(const std::vector<GroupElements>& groups,
                                     const GroupCircuit& circuit, const ProductNetwork& network,
                                     const Budget& budget) {
  Wires wires(network.wires);
  for (const GroupElements& group : groups) {
    budget.spend(network.wires);
    if (budget.spent()) return std::nullopt;
    append_group(group, circuit, wires);
  }
  std::vector<LinearForm> rows;
  for (const LinearForm& form : network.outputs) rows.push_back(wires.coordinates_of(form));
  wires.append(cnots_of_linear_map(rows));
  return wires.take();
}

/// Returns whether wires carry all parities of the phases while CNOTs are applied.
bool visits(const ParityPhases& phases, std::size_t wires, const Cnots& cnots) {
  std::vector<LinearForm> carried = identity_matrix(wires);
  ParityPhases left = phases;
  for (const LinearForm& form : carried) left.erase(form);
  for (const NetworkCnot& cnot : cnots) {
    carried[cnot.target] ^= carried[cnot.control];
    left.erase(carried[cnot.target]);
  }
  return left.empty();
}

/// Returns the slots which consist of two parts in the same way in all levels: bit i for slot i.
/// Two of them may be mixed in the same way in all groups of a level, as they are in all sums of
/// groups.
unsigned slots_of_two_parts(const RecursiveStructure& structure) {
  unsigned slots = 0;
  for (std::size_t slot = 0; slot < 3; ++slot) {
    const auto first = static_cast<std::size_t>(std::countr_zero(slots == 0 ? 1U << slot : slots));
    const bool is_like_first = std::ranges::all_of(structure.levels, [&](const GroupLevel& level) {
      return consists_of_two_parts(level.slots.at(slot)) &&
             level.slots.at(slot) == level.slots.at(first);
    });
    if (is_like_first) slots |= 1U << slot;
  }
  return slots;
}

/// Returns CNOTs that carry out a product, the fewest ones that restore the wires of all slots but
/// those that may be mixed.
GroupCircuit circuit_of_product(const RecursiveStructure& structure) {
  const unsigned mixed = slots_of_two_parts(structure);
  TripleWalks walks;
  GroupCircuit best{3, {}};
  for (const TripleWalk& walk : walks.visiting(kAllParities)) {
    GroupCircuit circuit{3, {}};
    for (const auto& [control, target] : walk) circuit.cnots.push_back({control, target});
    const std::vector<LinearForm> carried = carried_after(3, circuit.cnots);
    bool is_permitted = true;
    for (std::size_t slot = 0; slot < 3; ++slot) {
      const LinearForm permitted =
          (mixed >> slot & 1U) != 0 ? LinearForm(3, mixed) : unit_vector(3, slot);
      is_permitted = is_permitted && carried[slot].is_subset_of(permitted);
    }
    if (is_permitted && (best.cnots.empty() || circuit.cnots.size() < best.cnots.size())) {
      best = std::move(circuit);
    }
  }
  return best;
}

}  // namespace

std::optional<Cnots> synthesize_recursively(const ProductNetwork& network,
                                            const ParityPhases& phases, const Budget& budget) {
  std::optional<RecursiveStructure> structure = recursive_structure_of(network.products);
  if (!structure) return std::nullopt;
  GroupCircuit circuit = circuit_of_product(*structure);
  for (const GroupLevel& level : structure->levels) {
    circuit = GroupBuilder(level, circuit).build();
  }
  std::optional<Cnots> best = cnots_of_groups(structure->groups, circuit, network, budget);
  if (!best || !visits(phases, network.wires, *best)) return std::nullopt;
  // The last group may be much nearer to the wires at the start than the first one.
  std::ranges::reverse(structure->groups);
  auto other = cnots_of_groups(structure->groups, circuit, network, budget);
  if (other && other->size() < best->size()) best = std::move(other);
  return best;
}

}  // namespace quartz::optimizer
