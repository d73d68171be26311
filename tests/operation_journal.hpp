#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "formats/journal_records.hpp"
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
  using JournalWriter::JournalWriter;

  void rewrite(std::span<const journal::OperationNumber> removed,
               std::span<const Operation> removed_gates, std::span<const Place> gaps,
               std::span<const Operation> inserted) {
    std::vector<Qubit> qubits;
    for (const Operation& gate : removed_gates) {
      qubits.insert(qubits.end(), gate.qubits.begin(), gate.qubits.end());
    }
    std::vector<Gate> gates;
    for (const Operation& gate : inserted) gates.push_back(coded(gate));
    step({.kind = formats::RecordKind::rewrite,
          .removed = removed,
          .removed_qubits = qubits,
          .places = gaps,
          .gates = gates});
  }

  void exchange(std::span<const journal::OperationNumber> removed,
                std::span<const Insertion> inserted,
                std::span<const journal::OperationNumber> context = {}) {
    std::vector<Gate> gates;
    std::vector<Place> places;
    for (const Insertion& insertion : inserted) {
      ensure(insertion.after.size() == insertion.gate.qubits.size(),
             "each operand of an inserted gate has a place");
      gates.push_back(coded(insertion.gate));
      for (std::size_t i = 0; i < insertion.after.size(); ++i) {
        places.push_back({insertion.gate.qubits[i], insertion.after[i]});
      }
    }
    step({.kind = context.empty() ? formats::RecordKind::exchange
                                  : formats::RecordKind::exchange_in_context,
          .removed = removed,
          .context = context,
          .places = places,
          .gates = gates});
  }

 private:
  [[nodiscard]] Gate coded(const Operation& gate) {
    return {code_of(gate), {gate.qubits.begin(), gate.qubits.end()}};
  }
};

}  // namespace quartz::test
