#pragma once

#include <string>

#include "quartz/base/errors.hpp"
#include "quartz/circuit/circuit.hpp"
#include "quartz/qasm/qasm.hpp"

/// Helpers shared by the tests of the OpenQASM front end.
namespace quartz::test {

inline const std::string version_2 = "OPENQASM 2.0;\ninclude \"qelib1.inc\";\n";
inline const std::string version_3 = "OPENQASM 3.0;\ninclude \"stdgates.inc\";\n";

inline Circuit parse_2(const std::string& body) { return parse_qasm(version_2 + body, "test"); }
inline Circuit parse_3(const std::string& body) { return parse_qasm(version_3 + body, "test"); }

/// Returns the message of the InputError that parsing the program throws; "no error" if it is
/// parsed.
inline std::string error_of(const std::string& program) {
  try {
    (void)parse_qasm(program, "test");
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

inline Angle pi(std::int64_t numerator, std::int64_t denominator = 1) {
  return Angle::pi_times(Rational(numerator, denominator));
}

inline Angle radians(std::int64_t numerator, std::int64_t denominator = 1) {
  return Angle::radians(Rational(numerator, denominator));
}

}  // namespace quartz::test
