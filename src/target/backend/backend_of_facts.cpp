#include "target/backend/backend_of_facts.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "quartz/circuit/gate.hpp"
#include "target/error_rate.hpp"

namespace quartz::target {
namespace {

/// A value of each calibration, such as its error rate as a weight; nothing if it has none.
using ValueOf = std::optional<double> (*)(const Calibration& calibration);

bool is_broken(const Calibration& calibration) { return calibration.error_rate == 1; }

std::optional<double> error_weight(const Calibration& calibration) {
  if (!calibration.error_rate) return std::nullopt;
  return weight_of_error_rate(*calibration.error_rate);
}

std::optional<double> duration(const Calibration& calibration) { return calibration.nanoseconds; }

/// Returns the kind of operation that a name in a file means; nothing if the library has none.
std::optional<GateWeight> operation_named(const std::string& name) {
  GateWeight operation;
  if (name == "measure") {
    operation.operation = OperationKind::measure;
  } else if (name == "reset") {
    operation.operation = OperationKind::reset;
  } else if (const Gate* row = find_gate(name)) {
    operation.gate = row->kind;
  } else {
    return std::nullopt;
  }
  return operation;
}

bool has_operands_of(const GateWeight& operation, const Calibration& calibration) {
  const bool is_gate = operation.operation == OperationKind::gate;
  const std::size_t operands = is_gate ? gate(operation.gate).qubits : 1;
  return calibration.qubits.empty() || calibration.qubits.size() == operands;
}

/// The values of one operation.
struct Values {
  GateWeight operation;
  std::optional<double> typical;  ///< on all operands that have no value, if the file gives it
  std::map<std::vector<Qubit>, double> on_qubits;
};

/// Returns the median, which a few broken gates hardly change.
double median(const std::map<std::vector<Qubit>, double>& values) {
  std::vector<double> sorted;
  sorted.reserve(values.size());
  for (const auto& [qubits, value] : values) sorted.push_back(value);
  const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
  std::ranges::nth_element(sorted, middle);
  return *middle;
}

/// Returns the weight of a gate on qubits on which it does not work: that of a broken one, or a
/// duration that is far greater than all others.
double weight_of_missing(const BackendCost& cost,
                         const std::map<std::pair<OperationKind, GateKind>, Values>& values) {
  if (cost.weights == &Backend::error) return weight_of_error_rate(1);
  constexpr double kTimesLongest = 10;
  double longest = 0;
  for (const auto& [key, own] : values) {
    for (const auto& [qubits, value] : own.on_qubits) longest = std::max(longest, value);
  }
  return std::min(kTimesLongest * longest, GateWeights::kGreatest);
}

/// Returns the weights of all operations that have a value. If a gate has two values on the
/// same operands, the greater one counts.
std::optional<GateWeights> weights_of(const DeviceFacts& facts, const Backend& backend,
                                      const BackendCost& cost, ValueOf value_of) {
  std::map<std::pair<OperationKind, GateKind>, Values> values;
  for (const Calibration& calibration : facts.calibrations) {
    const std::optional<double> value = value_of(calibration);
    const std::optional<GateWeight> operation = operation_named(calibration.gate);
    if (!value || !operation || !has_operands_of(*operation, calibration)) continue;
    const bool is_gate = operation->operation == OperationKind::gate;
    if (!is_gate && cost.combination == Combination::sum) continue;
    Values& own = values[{operation->operation, operation->gate}];
    own.operation = *operation;
    if (calibration.qubits.empty()) {
      own.typical = std::max(own.typical.value_or(0), *value);
      continue;
    }
    double& place = own.on_qubits[is_gate ? sorted_operands(operation->gate, calibration.qubits)
                                          : calibration.qubits];
    place = std::max(place, *value);
  }
  if (values.empty()) return std::nullopt;
  const double of_missing = weight_of_missing(cost, values);
  for (const auto& [kind, pairs] : backend.missing) {
    const auto own = values.find({OperationKind::gate, kind});
    if (own == values.end()) continue;
    for (const auto& [first, second] : pairs) {
      for (const std::vector<Qubit>& qubits :
           {std::vector{first, second}, std::vector{second, first}}) {
        own->second.on_qubits[sorted_operands(kind, qubits)] = of_missing;
      }
    }
  }
  std::vector<GateWeight> weights;
  for (auto& [key, own] : values) {
    GateWeight weight = own.operation;
    weight.weight = own.typical ? *own.typical : median(own.on_qubits);
    weights.push_back(weight);
    for (const auto& [qubits, value] : own.on_qubits) {
      weight.qubits = qubits;
      weight.weight = value;
      weights.push_back(weight);
    }
  }
  return GateWeights(std::string(cost.name), weights, std::nullopt, cost.combination);
}

/// Returns whether a name is one of the operations that files list beside gates, such as
/// "measure_2".
bool is_gate_name(std::string_view name) {
  return !name.starts_with("measure") && !name.starts_with("reset") && name != "delay";
}

/// Returns the names of the gates that work on some operands, sorted.
std::vector<std::string> working_gates(const DeviceFacts& facts) {
  std::map<std::string, bool> works;
  for (const Calibration& calibration : facts.calibrations) {
    bool& does = works[calibration.gate];
    does = does || !is_broken(calibration);
  }
  std::vector<std::string> names;
  if (facts.gates) {
    for (const std::string& name : *facts.gates) {
      const auto calibrated = works.find(name);
      if (calibrated == works.end() || calibrated->second) names.push_back(name);
    }
  } else {
    for (const auto& [name, does] : works) {
      if (does) names.push_back(name);
    }
  }
  std::erase_if(names, [](const std::string& name) { return !is_gate_name(name); });
  std::ranges::sort(names);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

/// The pairs on which gates of the device work or do not. A gate that is symmetric in its operands
/// works in both orders, but gives no order to the gates with a direction: where one of these
/// works, its orders are those of the pair.
class Pairs {
 public:
  Pairs(const DeviceFacts& facts, const std::vector<std::string>& gates) {
    std::map<std::pair<Qubit, Qubit>, bool> symmetric;
    for (const Calibration& calibration : facts.calibrations) {
      if (calibration.qubits.size() != 2 || !std::ranges::binary_search(gates, calibration.gate)) {
        continue;
      }
      const Qubit first = calibration.qubits[0];
      const Qubit second = calibration.qubits[1];
      const Gate* row = find_gate(calibration.gate);
      if (row != nullptr && !has_direction(row->kind)) {
        note(symmetric, std::minmax(first, second), calibration);
      } else {
        note(works_, {first, second}, calibration);
      }
    }
    for (const auto& [pair, works] : symmetric) {
      const std::pair reversed(pair.second, pair.first);
      if (works_in(pair) || works_in(reversed)) continue;
      works_[pair] = works;
      works_[reversed] = works;
    }
  }

  /// Returns whether no gate works on the pair in this order, although one has a calibration there.
  [[nodiscard]] bool is_broken(Qubit first, Qubit second) const {
    const auto found = works_.find({first, second});
    return found != works_.end() && !found->second;
  }
  /// Returns whether a gate works on each pair in this order.
  [[nodiscard]] const std::map<std::pair<Qubit, Qubit>, bool>& all() const { return works_; }

 private:
  static void note(std::map<std::pair<Qubit, Qubit>, bool>& pairs,
                   const std::pair<Qubit, Qubit>& pair, const Calibration& calibration) {
    bool& works = pairs[pair];
    works = works || !target::is_broken(calibration);
  }
  [[nodiscard]] bool works_in(const std::pair<Qubit, Qubit>& pair) const {
    const auto found = works_.find(pair);
    return found != works_.end() && found->second;
  }

  std::map<std::pair<Qubit, Qubit>, bool> works_;
};

CouplingMap coupling_of(const DeviceFacts& facts, const Backend& backend) {
  const Pairs calibrated(facts, backend.gates);
  CouplingMap map(std::ranges::any_of(backend.kinds, has_direction));
  if (facts.pairs) {
    for (const auto& [first, second] : *facts.pairs) {
      if (!calibrated.is_broken(first, second)) map.add(first, second);
    }
  } else {
    for (const auto& [pair, works] : calibrated.all()) {
      if (works) map.add(pair.first, pair.second);
    }
  }
  return map;
}

/// Returns the pairs on which gates on two qubits work, by gate, with the lesser qubit first.
std::map<GateKind, std::set<std::pair<Qubit, Qubit>>> pairs_of_gates(const DeviceFacts& facts,
                                                                     const Backend& backend) {
  std::map<GateKind, std::set<std::pair<Qubit, Qubit>>> pairs;
  for (const Calibration& calibration : facts.calibrations) {
    const Gate* row = find_gate(calibration.gate);
    if (calibration.qubits.size() != 2 || row == nullptr || !backend.kinds.contains(row->kind)) {
      continue;
    }
    std::set<std::pair<Qubit, Qubit>>& own = pairs[row->kind];
    if (!is_broken(calibration)) {
      own.insert(std::minmax(calibration.qubits[0], calibration.qubits[1]));
    }
  }
  return pairs;
}

/// Returns Backend::missing. Nothing is said about pairs on which no gate has a calibration, nor
/// about gates without any.
std::map<GateKind, std::set<std::pair<Qubit, Qubit>>> missing_gates(const DeviceFacts& facts,
                                                                    const Backend& backend) {
  const auto pairs = pairs_of_gates(facts, backend);
  std::set<std::pair<Qubit, Qubit>> all;
  for (const auto& [kind, own] : pairs) all.insert(own.begin(), own.end());
  std::map<GateKind, std::set<std::pair<Qubit, Qubit>>> missing;
  for (const auto& [kind, own] : pairs) {
    std::set<std::pair<Qubit, Qubit>> others;
    std::ranges::set_difference(all, own, std::inserter(others, others.end()));
    if (!others.empty()) missing.emplace(kind, std::move(others));
  }
  return missing;
}

}  // namespace

Backend backend_of(const DeviceFacts& facts) {
  Backend backend;
  backend.name = facts.name;
  backend.gates = working_gates(facts);
  for (const std::string& name : backend.gates) {
    const Gate* row = find_gate(name);
    if (row != nullptr && row->kind != GateKind::id) backend.kinds.insert(row->kind);
  }
  backend.qubits = facts.qubits;
  if (!facts.all_pairs) backend.coupling = coupling_of(facts, backend);
  backend.missing = missing_gates(facts, backend);
  for (const BackendCost& cost : backend_costs()) {
    const bool is_error = cost.weights == &Backend::error;
    backend.*cost.weights = weights_of(facts, backend, cost, is_error ? error_weight : duration);
  }
  return backend;
}

}  // namespace quartz::target
