#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "optimize/cost/scalar_gate_cost.hpp"
#include "optimize/instantiation/circuit_template.hpp"
#include "optimize/resynthesis/two_qubit_synthesis.hpp"
#include "quartz/circuit/operation.hpp"
#include "quartz/target/gate_set.hpp"

namespace quartz::optimizer {

/// A window as a template, with its gates as a choice.
struct WindowForm {
  CircuitTemplate circuit;
  TemplateChoice choice;
  std::vector<Operation> two_qubit_gates;
  /// For each gate, how fast its number t grows with its angle; 0 without a generator.
  std::vector<double> rates;
};

/// Returns a random choice for a template.
[[nodiscard]] TemplateChoice random_choice(const CircuitTemplate& circuit, std::size_t seed);

/// Turns windows of gates into templates, and choices of templates into gates of a set.
class WindowForms {
 public:
  /// The set must outlive this object.
  WindowForms(const GateSet& set, ScalarGateCost cost);

  /// Returns whether the set has free one-qubit gates, and gates on two qubits that cost so much
  /// more than one-qubit gates that deleting one of them pays.
  [[nodiscard]] bool available() const;
  [[nodiscard]] const TwoQubitSynthesis& synthesis() const { return synthesis_; }
  [[nodiscard]] const ScalarGateCost& cost() const { return cost_; }

  /// Returns the form of gates on some qubits, without those of its two-qubit gates that have these
  /// numbers.
  [[nodiscard]] WindowForm form_of(std::span<const Operation> gates, std::span<const Qubit> qubits,
                                   std::span<const std::size_t> without) const;
  /// Returns a form that practically every unitary on the qubits of a window has
  /// (generic_template.hpp), made of two-qubit gates of the window, or an empty one if its
  /// two-qubit gates do not cost less.
  [[nodiscard]] WindowForm generic_form(std::span<const Operation> gates,
                                        std::span<const Qubit> qubits) const;
  /// Returns the gates of a form with a choice, on the given qubits, or nothing if the set lacks
  /// some of them.
  [[nodiscard]] std::optional<std::vector<Operation>> written(const WindowForm& form,
                                                              const TemplateChoice& choice,
                                                              std::span<const Qubit> qubits) const;

 private:
  /// A gate with angle + d equals exp(i d rate generator) times the gate with this angle.
  struct Generator {
    Eigen::Matrix4cd matrix;  ///< with eigenvalues 0, 1 and -1
    double rate = 0;
  };
  /// Returns the generator of a gate whose only angle is free in the set.
  [[nodiscard]] std::optional<Generator> generator_of(const Operation& gate) const;
  /// Returns the gates of the set that equal a two-qubit gate of a form with a chosen turn.
  [[nodiscard]] std::optional<std::vector<Operation>> written_turn(const WindowForm& form,
                                                                   std::size_t number,
                                                                   double turn) const;

  const GateSet& set_;
  ScalarGateCost cost_;
  TwoQubitSynthesis synthesis_;
};

}  // namespace quartz::optimizer
