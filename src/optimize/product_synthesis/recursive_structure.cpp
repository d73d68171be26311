#include "optimize/product_synthesis/recursive_structure.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>
#include <unordered_map>
#include <utility>

#include "base/random.hpp"
#include "optimize/products/coordinates.hpp"

namespace quartz::optimizer {
namespace {

constexpr std::size_t kPartsOfRecursion = 3;
/// A sum of the elements that correspond to each other in the three parts: bit i for part i.
using PartSum = unsigned;
constexpr PartSum kAllParts = 7;

/// Keys of linear forms. The key of a sum is the exclusive or of the keys.
using Keys = std::vector<std::uint64_t>;

/// Sums of parts whose elements, without repetitions, are the elements of a group.
using SumBasis = std::vector<PartSum>;

/// Returns the sums of a basis whose sum is a given one, modulo a sum that is zero: bit i for sum i
/// of the basis.
std::optional<unsigned> coordinates_in(const SumBasis& basis, PartSum zero, PartSum wanted) {
  for (unsigned some = 0; some < 1U << basis.size(); ++some) {
    PartSum sum = 0;
    for (std::size_t i = 0; i < basis.size(); ++i) {
      if ((some >> i & 1U) != 0) sum ^= basis[i];
    }
    if (sum == wanted || sum == (wanted ^ zero)) return some;
  }
  return std::nullopt;
}

/// Returns all bases of the sums of parts modulo a sum that is zero.
std::vector<SumBasis> bases_modulo(PartSum zero) {
  const int size = zero == 0 ? 3 : 2;
  std::vector<SumBasis> bases;
  for (unsigned some = 1; some < 128; ++some) {
    if (std::popcount(some) != size) continue;
    SumBasis basis;
    for (PartSum sum = 1; sum <= kAllParts; ++sum) {
      if ((some >> (sum - 1) & 1U) != 0) basis.push_back(sum);
    }
    bool spans_all = true;
    for (unsigned part = 0; part < kPartsOfRecursion; ++part) {
      spans_all = spans_all && coordinates_in(basis, zero, 1U << part);
    }
    if (spans_all) bases.push_back(basis);
  }
  return bases;
}

/// The elements of one slot in a group, as sums of elements of its parts.
struct SlotPattern {
  SumBasis basis;
  PartSum zero = 0;
  /// The element of the group for each sum of the basis and element of a part.
  std::vector<std::vector<std::uint32_t>> elements;
  /// A sum of parts and an element of the parts for each element of the group.
  std::vector<std::pair<PartSum, std::uint32_t>> sources;
  friend bool operator==(const SlotPattern&, const SlotPattern&) = default;
};

/// The parts of a group: their keys in one slot.
using Parts = std::span<const Keys>;

std::uint64_t key_of_sum(Parts parts, PartSum sum, std::size_t element) {
  std::uint64_t key = 0;
  for (std::size_t part = 0; part < kPartsOfRecursion; ++part) {
    if ((sum >> part & 1U) != 0) key ^= parts[part][element];
  }
  return key;
}

/// Returns the elements of a group in terms of a basis; nothing if some of them are zero.
std::optional<SlotPattern> pattern_of(Parts parts, const SumBasis& basis, PartSum zero) {
  SlotPattern pattern{basis, zero, {}, {}};
  std::unordered_map<std::uint64_t, std::uint32_t> known;
  for (const PartSum sum : basis) {
    std::vector<std::uint32_t>& elements = pattern.elements.emplace_back();
    for (std::uint32_t i = 0; i < parts[0].size(); ++i) {
      const std::uint64_t key = key_of_sum(parts, sum, i);
      if (key == 0) return std::nullopt;
      const auto [entry, is_new] = known.try_emplace(key, static_cast<std::uint32_t>(known.size()));
      if (is_new) pattern.sources.emplace_back(sum, i);
      elements.push_back(entry->second);
    }
  }
  return pattern;
}

bool sum_is_zero(Parts parts, PartSum sum) {
  for (std::size_t i = 0; i < parts[0].size(); ++i) {
    if (key_of_sum(parts, sum, i) != 0) return false;
  }
  return true;
}

/// Returns the groups of the next level if all of them have the same pattern.
std::optional<std::vector<Keys>> joined(std::span<const Keys> groups, const SlotPattern& pattern) {
  std::vector<Keys> result;
  for (std::size_t first = 0; first < groups.size(); first += kPartsOfRecursion) {
    const Parts parts = groups.subspan(first, kPartsOfRecursion);
    if (pattern.zero != 0 && !sum_is_zero(parts, pattern.zero)) return std::nullopt;
    if (pattern_of(parts, pattern.basis, pattern.zero) != pattern) return std::nullopt;
    Keys& keys = result.emplace_back();
    for (const auto& [sum, element] : pattern.sources) {
      keys.push_back(key_of_sum(parts, sum, element));
    }
  }
  return result;
}

/// Returns the patterns of as many levels as have the same basis.
std::vector<SlotPattern> patterns_of(std::vector<Keys> groups, const SumBasis& basis,
                                     PartSum zero) {
  std::vector<SlotPattern> patterns;
  while (groups.size() % kPartsOfRecursion == 0) {
    auto pattern = pattern_of(Parts(groups).first(kPartsOfRecursion), basis, zero);
    if (!pattern) break;
    auto next = joined(groups, *pattern);
    if (!next) break;
    groups = *std::move(next);
    patterns.push_back(*std::move(pattern));
  }
  return patterns;
}

/// Returns the patterns of one slot that have the most levels and, among these, the fewest
/// elements in the last one.
std::vector<SlotPattern> best_patterns(const std::vector<Keys>& products) {
  PartSum zero = 0;
  for (PartSum sum = 1; sum <= kAllParts && zero == 0; ++sum) {
    if (sum_is_zero(Parts(products).first(kPartsOfRecursion), sum)) zero = sum;
  }
  std::vector<SlotPattern> best;
  for (const SumBasis& basis : bases_modulo(zero)) {
    std::vector<SlotPattern> patterns = patterns_of(products, basis, zero);
    if (patterns.empty()) continue;
    if (patterns.size() > best.size() ||
        (patterns.size() == best.size() &&
         patterns.back().sources.size() < best.back().sources.size())) {
      best = std::move(patterns);
    }
  }
  return best;
}

/// Schedules the CNOTs of one slot that bring the elements of each part in turn to wires of the
/// group. They are undone in the opposite order, each when a part needs what it has changed.
class SlotScheduler {
 public:
  /// For each part, one of the elements whose sum an element of it is gets the others added: the
  /// one of this sum of the basis.
  using Targets = std::array<std::size_t, kPartsOfRecursion>;

  SlotScheduler(const SlotPattern& pattern,
                const std::array<std::uint8_t, kPartsOfRecursion>& order)
      : pattern_(pattern), order_(order) {}

  /// Returns the step with the fewest CNOTs.
  [[nodiscard]] std::optional<SlotStep> best() {
    std::optional<SlotStep> best;
    const std::size_t sums = pattern_.basis.size();
    Targets targets{};
    for (targets[0] = 0; targets[0] < sums; ++targets[0]) {
      for (targets[1] = 0; targets[1] < sums; ++targets[1]) {
        for (targets[2] = 0; targets[2] < sums; ++targets[2]) {
          auto step = scheduled(targets);
          if (step && (!best || cnots_of(*step) < cnots_of(*best))) best = std::move(step);
        }
      }
    }
    return best;
  }
  [[nodiscard]] static std::size_t cnots_of(const SlotStep& step) {
    return step.parts[0].cnots.size() + step.parts[1].cnots.size() + step.parts[2].cnots.size() +
           step.restoration.size();
  }

 private:
  /// Elements in ascending order.
  using Sum = std::vector<std::uint32_t>;
  struct Pending {
    std::uint32_t target = 0;
    Sum sum;
  };

  [[nodiscard]] std::optional<SlotStep> scheduled(const Targets& targets) {
    const std::size_t elements = pattern_.sources.size();
    carried_.clear();
    stack_.clear();
    for (std::uint32_t i = 0; i < elements; ++i) carried_.push_back({i});
    SlotStep step{elements, {}, {}};
    for (std::size_t i = 0; i < kPartsOfRecursion; ++i) {
      const std::uint8_t part = order_.at(i);
      if (!installs(part, targets.at(part), step.parts.at(i))) return std::nullopt;
    }
    while (!stack_.empty()) undo_last(step.restoration);
    return step;
  }

  /// Brings the elements of a part to wires. CNOTs that prevent this are undone first. Returns
  /// false if the sum of the basis is no possible target.
  [[nodiscard]] bool installs(std::uint8_t part, std::size_t target, PartInstallation& result) {
    const unsigned sums = coordinates_in(pattern_.basis, pattern_.zero, 1U << part).value_or(0);
    if ((sums >> target & 1U) == 0) return false;
    for (;;) {
      if (auto cnots = cnots_for(sums, target, result.wires)) {
        for (const ElementCnot& cnot : *cnots) append(cnot, result.cnots);
        return true;
      }
      if (stack_.empty()) return false;
      undo_last(result.cnots);
    }
  }

  /// Returns CNOTs that bring elements of a part to wires, which are chosen as well; nothing if
  /// they would need elements that are not on their wires now.
  [[nodiscard]] std::optional<std::vector<ElementCnot>> cnots_for(
      unsigned sums, std::size_t target, std::vector<std::uint32_t>& wires) const {
    std::vector<Pending> pending;
    std::vector<bool> is_used(carried_.size(), false);  // carries an element of the part
    wires.clear();
    for (std::size_t i = 0; i < pattern_.elements[0].size(); ++i) {
      const Sum sum = sum_at(sums, i);
      const auto found = std::ranges::find_if(
          sum, [&](std::uint32_t element) { return carried_[element] == sum; });
      wires.push_back(found != sum.end() ? *found : pattern_.elements[target][i]);
      if (is_used[wires.back()]) return std::nullopt;
      is_used[wires.back()] = true;
      if (found == sum.end()) pending.push_back({wires.back(), sum});
    }
    for (const Pending& each : pending) {
      for (const std::uint32_t element : each.sum) {
        if (carried_[element].size() != 1) return std::nullopt;
      }
    }
    return ordered(std::move(pending));
  }

  /// Returns the CNOTs in an order in which each element is added before its wire changes.
  [[nodiscard]] std::optional<std::vector<ElementCnot>> ordered(
      std::vector<Pending> pending) const {
    std::vector<std::size_t> uses(carried_.size(), 0);  // as a control
    for (const Pending& each : pending) {
      for (const std::uint32_t element : each.sum) uses[element] += element != each.target ? 1 : 0;
    }
    std::vector<ElementCnot> cnots;
    while (!pending.empty()) {
      const auto next = std::ranges::find_if(
          pending, [&](const Pending& each) { return uses[each.target] == 0; });
      if (next == pending.end()) return std::nullopt;
      for (const std::uint32_t element : next->sum) {
        if (element == next->target) continue;
        cnots.push_back({element, next->target});
        --uses[element];
      }
      pending.erase(next);
    }
    return cnots;
  }

  /// Returns the elements of the group whose sum is an element of a part.
  [[nodiscard]] Sum sum_at(unsigned sums, std::size_t element) const {
    Sum sum;
    for (std::size_t i = 0; i < pattern_.basis.size(); ++i) {
      if ((sums >> i & 1U) != 0) sum.push_back(pattern_.elements[i][element]);
    }
    std::ranges::sort(sum);
    return sum;
  }
  void append(ElementCnot cnot, std::vector<ElementCnot>& cnots) {
    stack_.emplace_back(cnot, carried_[cnot.target]);
    Sum sum;
    std::ranges::set_symmetric_difference(carried_[cnot.target], carried_[cnot.control],
                                          std::back_inserter(sum));
    carried_[cnot.target] = std::move(sum);
    cnots.push_back(cnot);
  }
  void undo_last(std::vector<ElementCnot>& cnots) {
    auto& [cnot, before] = stack_.back();
    carried_[cnot.target] = std::move(before);
    cnots.push_back(cnot);
    stack_.pop_back();
  }

  const SlotPattern& pattern_;
  const std::array<std::uint8_t, kPartsOfRecursion>& order_;
  std::vector<Sum> carried_;  ///< by the wire of each element
  /// The CNOTs that were not undone, with what their targets carried before.
  std::vector<std::pair<ElementCnot, Sum>> stack_;
};

using SlotPatterns = std::array<const SlotPattern*, 3>;

/// Returns the step of a level with the fewest CNOTs, over all orders of the parts.
std::optional<GroupLevel> best_level(const SlotPatterns& patterns) {
  std::optional<GroupLevel> best;
  std::size_t fewest = std::numeric_limits<std::size_t>::max();
  std::array<std::uint8_t, kPartsOfRecursion> order{0, 1, 2};
  do {
    GroupLevel level{order, {}};
    std::size_t cnots = 0;
    bool is_possible = true;
    for (std::size_t slot = 0; slot < patterns.size() && is_possible; ++slot) {
      std::optional<SlotStep> step = SlotScheduler(*patterns.at(slot), order).best();
      is_possible = step.has_value();
      if (!is_possible) break;
      cnots += SlotScheduler::cnots_of(*step);
      level.slots.at(slot) = *std::move(step);
    }
    if (!is_possible || cnots >= fewest) continue;
    fewest = cnots;
    best = std::move(level);
  } while (std::ranges::next_permutation(order).found);
  return best;
}

/// Returns the elements of the groups of the next level.
std::vector<GroupElements> joined(const std::vector<GroupElements>& groups,
                                  const SlotPatterns& patterns) {
  std::vector<GroupElements> result;
  for (std::size_t first = 0; first < groups.size(); first += kPartsOfRecursion) {
    GroupElements& group = result.emplace_back();
    for (std::size_t slot = 0; slot < patterns.size(); ++slot) {
      for (const auto& [sum, element] : patterns.at(slot)->sources) {
        LinearForm form(groups[first].at(slot)[element].size());
        for (std::size_t part = 0; part < kPartsOfRecursion; ++part) {
          if ((sum >> part & 1U) != 0) form ^= groups[first + part].at(slot)[element];
        }
        group.at(slot).push_back(std::move(form));
      }
    }
  }
  return result;
}

bool all_independent(const std::vector<GroupElements>& groups) {
  return std::ranges::all_of(groups, [](const GroupElements& group) {
    Coordinates coordinates;
    return std::ranges::all_of(group, [&](const std::vector<LinearForm>& elements) {
      return std::ranges::all_of(elements,
                                 [&](const LinearForm& form) { return coordinates.extend(form); });
    });
  });
}

/// Returns the keys of the forms of all products in one slot.
std::vector<Keys> keys_of(std::span<const Product> products, std::size_t slot,
                          const Keys& keys_of_wires) {
  std::vector<Keys> result;
  for (const Product& product : products) {
    const LinearForm& form = product.forms.at(slot);
    std::uint64_t key = 0;
    for (auto i = form.find_first(); i != LinearForm::npos; i = form.find_next(i)) {
      key ^= keys_of_wires[i];
    }
    result.push_back({key});
  }
  return result;
}

}  // namespace

std::optional<RecursiveStructure> recursive_structure_of(std::span<const Product> products) {
  if (products.size() < kPartsOfRecursion) return std::nullopt;
  FastRandom random(1);  // only for hashes
  Keys keys_of_wires(products[0].forms[0].size());
  for (std::uint64_t& key : keys_of_wires) key = random();
  std::array<std::vector<SlotPattern>, 3> patterns;
  for (std::size_t slot = 0; slot < patterns.size(); ++slot) {
    patterns.at(slot) = best_patterns(keys_of(products, slot, keys_of_wires));
  }
  RecursiveStructure structure;
  for (const Product& product : products) {
    const auto& [f, g, h] = product.forms;
    structure.groups.push_back({{{f}, {g}, {h}}});
  }
  const std::size_t most = std::min({patterns[0].size(), patterns[1].size(), patterns[2].size()});
  for (std::size_t level = 0; level < most; ++level) {
    const SlotPatterns of_level{&patterns[0][level], &patterns[1][level], &patterns[2][level]};
    std::vector<GroupElements> groups = joined(structure.groups, of_level);
    if (!all_independent(groups)) break;
    std::optional<GroupLevel> step = best_level(of_level);
    if (!step) break;
    structure.levels.push_back(*std::move(step));
    structure.groups = std::move(groups);
  }
  if (structure.levels.empty()) return std::nullopt;
  return structure;
}

}  // namespace quartz::optimizer
