#pragma once

#include <optional>

#include "cli/command.hpp"
#include "cli/opt/opt_options.hpp"
#include "quartz/circuit/cost.hpp"
#include "quartz/target/backend.hpp"
#include "quartz/target/gate_set.hpp"
#include "quartz/workflow/superoptimize.hpp"

namespace quartz::cli {

/// What the runs of a call share.
struct RunTarget {
  GateSet set;
  Cost cost;
  CouplingChoice coupling;
  std::optional<Backend> backend;  ///< the device that --backend-json describes
};

/// Reads the device's files, the gate set and the cost, and says which gate set was chosen if the
/// options name none. Throws InputError and UsageError for bad ones, and UsageError for a memory
/// limit that is too low.
[[nodiscard]] RunTarget target_of(const OptOptions& options, const CommandContext& context);

}  // namespace quartz::cli
