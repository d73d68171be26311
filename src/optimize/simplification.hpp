#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "optimize/two_qubit_blocks.hpp"
#include "quartz/circuit/circuit.hpp"
#include "quartz/circuit/cost.hpp"
#include "quartz/gateset/gate_set.hpp"
#include "quartz/optimize/exactness.hpp"

namespace quartz {

/// Gates that equal e^{i phase} times others.
struct SimplifiedGates {
  std::vector<Operation> gates;
  Angle phase;
  bool numeric = false;  ///< whether some of it rests on floating-point numbers
};

/// What makes a circuit cheaper without a search: rotations folded, two-qubit blocks resynthesized,
/// in turn until neither helps.
class Simplification {
 public:
  Simplification(const Circuit& circuit, const GateSet& set, const Cost& cost, Exactness exactness);

  /// Plain gates of the circuit, simplified. They never cost more, where the cost adds up over the
  /// gates. Ends early, with what there is, once `interrupted` says so.
  [[nodiscard]] SimplifiedGates run(std::span<const Operation> gates,
                                    const std::function<bool()>& interrupted);
  /// The same with rotations folded only.
  [[nodiscard]] SimplifiedGates fold(std::span<const Operation> gates,
                                     const std::function<bool()>& interrupted) const;

 private:
  using Interrupted = std::function<bool()>;

  [[nodiscard]] SimplifiedGates run_from(SimplifiedGates gates, bool blocks_first,
                                         const Interrupted& interrupted);
  [[nodiscard]] SimplifiedGates folded(std::span<const Operation> gates,
                                       const Interrupted& interrupted) const;
  [[nodiscard]] SimplifiedGates resynthesized(std::span<const Operation> gates,
                                              const Interrupted& interrupted);
  /// The objectives, and the number of gates after them.
  struct Value {
    CostValue objectives;
    std::size_t gates = 0;
    friend auto operator<=>(const Value&, const Value&) = default;
  };
  [[nodiscard]] Value value_of(std::span<const Operation> gates) const;

  const GateSet& set_;
  Cost cost_;
  std::uint32_t qubits_;
  Circuit frame_;
  TwoQubitBlocks blocks_;
};

}  // namespace quartz
