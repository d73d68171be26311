#include "optimize/local_optimality/window_descent.hpp"

#include <boost/container/static_vector.hpp>
#include <utility>

namespace quartz::optimizer {
namespace {

/// Gates between two looks at the clock: some milliseconds.
constexpr std::size_t kGatesBetweenLooks = 1024;

}  // namespace

void WindowDescent::unmark_before(RewrittenCircuit& circuit,
                                  std::span<const rewrite::GateIndex> places) {
  ++visit_;
  visits_.resize(circuit.gates().places());
  reached_.assign(places.begin(), places.end());
  // A window has at most kWindowGates gates, and so does a path in it.
  for (std::size_t steps = 0; steps < kWindowGates && !reached_.empty(); ++steps) {
    next_.clear();
    for (const rewrite::GateIndex gate : reached_) {
      if (gate == rewrite::kNoGate) {
        reaches_start_ = true;
        continue;
      }
      if (std::exchange(visits_[gate], visit_) == visit_) continue;
      circuit.mark(gate, false);
      const rewrite::WiredGate& wired = circuit.gates()[gate];
      next_.insert(next_.end(), wired.previous.begin(), wired.previous.begin() + wired.size);
    }
    reached_.swap(next_);
  }
}

bool WindowDescent::improve_from(RewrittenCircuit& circuit, rewrite::GateIndex start,
                                 FastRandom& random) {
  const MoveContext context{circuit.gates(), coupling_, 0, random, counts_};
  bool reaches_end = false;
  for (std::size_t size = 2; size <= move_.max_size(); ++size) {
    ++counts_.moves;
    const WindowMove::CheaperWindow window = move_.propose_cheaper(context, start, size);
    if (window.exchange != nullptr) {
      boost::container::static_vector<rewrite::GateIndex, kWindowWires> places;
      for (const auto& gap : window.exchange->gaps) places.push_back(gap.before);
      circuit.apply(*window.exchange);
      ++counts_.replaced;
      unmark_before(circuit, {places.data(), places.size()});
      return true;
    }
    reaches_end = window.reaches_end;
    if (window.gates < size) break;
  }
  if (!reaches_end) circuit.mark(start, true);
  return false;
}

bool WindowDescent::run(RewrittenCircuit& circuit, std::uint64_t seed, const Budget& budget) {
  FastRandom random(seed);
  reaches_start_ = false;
  visits_.clear();
  for (bool has_improved = true; has_improved;) {
    has_improved = false;
    // Replacements change the places of gates: the new ones are visited in this pass or the next.
    const std::vector<rewrite::GateIndex> order = circuit.gates().order();
    for (std::size_t i = 0; i < order.size(); ++i) {
      if (i % kGatesBetweenLooks == 0 && budget.spent()) return false;
      const rewrite::WiredGate& gate = circuit.gates()[order[i]];
      if (gate.size == 0 || gate.marked) continue;
      has_improved = improve_from(circuit, order[i], random) || has_improved;
    }
  }
  return true;
}

}  // namespace quartz::optimizer
