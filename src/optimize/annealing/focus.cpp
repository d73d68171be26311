#include "optimize/annealing/focus.hpp"

namespace quartz::optimizer {

void Focus::add(rewrite::GateIndex gate) {
  if (listed_in_.size() <= gate) listed_in_.resize(gate + gate / 2 + 1);
  if (listed_in_[gate] == number_) return;
  listed_in_[gate] = number_;
  gates_.push_back(gate);
}

void Focus::set(RewrittenCircuit& circuit, std::size_t gates, FastRandom& random) {
  clear(circuit);
  const rewrite::WireLists& lists = circuit.gates();
  is_set_ = gates < lists.size();
  if (!is_set_) return;
  ++number_;
  gates_.clear();
  rewrite::GateIndex start = rewrite::kNoGate;
  do {
    start = random.below(static_cast<std::uint32_t>(lists.places()));
  } while (lists[start].size == 0);
  circuit.mark(start, true);
  add(start);
  // The gates are collected breadth first along the wires.
  for (std::size_t i = 0; i < gates_.size() && gates_.size() < gates; ++i) {
    const rewrite::WiredGate gate = lists[gates_[i]];
    for (unsigned k = 0; k < gate.size; ++k) {
      for (const rewrite::GateIndex next : {gate.previous[k], gate.next[k]}) {
        if (next == rewrite::kNoGate || lists[next].marked) continue;
        circuit.mark(next, true);
        add(next);
      }
    }
  }
}

void Focus::clear(RewrittenCircuit& circuit) {
  if (!is_set_) return;
  for (const rewrite::GateIndex index : gates_) circuit.mark(index, false);
  is_set_ = false;
}

rewrite::GateIndex Focus::random_gate(const rewrite::WireLists& circuit, FastRandom& random) {
  while (!gates_.empty()) {
    const std::uint32_t place = random.below(static_cast<std::uint32_t>(gates_.size()));
    const rewrite::GateIndex gate = gates_[place];
    if (circuit[gate].size != 0 && circuit[gate].marked) return gate;
    listed_in_[gate] = 0;
    gates_[place] = gates_.back();
    gates_.pop_back();
  }
  return rewrite::kNoGate;
}

void Focus::follow(RewrittenCircuit& circuit, std::size_t removed, std::size_t marked,
                   FastRandom& random) {
  for (const rewrite::GateIndex index : circuit.gates().replaced()) {
    if (random.below(static_cast<std::uint32_t>(removed)) >= marked) continue;
    circuit.mark(index, true);
    add(index);
  }
}

}  // namespace quartz::optimizer
