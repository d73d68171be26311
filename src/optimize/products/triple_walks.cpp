#include "optimize/products/triple_walks.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>

namespace quartz::optimizer {
namespace {

constexpr std::array<TripleStep, 6> kSteps{{{0, 1}, {0, 2}, {1, 0}, {1, 2}, {2, 0}, {2, 1}}};

/// What three wires carry, as sums of what they carried at first, three bits for each wire.
using Carried = std::uint16_t;
constexpr Carried kAtFirst = 1U | 2U << 3U | 4U << 6U;

unsigned on_wire(Carried carried, unsigned wire) { return carried >> (3 * wire) & 7U; }

/// The states of all walks: what the wires carry, and which parities they have carried, which are
/// the bits 1 to 7.
class Walks {
 public:
  Walks() : came_by_(512 * 256) {
    const std::uint32_t first = state(kAtFirst, 1U << 1U | 1U << 2U | 1U << 4U);
    came_by_[first] = Arrival{first, 0, 0};
    order_.push_back(first);
    for (std::size_t next = 0; next < order_.size(); ++next) expand(order_[next]);
  }

  [[nodiscard]] std::vector<TripleWalk> through(unsigned needed, unsigned detour) const {
    std::array<bool, 512> is_reached{};
    std::vector<TripleWalk> result;
    std::size_t most = std::numeric_limits<std::size_t>::max();
    for (const std::uint32_t reached : order_) {
      if ((needed & ~(reached & 0xffU)) != 0 || is_reached.at(reached >> 8U)) continue;
      const std::size_t length = came_by_[reached]->length;
      if (length > most) break;
      if (result.empty()) most = length + detour;
      is_reached.at(reached >> 8U) = true;
      result.push_back(walk_to(reached));
    }
    return result;
  }

 private:
  /// The last step of a shortest walk to a state.
  struct Arrival {
    std::uint32_t from = 0;
    std::uint8_t step = 0;
    std::uint8_t length = 0;
  };

  [[nodiscard]] static std::uint32_t state(Carried carried, unsigned seen) {
    return static_cast<std::uint32_t>(carried) << 8U | seen;
  }
  void expand(std::uint32_t from) {
    for (std::uint8_t step = 0; step < kSteps.size(); ++step) {
      const auto carried = static_cast<Carried>(from >> 8U);
      const unsigned control = on_wire(carried, kSteps.at(step).control);
      const auto after = static_cast<Carried>(carried ^ control << (3U * kSteps.at(step).target));
      const unsigned seen = (from & 0xffU) | 1U << on_wire(after, kSteps.at(step).target);
      const std::uint32_t to = state(after, seen);
      if (came_by_[to]) continue;
      came_by_[to] = Arrival{from, step, static_cast<std::uint8_t>(came_by_[from]->length + 1)};
      order_.push_back(to);
    }
  }
  [[nodiscard]] TripleWalk walk_to(std::uint32_t reached) const {
    TripleWalk walk;
    for (; came_by_[reached]->length != 0; reached = came_by_[reached]->from) {
      walk.steps.push_back(kSteps.at(came_by_[reached]->step));
    }
    std::ranges::reverse(walk.steps);
    return walk;
  }

  std::vector<std::optional<Arrival>> came_by_;
  std::vector<std::uint32_t> order_;  ///< by the length of the shortest walk
};

/// Returns whether no sum of some of the classes is zero.
bool are_independent(unsigned present) {
  unsigned sums = 1;  // bit v for each sum of some classes
  for (unsigned c = 1; c < 8; ++c) {
    if ((present >> c & 1U) == 0) continue;
    if ((sums >> c & 1U) != 0) return false;
    unsigned more = sums;
    for (unsigned v = 0; v < 8; ++v) {
      if ((sums >> v & 1U) != 0) more |= 1U << (v ^ c);
    }
    sums = more;
  }
  return true;
}

/// The numbers of CNOTs for all sets of classes.
std::array<std::uint8_t, 256> counts_of_cnots() {
  constexpr std::uint8_t kUnknown = 100;
  std::array<std::uint8_t, 256> counts{};
  for (unsigned present = 0; present < counts.size(); ++present) {
    counts.at(present) = are_independent(present) ? 0 : kUnknown;
  }
  for (bool has_changed = true; has_changed;) {
    has_changed = false;
    for (unsigned present = 0; present < counts.size(); present += 2) {
      for (unsigned u = 1; u < 8; ++u) {
        for (unsigned v = 1; v < 8; ++v) {
          if (u == v || (present >> u & 1U) == 0 || (present >> v & 1U) == 0) continue;
          const unsigned sum = u ^ v;
          // A second wire of a class takes one more CNOT.
          const bool is_second = (present >> sum & 1U) != 0;
          const unsigned after = (present & ~(1U << u)) | 1U << sum;
          const auto count = static_cast<std::uint8_t>(counts.at(after) + (is_second ? 2 : 1));
          if (count >= counts.at(present)) continue;
          counts.at(present) = count;
          has_changed = true;
        }
      }
    }
  }
  return counts;
}

}  // namespace

std::vector<TripleWalk> walks_through(unsigned needed, unsigned detour) {
  static const Walks walks;
  return walks.through(needed, detour);
}

unsigned cnots_to_independent_classes(unsigned present) {
  static const std::array<std::uint8_t, 256> counts = counts_of_cnots();
  return counts[present & 0xffU];
}

}  // namespace quartz::optimizer
