#pragma once

#include <set>
#include <string_view>

#include "quartz/circuit/operation.hpp"
#include "target/json_node.hpp"

/// Values that the files of several makers have in common. All functions throw InputError with the
/// location for a value of another type or out of range.
namespace quartz::target {

/// Returns the qubit of a whole number, or of a string that contains one.
[[nodiscard]] Qubit read_device_qubit(const JsonNode& node);
/// Returns the qubit of text that is not a value but, for example, a key; `node` is where messages
/// point to.
[[nodiscard]] Qubit device_qubit(std::string_view text, const JsonNode& node);
/// Returns the qubits from 0 to one less than a whole number.
[[nodiscard]] std::set<Qubit> read_qubit_count(const JsonNode& node);
/// Returns a number from 0 to 1.
[[nodiscard]] double read_probability(const JsonNode& node);
/// Returns a duration in nanoseconds, at most the greatest weight of a gate.
[[nodiscard]] double read_nanoseconds(const JsonNode& value, double unit);
/// Returns the nanoseconds of a unit of time, "s", "ms", "us" or "ns".
[[nodiscard]] double read_time_unit(const JsonNode& node);

}  // namespace quartz::target
