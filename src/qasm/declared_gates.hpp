#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "qasm/gate_names.hpp"
#include "quartz/circuit/circuit.hpp"

namespace quartz::qasm {

struct OpaqueGate {
  std::string_view name;  ///< a view into the circuit, or the GateNames
  std::size_t parameters = 0;
  std::size_t qubits = 0;
};

/// The gates that a program has to declare; those in turns also where it does not use them, so that
/// it says of each what its angles are.
struct DeclaredGates {
  std::vector<OpaqueGate> matrix_only;  ///< custom gates that no definition is known for
  std::vector<GateKind> defined;        ///< each after those that its definition uses
  std::vector<OpaqueGate> opaque;       ///< in the order of their first use
};

/// Throws UsageError for opaque gates that no program can say: one with a name that is none, in two
/// forms, or beside the standard gate of its name.
[[nodiscard]] DeclaredGates find_declared_gates(const Circuit& circuit, unsigned language_version,
                                                const GateNames& names);

}  // namespace quartz::qasm
