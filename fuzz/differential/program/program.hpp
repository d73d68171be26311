#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Comparison of the library with an independent simulator. What is in program/ and simulator/
/// includes no header of the library.
namespace quartz::differential {

/// A named range of qubits or classical bits.
struct Register {
  std::string name;
  unsigned size = 0;
  friend bool operator==(const Register&, const Register&) = default;
};

/// A test of a register or, with an element, of one bit of it.
struct Condition {
  unsigned bit_register = 0;
  std::optional<unsigned> element;
  std::uint64_t value = 0;
  bool negated = false;
  friend bool operator==(const Condition&, const Condition&) = default;
};

enum class StatementKind : std::uint8_t {
  gate,
  measure,
  reset,
  barrier,
  phase,
  while_loop,  ///< begins a block that is executed while its one condition holds
  for_loop,    ///< begins a block that is executed `count` times
  box,         ///< begins a block that is executed once
  leave,       ///< `break`: ends the innermost `for`
  end          ///< ends a block
};

/// Returns whether statements of a kind begin a block.
[[nodiscard]] constexpr bool begins_block(StatementKind kind) {
  return kind == StatementKind::while_loop || kind == StatementKind::for_loop ||
         kind == StatementKind::box;
}

/// One statement of a program. Qubits and bits are numbered through all registers. Angles are
/// expressions of OpenQASM, as text.
struct Statement {
  StatementKind kind = StatementKind::gate;
  std::string name;       ///< name of a gate
  unsigned controls = 0;  ///< the number of controls that `ctrl(n) @` adds in front
  bool inverted = false;  ///< whether `inv @` precedes the gate
  std::vector<std::string> angles;
  std::vector<unsigned> qubits;
  std::optional<unsigned> bit;  ///< the bit that a measurement writes
  unsigned count = 0;           ///< how often the block of a `for` is executed
  std::vector<Condition> conditions;
  friend bool operator==(const Statement&, const Statement&) = default;
};

/// A gate definition. The qubits of the body are the numbers of its operands.
struct Definition {
  std::vector<std::string> parameters;
  unsigned qubits = 0;
  std::vector<Statement> body;
  friend bool operator==(const Definition&, const Definition&) = default;
};

using Definitions = std::map<std::string, Definition, std::less<>>;

/// A program in the part of OpenQASM 2 and 3 that both the generator and the library's writer use.
struct Program {
  unsigned version = 3;
  std::vector<std::string> parameters;  ///< free parameters, `input float[64]`
  std::vector<Register> qubit_registers;
  std::vector<Register> bit_registers;
  Definitions definitions;
  std::vector<Statement> statements;

  [[nodiscard]] unsigned qubit_count() const;
  [[nodiscard]] unsigned bit_count() const;
  /// Returns the number of the first bit of a register.
  [[nodiscard]] unsigned first_bit(unsigned bit_register) const;
  /// Returns whether the program measures or resets qubits; otherwise it is a unitary.
  [[nodiscard]] bool is_measured() const;
  /// Returns whether there are conditions, those of loops included.
  [[nodiscard]] bool has_conditions() const;
  /// Returns whether some block is executed while a condition holds.
  [[nodiscard]] bool has_while_loops() const;
  /// Returns the place of the end of each block and, for an end, of the beginning; other statements
  /// have their own place. Throws std::runtime_error if a block has no beginning or no end.
  [[nodiscard]] std::vector<std::size_t> other_ends_of_blocks() const;
  friend bool operator==(const Program&, const Program&) = default;
};

/// Reads a program. Throws std::runtime_error for anything that it does not know.
[[nodiscard]] Program read_program(std::string_view text);

/// Writes a program, which read_program reads as an equal one, except that version 2 has all global
/// phases in one comment at the beginning.
[[nodiscard]] std::string write_program(const Program& program);

/// Returns what version 2 writes and reads as the global phase: the sum of the angles.
[[nodiscard]] std::string sum_of_phases(const Program& program);

}  // namespace quartz::differential
