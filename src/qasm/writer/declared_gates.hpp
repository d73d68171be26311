#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "qasm/gates/gate_names.hpp"
#include "quartz/circuit/circuit.hpp"

namespace quartz::qasm {

struct OpaqueGate {
  std::string_view name;  ///< a view into the circuit or into the GateNames
  std::size_t parameters = 0;
  std::size_t qubits = 0;
};

/// The gates that a program has to declare. Gates with angles in turns are declared even if they
/// are not used, so that the program states the unit of their angles.
struct DeclaredGates {
  std::vector<OpaqueGate> matrix_only;  ///< custom gates without a known definition
  std::vector<GateKind> defined;        ///< each after those that its definition uses
  std::vector<OpaqueGate> opaque;       ///< in the order of their first use; not those of
                                        ///< Circuit::declared_gates
};

/// `naming` are the naming_operations() of the circuit. Throws UsageError for opaque and declared
/// gates that no program can declare: with an invalid name, with different numbers of angles or
/// qubits, or with the name of a standard gate that is also used.
[[nodiscard]] DeclaredGates find_declared_gates(const Circuit& circuit,
                                                std::span<const Operation* const> naming,
                                                unsigned language_version, const GateNames& names);

}  // namespace quartz::qasm
