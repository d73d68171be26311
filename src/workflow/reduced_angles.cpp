#include "workflow/reduced_angles.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>

#include "circuit/history.hpp"
#include "quartz/qasm/qasm.hpp"

namespace quartz::workflow {
namespace {

/// A period of all gates, in multiples of pi.
constexpr unsigned kPeriod = 4;
/// What programs that compute in doubles may miss of an angle, in radians.
constexpr double kMostMissed = 1e-13;

/// Returns the number that a double stands for, exactly.
Angle exact_angle(double value) {
  // A double has no more than 1074 binary places, and as many decimal ones.
  Angle angle = Angle::decimal(fmt::format("{:.1074f}", std::abs(value)));
  return value < 0 ? -angle : angle;
}

/// Returns whether a program that computes the angle in doubles misses it.
bool is_missed_in_doubles(const Angle& angle) {
  if (angle.is_pi_multiple() || !angle.is_constant()) return false;
  const double value = angle.value();
  // Sums of few small numbers are rounded by less.
  constexpr double kSmall = 64;
  const bool is_small = std::abs(value) < kSmall && angle.terms().empty() &&
                        angle.pi_part() < Rational(kPeriod) &&
                        Rational(-static_cast<int>(kPeriod)) < angle.pi_part();
  if (is_small) return false;
  const double missed = exact_angle(value).value_modulo(kPeriod) - angle.value_modulo(kPeriod);
  return std::abs(std::remainder(missed, kPeriod * std::numbers::pi)) > kMostMissed;
}

/// The angles that programs miss, and what takes their places.
class ReducedAngles {
 public:
  ReducedAngles(const Circuit& circuit, const Circuit& input) {
    for (const Operation& operation : circuit.operations) {
      if (operation.kind != OperationKind::gate) continue;
      for (const Angle& angle : operation.angles) add(angle);
    }
    if (is_empty()) return;
    // The input's reader misses these as well, and nothing is gained if a gate stays.
    for (const Operation& operation : input.operations) {
      for (const Angle& angle : operation.angles) reduced_.erase(angle);
    }
  }

  [[nodiscard]] bool is_empty() const { return reduced_.empty(); }

  /// Returns the gate with other angles; nothing if it has none of these.
  [[nodiscard]] std::optional<Operation> changed(const Operation& operation) const {
    std::optional<Operation> result;
    if (operation.kind != OperationKind::gate) return result;
    for (std::size_t i = 0; i < operation.angles.size(); ++i) {
      const auto found = reduced_.find(operation.angles[i]);
      if (found == reduced_.end()) continue;
      if (!result) result = operation;
      result->angles[i] = found->second;
    }
    return result;
  }

 private:
  void add(const Angle& angle) {
    if (reduced_.contains(angle) || !is_missed_in_doubles(angle)) return;
    reduced_.emplace(angle, angle_from_double(angle.value_modulo(kPeriod)));
  }

  std::unordered_map<Angle, Angle> reduced_;
};

}  // namespace

std::optional<circuit::DerivedCircuit> with_reduced_angles(const Circuit& circuit,
                                                           const Circuit& input,
                                                           const GateSet& set) {
  const ReducedAngles angles(circuit, input);
  if (angles.is_empty()) return std::nullopt;
  Circuit result = circuit;
  circuit::GateByGateHistory history(circuit.operations.size());
  bool has_changed = false;
  for (Operation& operation : result.operations) {
    std::optional<Operation> changed = angles.changed(operation);
    if (!changed || !set.contains(*changed)) {
      history.keep();
      continue;
    }
    operation = *std::move(changed);
    history.replace(std::span(&operation, 1));
    has_changed = true;
  }
  if (!has_changed) return std::nullopt;
  return circuit::DerivedCircuit{std::move(result),
                                 circuit::Derivation::by(std::move(history).finish(), true)};
}

}  // namespace quartz::workflow
