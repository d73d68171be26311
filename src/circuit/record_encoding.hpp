#pragma once

#include <cstdint>

#include "base/leb128.hpp"

/// How histories and journals write the parts of a rewrite: as a sequence of numbers, each of which
/// is passed to `put`. A history and a journal number gates and wires differently.
namespace quartz::circuit {

/// Writes the numbers of gates, which are near each other: how many there are, and differences.
template <typename Put, typename Numbers>
void encode_gate_numbers(Put&& put, const Numbers& numbers) {
  put(numbers.size());
  std::int64_t last = 0;
  for (const auto number : numbers) {
    put(zigzag(static_cast<std::int64_t>(number) - last));
    last = static_cast<std::int64_t>(number);
  }
}

/// Writes the place directly behind a gate on one of its wires.
template <typename Put, typename Place>
void encode_place(Put&& put, const Place& place) {
  put(place.wire);
  put(place.after);
}

/// Writes places, and how many there are.
template <typename Put, typename Places>
void encode_places(Put&& put, const Places& places) {
  put(places.size());
  for (const auto& place : places) encode_place(put, place);
}

/// Writes inserted gates, and how many there are; `put_operand` writes an operand.
template <typename Put, typename Gates, typename PutOperand>
void encode_inserted(Put&& put, const Gates& gates, PutOperand&& put_operand) {
  put(gates.size());
  for (const auto& gate : gates) {
    put(gate.code);
    put(gate.qubits.size());
    for (const auto qubit : gate.qubits) put_operand(qubit);
  }
}

}  // namespace quartz::circuit
