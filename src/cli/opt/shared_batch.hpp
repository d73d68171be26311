#pragma once

#include <vector>

#include "cli/command.hpp"
#include "cli/opt/batch_plan.hpp"
#include "cli/opt/batch_row.hpp"
#include "cli/opt/opt_options.hpp"
#include "cli/opt/run_target.hpp"

/// Several inputs, shared by the processes that mpirun started.
///
/// The first rank hands them out one by one, to itself too, so that a rank with easy circuits gets
/// more of them. Each rank writes its results itself, as soon as it has them, and sends what the
/// summary needs. On every rank one thread communicates and another one optimizes. Ranks send signs
/// of life: if a rank is silent for long, and the launcher has not ended all of them, its input is
/// given to another one.
namespace quartz::cli {

/// Optimizes all inputs with the help of the other ranks, and returns their rows in the order of
/// the inputs. To be called by the first rank.
[[nodiscard]] std::vector<BatchRow> run_on_all_ranks(const OptOptions& options,
                                                     const std::vector<BatchFile>& files,
                                                     const RunTarget& target,
                                                     const CommandContext& context);

/// Optimizes the inputs that the first rank hands out until it has no more. To be called by the
/// other ranks. Throws Error if the first rank does not answer any more.
void work_for_first_rank(const OptOptions& options, const RunTarget& target,
                         const CommandContext& context);

}  // namespace quartz::cli
