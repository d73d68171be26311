#pragma once

#include <complex>
#include <cstdint>
#include <functional>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "certify/problem/comparison.hpp"
#include "certify/problem/problem.hpp"
#include "quartz/circuit/unitary.hpp"

/// Numbers for everything that a problem leaves open.
namespace quartz::certify {

/// One member of the two families of unitaries: values for all open quantities.
struct Instance {
  Bindings bindings;        ///< values of all symbols
  std::vector<bool> truth;  ///< values of all conditions
  std::uint64_t opaque_seed = 0;
};

using RandomBits = std::mt19937_64;

/// Returns a uniform random number in [0, 1), the same on every platform.
[[nodiscard]] double uniform(RandomBits& random);
/// Returns a state from the Haar measure: independent complex normal amplitudes, scaled to norm 1.
/// Throws OutOfBudget.
[[nodiscard]] std::vector<Complex> random_state(std::size_t dimension, RandomBits& random,
                                                const Budget& budget = {});

/// The factors of the ranges of symbols whose range is larger than [-pi, pi].
using Ranges = std::map<std::string, double>;
/// Returns random values for the symbols.
[[nodiscard]] Bindings random_bindings(const Problem& problem, RandomBits& random,
                                       const Ranges& ranges = {});
/// Returns the values of at most eight parameters, those in `hidden` excepted, for a witness, as in
/// ", parameters t=1.25e+10, u=0.5"; empty if there are none.
[[nodiscard]] std::string described_parameters(const Bindings& bindings,
                                               const std::set<std::string>& hidden);
/// Returns the ranges in which to look for a difference: the default ones; if a symbol has a
/// coefficient below 1, as in rz(1e-10*t), the inverse of that coefficient, so that each term takes
/// all values modulo 2 pi; and if coefficients have many digits, a range that also distinguishes
/// those of nearly equal terms.
[[nodiscard]] std::vector<Ranges> ranges_to_search(const Problem& problem);
[[nodiscard]] std::vector<Ranges> ranges_to_search(const Circuit& left, const Circuit& right);

/// Returns the number of ways to choose the truth values that a step depends on; saturates.
[[nodiscard]] std::uint64_t truth_choices(const Problem& problem);
/// Calls `visit` with each choice of these truth values until it returns false.
void for_each_truth(const Problem& problem,
                    const std::function<bool(const std::vector<bool>&)>& visit);

/// Returns the matrix of a gate or of an opaque operation. The latter is a unitary from the Haar
/// measure that depends only on the operation's name, its exact angles (regardless of the values of
/// their parameters), its number of qubits and the seed. Throws Unsupported for an opaque operation
/// on more than `kMaxOpaqueQubits`.
[[nodiscard]] std::vector<Complex> matrix_of(const Operation& operation, const Bindings& bindings,
                                             std::uint64_t opaque_seed);
inline constexpr std::size_t kMaxOpaqueQubits = 6;
/// Returns whether the matrix of an operation can be computed in extended precision: a gate whose
/// angles are sums of a multiple of pi and a few radians.
[[nodiscard]] bool has_extended_matrix(const Operation& operation);
/// Returns that matrix. Each angle of at most 4 pi and 16 radians is rounded a few times.
[[nodiscard]] std::vector<std::complex<long double>> extended_matrix_of(const Operation& operation);

/// Returns a hash of an opaque operation's name, number of qubits and exact angles. Throws
/// Unsupported for an operation on more than `kMaxOpaqueQubits`.
[[nodiscard]] std::uint64_t opaque_hash(const Operation& operation, std::uint64_t seed);

}  // namespace quartz::certify
