#include "rules/interchange/original_gates.hpp"

#include <algorithm>
#include <array>

namespace quartz::rules {
namespace {

/// A gate without parameters.
constexpr OriginalGate fixed(std::string_view name, std::string_view equal, int eighth_turns = 0) {
  return {.name = name, .equal = equal, .eighth_turns = eighth_turns};
}
/// A rotation, whose only parameter is half of the angle.
constexpr OriginalGate rotation(std::string_view name) {
  return {.name = name, .equal = name, .parameters = 1, .halves = 1};
}
/// A gate whose only parameter is the angle.
constexpr OriginalGate phase(std::string_view name, std::string_view equal, bool negated = false) {
  return {.name = name, .equal = equal, .parameters = 1, .negated = negated};
}

/// The list of the gates. A gate has one row for each of our gates that it can be written with, the
/// preferred one first.
constexpr std::array kOriginalGates{
    fixed("h", "h"),
    fixed("x", "x"),
    fixed("x", "rx", 4),
    fixed("y", "y"),
    fixed("y", "ry", 4),
    fixed("z", "z"),
    fixed("z", "rz", 4),
    fixed("s", "s"),
    fixed("s", "rz", 2),
    fixed("sdg", "sdg"),
    fixed("sdg", "rz", -2),
    fixed("t", "t"),
    fixed("t", "rz", 1),
    fixed("tdg", "tdg"),
    fixed("tdg", "rz", -1),
    fixed("sx", "sx"),
    fixed("sx", "rx", 2),
    fixed("sxdg", "sxdg"),
    fixed("sxdg", "rx", -2),
    fixed("rx1", "rx", 2),
    fixed("rx1", "sx"),
    fixed("rx3", "rx", -2),
    fixed("rx3", "sxdg"),
    fixed("ry1", "ry", 2),
    fixed("ry3", "ry", -2),
    fixed("rxx1", "rxx", 2),
    fixed("rxx3", "rxx", -2),
    fixed("cx", "cx"),
    fixed("cz", "cz"),
    fixed("ch", "ch"),
    fixed("swap", "swap"),
    fixed("ccx", "ccx"),
    fixed("ccz", "ccz"),
    rotation("rx"),
    rotation("ry"),
    rotation("rz"),
    phase("p", "p"),
    phase("p", "u1"),
    phase("p", "rz"),
    phase("pdg", "p", true),
    phase("pdg", "u1", true),
    phase("pdg", "rz", true),
    phase("u1", "u1"),
    phase("u1", "p"),
    phase("u1", "rz"),
    phase("cp", "cp"),
    phase("cp", "cu1"),
    phase("cu1", "cu1"),
    phase("cu1", "cp"),
    OriginalGate{.name = "u2", .equal = "u2", .parameters = 2},
    OriginalGate{.name = "u3", .equal = "u3", .parameters = 3, .halves = 1},
    OriginalGate{.name = "u3", .equal = "u", .parameters = 3, .halves = 1},
};

bool has_gate(const GateSet& set, std::string_view name) {
  const Gate* known = find_gate(name);
  return known != nullptr &&
         std::any_of(set.entries.begin(), set.entries.end(),
                     [&](const GateSetEntry& entry) { return entry.gate == known->kind; });
}

}  // namespace

bool is_original_gate(std::string_view name) {
  return std::any_of(kOriginalGates.begin(), kOriginalGates.end(),
                     [&](const OriginalGate& row) { return row.name == name; });
}

const OriginalGate* original_gate_in(const GateSet& set, std::string_view name) {
  const auto* const found = std::find_if(
      kOriginalGates.begin(), kOriginalGates.end(),
      [&](const OriginalGate& row) { return row.name == name && has_gate(set, row.equal); });
  return found == kOriginalGates.end() ? nullptr : found;
}

}  // namespace quartz::rules
