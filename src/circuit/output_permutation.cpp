#include "quartz/circuit/output_permutation.hpp"

#include <algorithm>
#include <charconv>
#include <numeric>
#include <string>
#include <string_view>
#include <utility>

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

PermutedCircuit without_swaps(const Circuit& circuit) {
  PermutedCircuit result{without_operations(circuit), identity(circuit)};
  OutputPermutation& now = result.permutation;
  for (const Operation& operation : circuit.operations) {
    if (is_plain_swap(operation)) {
      std::swap(now[operation.qubits[0]], now[operation.qubits[1]]);
      continue;
    }
    Operation& moved = result.circuit.operations.emplace_back(operation);
    for (Qubit& qubit : moved.qubits) qubit = now[qubit];
  }
  if (now == identity(circuit)) now.clear();
  return result;
}

Circuit with_permutation_undone(const Circuit& circuit, const OutputPermutation& permutation) {
  if (permutation.empty()) return circuit;
  if (!is_permutation_of_qubits(permutation, circuit)) {
    throw UsageError("the output permutation does not consist of the circuit's qubits");
  }
  Circuit result = circuit;
  OutputPermutation now = permutation;
  for (Qubit qubit = 0; qubit < now.size(); ++qubit) {
    if (now[qubit] == qubit) continue;
    // Qubit `qubit` of the original is on now[qubit]: the SWAP brings it home.
    result.operations.push_back(make_operation(GateKind::swap, {qubit, now[qubit]}));
    *std::ranges::find(now, qubit) = now[qubit];
    now[qubit] = qubit;
  }
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
