#include "quartz/gateset/gate_set.hpp"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "gateset/bundled.hpp"
#include "gateset/digest.hpp"
#include "gateset/file_argument.hpp"
#include "quartz/circuit/canonical.hpp"
#include "quartz/circuit/gate.hpp"
#include "quartz/errors.hpp"
#include "quartz/files.hpp"

namespace quartz {
namespace {

/// The angles in their canonical range: choices are equal where these are.
std::vector<Angle> normalized(GateKind kind, const std::vector<Angle>& angles) {
  Operation operation;
  operation.gate = kind;
  operation.angles = angles;
  static_cast<void>(normalize_angles(operation));
  return operation.angles;
}

}  // namespace

bool GateSet::contains(const Operation& operation) const {
  if (operation.kind != OperationKind::gate) return false;
  const auto entry =
      std::find_if(entries.begin(), entries.end(),
                   [&](const GateSetEntry& candidate) { return candidate.gate == operation.gate; });
  if (entry == entries.end()) return false;
  if (entry->angles.empty()) return true;
  const std::vector<Angle> wanted = normalized(operation.gate, operation.angles);
  return std::any_of(entry->angles.begin(), entry->angles.end(),
                     [&](const std::vector<Angle>& choice) {
                       return normalized(operation.gate, choice) == wanted;
                     });
}

std::string gate_set_digest(const GateSet& set) {
  std::string meaning = "gate set\n";
  for (const GateSetEntry& entry : set.entries) {
    meaning += fmt::format("gate {}", gate(entry.gate).name);
    for (const std::vector<Angle>& choice : entry.angles) {
      std::vector<std::string> angles;
      for (const Angle& angle : choice) angles.push_back(angle.to_string());
      meaning += fmt::format(" ({})", fmt::join(angles, ", "));
    }
    meaning += "\n";
  }
  meaning += fmt::format("parameters {}\n", set.alphabet.parameters);
  for (const Angle& expression : set.alphabet.expressions) {
    meaning += fmt::format("expression {}\n", expression.to_string());
  }
  return digest_of(meaning);
}

std::vector<std::string> bundled_gate_sets() {
  std::vector<std::string> names;
  for (const BundledGateSet& bundled : bundled_gate_set_texts()) names.emplace_back(bundled.name);
  return names;
}

GateSet load_gate_set(std::string_view name_or_path) {
  for (const BundledGateSet& bundled : bundled_gate_set_texts()) {
    if (bundled.name == name_or_path) {
      return parse_gate_set(bundled.text, fmt::format("gatesets/{}.json", bundled.name));
    }
  }
  const std::filesystem::path path(name_or_path);
  if (!means_file(name_or_path)) {
    throw UsageError(
        fmt::format("unknown gate set '{}'; bundled gate sets: {}; or give a JSON file",
                    name_or_path, fmt::join(bundled_gate_sets(), ", ")));
  }
  return parse_gate_set(read_text_file(path), path.string());
}

}  // namespace quartz
