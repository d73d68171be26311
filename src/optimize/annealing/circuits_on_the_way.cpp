#include "optimize/annealing/circuits_on_the_way.hpp"

#include <algorithm>
#include <utility>

namespace quartz::optimizer {

void CircuitsOnTheWay::follow(AnnealingChain& chain) {
  const std::uint64_t changes = chain.log().change_count();
  // Changes that are undone count less than before.
  last_change_ = std::min(last_change_, changes);
  if (changes - last_change_ < spacing_ || !pace_.is_due()) return;
  last_change_ = changes;
  pace_.run([&] {
    AnnealingChain::Best circuit = chain.circuit_on_the_way();
    const std::uint64_t steps = circuit::steps_of(circuit.history.get());
    copies_.push_back({std::move(circuit), steps});
  });
  std::size_t gates = 0;
  for (const Copy& each : copies_) gates += each.circuit.gates.size();
  if (copies_.size() > 1 && gates > max_gates_) thin_out();
}

void CircuitsOnTheWay::thin_out() {
  spacing_ *= 2;
  std::vector<Copy> kept;
  for (std::size_t i = 1; i < copies_.size(); i += 2) kept.push_back(std::move(copies_[i]));
  copies_ = std::move(kept);
}

void CircuitsOnTheWay::follow_return(const AnnealingChain& chain) {
  if (copies_.empty()) return;
  const std::uint64_t steps = circuit::steps_of(chain.current().history.get());
  std::erase_if(copies_, [&](const Copy& each) { return each.steps > steps; });
}

std::vector<AnnealingChain::Best> CircuitsOnTheWay::take_up_to(const circuit::History* history) {
  const std::uint64_t steps = circuit::steps_of(history);
  std::vector<AnnealingChain::Best> taken;
  for (Copy& each : copies_) {
    if (each.steps < steps) taken.push_back(std::move(each.circuit));
  }
  std::erase_if(copies_, [&](const Copy& each) { return each.steps <= steps; });
  if (!taken.empty()) spacing_ = first_spacing_;
  return taken;
}

}  // namespace quartz::optimizer
