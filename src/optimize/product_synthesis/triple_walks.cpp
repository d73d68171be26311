#include "optimize/product_synthesis/triple_walks.hpp"

#include <cstddef>
#include <queue>

#include "quartz/base/errors.hpp"

namespace quartz::optimizer {
namespace {

constexpr std::size_t kMoreThanShortest = 2;

/// What three wires carry, three bits each, and the parities that were visited.
struct WalkState {
  std::uint16_t carried = 0;
  TripleParities visited = 0;

  [[nodiscard]] std::size_t index() const { return std::size_t{carried} << 7U | visited; }
};

unsigned parity_on(std::uint16_t carried, unsigned wire) { return carried >> (3 * wire) & 7U; }

std::uint16_t after(std::uint16_t carried, TripleCnot cnot) {
  return static_cast<std::uint16_t>(carried ^ parity_on(carried, cnot.control)
                                                  << (3U * cnot.target));
}

/// What the wires carry at the start: one bit each.
constexpr std::uint16_t kIdentity = 1U | 2U << 3U | 4U << 6U;

class WalkSearch {
 public:
  explicit WalkSearch(TripleParities goal) : goal_(goal), steps_(std::size_t{1} << 16U) {}

  [[nodiscard]] std::vector<TripleWalk> run() {
    const WalkState start{kIdentity, static_cast<TripleParities>(goal_ & 0b0001011U)};
    steps_[start.index()] = Step{start.index(), {}, 0};
    queue_.push(start);
    while (!queue_.empty()) {
      const WalkState state = queue_.front();
      queue_.pop();
      const std::size_t length = steps_[state.index()]->length;
      if (!walks_.empty() && length > walks_.front().size() + kMoreThanShortest) break;
      if (state.visited == goal_) walks_.push_back(walk_to(state));
      for (std::uint8_t control = 0; control < 3; ++control) {
        for (std::uint8_t target = 0; target < 3; ++target) {
          if (control != target) extend(state, {control, target}, length + 1);
        }
      }
    }
    return std::move(walks_);
  }

 private:
  struct Step {
    std::size_t from = 0;
    TripleCnot cnot;
    std::size_t length = 0;
  };

  void extend(const WalkState& state, TripleCnot cnot, std::size_t length) {
    WalkState next = state;
    next.carried = after(state.carried, cnot);
    const unsigned parity = parity_on(next.carried, cnot.target);
    next.visited = static_cast<TripleParities>(next.visited | (1U << (parity - 1) & goal_));
    if (steps_[next.index()]) return;
    steps_[next.index()] = Step{state.index(), cnot, length};
    queue_.push(next);
  }

  [[nodiscard]] TripleWalk walk_to(const WalkState& state) const {
    TripleWalk walk(steps_[state.index()]->length);
    std::size_t index = state.index();
    for (std::size_t left = walk.size(); left != 0; --left) {
      walk[left - 1] = steps_[index]->cnot;
      index = steps_[index]->from;
    }
    return walk;
  }

  TripleParities goal_;
  std::vector<std::optional<Step>> steps_;
  std::queue<WalkState> queue_;
  std::vector<TripleWalk> walks_;
};

}  // namespace

const std::vector<TripleWalk>& TripleWalks::visiting(TripleParities parities) {
  std::optional<std::vector<TripleWalk>>& walks = walks_.at(parities);
  if (!walks) walks = WalkSearch(parities).run();
  return *walks;
}

const TripleWalk& TripleWalks::restoring(TripleParities parities) {
  std::optional<TripleWalk>& walk = restoring_.at(parities);
  if (walk) return *walk;
  for (const TripleWalk& each : visiting(parities)) {
    std::uint16_t carried = kIdentity;
    for (const TripleCnot& cnot : each) carried = after(carried, cnot);
    if (carried == kIdentity) walk = each;
  }
  ensure(walk.has_value(), "two more CNOTs restore the wires");
  return *walk;
}

}  // namespace quartz::optimizer
