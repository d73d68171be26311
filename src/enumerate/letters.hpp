#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "quartz/circuit/operation.hpp"

namespace quartz::enumerate {

/// Index of a letter in the alphabet. The order of letters defines the canonical order.
using LetterIndex = std::uint16_t;

/// The properties of a letter that enumeration needs most often.
struct Letter {
  std::uint32_t qubits = 0;      ///< one bit for each qubit the letter acts on
  std::uint16_t parameters = 0;  ///< one bit for each free parameter in its angles
};

/// The alphabet of an enumeration.
struct Letters {
  unsigned qubits = 0;
  std::vector<Operation> operations;
  std::vector<Letter> letters;
};

/// Throws UsageError unless there are 1 to 10 qubits.
void require_enumerable(unsigned qubits);

/// Makes the alphabet of these operations. Throws UsageError if it is too large to enumerate: over
/// 65535 letters, 16 parameters or 10 qubits.
[[nodiscard]] Letters make_letters(std::vector<Operation> operations, unsigned qubits);

/// Returns the circuit of a sequence of letters.
[[nodiscard]] std::vector<Operation> spell(const Letters& letters,
                                           std::span<const LetterIndex> sequence);

}  // namespace quartz::enumerate
