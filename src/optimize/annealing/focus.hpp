#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/random.hpp"
#include "optimize/annealing/rewritten_circuit.hpp"

namespace quartz::optimizer {

/// Part of a circuit in which moves begin: marked gates, and the gates that replace them. Setting,
/// following and clearing a focus takes time proportional to the focus, not to the circuit.
class Focus {
 public:
  [[nodiscard]] bool is_set() const { return is_set_; }
  /// Marks about `gates` gates around a random one. Sets no focus in a smaller circuit.
  void set(RewrittenCircuit& circuit, std::size_t gates, FastRandom& random);
  void clear(RewrittenCircuit& circuit);
  /// Returns a random marked gate, or kNoGate if there is none.
  [[nodiscard]] rewrite::GateIndex random_gate(const rewrite::WireLists& circuit,
                                               FastRandom& random);
  /// Marks a random part of the gates inserted by the last change, so that the size of the focus
  /// hardly changes. The change replaced `removed` gates, `marked` of which were marked.
  void follow(RewrittenCircuit& circuit, std::size_t removed, std::size_t marked,
              FastRandom& random);
  /// Adds a gate that is already marked.
  void add(rewrite::GateIndex gate);

 private:
  std::vector<rewrite::GateIndex>
      gates_;  ///< marked gates, and places that contained marked gates before
  /// Number of the last focus that lists each place.
  std::vector<std::uint32_t> listed_in_;
  std::uint32_t number_ = 0;
  bool is_set_ = false;
};

}  // namespace quartz::optimizer
