#include "quartz/rules/ecc_set.hpp"

#include <algorithm>

#include "quartz/base/compression.hpp"
#include "quartz/base/files.hpp"
#include "quartz/circuit/gate.hpp"

namespace quartz {

std::uint64_t EccSet::omitted_circuits() const noexcept {
  std::uint64_t circuits = 0;
  for (const auto& [gate, count] : omitted) circuits += count;
  return circuits;
}
namespace {

/// Parses a rule set, which is a JSON object, or an ECC set, which is a JSON array.
EccSet parse(std::string_view text, const std::string& name, const GateSet& set,
             const std::stop_token& stop) {
  const std::size_t start = text.find_first_not_of(" \t\r\n");
  const bool is_object = start != std::string_view::npos && text[start] == '{';
  return is_object ? equivalent_circuits(parse_rule_set(text, name, stop, set.custom_gates()), set)
                   : parse_ecc_set(text, name, set, stop);
}

}  // namespace

EccSet equivalent_circuits(const RuleSet& rules, const GateSet& set) {
  const auto is_in_set = [&](const Operation& operation) {
    return std::any_of(set.entries.begin(), set.entries.end(),
                       [&](const GateSetEntry& entry) { return entry.gate == operation.gate; });
  };
  EccSet result;
  result.qubits = rules.qubits;
  result.parameters = rules.parameters;
  for (const EquivalenceClass& equal : rules.classes) {
    std::vector<std::vector<Operation>>& circuits = result.classes.emplace_back();
    for (const ClassMember& member : equal.members) {
      const auto missing = std::find_if_not(member.gates.begin(), member.gates.end(), is_in_set);
      if (missing == member.gates.end()) {
        circuits.push_back(member.gates);
      } else {
        ++result.omitted[std::string(gate(missing->gate).name)];
      }
    }
  }
  return result;
}

EccSet read_ecc_set_file(const std::filesystem::path& path, const GateSet& set,
                         const std::stop_token& stop) {
  const std::string name = path == "-" ? "<standard input>" : path.string();
  const std::string content = read_text_file(path, {file_limit::rules, stop});
  if (!is_compressed(content)) return parse(content, name, set, stop);
  return parse(decompressed(content, name, file_limit::rules, stop), name, set, stop);
}

}  // namespace quartz
