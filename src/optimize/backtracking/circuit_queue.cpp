#include "optimize/backtracking/circuit_queue.hpp"

#include <iterator>
#include <utility>

namespace quartz::optimizer {
namespace {

std::size_t bytes_of(const FoundCircuit& found) {
  return sizeof(rewrite::PackedCircuit) + found.circuit.gates.size() * sizeof(rewrite::PackedGate);
}

}  // namespace

void CircuitQueue::start(std::size_t max_bytes, std::uint64_t seed) {
  circuits_.clear();
  bytes_ = 0;
  max_bytes_ = max_bytes;
  dropped_ = false;
  random_.seed(seed);
}

void CircuitQueue::push(FoundCircuit found, const SearchCost& cost) {
  bytes_ += bytes_of(found);
  circuits_[cost].push_back(std::move(found));
  while (bytes_ > max_bytes_) {
    auto worst = std::prev(circuits_.end());
    bytes_ -= bytes_of(worst->second.back());
    std::swap(worst->second.back(), worst->second[random_() % worst->second.size()]);
    worst->second.pop_back();
    if (worst->second.empty()) circuits_.erase(worst);
    dropped_ = true;
  }
}

FoundCircuit CircuitQueue::pop(SearchCost& cost) {
  const auto cheapest = circuits_.begin();
  cost = cheapest->first;
  std::vector<FoundCircuit>& equals = cheapest->second;
  std::swap(equals.back(), equals[random_() % equals.size()]);
  FoundCircuit found = std::move(equals.back());
  equals.pop_back();
  if (equals.empty()) circuits_.erase(cheapest);
  bytes_ -= bytes_of(found);
  return found;
}

}  // namespace quartz::optimizer
