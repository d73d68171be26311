#include "workflow/stages/weight_proof.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/budget.hpp"
#include "quartz/base/errors.hpp"
#include "workflow/result_check.hpp"

namespace quartz::workflow {
namespace {

/// The name of the free parameter in place of a base angle.
constexpr const char* kParameter = "base";
/// The most doublings of a base angle.
constexpr std::size_t kMostDoublings = 60;

/// Returns the bits that an operation writes or reads. The registers of the conditions have one bit
/// each.
std::vector<std::uint32_t> bits_of(const Operation& operation, const Circuit& circuit) {
  std::vector<std::uint32_t> bits;
  if (operation.classical == nullptr) return bits;
  bits = operation.classical->bits;
  for (const Condition& condition : operation.conditions()) {
    const Register& tested = circuit.bit_registers[condition.bit_register];
    for (std::uint32_t i = 0; i < tested.size; ++i) bits.push_back(tested.first + i);
  }
  return bits;
}

/// Both sides of a step as circuits on their own qubits and bits: first those that are on the left
/// side, then those that are only on the right side.
class StepCircuits {
 public:
  StepCircuits(const optimizer::WeightStep& step, const Circuit& whole)
      : whole_(whole), base_(step.base) {
    name_wires(step.before);
    const std::size_t qubits = qubits_.size();
    const std::size_t bits = bits_.size();
    left_ = circuit_of(step.before);
    name_wires(step.after);
    for (const auto& [qubit, number] : qubits_) {
      if (number >= qubits) new_qubits_.insert(qubit);
    }
    for (const auto& [bit, number] : bits_) {
      if (number >= bits) new_bits_.insert(bit);
    }
    right_ = circuit_of(step.after);
  }

  [[nodiscard]] const Circuit& left() const { return left_; }
  [[nodiscard]] const Circuit& right() const { return right_; }
  /// Returns the qubits and the bits that are only on the right side.
  [[nodiscard]] const std::set<Qubit>& new_qubits() const { return new_qubits_; }
  [[nodiscard]] const std::set<std::uint32_t>& new_bits() const { return new_bits_; }

 private:
  void name_wires(std::span<const Operation> operations) {
    for (const Operation& operation : operations) {
      for (const Qubit qubit : operation.qubits) {
        qubits_.try_emplace(qubit, static_cast<Qubit>(qubits_.size()));
      }
      for (const std::uint32_t bit : bits_of(operation, whole_)) {
        bits_.try_emplace(bit, static_cast<std::uint32_t>(bits_.size()));
      }
    }
  }

  [[nodiscard]] Circuit circuit_of(std::span<const Operation> operations) const {
    Circuit circuit = make_circuit(static_cast<std::uint32_t>(qubits_.size()), {});
    for (std::uint32_t i = 0; i < bits_.size(); ++i) {
      circuit.bit_registers.push_back({fmt::format("outcome{}", i), i, 1});
    }
    circuit.parameters.push_back({kParameter});
    for (const Operation& operation : operations) {
      circuit.operations.push_back(renamed(operation));
    }
    return circuit;
  }

  [[nodiscard]] Operation renamed(Operation operation) const {
    for (Qubit& qubit : operation.qubits) qubit = qubits_.at(qubit);
    if (operation.classical != nullptr) {
      ClassicalPart part = *operation.classical;
      for (std::uint32_t& bit : part.bits) bit = bits_.at(bit);
      for (Condition& condition : part.conditions) {
        condition.bit_register = bits_.at(whole_.bit_registers[condition.bit_register].first);
      }
      operation.classical = std::make_shared<const ClassicalPart>(std::move(part));
    }
    if (operation.gate == GateKind::rz) operation.angles[0] = generalized(operation.angles[0]);
    return operation;
  }

  /// Returns an angle with the parameter in place of the base angle.
  [[nodiscard]] Angle generalized(const Angle& angle) const {
    Angle multiple = base_;
    Angle parameter = Angle::symbol(kParameter);
    for (std::size_t doublings = 0; doublings <= kMostDoublings; ++doublings) {
      if (angle == multiple) return parameter;
      if (angle == -multiple) return -parameter;
      const std::optional<Angle> next = try_add(multiple, multiple);
      if (!next) break;
      multiple = *next;
      parameter = parameter * Rational(2);
    }
    return angle;
  }

  const Circuit& whole_;
  Angle base_;
  std::map<Qubit, Qubit> qubits_;
  std::map<std::uint32_t, std::uint32_t> bits_;
  std::set<Qubit> new_qubits_;
  std::set<std::uint32_t> new_bits_;
  Circuit left_;
  Circuit right_;
};

EquivalenceReport undecided(std::string reason) {
  EquivalenceReport report;
  report.method = "rotations of weights";
  report.witness = std::move(reason);
  return report;
}

class WeightProof {
 public:
  WeightProof(const optimizer::WeightCircuit& weights, const EquivalenceOptions& options,
              EquivalenceReport report)
      : weights_(weights),
        options_(options),
        budget_(Budget::of_seconds(options.seconds, options.stop)),
        report_(std::move(report)),
        operations_(weights.grouped.operations) {}

  EquivalenceReport prove() {
    for (const optimizer::WeightStep& step : weights_.steps) {
      if (std::string obstacle = prove(step); !obstacle.empty()) {
        return undecided(std::move(obstacle));
      }
    }
    if (operations_ != weights_.circuit.operations) {
      return undecided("the steps do not lead to the circuit with ancillas");
    }
    report_.method +=
        fmt::format(", and {} steps: {}", weights_.steps.size(), fmt::join(methods_, ", "));
    return std::move(report_);
  }

 private:
  /// Makes a step; returns why it is not proved, if it is not.
  std::string prove(const optimizer::WeightStep& step) {
    const std::size_t size = step.before.size();
    if (step.position > operations_.size() || size > operations_.size() - step.position) {
      return "a step is behind the end of the circuit";
    }
    const auto first = operations_.begin() + static_cast<std::ptrdiff_t>(step.position);
    const auto last = first + static_cast<std::ptrdiff_t>(size);
    if (!std::equal(first, last, step.before.begin())) return "a step is of other operations";
    const StepCircuits sides(step, weights_.circuit);
    if (!are_free(sides, step)) return "a step adds an ancilla that is used elsewhere";
    EquivalenceOptions options = options_;
    options.seconds = budget_.seconds_left();
    options.ancillas = true;
    const EquivalenceReport report = check_equivalence(sides.left(), sides.right(), options);
    if (report.verdict != EquivalenceVerdict::equal &&
        report.verdict != EquivalenceVerdict::equal_up_to_phase) {
      return fmt::format("a sum of rotations is not proved ({}): {}", to_string(report.verdict),
                         report.witness);
    }
    const std::string method = std::move(report_.method);
    report_ = chained(std::move(report_), report);
    report_.method = method;
    methods_.insert(report.method);
    operations_.insert(operations_.erase(first, last), step.after.begin(), step.after.end());
    return "";
  }

  /// Returns whether the new qubits of a step are in |0> before it, and these and the new bits are
  /// not used behind it.
  [[nodiscard]] bool are_free(const StepCircuits& sides, const optimizer::WeightStep& step) const {
    const auto uses = [&](const Operation& operation) {
      const auto bits = bits_of(operation, weights_.circuit);
      return std::ranges::any_of(operation.qubits,
                                 [&](Qubit qubit) { return sides.new_qubits().contains(qubit); }) ||
             std::ranges::any_of(bits,
                                 [&](std::uint32_t bit) { return sides.new_bits().contains(bit); });
    };
    const std::span<const Operation> all = operations_;
    if (std::ranges::any_of(all.subspan(step.position + step.before.size()), uses)) return false;
    std::set<Qubit> reset;
    for (const Operation& operation : step.after) {
      for (const Qubit qubit : operation.qubits) {
        if (!sides.new_qubits().contains(qubit) || reset.contains(qubit)) continue;
        if (operation.kind != OperationKind::reset) {
          return std::ranges::none_of(all.first(step.position), [&](const Operation& earlier) {
            return std::ranges::count(earlier.qubits, qubit) != 0;
          });
        }
        reset.insert(qubit);
      }
    }
    return true;
  }

  const optimizer::WeightCircuit& weights_;
  const EquivalenceOptions& options_;
  Budget budget_;
  EquivalenceReport report_;
  std::set<std::string> methods_;  ///< those that proved steps
  std::vector<Operation> operations_;
};

}  // namespace

EquivalenceReport prove_weights(const Circuit& circuit, const optimizer::WeightCircuit& weights,
                                const EquivalenceOptions& options) {
  const Budget budget = Budget::of_seconds(options.seconds, options.stop);
  EquivalenceReport report = check_equivalence(circuit, weights.grouped, options);
  if (report.verdict != EquivalenceVerdict::equal &&
      report.verdict != EquivalenceVerdict::equal_up_to_phase) {
    return report;
  }
  EquivalenceOptions rest = options;
  rest.seconds = budget.seconds_left();
  return WeightProof(weights, rest, std::move(report)).prove();
}

}  // namespace quartz::workflow
