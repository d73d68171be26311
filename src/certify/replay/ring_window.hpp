#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "certify/replay/replayed_circuit.hpp"
#include "certify/replay/window_answer.hpp"

namespace quartz::certify {

/// Proves in microseconds that two short circuits on few wires are equal, if the entries of their
/// gates are in Z[w, 1/sqrt 2], w = e^{i pi/4}, up to a phase.
///
/// A unitary is e^{i phase} sqrt(2)^-s M with M over Z[w]. In each embedding of the field the
/// entries of a unitary have modulus at most 1, so the coefficients of M are at most sqrt(2)^s.
/// With s up to kMaxPower nothing overflows 64 bits.
class RingWindow {
 public:
  static constexpr std::size_t kMaxWires = 5;
  static constexpr unsigned kMaxPower = 100;

  using Gates = std::span<const ReplayedCircuit::WindowOperation>;

  explicit RingWindow(const OperationTable& table) : table_(table) {}

  /// Compares two circuits on `wires` wires.
  [[nodiscard]] WindowAnswer compare(std::size_t wires, Gates left, Gates right);

 private:
  /// The number a + b w + c w^2 + d w^3.
  using Element = std::array<std::int64_t, 4>;
  /// A nonzero entry of a gate's matrix: value / sqrt(2)^power.
  struct Entry {
    std::uint8_t row = 0;
    std::uint8_t column = 0;
    Element value{};
    std::int8_t exponent = -1;  ///< if value = w^exponent
  };
  struct RingGate {
    bool is_supported = false;
    unsigned power = 0;
    Angle phase;
    std::vector<Entry> entries;
  };
  struct Matrix {
    std::vector<Element> entries;  ///< column by column
    unsigned power = 0;
    Angle phase;
  };

  [[nodiscard]] static RingGate ring_gate(const Operation& operation);
  [[nodiscard]] const RingGate& gate_of(OperationCode code);
  /// Computes the unitary of a circuit. Returns false if that is impossible.
  [[nodiscard]] bool multiply(std::size_t wires, Gates gates, Matrix& matrix);
  static void apply(const RingGate& gate, std::span<const std::uint8_t> operands,
                    std::vector<Element>& entries);

  const OperationTable& table_;
  std::vector<std::optional<RingGate>> gates_;  ///< by code
  Matrix left_;
  Matrix right_;
};

}  // namespace quartz::certify
