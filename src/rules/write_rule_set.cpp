#include <fmt/format.h>

#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "quartz/base/files.hpp"
#include "quartz/circuit/gate.hpp"
#include "quartz/rules/rule_set.hpp"
#include "rules/rule_set_format.hpp"

namespace quartz {
namespace {

using Text = std::string;

template <typename... Values>
void append(Text& text, fmt::format_string<Values...> format, Values&&... values) {
  fmt::format_to(std::back_inserter(text), format, std::forward<Values>(values)...);
}

/// Quotes any bytes as a JSON string. Gate names and angles need no escaping and are not quoted
/// here.
std::string quoted(const std::string& value) {
  return nlohmann::json(value).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

void append_gate(Text& text, const Operation& operation) {
  append(text, ",[\"{}\"", gate(operation.gate).name);
  for (const Angle& angle : operation.angles) append(text, ",\"{}\"", angle.to_string());
  for (const Qubit qubit : operation.qubits) append(text, ",{}", qubit);
  append(text, "]");
}

void append_class(Text& text, const EquivalenceClass& equal) {
  const char* separator = "\n[";
  for (const ClassMember& member : equal.members) {
    append(text, "{}[\"{}\"", separator, member.phase.to_string());
    for (const Operation& operation : member.gates) append_gate(text, operation);
    append(text, "]");
    separator = ",";
  }
  append(text, "]");
}

void append_header(Text& text, const RuleSet& rules) {
  append(text, "{{\n\"format\": \"{}\",\n\"version\": {},\n", rules::rule_set_format::name,
         rule_set_version);
  append(text, "\"gate_set\": {{\"name\": {}, \"digest\": {}}},\n", quoted(rules.gate_set),
         quoted(rules.gate_set_digest));
  append(text, "\"gates\": {},\n\"qubits\": {},\n\"parameters\": {},\n\"seed\": {},\n", rules.gates,
         rules.qubits, rules.parameters, rules.seed);
  append(text, "\"proofs\": {{\"method\": {}, \"tried\": {}, \"proved\": {}, \"unknown\": {}}},\n",
         quoted(rules.proofs.method), rules.proofs.tried, rules.proofs.proved,
         rules.proofs.unknown);
}

}  // namespace

std::string write_rule_set(const RuleSet& rules) {
  Text text;
  append_header(text, rules);
  append(text, "\"classes\": [");
  for (std::size_t i = 0; i < rules.classes.size(); ++i) {
    if (i != 0) append(text, ",");
    append_class(text, rules.classes[i]);
  }
  append(text, "\n],");
  const std::string digest = digest_of(text);
  append(text, "{}{}\"\n}}\n", rules::rule_set_format::kDigestLineStart, digest);
  return text;
}

}  // namespace quartz
