#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "journal/journal_writer.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/circuit/operation.hpp"

namespace quartz::test {

/// A gate that an exchange inserts, as a whole operation.
struct Insertion {
  Operation gate;
  /// For each operand the number of the operation on its wire directly after which the gate is put,
  /// plus 1; 0 for the start of the wire.
  std::vector<journal::OperationNumber> after;
};

/// Writes a journal from whole operations, which takes longer than from their codes.
class OperationJournal : public journal::JournalWriter {
 public:
  using JournalWriter::exchange;
  using JournalWriter::JournalWriter;
  using JournalWriter::rewrite;

  void rewrite(std::span<const journal::OperationNumber> removed,
               std::span<const Operation> removed_gates, std::span<const Gap> gaps,
               std::span<const Operation> inserted) {
    std::vector<Qubit> qubits;
    for (const Operation& gate : removed_gates) {
      qubits.insert(qubits.end(), gate.qubits.begin(), gate.qubits.end());
    }
    std::vector<Gate> gates;
    for (const Operation& gate : inserted) gates.push_back(coded(gate));
    rewrite(removed, qubits, gaps, gates);
  }

  void exchange(std::span<const journal::OperationNumber> removed,
                std::span<const Insertion> inserted,
                std::span<const journal::OperationNumber> context = {}) {
    std::vector<Gate> gates;
    std::vector<journal::OperationNumber> after;
    for (const Insertion& insertion : inserted) {
      ensure(insertion.after.size() == insertion.gate.qubits.size(),
             "each operand of an inserted gate has a place");
      gates.push_back(coded(insertion.gate));
      after.insert(after.end(), insertion.after.begin(), insertion.after.end());
    }
    exchange(removed, gates, after, context);
  }

 private:
  [[nodiscard]] Gate coded(const Operation& gate) {
    return {code_of(gate), {gate.qubits.begin(), gate.qubits.end()}};
  }
};

}  // namespace quartz::test
