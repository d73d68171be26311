#pragma once

#include <cstdint>
#include <functional>
#include <random>
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
/// Independent amplitudes of mean 0, scaled to norm 1. Real and imaginary parts are uniform, which
/// takes a tenth of the time of normal ones (the Haar measure), and a difference D of two unitaries
/// is found as well: the mean of |D s|^2 before scaling depends on the amplitudes' variance only.
/// Throws OutOfBudget.
[[nodiscard]] std::vector<Complex> random_state(std::size_t dimension, RandomBits& random,
                                                const Budget& budget = {});

/// Random angles for the symbols. Those of measurements are always new; the others only where
/// `previous` is null, else they are its.
[[nodiscard]] Bindings random_bindings(const Problem& problem, RandomBits& random,
                                       const Bindings* previous = nullptr);

/// How many ways there are to choose truth values that a step depends on; saturates.
[[nodiscard]] std::uint64_t truth_choices(const Problem& problem);
/// Calls `visit` with each of them until it returns false.
void for_each_truth(const Problem& problem,
                    const std::function<bool(const std::vector<bool>&)>& visit);

/// The matrix of a gate, or of an opaque operation: a unitary from the Haar measure that depends
/// on its name, its angles, its number of qubits and the seed only. Throws Unsupported
/// for an opaque operation on more than `max_opaque_qubits`.
[[nodiscard]] std::vector<Complex> matrix_of(const Operation& operation, const Bindings& bindings,
                                             std::uint64_t opaque_seed);
inline constexpr std::size_t max_opaque_qubits = 6;

}  // namespace quartz::certify
