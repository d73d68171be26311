#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/random.hpp"
#include "optimize/annealing/rewritten_circuit.hpp"

namespace quartz {

/// The part of a circuit in which moves begin: marked gates, and those that take their place.
/// Setting, following and removing a focus takes time in proportion to the focus, not to the
/// circuit.
class Focus {
 public:
  [[nodiscard]] bool is_set() const { return is_set_; }
  /// Marks about that many gates around a random one. Sets no focus in a smaller circuit.
  void set(RewrittenCircuit& circuit, std::size_t gates, FastRandom& random);
  void clear(RewrittenCircuit& circuit);
  /// Returns a random marked gate; kNoGate if there is none.
  [[nodiscard]] GateIndex random_gate(const WireLists& circuit, FastRandom& random);
  /// Marks a random part of the gates inserted in the last change, which replaced `removed` gates
  /// of which `marked` were marked, so that the focus hardly grows or shrinks.
  void follow(RewrittenCircuit& circuit, std::size_t removed, std::size_t marked,
              FastRandom& random);
  /// Adds a gate that is marked already.
  void add(GateIndex gate);

 private:
  std::vector<GateIndex> gates_;  ///< marked gates, and places that contained some
  /// For each place, the number of the focus in whose list it is.
  std::vector<std::uint32_t> listed_in_;
  std::uint32_t number_ = 0;
  bool is_set_ = false;
};

}  // namespace quartz
