#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "gateset/digest.hpp"
#include "quartz/circuit/canonical.hpp"
#include "quartz/circuit/gate.hpp"
#include "quartz/errors.hpp"
#include "quartz/gateset/gate_set.hpp"

namespace quartz {

namespace {

using Json = nlohmann::json;

constexpr const char* kFormat = "quartz-gate-set";
constexpr std::uint64_t kVersion = 1;
/// Far more than any enumeration can use; keeps a wrong number from being taken at its word.
constexpr std::uint64_t kMostParameters = 16;

/// A JSON value with its path in the document, "gates[3].gate", for messages.
class Node {
 public:
  Node(const Json& value, std::string path, const std::string& source)
      : value_(&value), path_(std::move(path)), source_(&source) {}

  [[noreturn]] void fail(const std::string& what) const {
    throw InputError({*source_, 0, 0}, path_.empty() ? what : path_ + ": " + what);
  }

  /// Fails unless this is an object with no other keys than these.
  void require_object(std::initializer_list<std::string_view> known) const {
    require(value_->is_object(), "an object");
    for (const auto& [key, ignored] : value_->items()) {
      if (std::find(known.begin(), known.end(), key) == known.end()) {
        fail(fmt::format("unknown key '{}'; known keys: {}", key, fmt::join(known, ", ")));
      }
    }
  }
  [[nodiscard]] bool has(const char* key) const { return value_->contains(key); }
  [[nodiscard]] Node member(const char* key) const {
    if (!has(key)) fail(fmt::format("the key '{}' is missing", key));
    return {(*value_)[key], path_.empty() ? key : path_ + "." + key, *source_};
  }
  [[nodiscard]] std::vector<Node> elements() const {
    require(value_->is_array(), "an array");
    std::vector<Node> nodes;
    for (std::size_t i = 0; i < value_->size(); ++i) {
      nodes.emplace_back((*value_)[i], fmt::format("{}[{}]", path_, i), *source_);
    }
    return nodes;
  }
  [[nodiscard]] std::string text() const {
    require(value_->is_string(), "a string");
    return value_->get<std::string>();
  }
  [[nodiscard]] std::uint64_t whole_number() const {
    require(value_->is_number_unsigned(), "a whole number");
    return value_->get<std::uint64_t>();
  }
  /// A string that holds an angle expression.
  [[nodiscard]] Angle angle() const {
    require(value_->is_string(), "an angle as a string, such as \"pi/2\"");
    try {
      return parse_angle(value_->get<std::string>());
    } catch (const InputError& error) {
      fail(error.what());
    }
  }

 private:
  void require(bool right_type, const char* expected) const {
    if (!right_type) fail(fmt::format("expected {}, found {}", expected, found()));
  }
  [[nodiscard]] std::string found() const {
    std::string text = value_->dump(-1, ' ', false, Json::error_handler_t::replace);
    constexpr std::size_t kShown = 40;
    if (text.size() > kShown) text = text.substr(0, kShown) + "...";
    return text;
  }

  const Json* value_;
  std::string path_;
  const std::string* source_;
};

/// The place of a byte, counted from 1 as nlohmann_json does.
SourceLocation location_of(std::string_view text, std::size_t byte, const std::string& name) {
  const std::string_view before = text.substr(0, byte == 0 ? 0 : std::min(byte - 1, text.size()));
  const auto lines = std::count(before.begin(), before.end(), '\n');
  const std::size_t line_start = before.rfind('\n') + 1;  // npos + 1 is 0
  return {name, static_cast<std::size_t>(lines) + 1, before.size() - line_start + 1};
}

/// Parses JSON; a key given twice is an error, where JSON libraries keep one of the two.
Json parse_json(std::string_view text, const std::string& name) {
  std::vector<std::set<std::string>> keys;
  const auto refuse_repeated_keys = [&](int, Json::parse_event_t event, Json& value) {
    if (event == Json::parse_event_t::object_start) keys.emplace_back();
    if (event == Json::parse_event_t::object_end) keys.pop_back();
    if (event == Json::parse_event_t::key && !keys.back().insert(value.get<std::string>()).second) {
      throw InputError({name, 0, 0}, "the key '" + value.get<std::string>() + "' is given twice");
    }
    return true;
  };
  try {
    return Json::parse(text, refuse_repeated_keys);
  } catch (const Json::parse_error& error) {
    // "[json.exception.parse_error.101] parse error at line 1, column 2: what is wrong"
    const std::string message = error.what();
    const std::size_t colon = message.find(": ");
    throw InputError(
        location_of(text, error.byte, name),
        "no valid JSON: " + (colon == std::string::npos ? message : message.substr(colon + 2)));
  } catch (const Json::exception& error) {
    throw InputError({name, 0, 0}, std::string("no valid JSON: ") + error.what());
  }
}

/// The constant angles of one choice: as many as the gate has parameters.
std::vector<Angle> read_choice(const Node& node, const Gate& row) {
  std::vector<Angle> choice;
  for (const Node& element : node.elements()) {
    Angle angle = element.angle();
    if (!angle.is_constant()) {
      element.fail("expected a constant, found the parameter '" + angle.symbols().front() + "'");
    }
    choice.push_back(std::move(angle));
  }
  if (choice.size() != row.parameters.size()) {
    node.fail(fmt::format("{} takes {} angle{}, found {}", row.name, row.parameters.size(),
                          row.parameters.size() == 1 ? "" : "s", choice.size()));
  }
  return choice;
}

Operation with_angles(const Gate& row, const std::vector<Angle>& angles) {
  Operation operation;
  operation.gate = row.kind;
  operation.angles = angles;
  static_cast<void>(normalize_angles(operation));
  return operation;
}

GateSetEntry read_entry(const Node& node) {
  node.require_object({"gate", "angles"});
  const Node name = node.member("gate");
  const Gate* row = find_gate(name.text());
  if (row == nullptr) {
    name.fail("unknown gate '" + name.text() + "'; gates have their OpenQASM names, such as h, cx");
  }
  GateSetEntry entry;
  entry.gate = row->kind;
  if (!node.has("angles")) return entry;

  const Node angles = node.member("angles");
  if (row->parameters.empty()) angles.fail(fmt::format("{} takes no angles", row->name));
  for (const Node& element : angles.elements()) {
    std::vector<Angle> choice = read_choice(element, *row);
    for (const std::vector<Angle>& earlier : entry.angles) {
      if (with_angles(*row, earlier) == with_angles(*row, choice)) {
        element.fail("this choice is given twice");
      }
    }
    entry.angles.push_back(std::move(choice));
  }
  if (entry.angles.empty()) angles.fail("no choices; leave 'angles' out where any angle will do");
  return entry;
}

std::string parameter_name(std::uint64_t index) { return fmt::format("p{}", index); }

AlphabetRule read_alphabet(const Node& node) {
  node.require_object({"parameters", "expressions"});
  AlphabetRule rule;
  const Node parameters = node.member("parameters");
  const std::uint64_t count = parameters.whole_number();
  if (count > kMostParameters) {
    parameters.fail(fmt::format("at most {} parameters, found {}", kMostParameters, count));
  }
  rule.parameters = static_cast<unsigned>(count);
  std::set<std::string> known;
  for (std::uint64_t i = 0; i < count; ++i) known.insert(parameter_name(i));

  for (const Node& element : node.member("expressions").elements()) {
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

bool takes_any_angle(const GateSetEntry& entry) {
  return entry.angles.empty() && !gate(entry.gate).parameters.empty();
}

}  // namespace

GateSet parse_gate_set(std::string_view text, const std::string& name) {
  const Json document = parse_json(text, name);
  const Node root(document, "", name);
  root.require_object({"format", "version", "name", "description", "source", "gates", "alphabet"});
  const Node format = root.member("format");
  if (format.text() != kFormat) {
    format.fail(fmt::format("expected '{}', found '{}'", kFormat, format.text()));
  }
  const Node version = root.member("version");
  if (version.whole_number() != kVersion) {
    version.fail(fmt::format("this program reads version {}, found version {}", kVersion,
                             version.whole_number()));
  }

  GateSet set;
  set.name = root.member("name").text();
  if (set.name.empty()) root.member("name").fail("the name is empty");
  if (root.has("description")) set.description = root.member("description").text();
  if (root.has("source")) set.source = root.member("source").text();

  const Node gates = root.member("gates");
  for (const Node& element : gates.elements()) {
    GateSetEntry entry = read_entry(element);
    for (const GateSetEntry& earlier : set.entries) {
      if (earlier.gate == entry.gate) {
        element.member("gate").fail(fmt::format("{} is given twice", gate(entry.gate).name));
      }
    }
    set.entries.push_back(std::move(entry));
  }
  if (set.entries.empty()) gates.fail("a gate set needs at least one gate");

  if (root.has("alphabet")) set.alphabet = read_alphabet(root.member("alphabet"));
  const auto any = std::find_if(set.entries.begin(), set.entries.end(), takes_any_angle);
  if (any != set.entries.end() && set.alphabet.expressions.empty()) {
    (root.has("alphabet") ? root.member("alphabet").member("expressions") : root)
        .fail(fmt::format("{} takes any angle: the alphabet needs expressions for it",
                          gate(any->gate).name));
  }
  set.digest = gate_set_digest(set);
  return set;
}

}  // namespace quartz
