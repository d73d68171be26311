#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "quartz/circuit/operation.hpp"

namespace quartz {

/// Index of a letter in the alphabet; the order of letters is the canonical order's.
using LetterIndex = std::uint16_t;

/// What enumeration asks about a letter all the time.
struct Letter {
  std::uint32_t qubits = 0;      ///< one bit for each qubit it acts on
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

/// Throws UsageError for an alphabet that is too large to enumerate: over 65535 letters, 16
/// parameters or 10 qubits.
[[nodiscard]] Letters make_letters(std::vector<Operation> operations, unsigned qubits);

/// The circuit that a sequence of letters stands for.
[[nodiscard]] std::vector<Operation> spell(const Letters& letters,
                                           std::span<const LetterIndex> sequence);

}  // namespace quartz
