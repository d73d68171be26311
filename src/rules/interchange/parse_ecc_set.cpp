#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>
#include <optional>
#include <span>
#include <utility>

#include "quartz/base/errors.hpp"
#include "quartz/circuit/gate.hpp"
#include "quartz/rules/ecc_set.hpp"
#include "rules/interchange/original_gates.hpp"
#include "target/json_node.hpp"

namespace quartz {
namespace {

using rules::OriginalGate;
using target::JsonNode;

constexpr unsigned kMaxQubits = 64;
constexpr unsigned kMaxFileParameters = 1000;

/// A parameter of a file: an angle, or a whole number (only as an operand of mult and pi).
struct Parameter {
  Angle angle;
  std::optional<Rational> number;
};

/// The parameters of a file or of a circuit, by index.
using Parameters = std::map<unsigned, Parameter>;

/// Returns the number in a name such as "Q2" or "P0".
unsigned index_of(const JsonNode& node, char kind, unsigned limit) {
  const std::string text = node.text();
  unsigned index = 0;
  const char* const end = text.data() + text.size();
  const bool is_index = text.size() > 1 && text.front() == kind &&
                        std::from_chars(text.data() + 1, end, index).ptr == end && index < limit;
  if (!is_index) {
    node.fail(fmt::format("expected {}0 to {}{}, found \"{}\"", kind, kind, limit - 1, text));
  }
  return index;
}

/// Returns the exactly `count` elements of a list; `parts` names them in messages.
std::vector<JsonNode> elements_of(const JsonNode& list, std::size_t count, const char* parts) {
  std::vector<JsonNode> elements = list.elements();
  if (elements.size() != count) {
    list.fail(fmt::format("expected {}, found {} elements", parts, elements.size()));
  }
  return elements;
}

const Rational& number_of(const JsonNode& node, const Parameter& parameter) {
  if (!parameter.number) node.fail("expected a parameter that is a whole number");
  return *parameter.number;
}

/// An operation on parameters.
struct Arithmetic {
  std::string_view name;
  std::size_t operands;
  Parameter (*value)(const JsonNode& node, std::span<const Parameter> operands);
};

Parameter product(const JsonNode& node, std::span<const Parameter> operands) {
  const bool first_is_number = operands[0].number.has_value();
  const Rational& factor = number_of(node, operands[first_is_number ? 0 : 1]);
  const Parameter& other = operands[first_is_number ? 1 : 0];
  if (other.number) return {{}, factor * *other.number};
  return {other.angle * factor, std::nullopt};
}

Parameter fraction_of_pi(const JsonNode& node, std::span<const Parameter> operands) {
  const Rational& number = number_of(node, operands[0]);
  if (number.is_zero()) node.fail("pi is divided by zero");
  return {Angle::pi_times(Rational(1) / number), std::nullopt};
}

constexpr std::array kArithmetic{
    Arithmetic{"add", 2,
               [](const JsonNode&, std::span<const Parameter> operands) -> Parameter {
                 return {operands[0].angle + operands[1].angle, std::nullopt};
               }},
    Arithmetic{"neg", 1,
               [](const JsonNode&, std::span<const Parameter> operands) -> Parameter {
                 return {-operands[0].angle, std::nullopt};
               }},
    Arithmetic{"mult", 2, &product},
    Arithmetic{"pi", 1, &fraction_of_pi},
};

const Arithmetic* find_arithmetic(std::string_view name) {
  const auto* const found =
      std::find_if(kArithmetic.begin(), kArithmetic.end(),
                   [&](const Arithmetic& operation) { return operation.name == name; });
  return found == kArithmetic.end() ? nullptr : found;
}

/// Reads a constant. Whole numbers are operands of mult and pi, all others are angles in radians.
Parameter constant(const JsonNode& node) {
  if (node.is_whole_number()) {
    const Angle angle = parse_angle(node.text_or_number());
    return {angle, angle.radian_part()};
  }
  // The original computes in double precision; multiples of pi are meant exactly.
  constexpr double kMaxError = 1e-9;
  constexpr std::int64_t kParts = 192;
  const double value = node.number();
  const double multiple = value / std::numbers::pi * static_cast<double>(kParts);
  if (std::abs(multiple) < 1e6 && std::abs(multiple - std::round(multiple)) < kMaxError) {
    return {Angle::pi_times(Rational(std::llround(multiple), kParts)), std::nullopt};
  }
  return {parse_angle(fmt::format("{:.17g}", value)), std::nullopt};
}

const Parameter& parameter_of(const JsonNode& node, const Parameters& parameters) {
  const auto found = parameters.find(index_of(node, 'P', kMaxFileParameters));
  if (found == parameters.end()) node.fail("the parameter is used before it is defined");
  return found->second;
}

/// Returns a multiple of the parameter that a node names.
Angle multiple_of(const JsonNode& node, const Rational& factor, const Parameters& parameters) {
  const Parameter& parameter = parameter_of(node, parameters);
  try {
    Angle angle = parameter.angle * factor;
    if (!angle.in_range()) node.fail("the angle is out of range");
    return angle;
  } catch (const OverflowError& error) {
    node.fail(error.what());
  }
}

/// Evaluates ["add", ["P2"], ["P0", "P1"]] and defines P2.
void define(const Arithmetic& operation, std::span<const JsonNode> parts, Parameters& parameters) {
  std::vector<Parameter> operands;
  for (const JsonNode& operand : elements_of(parts[2], operation.operands, "the operands")) {
    operands.push_back(parameter_of(operand, parameters));
  }
  const JsonNode output = elements_of(parts[1], 1, "one parameter").front();
  try {
    parameters[index_of(output, 'P', kMaxFileParameters)] = operation.value(parts[2], operands);
  } catch (const OverflowError& error) {
    parts[2].fail(error.what());
  }
}

/// Replaces a parameter by half of it if all its coefficients are even: the parameters of rotations
/// are halves of angles in the file.
void use_whole_angles(std::vector<std::vector<Operation>>& circuits, unsigned parameters) {
  std::map<std::string, bool> is_even;
  for (unsigned i = 0; i < parameters; ++i) is_even[fmt::format("p{}", i)] = true;
  const auto for_each_angle = [&](const auto& body) {
    for (std::vector<Operation>& circuit : circuits) {
      for (Operation& gate : circuit) {
        for (Angle& angle : gate.angles) body(angle);
      }
    }
  };
  for_each_angle([&](const Angle& angle) {
    for (const Angle::Term& term : angle.terms()) {
      const Rational half = term.coefficient / Rational(2);
      if (const auto known = is_even.find(term.symbol); known != is_even.end()) {
        known->second = known->second && half.is_integer();
      }
    }
  });
  std::map<std::string, Angle> halves;
  for (const auto& [symbol, even] : is_even) {
    if (even) halves[symbol] = Angle::symbol(symbol) * Rational(1, 2);
  }
  for_each_angle([&](Angle& angle) { angle = angle.substitute(halves); });
}

class EccSetReader {
 public:
  EccSetReader(const GateSet& set, const std::stop_token& stop) : set_(set), stop_(stop) {}

  EccSet read(const JsonNode& root) {
    const std::vector<JsonNode> parts =
        elements_of(root, 2, "a list of parameters, and an object with the classes");
    read_common_parameters(parts[0]);
    for (const auto& [name, equal] : parts[1].members()) read_class(equal);
    return std::move(result_);
  }

 private:
  /// Reads [[count, parameter...], [random values...]]. An older file has no such list, or there a
  /// list of pairs of classes, which are equal; they are ignored.
  void read_common_parameters(const JsonNode& node) {
    const std::vector<JsonNode> lists = node.elements();
    if (lists.empty()) return;
    const std::vector<JsonNode> list = lists.front().elements();
    if (list.empty()) lists.front().fail("expected the number of parameters");
    if (list.front().is_text()) return;
    has_common_parameters_ = true;
    const std::uint64_t count = list.front().whole_number();
    if (count > kMaxFileParameters || list.size() != count + 1) {
      list.front().fail(fmt::format("expected the number of the parameters that follow, at most {}",
                                    kMaxFileParameters));
    }
    for (std::size_t i = 0; i < count; ++i) {
      read_common_parameter(list[i + 1], static_cast<unsigned>(i));
    }
  }

  void read_common_parameter(const JsonNode& node, unsigned index) {
    if (node.is_text()) {
      if (!node.text().empty()) node.fail("expected \"\" for a symbolic parameter");
      add_symbol(index, common_);
    } else if (node.is_list()) {
      const std::vector<JsonNode> parts = operation_parts(node);
      const std::string name = parts[0].text();
      const Arithmetic* operation = find_arithmetic(name);
      if (operation == nullptr) parts[0].fail("unknown operation on parameters \"" + name + '"');
      define(*operation, parts, common_);
    } else {
      common_[index] = constant(node);
    }
  }

  void add_symbol(unsigned index, Parameters& parameters) {
    parameters[index] = {Angle::symbol(fmt::format("p{}", index)), std::nullopt};
    result_.parameters = std::max(result_.parameters, index + 1);
  }

  void read_class(const JsonNode& node) {
    if (stop_.stop_requested()) throw Stopped("stopped while reading equivalent circuits");
    std::vector<std::vector<Operation>> circuits;
    for (const JsonNode& circuit : node.elements()) {
      std::string missing;
      std::vector<Operation> gates = read_circuit(circuit, missing);
      if (missing.empty()) {
        circuits.push_back(std::move(gates));
      } else {
        ++result_.omitted[missing];
      }
    }
    use_whole_angles(circuits, result_.parameters);
    result_.classes.push_back(std::move(circuits));
  }

  /// Reads a circuit. If the gate set cannot express it, `missing` becomes the name of a gate.
  std::vector<Operation> read_circuit(const JsonNode& node, std::string& missing) {
    const std::vector<JsonNode> parts = elements_of(node, 2, "a header, and a list of operations");
    const std::vector<JsonNode> header = parts[0].elements();
    if (header.empty()) parts[0].fail("expected the number of qubits");
    const std::uint64_t qubits = header[0].whole_number();
    if (qubits > kMaxQubits) header[0].fail(fmt::format("more than {} qubits", kMaxQubits));
    result_.qubits = std::max(result_.qubits, static_cast<unsigned>(qubits));
    Parameters parameters = common_;
    if (!has_common_parameters_) read_own_parameters(parts[0], header, parameters);
    std::vector<Operation> gates;
    for (const JsonNode& operation : parts[1].elements()) {
      const std::vector<JsonNode> words = operation_parts(operation);
      const std::string name = words[0].text();
      if (const Arithmetic* arithmetic = find_arithmetic(name)) {
        define(*arithmetic, words, parameters);
        continue;
      }
      std::optional<Operation> gate = read_gate(name, words, parameters);
      if (gate) {
        gates.push_back(std::move(*gate));
      } else {
        missing = name;
      }
    }
    return gates;
  }

  /// Reads the number of parameters in the header of an older file.
  void read_own_parameters(const JsonNode& node, std::span<const JsonNode> header,
                           Parameters& parameters) {
    if (header.size() < 2) node.fail("expected the number of parameters after that of the qubits");
    const std::uint64_t count = header[1].whole_number();
    if (count > kMaxFileParameters) header[1].fail(fmt::format("more than {}", kMaxFileParameters));
    for (unsigned i = 0; i < count; ++i) add_symbol(i, parameters);
  }

  static std::vector<JsonNode> operation_parts(const JsonNode& node) {
    return elements_of(node, 3, "an operation, [name, outputs, inputs]");
  }

  /// Reads a gate; returns nothing if the gate set cannot express it.
  std::optional<Operation> read_gate(const std::string& name, std::span<const JsonNode> words,
                                     const Parameters& parameters) const {
    const OriginalGate* known = rules::original_gate_in(set_, name);
    if (known == nullptr) {
      if (!rules::is_original_gate(name)) words[0].fail("unknown gate \"" + name + '"');
      return std::nullopt;
    }
    const Gate& written = *find_gate(known->equal);
    const std::vector<JsonNode> inputs =
        elements_of(words[2], written.qubits + known->parameters, "the qubits and parameters");
    Operation operation;
    operation.gate = written.kind;
    for (unsigned i = 0; i < written.qubits; ++i) {
      const auto qubit = static_cast<Qubit>(index_of(inputs[i], 'Q', result_.qubits));
      if (std::find(operation.qubits.begin(), operation.qubits.end(), qubit) !=
          operation.qubits.end()) {
        inputs[i].fail("the qubit is used twice");
      }
      operation.qubits.push_back(qubit);
    }
    if (known->eighth_turns != 0) {
      operation.angles.push_back(Angle::pi_times(Rational(known->eighth_turns, 4)));
    }
    for (unsigned i = 0; i < known->parameters; ++i) {
      const int factor = (i < known->halves ? 2 : 1) * (known->negated ? -1 : 1);
      operation.angles.push_back(
          multiple_of(inputs[written.qubits + i], Rational(factor), parameters));
    }
    return operation;
  }

  const GateSet& set_;
  const std::stop_token& stop_;
  EccSet result_;
  Parameters common_;
  bool has_common_parameters_ = false;
};

}  // namespace

EccSet parse_ecc_set(std::string_view text, const std::string& name, const GateSet& set,
                     const std::stop_token& stop) {
  const nlohmann::json document = target::parse_json(text, name);
  const target::JsonSource source{text, name};
  return EccSetReader(set, stop).read(JsonNode(document, source));
}

}  // namespace quartz
