#include "random_pairs.hpp"

#include <algorithm>
#include <numeric>

namespace quartz {
namespace {

std::size_t number_below(std::mt19937_64& random, std::size_t bound) { return random() % bound; }

Angle random_angle(std::mt19937_64& random) {
  const auto multiple = [&](std::int64_t denominator) {
    return pi(static_cast<std::int64_t>(number_below(random, 9)) - 4, denominator);
  };
  switch (number_below(random, 8)) {
    case 0:
    case 1:
      return multiple(4);
    case 2:
      return multiple(2);
    case 3:
      return Angle::symbol("p0");
    case 4:
      return Angle::symbol("p1") + multiple(2);
    case 5:
      return Angle::symbol("p0") - Angle::symbol("p1");
    case 6:
      return Angle::radians(Rational(3, 10));
    default:
      return multiple(3);
  }
}

Operation random_operation(std::mt19937_64& random, unsigned qubits) {
  while (true) {
    const Gate& row = gate_table()[number_below(random, gate_table().size())];
    if (row.qubits > qubits || row.qubits > 3) continue;
    std::vector<Qubit> operands(qubits);
    std::iota(operands.begin(), operands.end(), 0);
    std::shuffle(operands.begin(), operands.end(), random);
    Operation operation;
    operation.gate = row.kind;
    operation.qubits.assign(operands.begin(), operands.begin() + row.qubits);
    for (std::size_t i = 0; i < row.parameters.size(); ++i) {
      operation.angles.push_back(random_angle(random));
    }
    return operation;
  }
}

void insert_cancelling_gates(std::mt19937_64& random, Pair& pair) {
  const Operation operation = random_operation(random, pair.qubits);
  const Decomposition inverse = inverse_of(operation);
  const auto at =
      pair.right.begin() + static_cast<std::ptrdiff_t>(number_below(random, pair.right.size() + 1));
  const auto after = pair.right.insert(at, operation) + 1;
  pair.right.insert(after, inverse.operations.begin(), inverse.operations.end());
  // operation^{-1} = e^{i phase} operations, so the inserted gates equal e^{-i phase}.
  pair.phase += -inverse.phase;
}

void decompose_a_gate(std::mt19937_64& random, Pair& pair) {
  if (pair.right.empty()) return;
  const std::size_t at = number_below(random, pair.right.size());
  const Operation operation = pair.right[at];
  std::vector<const Decomposition*> choices;
  for (const Decomposition& choice : gate(operation.gate).decompositions) {
    if (choice.when.empty()) choices.push_back(&choice);
  }
  if (choices.empty()) return;
  const Decomposition written =
      instantiate(*choices[number_below(random, choices.size())], operation);
  const auto place = pair.right.erase(pair.right.begin() + static_cast<std::ptrdiff_t>(at));
  pair.right.insert(place, written.operations.begin(), written.operations.end());
  pair.phase += -written.phase;
}

}  // namespace

std::vector<Operation> random_circuit(std::mt19937_64& random, unsigned qubits, unsigned gates) {
  std::vector<Operation> circuit;
  for (unsigned i = 0; i < gates; ++i) circuit.push_back(random_operation(random, qubits));
  return circuit;
}

Pair random_equal_pair(std::mt19937_64& random, unsigned qubits, unsigned gates, unsigned changes) {
  Pair pair;
  pair.qubits = qubits;
  pair.left = random_circuit(random, qubits, gates);
  pair.right = pair.left;
  for (unsigned i = 0; i < changes; ++i) {
    if (number_below(random, 3) == 0) {
      insert_cancelling_gates(random, pair);
    } else {
      decompose_a_gate(random, pair);
    }
  }
  return pair;
}

Pair mutated(std::mt19937_64& random, Pair pair) {
  if (pair.right.empty() || number_below(random, 4) == 0) {
    pair.phase += random_angle(random);
    return pair;
  }
  const std::size_t at = number_below(random, pair.right.size());
  Operation& operation = pair.right[at];
  if (!operation.angles.empty() && number_below(random, 2) == 0) {
    operation.angles[number_below(random, operation.angles.size())] += random_angle(random);
  } else if (operation.qubits.size() > 1 && number_below(random, 2) == 0) {
    std::swap(operation.qubits[0], operation.qubits[1]);
  } else {
    pair.right.erase(pair.right.begin() + static_cast<std::ptrdiff_t>(at));
  }
  return pair;
}

}  // namespace quartz
