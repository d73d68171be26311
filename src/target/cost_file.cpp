#include "quartz/target/cost_file.hpp"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "quartz/base/errors.hpp"
#include "quartz/base/files.hpp"
#include "quartz/circuit/gate.hpp"
#include "target/cost_list.hpp"
#include "target/file_argument.hpp"
#include "target/json_node.hpp"

namespace quartz {
namespace {

constexpr const char* kFormat = "quartz-cost";
constexpr std::uint64_t kVersion = 1;

double read_weight(const target::JsonNode& node) {
  const double weight = node.number();
  if (!(weight >= 0 && weight <= GateWeights::kGreatest)) {
    node.fail(fmt::format("expected a weight from 0 to {:g}, found {:g}", GateWeights::kGreatest,
                          weight));
  }
  return weight;
}

/// The weight of a gate that always fails. Its logarithm would be infinite, but sums must stay
/// finite. This value is greater than the weight of any smaller rate (at most -ln(2^-53) = 36.7),
/// and small enough in units to leave enough digits for small rates.
constexpr double kWeightOfErrorRateOne = 37;

/// Returns minus the logarithm of the fidelity: the fidelities of gates multiply, so their weights
/// add up.
double read_error_rate(const target::JsonNode& node) {
  const double rate = node.number();
  if (!(rate >= 0 && rate <= 1)) {
    node.fail(fmt::format("expected an error rate from 0 to 1, found {:g}", rate));
  }
  if (rate == 1) return kWeightOfErrorRateOne;
  return -std::log1p(-rate) + 0.0;  // + 0.0 turns minus zero into zero
}

std::vector<Qubit> read_qubits(const target::JsonNode& node, const Gate& row) {
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
  if (qubits.size() != row.qubits) {
    node.fail(fmt::format("{} has {} operand{}, found {}", row.name, row.qubits,
                          row.qubits == 1 ? "" : "s", qubits.size()));
  }
  return qubits;
}

GateWeight read_entry(const target::JsonNode& node, bool errors) {
  node.require_object({"gate", "weight", "error_rate", "qubits"});
  const Gate& row = node.member("gate").gate();
  GateWeight entry;
  entry.gate = row.kind;
  if (errors && node.has("weight")) {
    node.member("weight").fail("in a table of errors every gate has an 'error_rate' instead");
  }
  if (node.has("weight") && node.has("error_rate")) {
    node.fail("'weight' and 'error_rate' are both given");
  }
  if (!node.has("weight") && !node.has("error_rate")) {
    node.fail(fmt::format("the key '{}' is missing", errors ? "error_rate" : "weight"));
  }
  entry.weight = node.has("weight") ? read_weight(node.member("weight"))
                                    : read_error_rate(node.member("error_rate"));
  if (node.has("qubits")) entry.qubits = read_qubits(node.member("qubits"), row);
  return entry;
}

/// Returns the weights in the file's order. A gate that is given twice on the same operands in the
/// same order is an error, because it is unclear which entry is meant. Backends list both orders of
/// a pair even for symmetric gates; such entries become one entry with the greater weight, which is
/// a bound for both orders of the operands.
std::vector<GateWeight> read_entries(const target::JsonNode& node, bool errors) {
  using GateOnQubits = std::pair<GateKind, std::vector<Qubit>>;
  std::vector<GateWeight> entries;
  std::set<GateOnQubits> seen;
  std::map<GateOnQubits, std::size_t> number_of;
  for (const target::JsonNode& element : node.elements()) {
    GateWeight entry = read_entry(element, errors);
    if (!seen.emplace(entry.gate, entry.qubits).second) {
      element.fail(fmt::format(
          "{} is given twice{}", gate(entry.gate).name,
          entry.qubits.empty() ? "" : fmt::format(" on qubits {}", fmt::join(entry.qubits, ", "))));
    }
    const auto [place, added] = number_of.try_emplace(
        {entry.gate, sorted_operands(entry.gate, entry.qubits)}, entries.size());
    if (added) {
      entries.push_back(std::move(entry));
    } else {
      double& weight = entries[place->second].weight;
      weight = std::max(weight, entry.weight);
    }
  }
  return entries;
}

Objective load_objective(std::string_view name_or_path, const GateSet& set,
                         const std::stop_token& stop) {
  if (const CostName* known = find_cost(name_or_path)) return known->kind;
  if (name_or_path.empty()) throw UsageError("a name in the list of costs is empty");
  if (!target::means_file(name_or_path)) {
    throw UsageError(target::unknown_cost_message(name_or_path) + "; or give a JSON file");
  }
  const std::string path(name_or_path);
  Objective objective =
      parse_gate_weights(read_text_file(path, {file_limit::description, stop}), path);
  if (const std::optional<GateKind> missing = gate_without_weight(objective, set)) {
    throw InputError({path, 0, 0},
                     fmt::format("gates: there is no weight for {} of the gate set '{}', and no "
                                 "'default'",
                                 gate(*missing).name, set.name));
  }
  return objective;
}

}  // namespace

GateWeights parse_gate_weights(std::string_view text, const std::string& name) {
  const nlohmann::json document = target::parse_json(text, name);
  const target::JsonSource source{text, name};
  const target::JsonNode root(document, source);
  root.require_object(
      {"format", "version", "name", "description", "source", "errors", "gates", "default"});
  target::require_format(root, kFormat, kVersion);
  const target::JsonNode own_name = root.member("name");
  if (own_name.text().empty()) own_name.fail("the name is empty");
  if (find_cost(own_name.text()) != nullptr) {
    own_name.fail(fmt::format("'{}' is the name of another cost", own_name.text()));
  }
  for (const char* for_people : {"description", "source"}) {
    if (root.has(for_people)) static_cast<void>(root.member(for_people).text());
  }
  const bool errors = root.has("errors") && root.member("errors").truth();
  const std::vector<GateWeight> entries = read_entries(root.member("gates"), errors);
  std::optional<double> otherwise;
  if (root.has("default")) {
    const target::JsonNode node = root.member("default");
    otherwise = errors ? read_error_rate(node) : read_weight(node);
  }
  return {own_name.text(), entries, otherwise};
}

std::optional<GateKind> gate_without_weight(const Objective& objective, const GateSet& set) {
  for (const GateSetEntry& entry : set.entries) {
    if (!objective.covers(entry.gate)) return entry.gate;
  }
  return std::nullopt;
}

Cost load_cost(std::string_view list, const GateSet& set, const std::stop_token& stop) {
  std::vector<Objective> objectives;
  for (const std::string_view part : target::split_cost_list(list)) {
    objectives.push_back(load_objective(part, set, stop));
  }
  return Cost(std::move(objectives));
}

}  // namespace quartz
