#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace quartz::qasm {

/// What a word at the start of a statement opens.
enum class Keyword {
  none,
  version,
  include,
  qubit_register,  ///< qreg
  bit_register,    ///< creg
  qubit,
  bit,
  input,
  gate,
  opaque,
  measure,
  reset,
  barrier,
  condition,  ///< if
  loop,       ///< for
  constant,   ///< const
  alias,      ///< let
  delay,
  modifier,  ///< ctrl, negctrl, inv, pow
  global_phase,
  unsupported,  ///< known to OpenQASM 3, not to us
};

[[nodiscard]] Keyword find_keyword(std::string_view word, unsigned language_version);

/// Whether the word can't name a register, a gate or a parameter. OpenQASM 2 never confuses
/// register names with anything, so there only gate names are restricted.
[[nodiscard]] bool is_reserved(std::string_view word, unsigned language_version);

/// A name of letters, digits and underscores that starts with no digit; bytes from 0x80 on count as
/// letters.
[[nodiscard]] bool is_identifier(std::string_view word);

/// The candidate that `word` is probably a misspelling of, or nothing.
[[nodiscard]] std::string_view nearest_name(std::string_view word,
                                            const std::vector<std::string_view>& candidates);

}  // namespace quartz::qasm
