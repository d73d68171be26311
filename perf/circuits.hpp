#pragma once

#include <cstdint>

#include "quartz/circuit/circuit.hpp"
#include "quartz/target/gate_set.hpp"

namespace quartz::perf {

/// Sizes of the adders below, named by their number of gates in the gate set nam: 34 for each bit,
/// and one more.
inline constexpr std::uint32_t kBitsOf409Gates = 12;
inline constexpr std::uint32_t kBitsOf10201Gates = 300;
inline constexpr std::uint32_t kBitsOf47601Gates = 1400;
inline constexpr std::uint32_t kBitsOf99995Gates = 2941;
inline constexpr std::uint32_t kBitsOf1000009Gates = 29412;

/// The gate set nam: {h, x, rz, cx}.
[[nodiscard]] const GateSet& nam();

/// Returns the ripple-carry adder of Cuccaro et al. (quant-ph/0410184) for numbers of `bits` bits,
/// as scripts/make_circuits.py writes it, in the gate set nam.
[[nodiscard]] Circuit cuccaro_adder(std::uint32_t bits);

/// Returns three Toffoli gates in a ladder on five qubits, in the gate set nam: 45 gates.
[[nodiscard]] Circuit toffoli_ladder();

/// Returns random gates of the gate set ibm, {rz, sx, x, cx}, on four qubits; the same in every
/// run.
[[nodiscard]] Circuit random_ibm_circuit(std::size_t gates);

}  // namespace quartz::perf
