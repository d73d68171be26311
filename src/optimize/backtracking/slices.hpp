#pragma once

#include <cstdint>
#include <random>
#include <span>
#include <vector>

#include "base/budget.hpp"
#include "quartz/circuit/operation.hpp"

namespace quartz {

/// A convex part of a circuit, as a circuit of its own.
struct Slice {
  std::vector<Operation> gates;  ///< on qubits 0 .. qubits.size() - 1
  std::vector<Qubit> qubits;     ///< what they are in the whole circuit
  bool searchable = true;        ///< false: a gate that a search does not take
};

/// Cuts gates into slices of about `size` gates, one after the other in some order that respects
/// the wires (each stretch of such an order is convex). The order is random, and prefers gates on
/// qubits that the slice under way has already, so that a slice is deep rather than wide.
/// Returns no slices once the budget is spent.
[[nodiscard]] std::vector<Slice> split_into_slices(std::span<const Operation> gates,
                                                   std::uint32_t qubits, std::size_t size,
                                                   std::mt19937_64& random,
                                                   const Budget& budget = {});

/// A slice's gates (or what replaces them) on the qubits of the whole circuit.
void append_slice(const Slice& slice, std::span<const Operation> gates,
                  std::vector<Operation>& circuit);

}  // namespace quartz
