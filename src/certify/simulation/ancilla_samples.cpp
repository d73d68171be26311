#include "certify/simulation/ancilla_samples.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "certify/problem/classical.hpp"
#include "certify/problem/instance.hpp"
#include "certify/simulation/state_vector.hpp"

namespace quartz::certify {
namespace {

constexpr const char* kSampleMethod = "simulation of random outcomes";
/// The most amplitudes of a state, and amplitudes times gates of all samples.
constexpr std::uint32_t kMostQubits = 20;
constexpr double kMostWork = 4e9;
constexpr int kMostSamples = 64;
/// Differences below this may come from rounding.
constexpr double kLeastInfidelity = 1e-6;

/// Random numbers for the symbols of both circuits.
Bindings random_values(const Circuit& left, const Circuit& right, RandomBits& random) {
  constexpr double kRange = 6.0;
  Bindings values;
  for (const Circuit* circuit : {&left, &right}) {
    for (const Operation& operation : circuit->operations) {
      for (const Angle& angle : operation.angles) {
        for (const std::string& name : angle.symbols()) values.emplace(name, 0);
      }
    }
  }
  for (auto& [name, value] : values) value = kRange * (uniform(random) - 0.5);
  return values;
}

/// A run of a circuit with random outcomes.
class SampledRun {
 public:
  SampledRun(const Circuit& circuit, const Bindings& values, std::vector<Complex> start,
             RandomBits& random, const Budget& budget)
      : state(std::move(start)), random_(random) {
    Bits bits(circuit.bit_count(), false);
    for (const Operation& operation : circuit.operations) {
      if (budget.spent()) throw OutOfBudget();
      if (operation.kind == OperationKind::barrier) continue;
      if (!conditions_hold(circuit, operation, bits)) continue;
      if (operation.kind == OperationKind::gate) {
        const std::vector<Wire> wires(operation.qubits.begin(), operation.qubits.end());
        Kernel(matrix_of(operation, values, 0), wires).apply(state);
        continue;
      }
      const bool outcome = measure(operation.qubits[0]);
      if (operation.kind == OperationKind::measure && !operation.classical->bits.empty()) {
        bits[operation.classical->bits[0]] = outcome;
      }
      if (operation.kind == OperationKind::reset && outcome) flip(operation.qubits[0]);
    }
  }

  std::vector<Complex> state;
  std::string outcomes;  ///< a digit for each measurement and reset

 private:
  bool measure(Qubit qubit) {
    const std::size_t mask = std::size_t{1} << qubit;
    double one = 0;
    for (std::size_t i = 0; i < state.size(); ++i) {
      if ((i & mask) != 0) one += std::norm(state[i]);
    }
    const bool outcome = uniform(random_) < one;
    const double scale = 1 / std::sqrt(outcome ? one : 1 - one);
    for (std::size_t i = 0; i < state.size(); ++i) {
      state[i] *= ((i & mask) != 0) == outcome ? scale : 0;
    }
    outcomes += outcome ? '1' : '0';
    return outcome;
  }

  void flip(Qubit qubit) {
    const std::size_t mask = std::size_t{1} << qubit;
    for (std::size_t i = 0; i < state.size(); ++i) {
      if ((i & mask) != 0) std::swap(state[i], state[i ^ mask]);
    }
  }

  RandomBits& random_;
};

/// Returns 1 minus the probability to find the first qubits of a state in the expected one.
double infidelity(const std::vector<Complex>& expected, const std::vector<Complex>& state) {
  double fidelity = 0;
  for (std::size_t first = 0; first < state.size(); first += expected.size()) {
    Complex overlap = 0;
    for (std::size_t i = 0; i < expected.size(); ++i) {
      overlap += std::conj(expected[i]) * state[first + i];
    }
    fidelity += std::norm(overlap);
  }
  return 1 - fidelity;
}

bool is_gate_or_barrier(const Operation& operation) {
  return operation.kind == OperationKind::barrier || !operation.is_boundary();
}

bool has_opaque(const Circuit& circuit) {
  return std::ranges::any_of(circuit.operations, [](const Operation& operation) {
    return operation.kind == OperationKind::opaque;
  });
}

Comparison sample(const Circuit& left, const Circuit& right, const Budget& budget,
                  std::uint64_t seed) {
  RandomBits random(seed);
  const std::size_t dimension = std::size_t{1} << left.qubit_count();
  const std::size_t whole = std::size_t{1} << right.qubit_count();
  const double work = static_cast<double>(whole) * static_cast<double>(right.operations.size());
  const int samples = static_cast<int>(std::min<double>(kMostSamples, kMostWork / work));
  for (int i = 0; i < samples; ++i) {
    const Bindings values = random_values(left, right, random);
    const std::vector<Complex> input = random_state(dimension, random, budget);
    std::vector<Complex> larger(whole);
    std::ranges::copy(input, larger.begin());
    const SampledRun expected(left, values, input, random, budget);
    const SampledRun run(right, values, std::move(larger), random, budget);
    const double difference = infidelity(expected.state, run.state);
    if (difference <= kLeastInfidelity) continue;
    return different_by(
        kSampleMethod,
        fmt::format("a random state, and the outcomes {} in the order of the measurements and "
                    "resets: the state that is left has a fidelity of {:.9g}",
                    run.outcomes.empty() ? "(none)" : run.outcomes, 1 - difference));
  }
  return unknown_because(kSampleMethod, "no difference was found");
}

}  // namespace

Comparison search_ancilla_difference(const Circuit& left, const Circuit& right,
                                     const Budget& budget, std::uint64_t seed) {
  if (!std::ranges::all_of(left.operations, is_gate_or_barrier) || has_opaque(right)) {
    return unknown_because(kSampleMethod, "the circuits have other operations than gates");
  }
  if (right.qubit_count() > kMostQubits) {
    return unknown_because(kSampleMethod, "there are too many qubits");
  }
  try {
    return sample(left, with_single_qubit_boundaries(right), budget, seed);
  } catch (const OutOfBudget&) {
    return out_of_time(kSampleMethod);
  } catch (const Unsupported& unsupported) {
    return unknown_because(kSampleMethod, unsupported.what);
  }
}

}  // namespace quartz::certify
