#pragma once

#include <cstdint>
#include <vector>

#include "classes/table/class_table.hpp"

namespace quartz::perf {

using namespace classes;

/// Returns the class table of cost 6 of the gate set nam, which is larger than a processor's
/// caches. It is built by the first call.
[[nodiscard]] const ClassTable& nam_table();

/// A short circuit in letters of the table, with the state and the scalar to which it leads and the
/// table's entry for its class.
struct TableState {
  std::vector<std::uint8_t> letters;
  FieldState state;
  UnitScalar scalar;
  unsigned cost = 0;
  LetterMask last_letters = 0;
};

/// Returns states of random circuits of 1 to 6 letters, the same in every run. All of them are in
/// the table.
[[nodiscard]] std::vector<TableState> random_table_states(const ClassTable& table,
                                                          std::size_t count);

/// Takes one step of the walk from a class to the identity: undoes the first of the last letters
/// and returns it. AnnealingChain undoes a random one.
[[nodiscard]] std::uint8_t step_down(const ClassTable& table, TableState& at);

}  // namespace quartz::perf
