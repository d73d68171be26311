#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "quartz/base/errors.hpp"
#include "quartz/circuit/gate.hpp"
#include "quartz/target/backend.hpp"
#include "quartz/target/gate_set.hpp"

namespace quartz {
namespace {

std::set<GateKind> kinds_of(const GateSet& set) {
  std::set<GateKind> kinds;
  for (const GateSetEntry& entry : set.entries) kinds.insert(entry.gate);
  return kinds;
}

[[noreturn]] void refuse(const Backend& backend, std::string_view why) {
  throw UsageError(fmt::format(
      "{}, which has the gates {}: {}; choose one with --gate-set (known: "
      "{}), or give a file of your own",
      backend.name, fmt::join(backend.gates, ", "), why, fmt::join(bundled_gate_sets(), ", ")));
}

}  // namespace

std::string gate_set_name_of(const Backend& backend) {
  std::vector<std::string> best;  // with equally many gates, and no two with the same
  std::set<std::set<GateKind>> kinds_of_best;
  std::size_t most = 0;
  for (const std::string& name : bundled_gate_sets()) {
    const std::set<GateKind> kinds = kinds_of(load_gate_set(name));
    const bool has_two_qubit_gate =
        std::ranges::any_of(kinds, [](GateKind kind) { return gate(kind).qubits >= 2; });
    if (!has_two_qubit_gate || !std::ranges::includes(backend.kinds, kinds)) continue;
    if (kinds.size() < most) continue;
    if (kinds.size() > most) {
      best.clear();
      kinds_of_best.clear();
    }
    most = kinds.size();
    if (kinds_of_best.insert(kinds).second) best.push_back(name);
  }
  if (best.empty()) refuse(backend, "no bundled gate set has only such gates");
  if (best.size() > 1) {
    refuse(backend,
           fmt::format("the gate sets {} have equally many of them", fmt::join(best, " and ")));
  }
  return best.front();
}

}  // namespace quartz
