#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>

#include "base/budget.hpp"
#include "base/random.hpp"
#include "circuit/phased_gates.hpp"
#include "optimize/pauli_network/pauli_network.hpp"
#include "optimize/pauli_network/rotation_columns.hpp"
#include "optimize/state/problem.hpp"
#include "optimize/state/qubit_groups.hpp"

namespace quartz::optimizer {

/// Whether pairs of controlled Pauli operators are merged (pauli_network/controlled_paulis.hpp), on
/// at most kMaxQubitsOfPauliString qubits.
/// Without that, the rotations of a network are those of the gates, which the check compares in no
/// time, however many there are.
enum class ControlledPaulis : bool { kept, merged };

/// Gates from which networks are made.
struct NetworkInput {
  Circuit circuit;           ///< in the gates of networks
  RotationColumns sequence;  ///< its rotations, of which some were merged
  ControlledPaulis paulis = ControlledPaulis::merged;
  std::size_t merged_pairs = 0;  ///< number of pairs that were merged
};

/// Indices of reaches of which one is good for each circuit, though not the same one for all.
inline constexpr std::array<std::size_t, 4> kReachesOfSample{1, 4, 5, 0};

/// Returns why large parts of a circuit cannot be replaced, as the end of a sentence; nothing if
/// they can: no rules say by what, and the time grows with the size of the circuit.
[[nodiscard]] std::optional<std::string> obstacle_to_synthesis(const Problem& problem,
                                                               std::size_t most_operations);
/// Returns why networks cannot be made for a problem, as the end of a sentence; nothing if they
/// can. They also need that all qubits are coupled.
[[nodiscard]] std::optional<std::string> obstacle_to_networks(const Problem& problem,
                                                              std::size_t most_operations);

/// The time for the networks of a group. Once the first one is made, which may take all of `first`,
/// others are made as long as `others` is not spent.
struct NetworkBudget {
  Budget first;
  Budget others;
};

/// Makes Pauli networks (pauli_network/pauli_network.hpp) of gates of any set, and translates them
/// back. All functions throw InputError if a gate set cannot express the gates of the other one,
/// and OverflowError if the exact sums of some angles do not fit into 64 bits.
class NetworkSynthesis {
 public:
  explicit NetworkSynthesis(const Problem& problem);

  /// Returns the number of rotations that gates are in the gates of networks, before equal ones are
  /// merged. A group with more than kMaxRotations has no network.
  [[nodiscard]] std::size_t rotations_of(const QubitGroup& group, const Budget& budget) const;
  /// Returns the gates of a group as an input, or nothing if they have no network.
  [[nodiscard]] std::optional<NetworkInput> input_of(const QubitGroup& group,
                                                     ControlledPaulis paulis,
                                                     const Budget& budget) const;
  /// Returns the cheapest of several networks, numbered as the input, or nothing if the budget is
  /// spent before the first one is made, which has the reach that CircuitFindings names. Records no
  /// history.
  [[nodiscard]] std::optional<circuit::PhasedGates> cheapest(const NetworkInput& input,
                                                             const NetworkBudget& budget) const;
  /// Returns the network of an input that cheapest() makes with one of the reaches
  /// (pauli_network/pauli_network.hpp), by its index, in the gates of the set.
  [[nodiscard]] std::optional<EndedNetwork> with_reach(const NetworkInput& input, std::size_t reach,
                                                       const Budget& budget) const;
  /// Returns the cheapest of several random networks, as cheapest() does.
  [[nodiscard]] std::optional<circuit::PhasedGates> cheapest_random(
      const NetworkInput& input, FastRandom& random, const NetworkBudget& budget) const;
  /// Returns the cheapest of several networks in layers (pauli_network/layered_network.hpp), as
  /// cheapest() does.
  [[nodiscard]] std::optional<circuit::PhasedGates> cheapest_layered(
      const NetworkInput& input, const NetworkBudget& budget) const;

 private:
  /// Returns the gates of a group in the gates of networks.
  [[nodiscard]] Circuit circuit_of(const QubitGroup& group, const Budget& budget) const;
  /// Returns the network of a sequence with a number below kNetworks.
  using Synthesis =
      std::function<std::optional<circuit::PhasedGates>(const RotationColumns&, std::size_t)>;
  [[nodiscard]] std::optional<circuit::PhasedGates> cheapest_of(const NetworkInput& input,
                                                                const Synthesis& synthesis,
                                                                const NetworkBudget& budget) const;

  const Problem& problem_;
  GateSet set_;
};

}  // namespace quartz::optimizer
