#pragma once

#include <string_view>

#include "qasm/text/source.hpp"

namespace quartz::qasm {

/// The major version of the language that a program is written in.
struct ProgramVersion {
  unsigned number = 2;
  bool is_stated = false;  ///< by a line such as `OPENQASM 3.0;`
  /// Whether version 2 has conditions on one bit of a register, as it has with hqslib1.inc.
  bool has_bit_conditions = false;
  bool includes_library = false;  ///< the standard file of this version
  /// A statement of a program of version 2 that the language does not have without an extension;
  /// the circuit is then one of version 3. Empty if there is none.
  std::string_view extension = {};
};

/// Returns the version by which the program is to be read. A program without a version line is
/// OpenQASM 3 if a statement of it begins with a word or a sign that only OpenQASM 3 gives a
/// meaning, or if it includes stdgates.inc, and otherwise OpenQASM 2. Does not throw; the parser
/// reports what is wrong with the text.
[[nodiscard]] ProgramVersion find_program_version(const Source& source);

}  // namespace quartz::qasm
