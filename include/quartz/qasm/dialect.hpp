#pragma once

#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "quartz/circuit/circuit.hpp"

namespace quartz {

/// What a program may use so that certain tools read it.
struct Dialect {
  /// A gate and the name by which programs call it.
  struct NamedGate {
    GateKind gate{};
    std::string_view name;
  };

  std::string_view name;     ///< as in quartz-opt --dialect
  std::string_view readers;  ///< the tools that read it, for a person to read
  /// The version of OpenQASM that a program has unless another is asked for; 0: the circuit's.
  unsigned version = 0;
  bool has_version_2 = true;
  bool has_version_3 = true;
  /// The file that programs include; "standard" for the standard file of the version, empty for
  /// none.
  std::string_view include_file = "standard";
  bool has_global_phase = true;      ///< whether version 3 has `gphase`
  bool has_gate_definitions = true;  ///< whether programs may define and declare gates
  bool has_bit_conditions = false;   ///< whether version 2 may test one bit of a register
  /// Whether version 3 compares single bits with numbers only: `c[0] == 1` in place of `c[0]`, and
  /// `c[0] == 0 && c[1] == 1` in place of `c == 2`.
  bool compares_single_bits = false;
  /// The gates that programs may call. If empty, all gates; those outside of the included file are
  /// defined in the program.
  std::vector<NamedGate> gates;
};

/// Returns the dialects, of which the first one is the default.
[[nodiscard]] std::span<const Dialect> dialects();
/// Finds a dialect by its name; returns null if there is none.
[[nodiscard]] const Dialect* find_dialect(std::string_view name);

/// Returns the circuit with the gates that the dialect does not know written in those that it
/// knows, exactly and with the global phase, in a version of OpenQASM that the dialect has. Throws
/// UsageError that names what the dialect cannot express.
[[nodiscard]] Circuit in_dialect(const Circuit& circuit, const Dialect& dialect);

/// Writes the circuit, which in_dialect returned. The global phase of a dialect without `gphase` is
/// a comment.
[[nodiscard]] std::string write_qasm(const Circuit& circuit, const Dialect& dialect,
                                     const std::stop_token& stop = {});

}  // namespace quartz
