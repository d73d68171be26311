#include "optimize/clifford_synthesis/edge_steps.hpp"

#include <algorithm>

namespace quartz::optimizer {
namespace {

/// The classes of operators on a qubit, and the leaves that wait.
struct NodeStateParts {
  PairClass kind = PairClass::none;
  unsigned waiting = 0;
};

constexpr unsigned bit_of(PairClass leaf) { return 1U << (static_cast<unsigned>(leaf) - 1U); }

constexpr unsigned without_cleared(PairClass kind, unsigned waiting) {
  if (kind == PairClass::full) return 0;
  return is_single(kind) ? waiting & ~bit_of(kind) : waiting;
}

/// All states, in the order of their classes.
constexpr std::array<NodeStateParts, kNodeStates> all_states() {
  std::array<NodeStateParts, kNodeStates> states{};
  std::size_t number = 0;
  for (std::size_t kind = 0; kind < kPairClasses; ++kind) {
    for (unsigned waiting = 0; waiting < 8; ++waiting) {
      const auto each = static_cast<PairClass>(kind);
      if (without_cleared(each, waiting) == waiting) states.at(number++) = {each, waiting};
    }
  }
  return states;
}
constexpr std::array<NodeStateParts, kNodeStates> kStates = all_states();
static_assert(kStates[kCleared].kind == PairClass::none && kStates[kCleared].waiting == 0);
static_assert(kStates[kFinished].kind == PairClass::full);

/// The number of each state by its class and the leaves that wait.
constexpr std::array<std::array<NodeState, 8>, kPairClasses> all_numbers() {
  std::array<std::array<NodeState, 8>, kPairClasses> numbers{};
  for (std::size_t kind = 0; kind < kPairClasses; ++kind) {
    for (unsigned waiting = 0; waiting < 8; ++waiting) {
      const unsigned left = without_cleared(static_cast<PairClass>(kind), waiting);
      for (std::size_t state = 0; state < kNodeStates; ++state) {
        if (static_cast<std::size_t>(kStates[state].kind) == kind && kStates[state].waiting == left)
          numbers[kind][waiting] = static_cast<NodeState>(state);
      }
    }
  }
  return numbers;
}
constexpr std::array<std::array<NodeState, 8>, kPairClasses> kNumbers = all_numbers();

}  // namespace

NodeState node_state(PairClass kind, unsigned waiting) {
  return kNumbers[static_cast<std::size_t>(kind)][waiting];
}
PairClass class_in(NodeState state) { return kStates[state].kind; }
unsigned waiting_in(NodeState state) { return kStates[state].waiting; }
bool has_waiting(NodeState state, PairClass leaf) {
  return (waiting_in(state) & bit_of(leaf)) != 0;
}
NodeState with_waiting(NodeState state, PairClass leaf) {
  return node_state(class_in(state), waiting_in(state) | bit_of(leaf));
}
NodeState turned_by(NodeState state, PairClass leaf) {
  const unsigned turned = static_cast<unsigned>(class_in(state)) ^ static_cast<unsigned>(leaf);
  return node_state(static_cast<PairClass>(turned), waiting_in(state));
}

const EdgeSteps& EdgeSteps::table() {
  static const EdgeSteps steps;
  return steps;
}

EdgeSteps::EdgeSteps() {
  for (auto& by_parent : gates_) {
    for (ByResult& by_result : by_parent) by_result.fill(kNever);
  }
  for (std::size_t parent = 0; parent < kNodeStates; ++parent) {
    gates_[kCleared][parent][parent] = 0;
  }
  while (relax()) continue;
}

bool EdgeSteps::relax() {
  bool is_lower = false;
  for (NodeState child = 0; child < kNodeStates; ++child) {
    for (NodeState parent = 0; parent < kNodeStates; ++parent) {
      const PairClass kind = class_in(child);
      if (is_single(kind) && waiting_in(child) == 0) {
        is_lower |= lower(child, parent, kCleared, with_waiting(parent, kind));
      }
      for (const PairClass leaf : kSingleClasses) {
        if (has_waiting(child, leaf))
          is_lower |= lower(child, parent, turned_by(child, leaf), parent);
        if (has_waiting(parent, leaf))
          is_lower |= lower(child, parent, child, turned_by(parent, leaf));
      }
      for (const SymplecticAxis axis : kSymplecticAxes) {
        for (const SymplecticAxis parent_axis : kSymplecticAxes) {
          PauliPair of_child = pair_of(kind);
          PauliPair of_parent = pair_of(class_in(parent));
          push_pairs(of_child, of_parent, axis, parent_axis);
          is_lower |= lower(child, parent, node_state(class_of(of_child), waiting_in(child)),
                            node_state(class_of(of_parent), waiting_in(parent)));
        }
      }
    }
  }
  return is_lower;
}

bool EdgeSteps::lower(NodeState child, NodeState parent, NodeState next_child,
                      NodeState next_parent) {
  ByResult& own = gates_[child][parent];
  const ByResult& next = gates_[next_child][next_parent];
  bool is_lower = false;
  for (std::size_t result = 0; result < kNodeStates; ++result) {
    const std::uint32_t value = next[result] + 1;
    if (value >= own[result]) continue;
    own[result] = value;
    is_lower = true;
  }
  return is_lower;
}

}  // namespace quartz::optimizer
