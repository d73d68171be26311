#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "quartz/circuit/operation.hpp"
#include "quartz/report/statistics.hpp"

/// Texts and numbers about a run that several reports show.
namespace quartz::report {

/// Returns why the search ended.
[[nodiscard]] std::string_view stop_reason_of(const RunReport& report);
/// Returns the size of the journal divided by the number of its rewrites, if it has any.
[[nodiscard]] std::optional<double> journal_bytes_per_rewrite(const SuperoptimizeResult& result);
/// Describes what rewrites of a kind do, as in "rotations moved and merged".
[[nodiscard]] std::string_view description_of(RewriteKind kind);
/// Returns whether the rewrite replaced one circuit by another. Other rewrites have no circuits to
/// show.
[[nodiscard]] bool has_sides(const Rewrite& rewrite);
/// Returns the circuit in the syntax of OpenQASM, on qubits q0, q1, ...: "rz(pi/4) q0; cx q0,q1".
[[nodiscard]] std::string circuit_text(std::span<const Operation> circuit);

}  // namespace quartz::report
