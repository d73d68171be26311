#include "cli/opt/opt_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <future>
#include <new>
#include <optional>
#include <ostream>
#include <system_error>
#include <utility>

#include "cli/memory.hpp"
#include "cli/memory_limit.hpp"
#include "cli/opt/opt_progress.hpp"
#include "cli/options/include_path_option.hpp"
#include "cli/options/program_option.hpp"
#include "cli/output/generate_progress.hpp"
#include "cli/output/timed_progress.hpp"
#include "quartz/base/files.hpp"
#include "quartz/circuit/declared_gate.hpp"
#include "quartz/qasm/include_path.hpp"
#include "quartz/qasm/qasm.hpp"
#include "quartz/report/html_report.hpp"
#include "quartz/report/statistics.hpp"
#include "quartz/rules/rule_set.hpp"
#include "quartz/workflow/control_expansion.hpp"

namespace quartz::cli {
namespace {

/// Part of the memory limit of the process for the check.
constexpr double kCheckMemoryShare = 0.25;

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Reports on standard error, also with --quiet, whether a result that the check could not decide
/// was written.
void report_unverified(const OptOptions& options, const OptFiles& files, const ResultCheck& check,
                       const CommandContext& context) {
  const std::string result = files.output == "-" ? "the result" : files.output;
  if (options.requires_check) {
    write_error("quartz-opt", context,
                fmt::format("{} was not written, because the result could not be verified "
                            "(--require-checked): {}",
                            result, check.text));
  } else {
    write_warning("quartz-opt", context,
                  fmt::format("{} was written, but could not be verified: {}", result, check.text));
  }
}

/// Warns, also with --quiet, that a better circuit was found than the one that was written.
void report_uncertified(const SuperoptimizeResult& result, const CommandContext& context) {
  write_warning(
      "quartz-opt", context,
      fmt::format("the best circuit found ({}) could not be certified in the time of the check; an "
                  "earlier one that could be was written ({}); --check-time sets the time",
                  result.cost.describe(*result.uncertified_cost),
                  result.cost.describe(cost_of(result.circuit, result.cost))));
}

/// Returns the options of the library call, without its callbacks.
SuperoptimizeOptions request_of(const OptOptions& options, const OptFiles& files,
                                const RunTarget& target, const Circuit& input) {
  SuperoptimizeOptions request = options.library;
  request.cost = target.cost;
  request.coupling = target.coupling;
  request.assumptions = options.is_program ? all_assumptions(options.library.assumptions,
                                                             assumptions_of_program(input))
                                           : options.library.assumptions;
  request.record_rules = !files.emit_rules.empty();
  request.record_journal = !files.journal.empty();
  request.record_gains = options.has_reports();
  request.copies_translation = false;
  request.checkpoint.folder = files.checkpoint;
  request.circuit_name = files.input;
  return request;
}

/// The time limit of a run's search, if it has one.
std::optional<double> time_limit(const OptOptions& options) {
  return options.library.steps == 0 ? std::optional(options.library.seconds) : std::nullopt;
}

/// The progress of a run on its line.
class RunProgress {
 public:
  RunProgress(const OptOptions& options, const Cost& cost, const RunDisplay& display)
      : options_(options), cost_(cost), display_(display) {}

  /// Shows what is done, and for how long, until the next call of a function.
  void begin(std::string_view activity, std::optional<double> limit = {}) {
    end();
    timed_.emplace(display_.line, [this, activity = std::string(activity), limit](double seconds) {
      return display_.label + timed_progress_text(activity, seconds, limit);
    });
  }
  /// Shows what the search reports, or that a stage has begun.
  void show(const SuperoptimizeProgress& progress) {
    if (progress.search != nullptr) {
      show_text([&] {
        return search_progress_text(*progress.search, cost_, *progress.translated_cost,
                                    time_limit(options_));
      });
    } else if (progress.rules != nullptr) {
      show_text([&] { return "rules of the gate set: " + progress_text(*progress.rules); });
    } else if (progress.stage == SuperoptimizeStage::check) {
      begin(stage_text(progress.stage), progress.check_seconds);
    } else {
      begin(stage_text(progress.stage));
    }
  }
  /// Erases the line.
  void end() {
    timed_.reset();
    display_.line.clear();
  }

 private:
  template <typename MakeText>
  void show_text(const MakeText& make) {
    timed_.reset();
    if (display_.line.due()) display_.line.show(display_.label + make());
  }

  const OptOptions& options_;
  const Cost& cost_;
  const RunDisplay& display_;
  std::optional<TimedProgress> timed_;
};

/// Contents of the reports besides the result, and the destination of the result.
struct Delivery {
  const OptOptions& options;
  const OptFiles& files;
  const RunDisplay& display;
  const Circuit& input;
  const GateSet& set;
  const std::optional<Backend>& backend;
  MemoryLimit& memory;
  const CostHistory& history;
  std::chrono::steady_clock::time_point start;  ///< when the run began
  double read_seconds = 0;
};

/// Returns the circuit as a program of the dialect.
std::string program_of(const Circuit& circuit, const OptOptions& options,
                       const std::stop_token& stop) {
  const Dialect& dialect = *options.dialect;
  const unsigned wanted =
      options.library.qasm_version != 0 ? options.library.qasm_version : dialect.version;
  const unsigned version = wanted != 0 ? wanted : circuit.qasm_version;
  // There may be no memory for a copy of a large circuit.
  const bool is_plain = &dialect == &dialects().front() && version == circuit.qasm_version;
  if (is_plain) return write_qasm(circuit, dialect, stop);
  Circuit written = circuit;
  written.qasm_version = version;
  return write_qasm(in_dialect(written, dialect), dialect, stop);
}

/// Returns the text of the result. If the limit leaves no memory for it, it is made without a
/// limit: the search has ended by then, and a result is always written.
std::string text_of_result(const Delivery& delivery, const Circuit& circuit,
                           const CommandContext& context, const std::stop_token& stop) {
  try {
    return program_of(circuit, delivery.options, stop);
  } catch (const std::bad_alloc&) {
    if (delivery.options.memory == 0) throw;
  }
  delivery.memory.lift();
  write_warning("quartz-opt", context, "--memory is exceeded in order to write the result");
  return program_of(circuit, delivery.options, stop);
}

/// Prints what a user who calls the command for one circuit wants to know.
void show_reports(const Delivery& delivery, const RunReport& report,
                  const report::RunFigures& figures, const std::string& stats,
                  const CommandContext& context) {
  const OptOptions& options = delivery.options;
  const SuperoptimizeResult& result = report.result;
  if (!delivery.display.is_batch) {
    if (options.json) {
      context.out << stats;
    } else if (!options.quiet) {
      context.err << summary_of(report, figures);
    }
  }
  if (options.explain) {
    if (delivery.display.is_batch) context.err << delivery.files.input << '\n';
    context.err << explanation_of(report, figures);
  }
  if (result.check.verified == false) {
    report_unverified(options, delivery.files, result.check, context);
  }
  if (result.uncertified_cost) report_uncertified(result, context);
  if (delivery.backend) {
    if (const auto warning = warning_of_missing_gates(result.circuit, *delivery.backend)) {
      write_warning("quartz-opt", context, *warning);
    }
  }
}

/// Writes the files of --stats and --report.
void write_reports(const Delivery& delivery, const RunReport& report,
                   const std::string& statistics) {
  const OptFiles& files = delivery.files;
  if (!files.stats.empty()) write_text_file(files.stats, statistics);
  if (files.html.empty()) return;
  write_text_file(files.html, html_report({.before = report.input,
                                           .after = report.result.circuit,
                                           .statistics = statistics,
                                           .history = delivery.history.points(),
                                           .circuit_name = files.input,
                                           .command = delivery.options.command.line}));
}

/// Counts the circuits of a run, on a thread of its own if the run has several: a circuit of a
/// million gates takes a tenth of a second.
std::future<report::RunFigures> figures_while_writing(const RunReport& report) {
  const auto count = [&report] { return report::run_figures(report, 1); };
  try {
    if (report.result.threads > 1) return std::async(std::launch::async, count);
  } catch (const std::system_error&) {
    // There is no memory for the stack of a thread.
  }
  return std::async(std::launch::deferred, count);
}

/// Writes the result and the reports.
RunOutcome deliver(const Delivery& delivery, const SuperoptimizeResult& result,
                   const CommandContext& context) {
  const OptOptions& options = delivery.options;
  const OptFiles& files = delivery.files;
  const bool unverified = result.check.verified == false;
  const bool written = !(unverified && options.requires_check);
  const auto start = std::chrono::steady_clock::now();
  // A stop that ended the search must not prevent its result from being written.
  const std::stop_token stop = context.stop.stop_requested() ? std::stop_token() : context.stop;
  RunReport report{delivery.input, result, delivery.set.name};
  std::future<report::RunFigures> counted = figures_while_writing(report);
  if (written) {
    write_output(files.output, text_of_result(delivery, result.circuit, context, stop), context,
                 stop);
  }
  if (!files.journal.empty()) {
    write_text_file(files.journal, result.journal, stop);
  }
  if (!files.emit_rules.empty()) {
    write_text_file(files.emit_rules, rule_set_file_content(recorded_rule_set(result, delivery.set,
                                                                              options.library.seed),
                                                            files.emit_rules));
  }
  report.written = written;
  report.has_journal = !files.journal.empty();
  report.reached_memory_limit = delivery.memory.was_reached();
  report.peak_memory_bytes = peak_memory_bytes();
  report.stages.push_back({"read", delivery.read_seconds});
  report.stages.insert(report.stages.end(), result.stages.begin(), result.stages.end());
  report.stages.push_back({"write", seconds_since(start)});
  report.seconds = seconds_since(delivery.start);
  const report::RunFigures figures = counted.get();
  const std::string statistics =
      options.has_reports() ? report::statistics_of(report, figures) : "";
  write_reports(delivery, report, statistics);
  show_reports(delivery, report, figures, statistics, context);
  return {cost_changes_of(figures, result.cost), result.check, statistics,
          result.stop_reason != StopReason::interrupted,
          files.finished.empty() ? "" : circuit_digest(delivery.input, {})};
}

/// Returns the error with the place of the first such gate in the file.
InputError located(const UntranslatableGate& error, const Circuit& circuit, const std::string& file,
                   const IncludePath& path, const GateSet& set, const std::stop_token& stop) {
  const Operation& wanted = error.operation();
  const auto found = std::ranges::find_if(circuit.operations, [&](const Operation& each) {
    return each.kind == wanted.kind && each.gate == wanted.gate && each.angles == wanted.angles;
  });
  if (found == circuit.operations.end()) return error;
  const auto index = static_cast<std::size_t>(found - circuit.operations.begin());
  return {location_of_operation(file, path, index, stop, set.custom_gates(),
                                control_expansion_for(set)),
          error.what()};
}

}  // namespace

std::string circuit_digest(const Circuit& circuit, const std::stop_token& stop) {
  return digest_of(write_qasm(circuit, stop));
}

RunOutcome run_file(const OptOptions& options, const OptFiles& files, const RunTarget& target,
                    const RunDisplay& display, const CommandContext& context) {
  MemoryLimit memory(options.memory, context.stop);
  for (const OutputOption& option : kOutputOptions) {
    const std::string& path = files.*option.file;
    if (!path.empty()) require_writable(path);
  }
  RunProgress progress(options, target.cost, display);
  progress.begin("reading " + files.input);
  const auto start = std::chrono::steady_clock::now();
  const CustomGates custom_gates = target.set.custom_gates();
  const GateCalls calls = options.library.keep_gates ? GateCalls::kept : GateCalls::expanded;
  const Circuit input =
      read_qasm_file(files.input, include_path_of(options.include_path), context.stop, custom_gates,
                     calls, control_expansion_for(target.set));
  if (target.backend) require_qubits(input, *target.backend, files.input);
  // What the dialect cannot express is an error before the search.
  if (options.dialect != &dialects().front()) (void)program_of(input, options, context.stop);
  CostHistory history;
  const Delivery delivery{options,        files,  display, input, target.set,
                          target.backend, memory, history, start, seconds_since(start)};

  SuperoptimizeOptions request = request_of(options, files, target, input);
  // The search spends some time on the best cost so far that the line shows.
  if (context.terminal || !files.html.empty()) {
    request.on_progress = [&](const SuperoptimizeProgress& now) {
      if (now.search != nullptr) {
        history.add(now.search->seconds, now.search->best_cost, target.cost);
      }
      if (context.terminal) progress.show(now);
    };
  }
  request.on_warning = [&](std::string_view message) {
    progress.end();
    write_warning("", context, message);
  };
  std::ranges::for_each(warnings_of_rounding(target.cost), request.on_warning);
  RunOutcome outcome;
  // The result is written before class tables are cached, which may take a while.
  request.on_result = [&](const SuperoptimizeResult& result) {
    progress.end();
    outcome = deliver(delivery, result, context);
  };
  request.stop = context.stop;
  request.end_search = memory.token();
  request.table_memory = static_cast<std::uint64_t>(
      memory.at_most(static_cast<double>(request.table_memory), MemoryLimit::kTableShare));
  request.check_memory_bytes = memory.at_most(request.check_memory_bytes, kCheckMemoryShare);
  try {
    (void)superoptimize(input, target.set, request);
  } catch (const UntranslatableGate& error) {
    throw located(error, with_expanded_calls(input), files.input,
                  include_path_of(options.include_path), target.set, context.stop);
  }
  return outcome;
}

}  // namespace quartz::cli
