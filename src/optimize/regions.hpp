#pragma once

#include <cstdint>
#include <functional>
#include <random>
#include <span>
#include <vector>

#include "quartz/circuit/operation.hpp"

namespace quartz {

/// A convex part of a circuit, as a circuit of its own.
struct Region {
  std::vector<Operation> gates;  ///< on qubits 0 .. qubits.size() - 1
  std::vector<Qubit> qubits;     ///< what they are in the whole circuit
  bool searchable = true;        ///< false: a gate that a search does not take
};

/// Cuts gates into regions of about `size` gates, one after the other in some order that respects
/// the wires (each stretch of such an order is convex). The order is random, and prefers gates on
/// qubits that the region under way has already, so that a region is deep rather than wide.
/// Returns no regions once `interrupted` says so.
[[nodiscard]] std::vector<Region> split_into_regions(
    std::span<const Operation> gates, std::uint32_t qubits, std::size_t size,
    std::mt19937_64& random, const std::function<bool()>& interrupted = [] { return false; });

/// A region's gates (or what replaces them) on the qubits of the whole circuit.
void append_region(const Region& region, std::span<const Operation> gates,
                   std::vector<Operation>& circuit);

}  // namespace quartz
