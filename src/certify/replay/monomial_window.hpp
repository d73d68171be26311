#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "certify/problem/monomial_gate.hpp"
#include "certify/replay/replayed_circuit.hpp"
#include "certify/replay/window_answer.hpp"

namespace quartz::certify {

/// Proves that two circuits of gates that permute basis states up to phases are equal, such as
/// blocks of CNOTs and Z rotations. Both circuits are run on every basis state. Exact for all
/// angles and for all values of the parameters: the phase of an output is a sum of angles of the
/// gates with integer factors, and the sums of both circuits must differ by the same angle for all
/// basis states.
class MonomialWindow {
 public:
  static constexpr std::size_t kMaxWires = 12;

  using Gates = std::span<const ReplayedCircuit::WindowOperation>;

  explicit MonomialWindow(const OperationTable& table) : table_(table) {}

  /// Compares two circuits on `wires` wires.
  [[nodiscard]] WindowAnswer compare(std::size_t wires, Gates left, Gates right);

 private:
  /// The action of a gate, and the index of the factor of its first phase in the current pair.
  struct GateAction {
    bool is_supported = false;
    MonomialAction action;
    std::size_t first_factor = 0;
    std::uint64_t pair = 0;  ///< number of the pair to which the index belongs
  };

  [[nodiscard]] GateAction& gate_of(OperationCode code);
  /// Numbers the phases of all gates in `phases_`. Returns false if a gate is not supported.
  [[nodiscard]] bool number_phases(Gates gates);
  /// Runs a circuit on a basis state, adds `sign` to the factor of each phase, and returns the
  /// output.
  [[nodiscard]] std::size_t run(Gates gates, std::size_t state, std::int64_t sign);
  /// Returns the sum of the phases with the current factors less the given ones, modulo 2 pi.
  [[nodiscard]] Angle sum_less(std::span<const std::int64_t> factors) const;

  const OperationTable& table_;
  std::vector<std::optional<GateAction>> gates_;  ///< by code
  std::uint64_t pair_ = 0;                        ///< number of the current pair
  std::vector<Angle> phases_;
  std::vector<std::int64_t> factors_;  ///< for each phase, in left less in right
};

}  // namespace quartz::certify
