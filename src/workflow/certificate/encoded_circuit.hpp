#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "circuit/derivation.hpp"
#include "quartz/circuit/circuit.hpp"
#include "quartz/circuit/operation.hpp"

namespace quartz::workflow {

/// A list of operations in a few bytes for each: the number of the operation without its qubits,
/// and the numbers of these.
class EncodedOperations {
 public:
  explicit EncodedOperations(std::span<const Operation> operations);
  [[nodiscard]] std::vector<Operation> decoded() const;
  /// Returns the number of bytes for all operations, without those for the distinct ones.
  [[nodiscard]] std::size_t bytes() const { return bytes_.size(); }

 private:
  /// An operation without its qubits, and how many it has.
  struct Distinct {
    Operation operation;
    std::size_t qubits = 0;
  };

  std::vector<Distinct> distinct_;
  std::string bytes_;
  std::size_t size_ = 0;
};

/// Circuits with fewer operations are not worth the time to encode and decode them.
inline constexpr std::size_t kMinEncodedOperations = 100'000;

/// Returns a function that forms the same circuit from its encoding, which takes a tenth of the
/// memory. It takes as long as a few copies of the circuit, now and whenever it is formed.
[[nodiscard]] std::function<circuit::DerivedCircuit()> encoded(circuit::DerivedCircuit circuit);

}  // namespace quartz::workflow
