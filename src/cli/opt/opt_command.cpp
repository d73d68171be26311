#include "cli/opt/opt_command.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "cli/memory.hpp"
#include "cli/opt/batch_plan.hpp"
#include "cli/opt/opt_batch.hpp"
#include "cli/opt/opt_options.hpp"
#include "cli/opt/opt_run.hpp"
#include "cli/opt/run_target.hpp"
#include "cli/output/command_line.hpp"
#include "cli/output/progress_line.hpp"
#include "cli/workers/run_with_workers.hpp"
#include "cli/workers/search_tasks.hpp"
#include "cli/workers/shared_call.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/optimize/search_workers.hpp"

namespace quartz::cli {
namespace {

/// Throws UsageError unless the search of one circuit has tasks for other processes.
void require_shared_search(const OptOptions& options) {
  if (has_tasks_for_workers(options.library.search)) return;
  throw UsageError(
      fmt::format("--search {} optimizes one circuit in one process, expected --search local, "
                  "several circuits or a folder{}",
                  options.library.search, kHowToRunSeparately));
}

/// Runs one circuit, of which other ranks may search a part.
RunOutcome run_circuit(const OptOptions& options, const OptFiles& files, const RunTarget& target,
                       const CommandContext& context) {
  ProgressLine line(context.err, context.terminal);
  const RunDisplay display{line, "", false};
  if (rank_count(context.ranks) == 1) return run_file(options, files, target, display, context);
  RunOutcome outcome;
  run_with_workers("quartz-opt", context, [&](SearchWorkers& workers) {
    OptOptions shared = options;
    shared.library.workers = &workers;
    outcome = run_file(shared, files, target, display, context);
  });
  return outcome;
}

ExitCode run(const OptOptions& options, const CommandContext& context) {
  keep_freed_memory();
  if (is_batch(options)) return run_batch(options, context);
  const bool is_shared = rank_count(context.ranks) > 1;
  if (is_shared) require_shared_search(options);
  if (!options.files.finished.empty()) {
    throw UsageError("--finished is for several inputs, expected several or a folder");
  }
  OptFiles files = options.files;
  files.input = options.inputs.front();
  if (options.json && files.output == "-") {
    throw UsageError(
        "--json and the result would both be on standard output, expected --output FILE");
  }
  require_different_files(options, {&files, 1});
  OptOptions own = options;
  if (is_shared) {
    require_same_call(options.command.line, *context.ranks);
    own.library.threads = threads_of_rank(own.library.threads, *context.ranks);
  }
  const RunTarget target = target_of(own, context);
  if (own_rank(context.ranks) != 0) {
    do_search_tasks(own.library, own.memory, target.set, context);
    return ExitCode::done;
  }
  const RunOutcome outcome = run_circuit(own, files, target, context);
  return outcome.check.verified == false ? ExitCode::unverified : ExitCode::done;
}

CommandBody declare_optimization(CLI::App& app) {
  const std::shared_ptr<OptOptions> options = declare_opt_options(app);
  return [options, &app](const CommandContext& context) {
    options->command.line = command_line_of(app);
    options->command.settings =
        QUARTZ_VERSION " " + command_line_of(app, options_without_effect_on_results());
    return run(*options, context);
  };
}

}  // namespace

const Command& opt_command() {
  static const Command command{
      "quartz-opt",
      "Searches for equal circuits of lower cost and writes the best one found.",
      "  quartz-opt in.qasm --output out.qasm --gate-set nam\n"
      "  quartz-opt in.qasm -o out.qasm -g ibm_heron --cost two-qubit --time 60s\n"
      "  quartz-opt in.qasm -o out.qasm -g clifford_t --cost t,two-qubit\n"
      "  quartz-opt a.qasm b.qasm circuits -o results -g nam --json > summary.json\n"
      "  mpirun -n 4 quartz-opt circuits -o results -g nam --finished finished\n"
      "  mpirun -n 4 quartz-opt large.qasm -o out.qasm -g nam --search local\n"
      "Ctrl-C (SIGINT), SIGTERM and SIGHUP stop the search; the best circuit so far is checked and "
      "written. A second signal ends the program.\n",
      declare_optimization,
      {},
      {{"--output", "file for the result (default: standard output)"},
       {"--gate-set", "gates of the result, as in nam, ibm_heron (--list)"},
       {"--cost", "what to minimize: total, two-qubit, t, depth, ..."},
       {"--time", "time limit of the search, as in 60s (default: 10s)"},
       {"--backend-json", "a device's own file: gates, couplings, error rates"},
       {"--coupling", "keep a routed circuit on its pairs of qubits"},
       {"--program", "assume a complete program: qubits begin in |0>"},
       {"--report", "write a report with both circuits as one HTML file"},
       {"--quiet", "print only warnings and errors"},
       {"--list", "list the names that an option accepts"}}};
  return command;
}

}  // namespace quartz::cli
