#pragma once

#include <cstdint>
#include <vector>

#include "enumerate/class_table.hpp"

namespace quartz::perf {

/// The class table of cost 6 of the gate set nam, which is larger than a processor's caches. Built
/// when it is first asked for.
[[nodiscard]] const ClassTable& nam_table();

/// A short circuit, in letters of the table: the state and the scalar to which it leads, and what
/// the table has of its class.
struct TableState {
  std::vector<std::uint8_t> letters;
  FieldState state;
  UnitScalar scalar;
  unsigned cost = 0;
  LetterMask last_letters = 0;
};

/// States of random circuits of 1 to 6 letters; the same in every run. All of them are in the
/// table.
[[nodiscard]] std::vector<TableState> random_table_states(const ClassTable& table,
                                                          std::size_t count);

/// One step of the walk from a class to the identity: undoes the first of the last letters, which
/// it returns. AnnealingChain takes a random one.
[[nodiscard]] std::uint8_t step_down(const ClassTable& table, TableState& at);

}  // namespace quartz::perf
