#pragma once

#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "qasm/gates/gate_names.hpp"
#include "qasm/text/if_statement.hpp"
#include "quartz/circuit/circuit.hpp"

namespace quartz::qasm {

/// Returns whether the circuit's qubits are physical qubits: `$0` and so on.
[[nodiscard]] bool has_physical_qubits(const Circuit& circuit);

/// The language of a program that is written.
struct WrittenLanguage {
  unsigned version = 2;
  bool has_bit_conditions = false;    ///< whether version 2 may test one bit of a register
  bool compares_single_bits = false;  ///< whether version 3 compares single bits only
};

/// Writes the operations of a circuit, and its angles. Throws UsageError for what no program of the
/// version can express, and Stopped once a stop is requested.
class OperationWriter {
 public:
  OperationWriter(const Circuit& circuit, const WrittenLanguage& language, const GateNames& names,
                  const std::stop_token& stop, std::string& text);

  void write_operations();
  void write_angle(const Angle& angle);

 private:
  /// Writes operations in version 3 that are inside of `depth` `if` statements.
  void write_nested(std::span<const Operation> operations, std::size_t depth);
  void write_if_statement(const IfStatement& statement, std::size_t depth);
  void write_block(std::span<const Operation> operations, std::size_t depth);
  void indent(std::size_t depth);
  void indent_lines(std::size_t start, std::size_t depth);
  [[nodiscard]] std::string condition_text(const Condition& condition) const;
  [[nodiscard]] std::string comparisons_of_bits(const Condition& condition) const;
  /// Writes an operation without its condition.
  void write_operation(const Operation& operation);
  void write_statement(const Operation& operation);
  void write_opaque(const Operation& operation);
  void write_condition(std::span<const Condition> conditions);
  void write_measure(const Operation& operation);
  void write_qubit_set(const Operation& operation);
  void write_arguments(const Operation& operation);
  void write_angle_of(const Operation& operation, const Angle& angle);
  void check_symbols(const Angle& angle) const;
  void check_names(const std::string& expression) const;
  void write_qubit(Qubit qubit);
  void write_element(const std::vector<Register>& registers, std::uint32_t element);

  const Circuit& circuit_;
  WrittenLanguage language_;
  const GateNames& names_;
  const std::stop_token& stop_;
  std::size_t written_ = 0;  ///< number of operations written
  std::string& text_;
  bool has_physical_qubits_;
  std::vector<std::string> texts_of_qubits_;  ///< empty strings if they were not written yet
  std::unordered_set<std::string_view> parameters_;
  std::unordered_map<Angle, std::string> known_angles_;
};

}  // namespace quartz::qasm
