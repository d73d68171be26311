#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "certify/comparison.hpp"
#include "certify/problem.hpp"
#include "quartz/circuit/unitary.hpp"

/// Numbers for all that a problem leaves open.
namespace quartz::certify {

/// One member of the two families of unitaries.
struct Instance {
  Bindings bindings;        ///< of all symbols
  std::vector<bool> truth;  ///< of all conditions
  std::uint64_t opaque_seed = 0;
};

using RandomBits = std::mt19937_64;

/// Uniform in [0, 1), the same on every platform.
[[nodiscard]] double uniform(RandomBits& random);
/// A state from the Haar measure: independent complex normal amplitudes, scaled to norm 1. Throws
/// OutOfBudget.
[[nodiscard]] std::vector<Complex> random_state(std::size_t dimension, RandomBits& random,
                                                const Budget& budget = {});

/// A factor for the range [-pi, pi] of each symbol that is drawn from a larger one.
using Ranges = std::map<std::string, double>;
/// Random values for the symbols.
[[nodiscard]] Bindings random_bindings(const Problem& problem, RandomBits& random,
                                       const Ranges& ranges = {});
/// Ranges to look for a difference in: the plain ones; where a symbol has a coefficient below 1, as
/// in rz(1e-10*t), the inverse of that coefficient, so that each term takes all values modulo 2 pi;
/// and where coefficients have many digits, a range that also tells those of nearly equal terms
/// apart.
[[nodiscard]] std::vector<Ranges> ranges_to_search(const Problem& problem);
[[nodiscard]] std::vector<Ranges> ranges_to_search(const Circuit& left, const Circuit& right);

/// How many ways there are to choose truth values that a step depends on; saturates.
[[nodiscard]] std::uint64_t truth_choices(const Problem& problem);
/// Calls `visit` with each of them until it returns false.
void for_each_truth(const Problem& problem,
                    const std::function<bool(const std::vector<bool>&)>& visit);

/// The matrix of a gate, or of an opaque operation: a unitary from the Haar measure that depends
/// only on its name, its exact angles (whatever values their parameters have), its number of qubits
/// and the seed. Throws Unsupported for an opaque operation on more than `max_opaque_qubits`.
[[nodiscard]] std::vector<Complex> matrix_of(const Operation& operation, const Bindings& bindings,
                                             std::uint64_t opaque_seed);
inline constexpr std::size_t max_opaque_qubits = 6;

/// A hash of an opaque operation's name, number of qubits and exact angles. Throws Unsupported for
/// an operation on more than `max_opaque_qubits`.
[[nodiscard]] std::uint64_t opaque_hash(const Operation& operation, std::uint64_t seed);

}  // namespace quartz::certify
