#pragma once

#include <optional>

#include "classes/table/class_table.hpp"
#include "window_chains/backend/chain_device.hpp"

namespace quartz::optimizer {

/// Returns a class table in the form that chains of window moves read; it refers to the words of
/// the table. Returns nothing for a table with a letter whose matrix has more than two entries in a
/// row.
[[nodiscard]] std::optional<window_chains::HostTable> chain_table(const ClassTable& table);

}  // namespace quartz::optimizer
