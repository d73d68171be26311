#include "quartz/target/cost_file.hpp"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "quartz/base/counted.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/base/files.hpp"
#include "quartz/circuit/gate.hpp"
#include "target/cost_list.hpp"
#include "target/error_rate.hpp"
#include "target/file_argument.hpp"
#include "target/json_node.hpp"

namespace quartz {
namespace {

constexpr const char* kCostFormat = "quartz-cost";
constexpr std::uint64_t kCostVersion = 1;

double read_weight(const target::JsonNode& node) {
  const double weight = node.number();
  if (!(weight >= 0 && weight <= GateWeights::kGreatest)) {
    node.fail(
        fmt::format("expected a weight from 0 to {:g}, found {}", GateWeights::kGreatest, weight));
  }
  return weight;
}

double read_error_rate(const target::JsonNode& node) {
  const double rate = node.number();
  if (!(rate >= 0 && rate <= 1)) {
    node.fail(fmt::format("expected an error rate from 0 to 1, found {}", rate));
  }
  return target::weight_of_error_rate(rate);
}

double read_duration(const target::JsonNode& node) {
  const double nanoseconds = node.number();
  if (!(nanoseconds >= 0 && nanoseconds <= GateWeights::kGreatest)) {
    node.fail(fmt::format("expected a duration from 0 to {:g} ns, found {}", GateWeights::kGreatest,
                          nanoseconds));
  }
  return nanoseconds;
}

/// What the numbers of a file mean.
struct Quantity {
  const char* flag;  ///< the key that chooses it; null for the quantity of other files
  const char* key;   ///< the key of a gate's number
  double (*read)(const target::JsonNode& node);
  Combination combination;
  const char* table;  ///< in messages: a table of ...
};

/// The list of quantities. A file without a flag has weights, and error rates as weights.
constexpr Quantity kWeights{nullptr, "weight", read_weight, Combination::sum, "weights"};
constexpr Quantity kErrorRates{"errors", "error_rate", read_error_rate, Combination::sum, "errors"};
constexpr Quantity kDurations{"durations", "duration_ns", read_duration, Combination::critical_path,
                              "durations"};
constexpr const Quantity* kQuantities[] = {&kWeights, &kErrorRates, &kDurations};

/// Returns what the file says that its numbers are.
const Quantity& read_quantity(const target::JsonNode& root) {
  const Quantity* chosen = &kWeights;
  for (const Quantity* quantity : kQuantities) {
    if (quantity->flag == nullptr || !root.has(quantity->flag)) continue;
    if (!root.member(quantity->flag).truth()) continue;
    if (chosen != &kWeights) {
      root.member(quantity->flag)
          .fail(fmt::format("'{}' and '{}' are both true", chosen->flag, quantity->flag));
    }
    chosen = quantity;
  }
  return *chosen;
}

/// Returns the operation that an entry is for, with the number of its operands and its name.
struct Weighted {
  GateWeight entry;
  std::size_t operands = 1;
  std::string name;
};

Weighted read_operation(const target::JsonNode& node, const Quantity& quantity,
                        const CustomGates& custom_gates) {
  const std::string name = node.text();
  const bool is_measure = name == "measure";
  if (is_measure || name == "reset") {
    if (quantity.combination == Combination::sum) {
      node.fail(fmt::format("'{}' may only have a duration", name));
    }
    GateWeight entry;
    entry.operation = is_measure ? OperationKind::measure : OperationKind::reset;
    return {entry, 1, name};
  }
  const Gate& row = node.gate(custom_gates);
  GateWeight entry;
  entry.gate = row.kind;
  return {entry, row.qubits, std::string(row.name)};
}

std::vector<Qubit> read_qubits(const target::JsonNode& node, const Weighted& weighted) {
  std::vector<Qubit> qubits;
  std::set<Qubit> seen;
  for (const target::JsonNode& element : node.elements()) {
    const std::uint64_t number = element.whole_number();
    if (number > std::numeric_limits<Qubit>::max()) {
      element.fail(fmt::format("the qubit number {} is too large", number));
    }
    qubits.push_back(static_cast<Qubit>(number));
    if (!seen.insert(qubits.back()).second) {
      element.fail(fmt::format("qubit {} is given twice", number));
    }
  }
  if (qubits.size() != weighted.operands) {
    node.fail(fmt::format("{} has {}, found {}", weighted.name,
                          counted(weighted.operands, "operand"), qubits.size()));
  }
  return qubits;
}

/// Returns the number of an entry as a weight.
double read_number(const target::JsonNode& node, const Quantity& quantity) {
  const Quantity* found = nullptr;
  for (const Quantity* each : kQuantities) {
    if (!node.has(each->key)) continue;
    if (found != nullptr) {
      node.fail(fmt::format("'{}' and '{}' are both given", found->key, each->key));
    }
    found = each;
  }
  if (found == nullptr) node.fail(fmt::format("the key '{}' is missing", quantity.key));
  const bool is_right = found == &quantity || (&quantity == &kWeights && found == &kErrorRates);
  if (!is_right) {
    node.member(found->key)
        .fail(fmt::format("in a table of {} every gate has {} '{}' instead", quantity.table,
                          &quantity == &kErrorRates ? "an" : "a", quantity.key));
  }
  return found->read(node.member(found->key));
}

Weighted read_entry(const target::JsonNode& node, const Quantity& quantity,
                    const CustomGates& custom_gates) {
  node.require_object({"gate", "weight", "error_rate", "duration_ns", "qubits"});
  Weighted weighted = read_operation(node.member("gate"), quantity, custom_gates);
  weighted.entry.weight = read_number(node, quantity);
  if (node.has("qubits")) weighted.entry.qubits = read_qubits(node.member("qubits"), weighted);
  return weighted;
}

/// Returns the weights in the file's order. A gate that is given twice on the same operands in the
/// same order is an error, because it is unclear which entry is meant. Backends list both orders of
/// a pair even for symmetric gates; such entries become one entry with the greater weight, which is
/// a bound for both orders of the operands.
std::vector<GateWeight> read_entries(const target::JsonNode& node, const Quantity& quantity,
                                     const CustomGates& custom_gates) {
  using Place = std::tuple<OperationKind, GateKind, std::vector<Qubit>>;
  std::vector<GateWeight> entries;
  std::set<Place> seen;
  std::map<Place, std::size_t> number_of;
  for (const target::JsonNode& element : node.elements()) {
    auto [entry, operands, name] = read_entry(element, quantity, custom_gates);
    if (!seen.emplace(entry.operation, entry.gate, entry.qubits).second) {
      element.fail(fmt::format(
          "{} is given twice{}", name,
          entry.qubits.empty() ? "" : fmt::format(" on qubits {}", fmt::join(entry.qubits, ", "))));
    }
    const bool is_gate = entry.operation == OperationKind::gate;
    const auto [place, added] =
        number_of.try_emplace({entry.operation, entry.gate,
                               is_gate ? sorted_operands(entry.gate, entry.qubits) : entry.qubits},
                              entries.size());
    if (added) {
      entries.push_back(std::move(entry));
    } else {
      double& weight = entries[place->second].weight;
      weight = std::max(weight, entry.weight);
    }
  }
  return entries;
}

/// Returns the objective of the backend with this name, or nothing for another name.
std::optional<Objective> objective_of_backend(std::string_view name, const GateSet& set,
                                              const Backend* backend) {
  const BackendCost* const cost = find_backend_cost(name);
  if (cost == nullptr) return std::nullopt;
  if (backend == nullptr) {
    throw UsageError(fmt::format(
        "the cost '{}' is that of a device, expected its file as well (--backend-json), or a JSON "
        "file in place of '{}' (costs/README.md)",
        name, name));
  }
  const std::optional<GateWeights>& weights = backend->*cost->weights;
  if (!weights) {
    throw UsageError(fmt::format("the cost '{}': the files of {} have no {}s", name, backend->name,
                                 cost->quantity));
  }
  Objective objective = *weights;
  if (const std::optional<GateKind> missing = gate_without_weight(objective, set)) {
    throw UsageError(fmt::format(
        "the cost '{}': the files of {}, which has the gates {}, have no {} of {}, a gate of the "
        "gate set '{}'",
        name, backend->name, fmt::join(backend->gates, ", "), cost->quantity, gate(*missing).name,
        set.name));
  }
  return objective;
}

Objective load_objective(std::string_view name_or_path, const GateSet& set,
                         const std::stop_token& stop, const Backend* backend) {
  if (const CostName* known = find_cost(name_or_path)) return known->kind;
  if (auto own = objective_of_backend(name_or_path, set, backend)) return *std::move(own);
  if (name_or_path.empty()) throw UsageError("a name in the list of costs is empty");
  if (!target::means_file(name_or_path)) {
    throw UsageError(target::unknown_cost_message(name_or_path) + "; or give a JSON file");
  }
  const std::string path(name_or_path);
  Objective objective = parse_gate_weights(read_text_file(path, {file_limit::description, stop}),
                                           path, set.custom_gates());
  if (const std::optional<GateKind> missing = gate_without_weight(objective, set)) {
    throw InputError({path, 0, 0},
                     fmt::format("gates: there is no weight for {} of the gate set '{}', and no "
                                 "'default'",
                                 gate(*missing).name, set.name));
  }
  return objective;
}

}  // namespace

GateWeights parse_gate_weights(std::string_view text, const std::string& name,
                               const CustomGates& custom_gates) {
  const nlohmann::json document = target::parse_json(text, name);
  const target::JsonSource source{text, name};
  const target::JsonNode root(document, source);
  root.require_object({"format", "version", "name", "description", "source", "errors", "durations",
                       "gates", "default"});
  target::require_format(root, kCostFormat, kCostVersion);
  const target::JsonNode own_name = root.member("name");
  if (own_name.text().empty()) own_name.fail("the name is empty");
  if (find_cost(own_name.text()) != nullptr) {
    own_name.fail(fmt::format("'{}' is the name of another cost", own_name.text()));
  }
  for (const char* for_people : {"description", "source"}) {
    if (root.has(for_people)) static_cast<void>(root.member(for_people).text());
  }
  const Quantity& quantity = read_quantity(root);
  const std::vector<GateWeight> entries =
      read_entries(root.member("gates"), quantity, custom_gates);
  std::optional<double> otherwise;
  if (root.has("default")) otherwise = quantity.read(root.member("default"));
  return {own_name.text(), entries, otherwise, quantity.combination};
}

std::optional<GateKind> gate_without_weight(const Objective& objective, const GateSet& set) {
  for (const GateSetEntry& entry : set.entries) {
    if (!objective.covers(entry.gate)) return entry.gate;
  }
  return std::nullopt;
}

Cost load_cost(std::string_view list, const GateSet& set, const std::stop_token& stop,
               const Backend* backend) {
  std::vector<Objective> objectives;
  for (const std::string_view part : target::split_cost_list(list)) {
    objectives.push_back(load_objective(part, set, stop, backend));
  }
  return Cost(std::move(objectives));
}

}  // namespace quartz
