#pragma once

#include <optional>
#include <stop_token>

#include "cli/opt/batch_plan.hpp"
#include "cli/opt/batch_row.hpp"
#include "cli/opt/opt_options.hpp"
#include "quartz/target/gate_set.hpp"

/// Records of finished runs (--finished), by which a repeated call skips them
/// (docs/formats/finished.md).
namespace quartz::cli {

/// Writes the record of a run that is complete. Throws InputError if it cannot be written.
void keep_finished(const OptOptions& options, const BatchRow& row);

/// Returns the row of a run that an earlier call has finished: with the same input, options and
/// version of the program, and with results that still are what it wrote. Returns nothing without
/// --finished, and if the record is missing or damaged.
[[nodiscard]] std::optional<BatchRow> finished_before(const OptOptions& options,
                                                      const BatchFile& file, const GateSet& set,
                                                      const std::stop_token& stop);

}  // namespace quartz::cli
