#pragma once

#include "target/backend/device_facts.hpp"
#include "target/json_node.hpp"

namespace quartz::target {

/// Returns whether the document is the properties of a backend of Qiskit: the calibrations of its
/// gates and qubits.
[[nodiscard]] bool is_qiskit_properties(const JsonNode& root);
/// Returns whether the document is the configuration of a backend of Qiskit: its gates and pairs.
[[nodiscard]] bool is_qiskit_configuration(const JsonNode& root);

/// Reads such a document. Keys that say nothing about gates are ignored. Throws InputError with the
/// location for a value of another type or out of range.
[[nodiscard]] DeviceFacts read_qiskit_properties(const JsonNode& root);
[[nodiscard]] DeviceFacts read_qiskit_configuration(const JsonNode& root);

}  // namespace quartz::target
