#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace quartz::qasm {

/// The kind of statement that a word begins.
enum class Keyword {
  none,
  version,
  include,
  qubit_register,  ///< qreg
  bit_register,    ///< creg
  qubit,
  bit,
  input,
  output,
  gate,
  opaque,
  measure,
  reset,
  barrier,
  condition,  ///< if
  loop,       ///< for
  while_loop,
  selection,  ///< switch
  jump,       ///< break, continue, return, end
  box,
  pragma,
  variable,  ///< int, uint, float, angle, bool
  array,
  subroutine,  ///< def
  external,    ///< extern
  duration,    ///< duration, stretch
  constant,    ///< const
  alias,       ///< let
  delay,
  no_operation,  ///< nop
  modifier,      ///< ctrl, negctrl, inv, pow
  global_phase,
  unsupported,  ///< a word of OpenQASM 3 that is not supported
};

/// Returns what an unsupported word is about, for a message; empty if it is not known.
[[nodiscard]] std::string_view subject_of(std::string_view unsupported_word);

[[nodiscard]] Keyword find_keyword(std::string_view word, unsigned language_version);

/// Returns whether the word cannot name a register, a gate or a parameter. In OpenQASM 2 register
/// names cannot be confused with anything, so there only gate names are restricted.
[[nodiscard]] bool is_reserved(std::string_view word, unsigned language_version);

/// Returns whether the word is an identifier: letters, digits and underscores, not starting with a
/// digit. Bytes from 0x80 on count as letters.
[[nodiscard]] bool is_identifier(std::string_view word);
/// Returns whether a name may contain the character, at least after its first one.
[[nodiscard]] bool is_identifier_character(char character);

}  // namespace quartz::qasm
