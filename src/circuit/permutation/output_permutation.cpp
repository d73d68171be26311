#include "quartz/circuit/output_permutation.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <iterator>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "circuit/kept_statement.hpp"
#include "circuit/permutation/final_swaps.hpp"
#include "quartz/base/errors.hpp"

namespace quartz {
namespace {

constexpr std::string_view kComment = "output permutation: ";

OutputPermutation identity(const Circuit& circuit) {
  OutputPermutation result(circuit.qubit_count());
  std::iota(result.begin(), result.end(), Qubit{0});
  return result;
}

bool is_permutation_of_qubits(const OutputPermutation& permutation, const Circuit& circuit) {
  OutputPermutation sorted = permutation;
  std::ranges::sort(sorted);
  return sorted == identity(circuit);
}

bool is_plain_swap(const Operation& operation) {
  return !operation.is_boundary() && operation.gate == GateKind::swap;
}

/// A list of operations in which three consecutive CNOTs that make a SWAP gate are recognized.
class OperationsWithoutSwaps {
 public:
  explicit OperationsWithoutSwaps(std::size_t qubits) : last_(qubits, kNone) {}

  /// Appends an operation. If it completes a SWAP gate, removes the CNOTs before it instead and
  /// returns true.
  [[nodiscard]] bool append_or_swap(const Operation& operation) {
    Entry entry{operation};
    if (is_cnot(operation)) {
      entry.before = {last_[operation.qubits[0]], last_[operation.qubits[1]]};
      const std::size_t middle = reverse_cnot_before(entry);
      const std::size_t first = middle == kNone ? kNone : reverse_cnot_before(entries_[middle]);
      if (first != kNone) {
        entries_[middle].is_removed = true;
        entries_[first].is_removed = true;
        for (std::size_t i = 0; i < 2; ++i) last_[operation.qubits[i]] = entries_[first].before[i];
        return true;
      }
    }
    append(std::move(entry));
    return false;
  }
  /// Appends an operation that completes nothing.
  void append(const Operation& operation) { append(Entry{operation}); }
  [[nodiscard]] std::vector<Operation> take() {
    std::vector<Operation> operations;
    for (Entry& entry : entries_) {
      if (!entry.is_removed) operations.push_back(std::move(entry.operation));
    }
    return operations;
  }

 private:
  static constexpr std::size_t kNone = ~std::size_t{0};

  struct Entry {
    Operation operation;
    /// Indices of the operations directly before a CNOT on its wires.
    std::array<std::size_t, 2> before{kNone, kNone};
    bool is_removed = false;
  };

  void append(Entry entry) {
    for (const Qubit qubit : entry.operation.qubits) last_[qubit] = entries_.size();
    entries_.push_back(std::move(entry));
  }
  static bool is_cnot(const Operation& operation) {
    return !operation.is_boundary() && operation.gate == GateKind::cx;
  }
  /// Returns the index of the operation directly before a CNOT on both of its wires, if it is the
  /// CNOT in the other direction.
  [[nodiscard]] std::size_t reverse_cnot_before(const Entry& entry) const {
    const std::size_t before = entry.before[0];
    if (before == kNone || before != entry.before[1]) return kNone;
    const Operation& candidate = entries_[before].operation;
    const bool is_reverse = is_cnot(candidate) && candidate.qubits[0] == entry.operation.qubits[1];
    return is_reverse ? before : kNone;
  }

  std::vector<Entry> entries_;
  std::vector<std::size_t> last_;  ///< index of the last operation on each wire
};

bool is_plain_measurement(const Operation& operation) {
  return operation.kind == OperationKind::measure &&
         (operation.classical == nullptr || operation.classical->conditions.empty());
}

/// Appends SWAP gates that move what is on wire w to wire places[w].
void append_swaps(const OutputPermutation& places, std::vector<Operation>& operations) {
  OutputPermutation wanted(places.size());  // the wire whose content belongs on each wire
  for (Qubit wire = 0; wire < places.size(); ++wire) wanted[places[wire]] = wire;
  OutputPermutation content(places.size());  // the wire from which the content of each wire is
  std::iota(content.begin(), content.end(), Qubit{0});
  OutputPermutation place = content;  // the wire on which the content of each wire is
  for (Qubit wire = 0; wire < places.size(); ++wire) {
    const Qubit other = place[wanted[wire]];
    if (other == wire) continue;
    operations.push_back(make_operation(GateKind::swap, {wire, other}));
    std::swap(content[wire], content[other]);
    place[content[wire]] = wire;
    place[content[other]] = other;
  }
}

/// Returns where SWAP gates at the end of the circuit may also be: before the first kept statement,
/// unless one that may name qubits follows. They are outside of all blocks, because what is in a
/// block may be executed any number of times.
std::size_t earliest_place_of_swaps(const Circuit& circuit) {
  std::size_t place = circuit.operations.size();
  std::size_t blocks = 0;
  for (std::size_t i = circuit.operations.size(); i-- > 0;) {
    const Operation& operation = circuit.operations[i];
    if (circuit::may_name_qubits(operation)) break;
    if (circuit::ends_block(operation)) ++blocks;
    if (circuit::begins_block(operation) && blocks > 0) --blocks;
    if (circuit::is_kept_statement(operation) && blocks == 0) place = i;
  }
  return place;
}

/// Moves an operation to other wires.
void relabel(Operation& operation, const OutputPermutation& places) {
  if (circuit::is_kept_statement(operation)) return;
  for (Qubit& qubit : operation.qubits) qubit = places[qubit];
}

/// Removes the SWAP gates of a circuit, whose operations are appended one after the other.
///
/// Let P be the unitary of the SWAP gates that were removed so far: what the original has done is P
/// times what the replacement has done. An operation A that follows becomes A' = P^-1 A P, which is
/// A on other wires, because A P = P A'. That suffices where every operation is executed once.
///
/// A loop with the body B is the sum over all k of E (B G)^k, with the projections G and E on the
/// classical bits with which it goes on and ends, which commute with P. If the SWAP gates of the
/// body lead back to where its qubits were at its start, B P = P B', and the loop times P is P
/// times the sum over E (B' G)^k: the order behind the loop is the one before it. If they leave a
/// permutation Q, B P = P Q B', and the terms have (Q B' G)^k. Without Q in the body, no
/// permutation behind the loop gives this for every k; for k = 0 it would have to be the identity.
/// So SWAP gates at the end of the body bring the qubits back, and Q is a part of the new body.
class SwapRemoval {
 public:
  explicit SwapRemoval(const Circuit& circuit)
      : result_{without_operations(circuit), identity(circuit)},
        operations_(circuit.qubit_count()),
        original_(result_.permutation) {}

  void append(const Operation& operation) {
    if (circuit::ends_block(operation)) leave_block();
    if (circuit::may_name_qubits(operation)) {
      OutputPermutation home = now();
      std::iota(home.begin(), home.end(), Qubit{0});
      bring_to(home);
    }
    if (circuit::begins_block(operation)) blocks_.push_back(block_of(operation));
    if (is_plain_swap(operation)) {
      swap_wires(now()[operation.qubits[0]], now()[operation.qubits[1]]);
      return;
    }
    Operation moved = operation;
    relabel(moved, now());
    if (operations_.append_or_swap(moved)) swap_wires(moved.qubits[0], moved.qubits[1]);
  }
  [[nodiscard]] PermutedCircuit take() && {
    result_.circuit.operations = operations_.take();
    if (std::ranges::is_sorted(now())) now().clear();
    return std::move(result_);
  }

 private:
  /// The wires of the qubits at the start of a loop; nothing for a block that is executed once.
  using Block = std::optional<OutputPermutation>;

  [[nodiscard]] OutputPermutation& now() { return result_.permutation; }
  [[nodiscard]] Block block_of(const Operation& operation) {
    return circuit::begins_loop(operation) ? Block(now()) : std::nullopt;
  }
  void swap_wires(Qubit a, Qubit b) {
    std::swap(now()[original_[a]], now()[original_[b]]);
    std::swap(original_[a], original_[b]);
  }
  /// Appends SWAP gates that bring each qubit to a wire.
  void bring_to(const OutputPermutation& wires) {
    OutputPermutation places(wires.size());
    for (Qubit qubit = 0; qubit < wires.size(); ++qubit) places[now()[qubit]] = wires[qubit];
    std::vector<Operation> swaps;
    append_swaps(places, swaps);
    for (const Operation& swap : swaps) operations_.append(swap);
    now() = wires;
    for (Qubit qubit = 0; qubit < wires.size(); ++qubit) original_[wires[qubit]] = qubit;
  }
  void leave_block() {
    if (blocks_.empty()) throw UsageError("a block of the circuit ends that has not begun");
    if (blocks_.back()) bring_to(*blocks_.back());
    blocks_.pop_back();
  }

  PermutedCircuit result_;  ///< its permutation has the wire of each qubit so far
  OperationsWithoutSwaps operations_;
  OutputPermutation original_;  ///< the qubit of the original on each wire
  std::vector<Block> blocks_;   ///< the blocks around the next operation
};

/// Returns the numbers in "[1, 0, 2]"; empty if the text has another form.
OutputPermutation numbers_in(std::string_view text) {
  OutputPermutation numbers;
  while (!text.empty()) {
    const std::size_t digit = text.find_first_of("0123456789");
    if (digit == std::string_view::npos) return text == "]" ? numbers : OutputPermutation();
    if (text.substr(0, digit) != (numbers.empty() ? "[" : ", ")) return {};
    Qubit number = 0;
    const auto [end, error] =
        std::from_chars(text.data() + digit, text.data() + text.size(), number);
    if (error != std::errc()) return {};
    numbers.push_back(number);
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  }
  return {};
}

}  // namespace

std::vector<bool> final_operations(const Circuit& circuit) {
  enum class Use { none, measured, other };
  std::vector<Use> uses(circuit.qubit_count(), Use::none);
  std::vector<bool> result(circuit.operations.size(), false);
  bool bits_are_used = false;
  for (std::size_t i = circuit.operations.size(); i-- > 0;) {
    const Operation& operation = circuit.operations[i];
    const auto most =
        std::ranges::max_element(operation.qubits, {}, [&](Qubit qubit) { return uses[qubit]; });
    const Use use = most == operation.qubits.end() ? Use::none : uses[*most];
    const bool is_plain_reset =
        operation.kind == OperationKind::reset && operation.conditions().empty();
    if (operation.kind == OperationKind::barrier || is_plain_reset) {
      result[i] = use != Use::other;
      if (result[i]) continue;
    }
    const bool is_last = is_plain_measurement(operation) && !bits_are_used && use == Use::none;
    result[i] = is_last;
    bits_are_used = bits_are_used || (!is_last && operation.classical != nullptr);
    for (const Qubit qubit : operation.qubits) {
      uses[qubit] = is_last ? Use::measured : Use::other;
    }
  }
  return result;
}

PermutedCircuit without_swaps(const Circuit& circuit) {
  SwapRemoval removal(circuit);
  for (const Operation& operation : circuit.operations) removal.append(operation);
  return std::move(removal).take();
}

Circuit with_output_permutation(const Circuit& circuit, const OutputPermutation& permutation,
                                SwapGates swaps) {
  PermutedCircuit start = swaps == SwapGates::removed
                              ? without_swaps(circuit)
                              : PermutedCircuit{circuit, OutputPermutation()};
  if (!permutation.empty() && !is_permutation_of_qubits(permutation, circuit)) {
    throw UsageError("the output permutation does not consist of the circuit's qubits");
  }
  const OutputPermutation places = remaining_permutation(start.permutation, permutation);
  if (places.empty()) return std::move(start.circuit);
  std::vector<Operation> swaps_to_places;
  append_swaps(places, swaps_to_places);
  std::vector<std::array<Qubit, 2>> pairs;
  for (const Operation& swap : swaps_to_places) pairs.push_back({swap.qubits[0], swap.qubits[1]});
  return circuit::with_final_swaps(start.circuit, pairs).circuit;
}

OutputPermutation remaining_permutation(const OutputPermutation& first,
                                        const OutputPermutation& both) {
  if (first.empty()) return both;
  OutputPermutation result(first.size());
  for (std::size_t i = 0; i < first.size(); ++i) {
    result[first[i]] = both.empty() ? static_cast<Qubit>(i) : both.at(i);
  }
  return std::ranges::is_sorted(result) ? OutputPermutation() : result;
}

Circuit with_permutation_undone(const Circuit& circuit, const OutputPermutation& permutation) {
  if (permutation.empty()) return circuit;
  if (!is_permutation_of_qubits(permutation, circuit)) {
    throw UsageError("the output permutation does not consist of the circuit's qubits");
  }
  OutputPermutation home(permutation.size());
  for (Qubit qubit = 0; qubit < permutation.size(); ++qubit) home[permutation[qubit]] = qubit;
  const auto place =
      circuit.operations.begin() + static_cast<std::ptrdiff_t>(earliest_place_of_swaps(circuit));
  Circuit result = without_operations(circuit);
  result.operations.assign(circuit.operations.begin(), place);
  append_swaps(home, result.operations);
  std::copy(place, circuit.operations.end(), std::back_inserter(result.operations));
  const auto moved = result.operations.end() - (circuit.operations.end() - place);
  for (auto each = moved; each != result.operations.end(); ++each) relabel(*each, home);
  return result;
}

OutputPermutation composed(const OutputPermutation& first, const OutputPermutation& second) {
  if (first.empty()) return second;
  if (second.empty()) return first;
  OutputPermutation result = first;
  for (Qubit& qubit : result) qubit = second.at(qubit);
  return std::ranges::is_sorted(result) ? OutputPermutation() : result;
}

Circuit with_stated_permutation(Circuit circuit, const OutputPermutation& permutation) {
  std::erase_if(circuit.header_comments, [](const std::string& comment) {
    return comment.find(kComment) != std::string::npos;
  });
  if (permutation.empty()) return circuit;
  std::string text(kComment);
  for (std::size_t i = 0; i < permutation.size(); ++i) {
    text += (i == 0 ? "[" : ", ") + std::to_string(permutation[i]);
  }
  circuit.header_comments.push_back(text + "]");
  return circuit;
}

OutputPermutation stated_permutation(const Circuit& circuit) {
  for (const std::string& comment : circuit.header_comments) {
    const std::size_t place = comment.find(kComment);
    if (place == std::string::npos) continue;
    OutputPermutation result =
        numbers_in(std::string_view(comment).substr(place + kComment.size()));
    if (!is_permutation_of_qubits(result, circuit)) {
      throw InputError("the comment '" + comment + "' is no permutation of the circuit's qubits");
    }
    return result == identity(circuit) ? OutputPermutation() : result;
  }
  return {};
}

}  // namespace quartz
