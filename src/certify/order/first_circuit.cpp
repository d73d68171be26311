// SWAP gates are removed here as docs/formats/journal.md describes it, without the code by which
// the search removes them.
#include "certify/order/first_circuit.hpp"

#include <numeric>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "circuit/kept_statement.hpp"
#include "quartz/base/errors.hpp"

namespace quartz::certify {
namespace {

constexpr std::size_t kNone = ~std::size_t{0};

/// Lists the operations of the first circuit.
class FirstOperations {
 public:
  explicit FirstOperations(std::size_t qubits) : wire_of_(qubits), on_wire_(qubits) {
    std::iota(wire_of_.begin(), wire_of_.end(), Qubit{0});
  }

  void append(const Operation& operation) {
    if (circuit::ends_block(operation)) end_block();
    if (circuit::may_name_qubits(operation)) {
      OutputPermutation own(wire_of_.size());
      std::iota(own.begin(), own.end(), Qubit{0});
      move_to(own);
    }
    if (circuit::begins_block(operation)) {
      blocks_.push_back(circuit::begins_loop(operation) ? std::optional(wire_of_) : std::nullopt);
    }
    if (is_plain(operation, GateKind::swap)) {
      std::swap(wire_of_[operation.qubits[0]], wire_of_[operation.qubits[1]]);
      return;
    }
    Operation moved = operation;
    if (!circuit::is_kept_statement(operation)) {
      for (Qubit& qubit : moved.qubits) qubit = wire_of_[qubit];
    }
    if (is_plain(moved, GateKind::cx) && remove_two_before(moved)) {
      std::swap(wire_of_[operation.qubits[0]], wire_of_[operation.qubits[1]]);
      return;
    }
    keep(std::move(moved));
  }
  [[nodiscard]] std::vector<Operation> take() {
    std::vector<Operation> operations;
    for (std::size_t i = 0; i < kept_.size(); ++i) {
      if (!is_removed_[i]) operations.push_back(std::move(kept_[i]));
    }
    return operations;
  }
  [[nodiscard]] const OutputPermutation& permutation() const { return wire_of_; }

 private:
  static bool is_plain(const Operation& operation, GateKind gate) {
    return operation.kind == OperationKind::gate && operation.gate == gate &&
           operation.classical == nullptr;
  }

  void keep(Operation operation) {
    for (const Qubit wire : operation.qubits) on_wire_[wire].push_back(kept_.size());
    kept_.push_back(std::move(operation));
    is_removed_.push_back(false);
  }
  /// Returns the kept operation that is the last one but `depth` on two wires, if it is this CNOT.
  [[nodiscard]] std::size_t cnot_before(Qubit control, Qubit target, std::size_t depth) const {
    const std::vector<std::size_t>& one = on_wire_[control];
    const std::vector<std::size_t>& two = on_wire_[target];
    if (one.size() <= depth || two.size() <= depth) return kNone;
    const std::size_t place = one[one.size() - 1 - depth];
    if (place != two[two.size() - 1 - depth]) return kNone;
    const Operation& found = kept_[place];
    return is_plain(found, GateKind::cx) && found.qubits[0] == control ? place : kNone;
  }
  /// Removes the two CNOTs which this one completes to a SWAP gate, if they are there.
  [[nodiscard]] bool remove_two_before(const Operation& cnot) {
    const Qubit control = cnot.qubits[0];
    const Qubit target = cnot.qubits[1];
    const std::size_t middle = cnot_before(target, control, 0);
    const std::size_t first = cnot_before(control, target, 1);
    if (middle == kNone || first == kNone) return false;
    is_removed_[first] = is_removed_[middle] = true;
    for (const Qubit wire : {control, target}) {
      on_wire_[wire].resize(on_wire_[wire].size() - 2);
    }
    return true;
  }
  /// Brings each qubit to a wire: for wire 0, 1, ... by a SWAP gate between this wire and the one
  /// whose qubit belongs on it, unless they are the same.
  void move_to(const OutputPermutation& wanted) {
    if (wire_of_ == wanted) return;
    std::vector<Qubit> qubit_for(wanted.size());  // the qubit that belongs on each wire
    std::vector<Qubit> qubit_on(wanted.size());   // the one that is on it
    for (Qubit qubit = 0; qubit < wanted.size(); ++qubit) {
      qubit_for[wanted[qubit]] = qubit;
      qubit_on[wire_of_[qubit]] = qubit;
    }
    for (Qubit wire = 0; wire < wanted.size(); ++wire) {
      const Qubit other = wire_of_[qubit_for[wire]];
      if (other == wire) continue;
      keep(make_operation(GateKind::swap, {wire, other}));
      std::swap(qubit_on[wire], qubit_on[other]);
      wire_of_[qubit_on[wire]] = wire;
      wire_of_[qubit_on[other]] = other;
    }
  }
  void end_block() {
    if (blocks_.empty()) throw UsageError("a block of the circuit ends that has not begun");
    if (blocks_.back()) move_to(*blocks_.back());
    blocks_.pop_back();
  }

  OutputPermutation wire_of_;  ///< the wire on which each qubit is
  std::vector<Operation> kept_;
  std::vector<bool> is_removed_;
  std::vector<std::vector<std::size_t>> on_wire_;  ///< the kept operations on each wire
  /// The wires of the qubits where each block around the next operation began, to which they must
  /// return at its end (docs/formats/journal.md); nothing for a block that is executed once.
  std::vector<std::optional<OutputPermutation>> blocks_;
};

}  // namespace

FirstCircuit first_circuit_of(const Circuit& input, const ReplayOptions& options) {
  FirstCircuit first{{}, OutputPermutation(input.qubit_count())};
  std::iota(first.permutation.begin(), first.permutation.end(), Qubit{0});
  if (options.swaps == SwapGates::removed) {
    FirstOperations operations(input.qubit_count());
    for (const Operation& operation : input.operations) operations.append(operation);
    first.changed = without_operations(input);
    first.changed->operations = operations.take();
    first.permutation = operations.permutation();
  }
  if (options.assumptions.any()) {
    first.changed = with_assumptions(first.changed ? *first.changed : input, options.assumptions);
  }
  return first;
}

}  // namespace quartz::certify
