#pragma once

#include <cstdint>
#include <random>
#include <span>
#include <vector>

#include "base/budget.hpp"
#include "quartz/circuit/operation.hpp"

namespace quartz::optimizer {

/// A convex part of a circuit, as a separate circuit.
struct Slice {
  std::vector<Operation> gates;       ///< on qubits 0 .. qubits.size() - 1
  std::vector<std::uint32_t> places;  ///< indices of the gates in the circuit that was cut
  std::vector<Qubit> qubits;          ///< their numbers in the whole circuit
  bool searchable = true;             ///< false: the slice is a gate that a search does not accept
};

/// Cuts gates into consecutive slices of about `size` gates in some order that respects the wires;
/// each interval of such an order is convex. The order is random but prefers gates on qubits that
/// the current slice has already, so that a slice is deep rather than wide. Returns no slices once
/// the budget is spent.
[[nodiscard]] std::vector<Slice> split_into_slices(std::span<const Operation> gates,
                                                   std::uint32_t qubits, std::size_t size,
                                                   std::mt19937_64& random,
                                                   const Budget& budget = {});

/// Appends a slice's gates, or their replacement, on the qubits of the whole circuit.
void append_slice(const Slice& slice, std::span<const Operation> gates,
                  std::vector<Operation>& circuit);

}  // namespace quartz::optimizer
