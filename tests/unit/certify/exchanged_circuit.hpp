#pragma once

#include <algorithm>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "operation_journal.hpp"
#include "quartz/circuit/circuit.hpp"

namespace quartz::test {

/// A circuit as the numbers of the operations on each qubit, which records its exchanges.
class ExchangedCircuit {
 public:
  using OperationNumber = journal::OperationNumber;

  explicit ExchangedCircuit(const Circuit& circuit)
      : writer_(bytes_, circuit.operations.size()),
        empty_(without_operations(circuit)),
        wires_(circuit.qubit_count()) {
    for (const Operation& operation : circuit.operations) {
      for (const Qubit qubit : operation.qubits) wires_[qubit].push_back(operations_.size());
      operations_.emplace(operations_.size(), operation);
    }
  }

  /// Removes operations and inserts others, with resets as the context. Returns whether the circuit
  /// still has an order.
  bool exchange(const std::vector<OperationNumber>& removed, const std::vector<Insertion>& inserted,
                const std::vector<OperationNumber>& context = {}) {
    OperationNumber number = writer_.next_number();
    writer_.exchange(removed, inserted, context);
    for (const OperationNumber other : removed) {
      for (std::vector<OperationNumber>& wire : wires_) std::erase(wire, other);
      operations_.erase(other);
    }
    for (const Insertion& insertion : inserted) {
      for (std::size_t i = 0; i < insertion.after.size(); ++i) {
        std::vector<OperationNumber>& wire = wires_[insertion.gate.qubits[i]];
        auto place = wire.begin();
        if (insertion.after[i] != 0) {
          place = std::ranges::find(wire, insertion.after[i] - 1);
          if (place == wire.end()) return false;
          ++place;
        }
        wire.insert(place, number);
      }
      operations_.emplace(number++, insertion.gate);
    }
    return order().size() == operations_.size();
  }

  /// Returns the numbers of all operations in an order of the circuit; fewer if there is none.
  [[nodiscard]] std::vector<OperationNumber> order() const {
    std::vector<OperationNumber> order;
    std::vector<std::size_t> next(wires_.size(), 0);
    for (bool again = true; again;) {
      again = false;
      for (std::size_t q = 0; q < wires_.size(); ++q) {
        if (next[q] == wires_[q].size()) continue;
        const OperationNumber number = wires_[q][next[q]];
        const auto& qubits = operations_.at(number).qubits;
        if (!std::ranges::all_of(qubits, [&](Qubit other) {
              return next[other] < wires_[other].size() && wires_[other][next[other]] == number;
            })) {
          continue;
        }
        for (const Qubit other : qubits) ++next[other];
        order.push_back(number);
        again = true;
      }
    }
    return order;
  }

  void renumber() {
    writer_.renumber();
    std::map<OperationNumber, OperationNumber> numbers;
    std::map<OperationNumber, Operation> operations;
    for (const auto& [number, operation] : operations_) {
      numbers.emplace(number, operations.size());
      operations.emplace(operations.size(), operation);
    }
    operations_ = std::move(operations);
    for (std::vector<OperationNumber>& wire : wires_) {
      for (OperationNumber& number : wire) number = numbers.at(number);
    }
  }

  [[nodiscard]] Circuit circuit() const {
    Circuit circuit = empty_;
    for (const OperationNumber number : order()) {
      circuit.operations.push_back(operations_.at(number));
    }
    return circuit;
  }
  [[nodiscard]] const Operation& operation(OperationNumber number) const {
    return operations_.at(number);
  }
  [[nodiscard]] const std::vector<OperationNumber>& wire(Qubit qubit) const {
    return wires_[qubit];
  }
  [[nodiscard]] std::string finish() {
    writer_.finish();
    return bytes_.str();
  }

 private:
  std::ostringstream bytes_;
  OperationJournal writer_;
  Circuit empty_;
  std::map<OperationNumber, Operation> operations_;
  std::vector<std::vector<OperationNumber>> wires_;
};

}  // namespace quartz::test
