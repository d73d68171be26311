#include "quartz/target/gate_set.hpp"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "quartz/base/errors.hpp"
#include "quartz/base/files.hpp"
#include "quartz/base/nearest_name.hpp"
#include "quartz/circuit/canonical.hpp"
#include "quartz/circuit/custom_gate.hpp"
#include "quartz/circuit/gate.hpp"
#include "target/bundled.hpp"
#include "target/digest.hpp"
#include "target/file_argument.hpp"

namespace quartz {
namespace {

/// Returns the angles in their canonical range: two choices are equal exactly if these are.
AngleList normalized(GateKind kind, const AngleList& angles) {
  Operation operation;
  operation.gate = kind;
  operation.angles = angles;
  static_cast<void>(normalize_angles(operation));
  return operation.angles;
}

/// Returns whether the gate is the identity, independently of its conditions.
bool is_identity_gate(const Operation& operation) {
  Operation plain = operation;
  plain.classical = nullptr;
  return is_identity(plain);
}

}  // namespace

bool AngleRange::contains(const Angle& angle) const {
  if (angle == least || angle == greatest) return true;
  if (!angle.is_constant()) return false;
  const double value = angle.value();
  return least.value() <= value && value <= greatest.value();
}

bool GateSetEntry::takes_any_angle() const {
  return angles.empty() && ranges.empty() && !quartz::gate(gate).parameters.empty();
}

bool GateSetEntry::in_ranges(std::span<const Angle> values) const {
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    if (ranges[i].has_value() && !ranges[i]->contains(values[i])) return false;
  }
  return true;
}

bool GateSet::contains(const Operation& operation) const {
  if (operation.kind != OperationKind::gate) return false;
  const auto entry =
      std::find_if(entries.begin(), entries.end(),
                   [&](const GateSetEntry& candidate) { return candidate.gate == operation.gate; });
  if (entry == entries.end()) return false;
  if (!entry->ranges.empty()) {
    return entry->in_ranges(operation.angles) && !is_identity_gate(operation);
  }
  if (entry->angles.empty()) return true;
  const AngleList wanted = normalized(operation.gate, operation.angles);
  return std::any_of(entry->angles.begin(), entry->angles.end(), [&](const AngleList& choice) {
    return normalized(operation.gate, choice) == wanted;
  });
}

CustomGates GateSet::custom_gates() const {
  CustomGates gates;
  for (const GateSetEntry& entry : entries) {
    if (is_custom(entry.gate)) gates.add(entry.gate);
  }
  return gates;
}

std::string target::gate_set_digest(const GateSet& set) {
  std::string meaning = "gate set\n";
  for (const GateSetEntry& entry : set.entries) {
    meaning += fmt::format("gate {}", gate(entry.gate).name);
    if (is_custom(entry.gate)) meaning += " = " + meaning_of(gate(entry.gate));
    for (const AngleList& choice : entry.angles) {
      std::vector<std::string> angles;
      for (const Angle& angle : choice) angles.push_back(angle.to_string());
      meaning += fmt::format(" ({})", fmt::join(angles, ", "));
    }
    for (const std::optional<AngleRange>& range : entry.ranges) {
      meaning +=
          range ? fmt::format(" [{}, {}]", range->least.to_string(), range->greatest.to_string())
                : " any";
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
  for (const target::BundledGateSet& bundled : target::bundled_gate_set_texts())
    names.emplace_back(bundled.name);
  return names;
}

GateSet load_gate_set(std::string_view name_or_path, const std::stop_token& stop) {
  for (const target::BundledGateSet& bundled : target::bundled_gate_set_texts()) {
    if (bundled.name == name_or_path) {
      return parse_gate_set(bundled.text, fmt::format("gatesets/{}.json", bundled.name));
    }
  }
  const std::filesystem::path path(name_or_path);
  if (!target::means_file(name_or_path)) {
    const std::vector<std::string> known = bundled_gate_sets();
    const std::vector<std::string_view> names(known.begin(), known.end());
    throw UsageError(unknown_name_message("gate set", name_or_path, "bundled gate sets", names) +
                     "; or give a JSON file");
  }
  return parse_gate_set(read_text_file(path, {file_limit::description, stop}), path.string());
}

}  // namespace quartz
