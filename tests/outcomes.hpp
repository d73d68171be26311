#pragma once

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <random>
#include <vector>

#include "quartz/circuit/circuit.hpp"
#include "quartz/circuit/unitary.hpp"

/// Circuits with measurements and conditions on random states, for each outcome.
namespace quartz::test {

/// Follows the branches of a circuit whose conditions compare registers with numbers.
class Outcomes {
 public:
  struct Branch {
    std::vector<Complex> state;  ///< not normalized
    double probability = 0;
  };

  Outcomes(const Circuit& circuit, std::vector<Complex> state) : circuit_(circuit) {
    follow(0, std::move(state), std::vector<bool>(circuit.bit_count(), false));
  }

  std::vector<Branch> branches;

 private:
  void follow(std::size_t position, std::vector<Complex> state, std::vector<bool> bits) {
    for (; position < circuit_.operations.size(); ++position) {
      const Operation& operation = circuit_.operations[position];
      if (!holds(operation, bits) || operation.kind == OperationKind::barrier) continue;
      if (operation.kind == OperationKind::gate) {
        Operation plain = operation;
        plain.classical = nullptr;
        apply_gate(plain, state);
        continue;
      }
      for (const bool outcome : {false, true}) {
        std::vector<Complex> branch = projected(operation, state, outcome);
        if (norm_of(branch) < 1e-12) continue;
        std::vector<bool> written = bits;
        if (operation.kind == OperationKind::measure) {
          written[operation.classical->bits[0]] = outcome;
        }
        follow(position + 1, std::move(branch), std::move(written));
      }
      return;
    }
    const double probability = norm_of(state);
    branches.push_back({std::move(state), probability});
  }

  [[nodiscard]] bool holds(const Operation& operation, const std::vector<bool>& bits) const {
    const auto conditions = operation.conditions();
    return std::all_of(conditions.begin(), conditions.end(), [&](const Condition& condition) {
      const Register tested = tested_bits(circuit_, condition);
      std::uint64_t value = 0;
      for (std::uint32_t i = tested.size; i-- > 0;)
        value = 2 * value + (bits[tested.first + i] ? 1 : 0);
      return (value == condition.value) != condition.negated;
    });
  }

  static std::vector<Complex> projected(const Operation& operation,
                                        const std::vector<Complex>& state, bool outcome) {
    const std::size_t mask = std::size_t{1} << operation.qubits[0];
    std::vector<Complex> branch(state.size());
    for (std::size_t i = 0; i < state.size(); ++i) {
      if (((i & mask) != 0) != outcome) continue;
      branch[operation.kind == OperationKind::reset ? i & ~mask : i] = state[i];
    }
    return branch;
  }

  static double norm_of(const std::vector<Complex>& state) {
    double sum = 0;
    for (const Complex& amplitude : state) sum += std::norm(amplitude);
    return sum;
  }

  const Circuit& circuit_;
};

/// Returns a random state of some qubits, all others in |0>.
inline std::vector<Complex> random_state_of(std::uint32_t random_qubits, std::uint32_t qubits,
                                            std::mt19937_64& random) {
  std::normal_distribution<double> normal;
  std::vector<Complex> state(std::size_t{1} << qubits);
  double sum = 0;
  for (std::size_t i = 0; i < (std::size_t{1} << random_qubits); ++i) {
    state[i] = {normal(random), normal(random)};
    sum += std::norm(state[i]);
  }
  for (Complex& amplitude : state) amplitude /= std::sqrt(sum);
  return state;
}

/// How far a circuit with ancillas is from a unitary one.
struct AncillaDistance {
  double infidelity = 0;  ///< the largest one of the data qubits' state over all outcomes
  double bias = 0;        ///< the largest ratio of the probabilities of two outcomes, minus 1
  std::size_t outcomes = 0;
};

/// Runs gates and a circuit with more qubits on a random state of the data qubits.
inline AncillaDistance ancilla_distance(const Circuit& unitary, const Circuit& with_ancillas,
                                        std::mt19937_64& random) {
  const std::uint32_t data = unitary.qubit_count();
  std::vector<Complex> state = random_state_of(data, with_ancillas.qubit_count(), random);
  std::vector<Complex> expected(state.begin(), state.begin() + (std::ptrdiff_t{1} << data));
  for (const Operation& gate : unitary.operations) apply_gate(gate, expected);
  AncillaDistance distance;
  double least = 1;
  double most = 0;
  for (const Outcomes::Branch& branch : Outcomes(with_ancillas, std::move(state)).branches) {
    double overlap = 0;
    for (std::size_t first = 0; first < branch.state.size(); first += expected.size()) {
      Complex inner = 0;
      for (std::size_t i = 0; i < expected.size(); ++i) {
        inner += std::conj(expected[i]) * branch.state[first + i];
      }
      overlap += std::norm(inner);
    }
    distance.infidelity = std::max(distance.infidelity, 1 - overlap / branch.probability);
    least = std::min(least, branch.probability);
    most = std::max(most, branch.probability);
    ++distance.outcomes;
  }
  distance.bias = most / least - 1;
  return distance;
}

}  // namespace quartz::test
