#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/budget.hpp"
#include "quartz/base/counted.hpp"
#include "quartz/compound_journal/compound_journal.hpp"

namespace quartz {
namespace {

/// The name of the free parameter in place of a base angle.
constexpr const char* kParameter = "base";
/// The most doublings of a base angle.
constexpr std::size_t kMostDoublings = 60;

/// Returns the one bit that a condition tests, if it is the comparison of a register of one bit.
std::optional<ClassicalBit> tested_bit(const Condition& condition, const Circuit& circuit) {
  if (condition.expression != nullptr || condition.bit_register >= circuit.bit_registers.size()) {
    return std::nullopt;
  }
  const Register& tested = circuit.bit_registers[condition.bit_register];
  return tested.size == 1 ? std::optional<ClassicalBit>(tested.first) : std::nullopt;
}

/// Returns whether a replacement may contain an operation: its qubits and bits are all that it
/// depends on.
bool may_be_replaced(const Operation& operation, const Circuit& circuit) {
  const bool is_known = operation.kind == OperationKind::gate ||
                        operation.kind == OperationKind::measure ||
                        operation.kind == OperationKind::reset;
  return is_known && std::ranges::all_of(operation.conditions(), [&](const Condition& condition) {
           return tested_bit(condition, circuit).has_value();
         });
}

/// Returns the bits that an operation of a replacement writes or tests.
std::vector<ClassicalBit> bits_of(const Operation& operation, const Circuit& circuit) {
  std::vector<ClassicalBit> bits;
  if (operation.classical == nullptr) return bits;
  bits = operation.classical->bits;
  for (const Condition& condition : operation.conditions()) {
    bits.push_back(tested_bit(condition, circuit).value());
  }
  return bits;
}

/// Returns whether any operation may write or test one of the bits.
bool uses_bits(const Operation& operation, const std::set<ClassicalBit>& bits,
               const Circuit& circuit) {
  if (bits.empty() || operation.classical == nullptr) return false;
  // What a statement or an expression reads is not listed.
  if (operation.kind == OperationKind::opaque) return true;
  if (std::ranges::any_of(operation.classical->bits,
                          [&](ClassicalBit bit) { return bits.contains(bit); })) {
    return true;
  }
  return std::ranges::any_of(operation.conditions(), [&](const Condition& condition) {
    if (condition.expression != nullptr) return true;
    const Register tested = tested_bits(circuit, condition);
    const auto first = bits.lower_bound(tested.first);
    return first != bits.end() && *first < tested.first + tested.size;
  });
}

/// Returns the qubits on which a reset is first, and the bits to which a measurement writes first,
/// both without a condition.
std::pair<std::set<Qubit>, std::set<ClassicalBit>> prepared(std::span<const Operation> operations,
                                                            const Circuit& circuit) {
  std::set<Qubit> used_qubits;
  std::set<ClassicalBit> used_bits;
  std::pair<std::set<Qubit>, std::set<ClassicalBit>> result;
  for (const Operation& operation : operations) {
    const bool is_certain = operation.conditions().empty();
    for (const Qubit qubit : operation.qubits) {
      const bool is_first = used_qubits.insert(qubit).second;
      const bool prepares = is_certain && operation.kind == OperationKind::reset;
      if (is_first && prepares) result.first.insert(qubit);
    }
    for (const ClassicalBit bit : bits_of(operation, circuit)) {
      const bool is_first = used_bits.insert(bit).second;
      const bool writes = is_certain && operation.kind == OperationKind::measure;
      if (is_first && writes) result.second.insert(bit);
    }
  }
  return result;
}

/// Both sides of a replacement as circuits on their own qubits and bits: first those that are on
/// the left side, then those that are only on the right side. The bits of the left side may have
/// any values before the replacement: both circuits begin with measurements that write them, unless
/// both sides do so. The qubits that are measured there are behind those of the left side.
class ReplacedCircuits {
 public:
  ReplacedCircuits(std::span<const Operation> removed, const Replacement& replacement,
                   const Circuit& declarations)
      : whole_(declarations), base_(replacement.base) {
    name_wires(removed);
    const std::size_t qubits = qubits_.size();
    const std::size_t bits = bits_.size();
    measure_first(removed, replacement.inserted);
    left_ = circuit_of(removed);
    name_wires(replacement.inserted);
    for (const auto& [qubit, number] : qubits_) {
      if (number >= qubits) new_qubits_.insert(qubit);
    }
    for (const auto& [bit, number] : bits_) {
      if (number >= bits) new_bits_.insert(bit);
    }
    right_ = circuit_of(replacement.inserted);
  }

  [[nodiscard]] const Circuit& left() const { return left_; }
  [[nodiscard]] const Circuit& right() const { return right_; }
  /// Returns the qubits and the bits that are only on the right side.
  [[nodiscard]] const std::set<Qubit>& new_qubits() const { return new_qubits_; }
  [[nodiscard]] const std::set<ClassicalBit>& new_bits() const { return new_bits_; }
  /// Returns a side with the new qubits in |0> at its start. If both sides are equal then, also on
  /// the new qubits, the right side leaves these in |0>.
  [[nodiscard]] Circuit with_new_qubits_in_zero(const Circuit& side) const {
    Circuit circuit = without_operations(right_);
    for (const Qubit qubit : new_qubits_) {
      Operation reset = make_operation(GateKind::id, {qubits_.at(qubit)});
      reset.kind = OperationKind::reset;
      circuit.operations.push_back(std::move(reset));
    }
    circuit.operations.insert(circuit.operations.end(), side.operations.begin(),
                              side.operations.end());
    return circuit;
  }

 private:
  void name_wires(std::span<const Operation> operations) {
    for (const Operation& operation : operations) {
      for (const Qubit qubit : operation.qubits) {
        qubits_.try_emplace(qubit, static_cast<Qubit>(qubits_.size() + first_.size()));
      }
      for (const ClassicalBit bit : bits_of(operation, whole_)) {
        bits_.try_emplace(bit, static_cast<ClassicalBit>(bits_.size()));
      }
    }
  }

  /// Adds the measurements at the start of both circuits. Only the left side has names yet.
  void measure_first(std::span<const Operation> removed, std::span<const Operation> inserted) {
    const std::set<ClassicalBit> on_left = prepared(removed, whole_).second;
    const std::set<ClassicalBit> on_right = prepared(inserted, whole_).second;
    for (const auto& [bit, number] : bits_) {
      if (on_left.contains(bit) && on_right.contains(bit)) continue;
      Operation measurement;
      measurement.kind = OperationKind::measure;
      measurement.qubits = {static_cast<Qubit>(qubits_.size() + first_.size())};
      ClassicalPart part;
      part.bits = {number};
      measurement.classical = std::make_shared<const ClassicalPart>(std::move(part));
      first_.push_back(std::move(measurement));
    }
  }

  [[nodiscard]] Circuit circuit_of(std::span<const Operation> operations) const {
    Circuit circuit = make_circuit(static_cast<std::uint32_t>(qubits_.size() + first_.size()), {});
    for (std::uint32_t i = 0; i < bits_.size(); ++i) {
      circuit.bit_registers.push_back({fmt::format("outcome{}", i), i, 1});
    }
    circuit.parameters.push_back({kParameter});
    circuit.operations = first_;
    for (const Operation& operation : operations) {
      circuit.operations.push_back(renamed(operation));
    }
    return circuit;
  }

  [[nodiscard]] Operation renamed(Operation operation) const {
    for (Qubit& qubit : operation.qubits) qubit = qubits_.at(qubit);
    if (operation.classical != nullptr) {
      ClassicalPart part = *operation.classical;
      for (ClassicalBit& bit : part.bits) bit = bits_.at(bit);
      for (Condition& condition : part.conditions) {
        condition.bit_register = bits_.at(tested_bit(condition, whole_).value());
      }
      operation.classical = std::make_shared<const ClassicalPart>(std::move(part));
    }
    if (operation.gate == GateKind::rz && !operation.angles.empty()) {
      operation.angles[0] = generalized(operation.angles[0]);
    }
    return operation;
  }

  /// Returns an angle with the parameter in place of the base angle.
  [[nodiscard]] Angle generalized(const Angle& angle) const {
    if (base_.is_zero()) return angle;
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
  std::map<ClassicalBit, ClassicalBit> bits_;
  std::vector<Operation> first_;  ///< measurements by which bits have any values
  std::set<Qubit> new_qubits_;
  std::set<ClassicalBit> new_bits_;
  Circuit left_;
  Circuit right_;
};

/// Makes the replacements of a part one after the other, and proves them.
class ReplacementProof {
 public:
  ReplacementProof(Circuit& circuit, const Circuit& input, const ReplacementPart& part,
                   const EquivalenceOptions& options)
      : circuit_(circuit),
        input_(input),
        part_(part),
        options_(options),
        budget_(Budget::of_seconds(options.seconds, options.stop)) {}

  EquivalenceReport prove() {
    if (!has_all_declarations()) {
      return undecided("the replacements declare other registers or parameters than the circuit");
    }
    for (const Replacement& each : part_.replacements) {
      if (std::string obstacle = prove(each); !obstacle.empty()) {
        return undecided(std::move(obstacle));
      }
    }
    Circuit next = part_.declarations;
    next.operations = std::move(circuit_.operations);
    circuit_ = std::move(next);
    report_.method = fmt::format("{}: {}", counted(part_.replacements.size(), "replacement"),
                                 fmt::join(methods_, ", "));
    // A replacement is proved up to a global phase, also that of the declarations.
    report_.verdict = std::max(report_.verdict, EquivalenceVerdict::equal_up_to_phase);
    report_.phase.reset();
    return std::move(report_);
  }

 private:
  static EquivalenceReport undecided(std::string reason) {
    EquivalenceReport report;
    report.method = "replacements";
    report.witness = std::move(reason);
    return report;
  }

  static EquivalenceReport equal() {
    EquivalenceReport report;
    report.verdict = EquivalenceVerdict::equal;
    report.distance = 0;
    return report;
  }

  /// Returns whether what the operations name means the same with the declarations of the part.
  [[nodiscard]] bool has_all_declarations() const {
    const Circuit& declared = part_.declarations;
    return declared.qubit_count() >= circuit_.qubit_count() &&
           declared.bit_registers.size() >= circuit_.bit_registers.size() &&
           std::equal(circuit_.bit_registers.begin(), circuit_.bit_registers.end(),
                      declared.bit_registers.begin()) &&
           declared.parameters == circuit_.parameters &&
           std::ranges::none_of(circuit_.parameters, [](const Parameter& parameter) {
             return parameter.name == kParameter;
           });
  }

  /// Makes a replacement; returns why it is not proved, if it is not.
  std::string prove(const Replacement& replacement) {
    std::vector<Operation>& operations = circuit_.operations;
    if (replacement.position > operations.size() ||
        replacement.removed > operations.size() - replacement.position) {
      return "a replacement is behind the end of the circuit";
    }
    const auto first = operations.begin() + static_cast<std::ptrdiff_t>(replacement.position);
    const auto last = first + static_cast<std::ptrdiff_t>(replacement.removed);
    const auto is_plain = [&](const Operation& operation) {
      return may_be_replaced(operation, part_.declarations);
    };
    if (!std::all_of(first, last, is_plain) ||
        !std::ranges::all_of(replacement.inserted, is_plain)) {
      return "a replacement has other operations than gates, measurements, resets, and conditions "
             "on registers of one bit";
    }
    const ReplacedCircuits sides(std::span(first, last), replacement, part_.declarations);
    if (!are_free(sides, replacement))
      return "a replacement adds an ancilla that is used elsewhere";
    const EquivalenceReport report = compared(sides, replacement);
    if (!finds_equal(report)) {
      return fmt::format("a replacement is not proved ({}): {}", to_string(report.verdict),
                         report.witness);
    }
    report_ = chained(std::move(report_), report);
    report_.method.clear();
    methods_.insert(report.method);
    operations.insert(operations.erase(first, last), replacement.inserted.begin(),
                      replacement.inserted.end());
    return "";
  }

  /// Compares the sides of a replacement, and notes whether its new qubits are in |0> behind it.
  [[nodiscard]] EquivalenceReport compared(const ReplacedCircuits& sides,
                                           const Replacement& replacement) {
    EquivalenceOptions options = options_;
    options.epsilon = 0;
    for (const Qubit qubit : sides.new_qubits()) in_zero_.erase(qubit);
    if (!sides.new_qubits().empty() && sides.new_bits().empty()) {
      options.seconds = budget_.seconds_left();
      EquivalenceReport report =
          check_equivalence(sides.with_new_qubits_in_zero(sides.left()),
                            sides.with_new_qubits_in_zero(sides.right()), options);
      if (finds_equal(report)) {
        // One that is prepared may be in |0> only where the replacement is executed.
        std::ranges::set_difference(sides.new_qubits(),
                                    prepared(replacement.inserted, part_.declarations).first,
                                    std::inserter(in_zero_, in_zero_.end()));
        return report;
      }
    }
    options.seconds = budget_.seconds_left();
    options.ancillas = true;
    return check_equivalence(sides.left(), sides.right(), options);
  }

  static bool finds_equal(const EquivalenceReport& report) {
    return report.verdict == EquivalenceVerdict::equal ||
           report.verdict == EquivalenceVerdict::equal_up_to_phase;
  }

  /// Returns whether the new qubits and bits of a replacement are ancillas and their outcomes, are
  /// in |0> and 0 before it, and are not used behind it.
  [[nodiscard]] bool are_free(const ReplacedCircuits& sides, const Replacement& replacement) const {
    const std::set<Qubit>& qubits = sides.new_qubits();
    const std::set<ClassicalBit>& bits = sides.new_bits();
    const bool has_data = (!qubits.empty() && *qubits.begin() < input_.qubit_count()) ||
                          (!bits.empty() && *bits.begin() < input_.bit_count());
    const std::span<const Operation> all = circuit_.operations;
    if (has_data ||
        are_used(qubits, bits, all.subspan(replacement.position + replacement.removed))) {
      return false;
    }
    const auto [prepared_qubits, prepared_bits] =
        prepared(replacement.inserted, part_.declarations);
    std::set<Qubit> from_start;
    std::ranges::set_difference(qubits, prepared_qubits,
                                std::inserter(from_start, from_start.end()));
    std::set<ClassicalBit> bits_from_start;
    std::ranges::set_difference(bits, prepared_bits,
                                std::inserter(bits_from_start, bits_from_start.end()));
    const std::span<const Operation> before = all.first(replacement.position);
    if (is_in_loop(before)) {
      // What is behind the replacement in one round is before it in the next one, and so is the
      // replacement itself.
      return from_start.empty() && bits_from_start.empty() && !are_used(qubits, bits, before);
    }
    // These are in |0> and 0 from the start of the circuit, if nothing used them, or only
    // replacements that leave them in |0>.
    std::set<Qubit> unused;
    std::ranges::set_difference(from_start, in_zero_, std::inserter(unused, unused.end()));
    return !are_used(unused, bits_from_start, before);
  }

  [[nodiscard]] bool are_used(const std::set<Qubit>& qubits, const std::set<ClassicalBit>& bits,
                              std::span<const Operation> operations) const {
    return std::ranges::any_of(operations, [&](const Operation& operation) {
      return std::ranges::any_of(operation.qubits,
                                 [&](Qubit qubit) { return qubits.contains(qubit); }) ||
             uses_bits(operation, bits, part_.declarations);
    });
  }

  /// Returns whether a loop begins in the operations and does not end there.
  [[nodiscard]] static bool is_in_loop(std::span<const Operation> operations) {
    std::vector<bool> blocks;  // those that have not ended; whether they are loops
    for (const Operation& operation : operations) {
      if (operation.kind != OperationKind::opaque) continue;
      const OpaqueKind kind = operation.classical->opaque_kind;
      if (kind == OpaqueKind::box || kind == OpaqueKind::loop) {
        blocks.push_back(kind == OpaqueKind::loop);
      }
      if (kind == OpaqueKind::end_of_block && !blocks.empty()) blocks.pop_back();
    }
    return std::ranges::find(blocks, true) != blocks.end();
  }

  Circuit& circuit_;
  const Circuit& input_;
  const ReplacementPart& part_;
  const EquivalenceOptions& options_;
  Budget budget_;
  /// New qubits of replacements that have been proved to leave them in |0>.
  std::set<Qubit> in_zero_;
  EquivalenceReport report_ = equal();
  std::set<std::string> methods_;  ///< those that proved replacements
};

}  // namespace

EquivalenceReport prove_replacements(Circuit& circuit, const Circuit& input,
                                     const ReplacementPart& part,
                                     const EquivalenceOptions& options) {
  return ReplacementProof(circuit, input, part, options).prove();
}

}  // namespace quartz
