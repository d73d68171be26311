#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "circuit/custom_gates/custom_gate_entry.hpp"
#include "circuit/exact_matrix.hpp"
#include "quartz/base/counted.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/circuit/canonical.hpp"
#include "quartz/circuit/custom_gate.hpp"
#include "quartz/circuit/gate.hpp"
#include "quartz/target/gate_set.hpp"
#include "target/cost_list.hpp"
#include "target/digest.hpp"
#include "target/entry_expression.hpp"
#include "target/gate_text.hpp"
#include "target/json_node.hpp"

namespace quartz {

namespace {

constexpr const char* kGateSetFormat = "quartz-gate-set";
constexpr std::uint64_t kGateSetVersion = 1;
/// Limit for the parameters of the alphabet, far above what any enumeration can use; it catches
/// typing errors.
constexpr std::uint64_t kMaxParameters = 16;

/// Reads the constant angles of one choice, one for each parameter of the gate.
AngleList read_choice(const target::JsonNode& node, const Gate& row) {
  AngleList choice;
  for (const target::JsonNode& element : node.elements()) {
    Angle angle = element.angle();
    if (!angle.is_constant()) {
      element.fail("expected a constant, found the parameter '" + angle.symbols().front() + "'");
    }
    choice.push_back(std::move(angle));
  }
  if (choice.size() != row.parameters.size()) {
    node.fail(fmt::format("{} takes {}, found {}", row.name,
                          counted(row.parameters.size(), "angle"), choice.size()));
  }
  return choice;
}

Operation with_angles(const Gate& row, const AngleList& angles) {
  Operation operation;
  operation.gate = row.kind;
  operation.angles = angles;
  static_cast<void>(normalize_angles(operation));
  return operation;
}

/// Reads a range such as `["0", "pi/2"]`.
AngleRange read_range(const target::JsonNode& node) {
  const std::vector<target::JsonNode> ends = node.elements();
  if (ends.size() != 2) {
    node.fail(fmt::format("expected the least and the greatest angle, found {}",
                          counted(ends.size(), "element")));
  }
  const AngleRange half_turns{Angle::pi_times(-1), Angle::pi_times(1)};
  for (const target::JsonNode& end : ends) {
    if (!half_turns.contains(end.angle())) {
      end.fail("expected a constant from -pi to pi, found " + end.angle().to_string());
    }
  }
  AngleRange range{ends[0].angle(), ends[1].angle()};
  if (range.least.value() > range.greatest.value()) {
    node.fail("expected the least angle before the greatest");
  }
  return range;
}

/// Reads an object with a range for each parameter that has one.
std::vector<std::optional<AngleRange>> read_ranges(const target::JsonNode& node, const Gate& row) {
  if (row.parameters.empty()) node.fail(fmt::format("{} takes no angles", row.name));
  node.require_object(row.parameters);
  std::vector<std::optional<AngleRange>> ranges;
  bool any = false;
  for (const std::string_view parameter : row.parameters) {
    const std::string name(parameter);
    ranges.emplace_back();
    if (!node.has(name.c_str())) continue;
    ranges.back() = read_range(node.member(name.c_str()));
    any = true;
  }
  if (!any) node.fail("found no ranges; omit 'ranges' to permit any angle");
  return ranges;
}

// --- custom gates ---

/// Defines a gate. The error message for an invalid definition has the location of the gate.
GateKind define_at(const target::JsonNode& place, const CustomGate& custom, CustomGates& known) {
  try {
    return known.define(custom);
  } catch (const InputError& error) {
    place.fail(error.what());
  }
}

void require_name_at(const target::JsonNode& place, const std::string& name) {
  try {
    require_gate_name(name);
  } catch (const InputError& error) {
    place.fail(error.what());
  }
}

void read_operands(const target::JsonNode& node, CustomGate& custom) {
  const target::JsonNode qubits = node.member("qubits");
  const std::uint64_t count = qubits.whole_number();
  if (count < 1 || count > kMaxCustomQubits) {
    qubits.fail(fmt::format("expected 1 to {} qubits, found {}", kMaxCustomQubits, count));
  }
  custom.qubits = static_cast<unsigned>(count);
  if (!node.has("parameters")) return;
  for (const target::JsonNode& parameter : node.member("parameters").elements()) {
    custom.parameters.push_back(parameter.text());
  }
}

/// Runs exact arithmetic; an overflow becomes an error at `place`.
template <typename Action>
auto exactly_at(const target::JsonNode& place, Action action) {
  try {
    return action();
  } catch (const OverflowError& error) {
    place.fail(error.what());
  }
}

/// Reads a matrix as rows of entries; operand 0 is the least significant bit of an index.
circuit::ExactMatrix read_matrix(const target::JsonNode& node, const CustomGate& custom) {
  const std::size_t dimension = std::size_t{1} << custom.qubits;
  const auto require_size = [&](const target::JsonNode& list, std::size_t found,
                                std::string_view what) {
    if (found == dimension) return;
    list.fail(fmt::format("a gate on {} has {} {}, found {}", counted(custom.qubits, "qubit"),
                          dimension, what, found));
  };
  circuit::ExactMatrix matrix(custom.qubits, {});
  const std::vector<target::JsonNode> rows = node.elements();
  require_size(node, rows.size(), "rows");
  for (unsigned row = 0; row < dimension; ++row) {
    const std::vector<target::JsonNode> entries = rows[row].elements();
    require_size(rows[row], entries.size(), "entries in a row");
    for (unsigned column = 0; column < dimension; ++column) {
      circuit::ExactSum entry = target::parse_entry(entries[column], custom.parameters);
      const std::string fault = exactly_at(
          entries[column], [&] { return circuit::entry_fault(entry, custom.parameters); });
      if (!fault.empty()) entries[column].fail(fault);
      matrix.at(row, column) = std::move(entry);
    }
  }
  const std::string fault = exactly_at(node, [&] { return matrix.fault(); });
  if (!fault.empty()) node.fail("the matrix is not unitary: " + fault);
  return matrix;
}

target::GateText read_gate_text(const target::JsonNode& node, const CustomGates& known) {
  return exactly_at(node, [&] { return target::parse_gate_text(node, known); });
}

/// Reads a gate that is defined by its matrix, by an OpenQASM definition, or by both, and adds it
/// to the known ones.
GateKind read_custom_gate(const target::JsonNode& node, CustomGates& known) {
  const target::JsonNode named = node.member("gate");
  CustomGate custom;
  if (target::is_gate_text(named.text())) {
    node.require_object({"gate", "matrix", "angles", "ranges", "angle_unit"});
    target::GateText text = read_gate_text(named, known);
    require_name_at(named, text.name);
    custom.name = std::move(text.name);
    custom.qubits = static_cast<unsigned>(text.qubits.size());
    custom.parameters = std::move(text.parameters);
    custom.body = Decomposition{std::move(text.operations), std::move(text.phase), {}};
  } else {
    custom.name = named.text();
    require_name_at(named, custom.name);
    read_operands(node, custom);
  }
  if (node.has("matrix")) {
    if (custom.qubits > kMaxCustomQubits) named.fail("too many qubits");
    custom.matrix = read_matrix(node.member("matrix"), custom).entries();
  }
  return define_at(named, custom, known);
}

/// Reads a gate: the name of a built-in gate, or a custom gate of the set, which is defined here.
GateKind read_gate(const target::JsonNode& node, CustomGates& known) {
  const target::JsonNode named = node.member("gate");
  if (node.has("matrix") || target::is_gate_text(named.text())) {
    return read_custom_gate(node, known);
  }
  const Gate* const row = find_gate(named.text(), known);
  if ((row == nullptr && node.has("qubits")) || (row != nullptr && is_custom(row->kind))) {
    named.fail(
        fmt::format("'{}' is not a built-in gate: it needs a 'matrix', or an OpenQASM "
                    "definition in place of its name",
                    named.text()));
  }
  node.require_object({"gate", "angles", "ranges", "angle_unit"});
  return named.gate(known).kind;
}

/// Reads a decomposition such as `"gate cx a, b { h b; my_cz a, b; h b; }"`.
Translation read_translation(const target::JsonNode& node, const CustomGates& known) {
  target::GateText text = read_gate_text(node, known);
  const Gate* const row = find_gate(text.name, known);
  if (row == nullptr) node.fail(fmt::format("unknown gate '{}'", text.name));
  if (row->qubits != text.qubits.size() || row->parameters.size() != text.parameters.size()) {
    node.fail(fmt::format("{} takes {} and {}, found {} and {}", row->name,
                          counted(row->parameters.size(), "parameter"),
                          counted(row->qubits, "qubit"), text.parameters.size(),
                          text.qubits.size()));
  }
  std::map<std::string, Angle> names;
  for (std::size_t i = 0; i < row->parameters.size(); ++i) {
    names.emplace(text.parameters[i], Angle::symbol(std::string(row->parameters[i])));
  }
  Decomposition steps{std::move(text.operations), {}, {}};
  const std::optional<Angle> phase = exactly_at(node, [&] {
    for (Operation& operation : steps.operations) {
      for (Angle& angle : operation.angles) angle = angle.substitute(names);
    }
    return circuit::ExactMatrix::of(steps.operations, row->qubits)
        .phase_to(circuit::ExactMatrix(row->qubits, row->matrix));
  });
  if (!phase) node.fail(fmt::format("the body is not {}, up to a phase", row->name));
  steps.phase = *phase;
  return {row->kind, std::move(steps)};
}

// --- entries ---

/// Reads `"turns"` or `"radians"`.
bool read_is_in_turns(const target::JsonNode& node, const Gate& row) {
  if (row.parameters.empty()) node.fail(fmt::format("{} takes no angles", row.name));
  if (general_decomposition(row) == nullptr) {
    node.fail(fmt::format("circuit files declare {} opaque, which cannot express turns", row.name));
  }
  const std::string unit = node.text();
  if (unit != "turns" && unit != "radians") {
    node.fail(fmt::format("expected \"radians\" or \"turns\", found \"{}\"", unit));
  }
  return unit == "turns";
}

GateSetEntry read_entry(const target::JsonNode& node, CustomGates& known) {
  node.require_object({"gate", "qubits", "parameters", "matrix", "angles", "ranges", "angle_unit"});
  const Gate* row = &gate(read_gate(node, known));
  GateSetEntry entry;
  entry.gate = row->kind;
  if (node.has("angle_unit")) {
    entry.written_in_turns = read_is_in_turns(node.member("angle_unit"), *row);
  }
  if (node.has("ranges")) {
    if (node.has("angles"))
      node.fail("found both 'angles' and 'ranges', expected at most one of them");
    entry.ranges = read_ranges(node.member("ranges"), *row);
  }
  if (!node.has("angles")) return entry;

  const target::JsonNode angles = node.member("angles");
  if (row->parameters.empty()) angles.fail(fmt::format("{} takes no angles", row->name));
  for (const target::JsonNode& element : angles.elements()) {
    AngleList choice = read_choice(element, *row);
    for (const AngleList& earlier : entry.angles) {
      if (with_angles(*row, earlier) == with_angles(*row, choice)) {
        element.fail("this choice is given twice");
      }
    }
    entry.angles.push_back(std::move(choice));
  }
  if (entry.angles.empty()) angles.fail("found no choices; omit 'angles' to permit any angle");
  return entry;
}

std::string parameter_name(std::uint64_t index) { return fmt::format("p{}", index); }

AlphabetRule read_alphabet(const target::JsonNode& node) {
  node.require_object({"parameters", "expressions"});
  AlphabetRule rule;
  const target::JsonNode parameters = node.member("parameters");
  const std::uint64_t count = parameters.whole_number();
  if (count > kMaxParameters) {
    parameters.fail(fmt::format("expected at most {} parameters, found {}", kMaxParameters, count));
  }
  rule.parameters = static_cast<unsigned>(count);
  std::set<std::string> known;
  for (std::uint64_t i = 0; i < count; ++i) known.insert(parameter_name(i));

  for (const target::JsonNode& element : node.member("expressions").elements()) {
    Angle expression = element.angle();
    for (const std::string& symbol : expression.symbols()) {
      if (!known.contains(symbol)) {
        element.fail(
            fmt::format("unknown parameter '{}'; known parameters: {}", symbol,
                        known.empty() ? "none" : fmt::format("{}", fmt::join(known, ", "))));
      }
    }
    if (std::find(rule.expressions.begin(), rule.expressions.end(), expression) !=
        rule.expressions.end()) {
      element.fail("the expression is given twice");
    }
    rule.expressions.push_back(std::move(expression));
  }
  return rule;
}

/// Reads costs such as `"two-qubit,total"`. Only named costs are permitted, because a file of
/// weights belongs to one device.
Cost read_default_cost(const target::JsonNode& node) {
  const std::string list = node.text();
  std::vector<Objective> objectives;
  for (const std::string_view name : target::split_cost_list(list)) {
    const CostName* const known = find_cost(name);
    if (known == nullptr) node.fail(target::unknown_cost_message(name));
    objectives.emplace_back(known->kind);
  }
  try {
    return Cost(std::move(objectives));
  } catch (const UsageError& error) {
    node.fail(error.what());
  }
}

/// Returns whether enumeration chooses the gate's angles.
bool takes_expressions(const GateSetEntry& entry) {
  return entry.takes_any_angle() || !entry.ranges.empty();
}

}  // namespace

GateSet parse_gate_set(std::string_view text, const std::string& name) {
  const nlohmann::json document = target::parse_json(text, name);
  const target::JsonSource source{text, name};
  const target::JsonNode root(document, source);
  root.require_object({"format", "version", "name", "description", "source", "default_cost",
                       "gates", "alphabet", "translations"});
  target::require_format(root, kGateSetFormat, kGateSetVersion);

  GateSet set;
  set.name = root.member("name").text();
  if (set.name.empty()) root.member("name").fail("the name is empty");
  if (root.has("description")) set.description = root.member("description").text();
  if (root.has("source")) set.source = root.member("source").text();
  if (root.has("default_cost")) {
    set.default_cost = read_default_cost(root.member("default_cost"));
  }

  CustomGates known;  // those of the entries so far
  const target::JsonNode gates = root.member("gates");
  for (const target::JsonNode& element : gates.elements()) {
    GateSetEntry entry = read_entry(element, known);
    for (const GateSetEntry& earlier : set.entries) {
      if (earlier.gate == entry.gate) {
        element.member("gate").fail(fmt::format("{} is given twice", gate(entry.gate).name));
      }
    }
    set.entries.push_back(std::move(entry));
  }
  if (set.entries.empty()) gates.fail("a gate set needs at least one gate");

  if (root.has("alphabet")) set.alphabet = read_alphabet(root.member("alphabet"));
  const auto any = std::find_if(set.entries.begin(), set.entries.end(), takes_expressions);
  if (any != set.entries.end() && set.alphabet.expressions.empty()) {
    (root.has("alphabet") ? root.member("alphabet").member("expressions") : root)
        .fail(
            fmt::format("the angles of {} are not a list: the alphabet needs expressions for them, "
                        R"(such as "alphabet": {{"parameters": 1, "expressions": ["p0"]}})",
                        gate(any->gate).name));
  }
  if (root.has("translations")) {
    for (const target::JsonNode& element : root.member("translations").elements()) {
      set.translations.push_back(read_translation(element, known));
    }
  }
  set.digest = target::gate_set_digest(set);
  set.text = std::make_shared<const std::string>(text);
  return set;
}

}  // namespace quartz
