#include "quartz/circuit/gate_weights.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "quartz/base/errors.hpp"
#include "quartz/circuit/gate.hpp"

namespace quartz {
namespace {

/// The greatest weight has at most this many units: sums over more than a million of the heaviest
/// gates fit 64 bits. What exceeds them is refused where costs are computed.
constexpr double kMaxUnits = 1e13;
/// Ten digits of the greatest weight are enough for weights that no unit represents exactly.
constexpr double kMaxUnitsOfRounded = 9'999'999'999;
constexpr std::uint64_t kMaxUnitsPerOne = 1'000'000'000'000'000'000;
/// Smaller weights get more digits until they are rounded by less than these fractions of them, and
/// are reported if they cannot.
constexpr double kMaxRounding = 1e-4;
constexpr double kMaxSilentRounding = 1e-2;

/// Returns the weight as a multiple of a unit; a positive weight is at least one unit.
std::uint64_t rounded(double weight, std::uint64_t units_per_one) {
  const double units = std::round(weight * static_cast<double>(units_per_one));
  return weight > 0 ? std::max<std::uint64_t>(static_cast<std::uint64_t>(units), 1) : 0;
}

double value_of(std::uint64_t units, std::uint64_t units_per_one) {
  return static_cast<double>(units) / static_cast<double>(units_per_one);
}

bool is_rounded_by(double weight, std::uint64_t units_per_one, double part) {
  const double value = value_of(rounded(weight, units_per_one), units_per_one);
  return std::abs(value - weight) > part * weight;
}

/// Returns the least power of ten that is good for all weights, as long as the greatest one has at
/// most `most` units.
template <typename IsGood>
std::uint64_t least_units_per_one(const std::vector<double>& weights, double most,
                                  const IsGood& is_good) {
  const double greatest = weights.empty() ? 0 : *std::max_element(weights.begin(), weights.end());
  std::uint64_t units = 1;
  while (units < kMaxUnitsPerOne && greatest * static_cast<double>(units) * 10 <= most &&
         !std::all_of(weights.begin(), weights.end(),
                      [&](double weight) { return is_good(weight, units); })) {
    units *= 10;
  }
  return units;
}

std::uint64_t common_units_per_one(const std::vector<double>& weights) {
  const auto is_exact = [](double weight, std::uint64_t units) {
    return value_of(rounded(weight, units), units) == weight;
  };
  const std::uint64_t exact = least_units_per_one(weights, kMaxUnits, is_exact);
  const bool all_are_exact = std::all_of(weights.begin(), weights.end(),
                                         [&](double weight) { return is_exact(weight, exact); });
  if (all_are_exact) return exact;
  const std::uint64_t ten_digits = least_units_per_one(weights, kMaxUnitsOfRounded, is_exact);
  return least_units_per_one(weights, kMaxUnits, [&](double weight, std::uint64_t units) {
    return units >= ten_digits && !is_rounded_by(weight, units, kMaxRounding);
  });
}

std::string to_text(OperationKind operation) {
  return operation == OperationKind::measure ? "measure" : "reset";
}

[[noreturn]] void refuse(const std::string& name, const std::string& what) {
  throw UsageError("the weights '" + name + "': " + what);
}

}  // namespace

std::vector<Qubit> sorted_operands(GateKind kind, std::span<const Qubit> qubits) {
  const std::vector<unsigned>& symmetry = gate(kind).symmetry;
  std::vector<Qubit> sorted(qubits.begin(), qubits.end());
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    for (std::size_t j = i + 1; j < sorted.size(); ++j) {
      if (symmetry[i] == symmetry[j] && sorted[j] < sorted[i]) std::swap(sorted[i], sorted[j]);
    }
  }
  return sorted;
}

GateWeights::GateWeights(std::string name, const std::vector<GateWeight>& weights,
                         std::optional<double> otherwise, Combination combination)
    : name_(std::move(name)),
      weights_(weights),
      weight_otherwise_(otherwise),
      combination_(combination) {
  std::vector<double> all;
  for (const GateWeight& weight : weights) all.push_back(weight.weight);
  if (otherwise) all.push_back(*otherwise);
  for (const double weight : all) {
    if (!(weight >= 0 && weight <= kGreatest))
      refuse(name_, "a weight must be a number from 0 to 1e9");
  }
  units_per_one_ = common_units_per_one(all);
  for (const GateWeight& weight : weights) add(weight);
  if (otherwise) otherwise_ = in_units(*otherwise);
}

void GateWeights::add(const GateWeight& weight) {
  const bool is_gate = weight.operation == OperationKind::gate;
  if (!is_gate) require_weighable(weight.operation);
  const std::string what =
      is_gate ? std::string(gate(weight.gate).name) : to_text(weight.operation);
  bool added = false;
  if (!weight.qubits.empty()) {
    const std::size_t operands = is_gate ? gate(weight.gate).qubits : 1;
    const std::set<Qubit> distinct(weight.qubits.begin(), weight.qubits.end());
    if (weight.qubits.size() != operands || distinct.size() != operands) {
      refuse(name_, what + " has " + std::to_string(operands) + " different operands");
    }
    Place place = is_gate ? Place{{weight.operation, weight.gate},
                                  sorted_operands(weight.gate, weight.qubits)}
                          : Place{{weight.operation, GateKind{}}, weight.qubits};
    added = on_qubits_.try_emplace(std::move(place), in_units(weight.weight)).second;
  } else if (is_gate) {
    const auto index = static_cast<std::size_t>(weight.gate);
    if (index >= by_gate_.size()) by_gate_.resize(index + 1);
    std::optional<std::uint64_t>& place = by_gate_[index];
    added = !place.has_value();
    place = in_units(weight.weight);
  } else {
    added = by_kind_.try_emplace(weight.operation, in_units(weight.weight)).second;
  }
  if (!added) refuse(name_, "a weight of " + what + " is given twice");
}

void GateWeights::require_weighable(OperationKind operation) const {
  if (operation != OperationKind::measure && operation != OperationKind::reset) {
    refuse(name_, "only gates, measurements and resets have weights");
  }
  if (combination_ == Combination::sum) refuse(name_, "only gates have weights in a sum");
}

std::uint64_t GateWeights::in_units(double weight) const { return rounded(weight, units_per_one_); }

std::optional<GateWeights::Rounding> GateWeights::rounding() const {
  std::optional<Rounding> found;
  const auto add = [&](double weight) {
    if (!is_rounded_by(weight, units_per_one_, kMaxSilentRounding)) return;
    if (!found || weight < found->weight) {
      found = Rounding{weight, value_of(in_units(weight), units_per_one_)};
    }
  };
  for (const GateWeight& weight : weights_) add(weight.weight);
  if (weight_otherwise_) add(*weight_otherwise_);
  return found;
}

bool GateWeights::covers(GateKind gate) const {
  return otherwise_.has_value() || own_weight(gate).has_value();
}

std::optional<std::uint64_t> GateWeights::own_weight(GateKind gate) const {
  const auto index = static_cast<std::size_t>(gate);
  return index < by_gate_.size() ? by_gate_[index] : std::nullopt;
}

std::optional<std::uint64_t> GateWeights::find(const Operation& operation) const {
  const bool is_gate = operation.kind == OperationKind::gate;
  if (!on_qubits_.empty()) {
    const std::span<const Qubit> qubits(operation.qubits.data(), operation.qubits.size());
    const auto found = on_qubits_.find(
        is_gate ? Place{{operation.kind, operation.gate}, sorted_operands(operation.gate, qubits)}
                : Place{{operation.kind, GateKind{}}, {qubits.begin(), qubits.end()}});
    if (found != on_qubits_.end()) return found->second;
  }
  if (!is_gate) {
    const auto found = by_kind_.find(operation.kind);
    return found == by_kind_.end() ? std::nullopt : std::optional(found->second);
  }
  const std::optional<std::uint64_t> own = own_weight(operation.gate);
  return own ? own : otherwise_;
}

}  // namespace quartz
