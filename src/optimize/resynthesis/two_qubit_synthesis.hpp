#pragma once

#include <Eigen/Core>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "optimize/cost/scalar_gate_cost.hpp"
#include "optimize/resynthesis/one_qubit_synthesis.hpp"
#include "optimize/resynthesis/weyl_decomposition.hpp"
#include "quartz/target/gate_set.hpp"

namespace quartz::optimizer {

/// Synthesizes two-qubit unitaries with as few gates of a gate set as possible, by their Weyl
/// coordinates.
///
/// Up to one-qubit gates, every entangling gate used is exp(i t PQ) with Paulis P and Q, possibly
/// followed by an exchange of the qubits (iswap). For cx, cz and ecr (t = pi/4) the least number of
/// gates follows from the coordinates (Shende, Markov, Bullock, quant-ph/0308033 and
/// quant-ph/0308045; Vidal, Dawson, quant-ph/0307177): none for (0, 0, 0), one for (pi/4, 0, 0),
/// two for (a, b, 0), three for all others. For gates with any t (rzz, rxx, cp, ...) it is one for
/// each nonzero coordinate. For gates that include an exchange, an odd number of gates equals the
/// number without exchange for the unitary times a swap. For the square root of iswap it is one for
/// (pi/8, pi/8, 0) and two for a >= b + |c| (sqrt_iswap.hpp). Any other gate serves by echoes: with
/// a Pauli gate between two of them, exp(i (a XX + b YY + c ZZ)) is exp(2 i a XX), times that gate,
/// since the Pauli gate X on one qubit reverses the other two terms; and several echoes add up. If
/// a set has several kinds, the cheapest mixture is used.
class TwoQubitSynthesis {
 public:
  TwoQubitSynthesis(const GateSet& set, const ScalarGateCost& weight);

  /// Returns whether the set has an entangling gate of a known kind, and free one-qubit gates.
  [[nodiscard]] bool available() const noexcept;
  /// Returns whether some gate serves by echoes, so that fewer gates may suffice.
  [[nodiscard]] bool uses_echoes() const noexcept { return uses_echoes_; }
  [[nodiscard]] const OneQubitSynthesis& one_qubit() const noexcept { return one_qubit_; }

  struct Result {
    std::vector<Operation> gates;  ///< on qubits 0 and 1
    Angle phase;
    std::uint64_t cost = 0;
    double error = 0;  ///< the largest difference from the target's entries
  };

  /// How much the one-qubit gates before the first and after the last two-qubit gate count.
  enum class OuterGates : std::uint8_t {
    full,   ///< as all other gates
    little  ///< less than any gate between two-qubit gates: they merge with those of other blocks
  };

  /// Returns what gates on qubits 0 and 1 cost if their outer gates count that much.
  [[nodiscard]] std::uint64_t cost_of(std::span<const Operation> gates, OuterGates outer) const;

  /// Returns gates that equal the unitary within kNumericTolerance, including the global phase, and
  /// cost less than `bound`, or nothing if none are found.
  [[nodiscard]] std::optional<Result> synthesize(const Eigen::Matrix4cd& target,
                                                 std::uint64_t bound = kUnreachableCost,
                                                 OuterGates outer = OuterGates::full) const;

 private:
  /// A gate of the set with a free angle: swap^exchanges (A x B) exp(i t PQ), P on operand 0.
  struct FreeEntangler {
    GateSetEntry entry;
    AngleList angles;           ///< all except the free one, to which t is proportional
    std::size_t parameter = 0;  ///< index of the free angle
    bool exchanges = false;
    double per_parameter = 0;  ///< ratio of t to the parameter
    std::array<Axis, 2> axes{};
    /// Whether the form is that of an echo: the gate, a Pauli gate on operand 0, and the gate
    /// again.
    std::optional<Axis> echo = {};
  };
  /// A step of a template: exp(i angle PQ), P on qubit 0, after one-qubit gates.
  struct Step {
    LocalGates before;
    double angle = 0;
    std::array<Axis, 2> axes{};
  };
  struct Template {
    std::vector<Step> steps;
    LocalGates after;
  };
  /// Gates with an angle: swap^exchanges (A x B) exp(i t PQ).
  struct Choice {
    std::vector<Operation> gates;  ///< on operands 0, 1: one gate, or an echo
    bool exchanges = false;
    std::array<Axis, 2> axes{};
    double angle = 0;  ///< t
    LocalGates local;  ///< A and B
    std::uint64_t weight = 0;
  };
  struct Sequence {
    std::vector<Operation> gates;
    std::uint64_t cost = kUnreachableCost;
    OuterGates outer = OuterGates::full;  ///< how much these count in the cost
  };

  /// A gate with the coordinates (pi/8, pi/8, 0).
  struct SquareRoot {
    Operation operation;  ///< on operands 0, 1
    LocalGates before;    ///< the gate is after exp(i pi/8 (XX + YY)) before, up to phase
    LocalGates after;
    std::uint64_t weight = 0;
  };

  class Layers;

  void add_entangler(const GateSetEntry& entry);
  /// Adds the gate with one free angle and the others as given. Returns whether the angle of the
  /// form is proportional to the parameter.
  bool add_free(const GateSetEntry& entry, const AngleList& angles, std::size_t parameter,
                std::optional<Axis> echo);
  [[nodiscard]] std::optional<Choice> choice_of(const FreeEntangler& free, double angle) const;
  /// Returns a free entangler with these angles, used a number of times.
  [[nodiscard]] std::optional<Choice> choice_with(const FreeEntangler& free,
                                                  const AngleList& angles, std::size_t uses) const;
  /// Returns the gates of a free entangler with these angles.
  [[nodiscard]] std::vector<Operation> gates_of(const FreeEntangler& free,
                                                const AngleList& angles) const;
  void add_fixed(const Operation& operation);
  /// Adds the echoes of a gate that has none of the other forms.
  void add_echoes(const Operation& operation, const Eigen::Matrix4cd& unitary);
  /// Adds gates with the form swap^exchanges (A x B) exp(i t PQ), and returns whether they have it.
  bool add_choice(std::vector<Operation> gates);
  /// Returns the cheapest gates for one-qubit unitaries on operands 0 and 1, up to their phases.
  [[nodiscard]] std::vector<Operation> written(const LocalGates& local) const;
  /// Returns whether the gate is a square root of iswap.
  bool add_square_root(const Operation& operation, const Eigen::Matrix4cd& unitary);
  void consider_square_roots(const WeylDecomposition& weyl, Sequence& best) const;
  /// Considers the gate between every two consecutive layers of one-qubit gates.
  void consider_layers(const SquareRoot& root, const std::vector<LocalGates>& layers,
                       Sequence& best) const;
  /// Returns templates for a unitary with these coordinates, without its exchanges, usually
  /// cheapest first.
  [[nodiscard]] std::vector<Template> templates_of(const WeylDecomposition& weyl) const;
  /// Returns the entanglers whose angle is this one or its negative.
  [[nodiscard]] std::vector<Choice> choices_for(double angle) const;
  /// Writes a template with every fitting choice of entanglers, with an odd or an even number of
  /// exchanges, and keeps the result if it costs less than the best so far.
  void consider(const Template& steps, bool exchanged, Sequence& best) const;
  [[nodiscard]] Sequence written(const Template& steps, const std::vector<const Choice*>& choices,
                                 OuterGates outer) const;

  ScalarGateCost weight_;
  OneQubitSynthesis one_qubit_;
  std::vector<FreeEntangler> free_;
  std::vector<Choice> fixed_;
  std::vector<SquareRoot> square_roots_;
  bool has_swap_ = false;  ///< whether some gate is a swap
  bool uses_echoes_ = false;
  bool any_exchange_ = false;  ///< whether some gate includes an exchange
};

}  // namespace quartz::optimizer
