#pragma once

#include <cstdint>
#include <map>
#include <random>
#include <vector>

#include "optimize/cost/search_cost.hpp"
#include "rewrite/packed_circuit.hpp"

namespace quartz::optimizer {

/// A circuit and the step that led to it, if steps are recorded: the number of the step plus 1, or
/// 0 for the first circuit, which no step led to.
struct FoundCircuit {
  rewrite::PackedCircuit circuit;
  std::uint32_t step = 0;
};

/// The priority queue of the backtracking search. Chooses at random among circuits of equal cost,
/// and drops the most expensive circuits if they take too much memory.
class CircuitQueue {
 public:
  /// Empties the queue for a new search.
  void start(std::size_t max_bytes, std::uint64_t seed);
  void push(FoundCircuit found, const SearchCost& cost);
  /// Removes and returns a circuit of the lowest cost, and stores that cost.
  [[nodiscard]] FoundCircuit pop(SearchCost& cost);
  [[nodiscard]] bool empty() const { return circuits_.empty(); }
  /// Returns whether a circuit was dropped since the search started.
  [[nodiscard]] bool dropped() const { return dropped_; }

 private:
  std::map<SearchCost, std::vector<FoundCircuit>> circuits_;
  std::size_t bytes_ = 0;
  std::size_t max_bytes_ = 0;
  bool dropped_ = false;
  std::mt19937_64 random_;
};

}  // namespace quartz::optimizer
