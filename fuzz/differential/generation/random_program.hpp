#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "program/expression.hpp"
#include "program/program.hpp"

namespace quartz::differential {

using Random = std::mt19937_64;

inline unsigned below(Random& random, std::size_t bound) {
  return static_cast<unsigned>(random() % bound);
}
/// Returns true in one of `n` cases.
inline bool one_in(Random& random, unsigned n) { return below(random, n) == 0; }

template <typename Element>
const Element& one_of(Random& random, const std::vector<Element>& elements) {
  return elements.at(below(random, elements.size()));
}

/// Limits of a random program.
struct ProgramLimits {
  unsigned qubits = 6;
  unsigned statements = 40;
  unsigned boundaries = 5;  ///< measurements and resets, counted as often as they are executed
  bool has_blocks = false;  ///< whether there may be loops and boxes
  bool only_clifford_t = false;
};

/// Kinds of angles that a program draws from.
enum class AngleStyle : std::uint8_t { eighths, fractions, decimals, mixed };

/// Returns a program: its gates, angles, classical part and language version are drawn together, so
/// that programs of all-Clifford gates and programs with everything both occur often.
[[nodiscard]] Program random_program(Random& random, const ProgramLimits& limits);

/// Returns an angle as an expression; free parameters occur if there are some.
[[nodiscard]] std::string random_angle(Random& random, AngleStyle style,
                                       const std::vector<std::string>& parameters);

/// Returns a gate on distinct qubits; `names` must have one that fits.
[[nodiscard]] Statement random_gate(Random& random, const std::vector<std::string>& names,
                                    unsigned qubits, AngleStyle style,
                                    const std::vector<std::string>& parameters);

/// Returns a condition that the version of the program can express.
[[nodiscard]] Condition random_condition(Random& random, const Program& program);

/// Returns the names of the standard gates on at most this many qubits, without aliases.
[[nodiscard]] const std::vector<std::string>& gates_on(unsigned qubits);

/// Returns random values for the free parameters, always the same for the same number.
[[nodiscard]] Values parameter_values(const Program& program, unsigned number);

}  // namespace quartz::differential
