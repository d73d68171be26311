#include "report/run_text.hpp"

#include "quartz/base/errors.hpp"
#include "quartz/circuit/gate.hpp"

namespace quartz::report {

std::optional<double> journal_bytes_per_rewrite(const SuperoptimizeResult& result) {
  if (result.journal_rewrites == 0) return std::nullopt;
  return static_cast<double>(result.journal.size()) / static_cast<double>(result.journal_rewrites);
}

std::string_view stop_reason_of(const RunReport& report) {
  const StopReason reason = report.result.stop_reason;
  const bool is_limit = report.reached_memory_limit && reason == StopReason::interrupted;
  return is_limit ? "memory limit" : to_string(reason);
}

std::string_view description_of(RewriteKind kind) {
  switch (kind) {
    case RewriteKind::rule:
      return "replaced by a rule";
    case RewriteKind::window:
      return "replaced through the class table";
    case RewriteKind::parity:
      return "CNOT+Rz blocks resynthesized";
    case RewriteKind::rotations:
      return "rotations moved and merged";
    case RewriteKind::detours:
      return "all replacements that did not improve the best circuit themselves";
  }
  throw InternalError("a rewrite of no kind");
}

bool has_sides(const Rewrite& rewrite) {
  return rewrite.kind == RewriteKind::rule || rewrite.kind == RewriteKind::window;
}

std::string circuit_text(std::span<const Operation> circuit) {
  std::string text;
  for (const Operation& operation : circuit) {
    if (!text.empty()) text += "; ";
    text += gate(operation.gate).name;
    for (std::size_t i = 0; i < operation.angles.size(); ++i) {
      text += (i == 0 ? "(" : ",") + operation.angles[i].to_readable_string();
    }
    if (!operation.angles.empty()) text += ")";
    for (std::size_t i = 0; i < operation.qubits.size(); ++i) {
      text += (i == 0 ? " q" : ",q") + std::to_string(operation.qubits[i]);
    }
  }
  return text;
}

}  // namespace quartz::report
