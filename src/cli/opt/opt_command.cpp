#include "cli/opt/opt_command.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "cli/barriers_option.hpp"
#include "cli/dialect_option.hpp"
#include "cli/edges_option.hpp"
#include "cli/gate_set_argument.hpp"
#include "cli/memory.hpp"
#include "cli/memory_limit.hpp"
#include "cli/opt/opt_report.hpp"
#include "cli/output/command_line.hpp"
#include "cli/output/generate_progress.hpp"
#include "cli/output/progress_line.hpp"
#include "cli/output/quantity.hpp"
#include "quartz/base/files.hpp"
#include "quartz/circuit/cost.hpp"
#include "quartz/qasm/qasm.hpp"
#include "quartz/report/html_report.hpp"
#include "quartz/report/statistics.hpp"
#include "quartz/rules/rule_set.hpp"
#include "quartz/target/cost_file.hpp"
#include "quartz/target/gate_set.hpp"
#include "quartz/workflow/superoptimize.hpp"

namespace quartz::cli {
namespace {

/// A value that no duration on the command line can have.
constexpr double kNotGiven = -1;

/// Parts of the memory limit of the process for building a class table and for the check.
constexpr double kTableShare = 0.4;
constexpr double kCheckMemoryShare = 0.25;

struct TargetOptions {
  std::string gate_set;
  std::string rules;
  std::string table;
  double table_memory = static_cast<double>(SuperoptimizeOptions().table_memory);
  std::string cost;  ///< empty: the default cost of the gate set
};

struct SearchOptions {
  std::string name = SuperoptimizeOptions().search;
  std::string exactness = "keep";
  double epsilon = 0;
  Barriers barriers = Barriers::keep;
  EdgesChoice edges;
  std::string coupling;
  std::uint64_t steps = 0;
  double seconds = SuperoptimizeOptions().seconds;
  unsigned threads = 0;
  std::uint64_t seed = 0;
  std::string checkpoint;
  bool resume = false;
  double memory = 0;  ///< 0: no limit
};

struct CheckOptions {
  double seconds = kNotGiven;
  double memory = SuperoptimizeOptions().check_memory_bytes;
  bool is_off = false;
  bool is_required = false;
};

struct ReportOptions {
  bool explain = false;
  std::string stats;
  std::string html;
  std::string emit_rules;
  std::string journal;
  bool quiet = false;
};

struct Options {
  std::string input;
  std::string output = "-";
  unsigned qasm = 0;  ///< 0: the version of the dialect, or else that of the input
  const Dialect* dialect = nullptr;
  TargetOptions target;
  SearchOptions search;
  CheckOptions check;
  ReportOptions report;
  std::string command;  ///< as it was called, for a shell
};

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

std::string cost_help() {
  std::string text = "what to minimize:";
  for (const CostName& cost : cost_names()) {
    text += fmt::format(" {} ({});", cost.name, cost.description);
  }
  return text + fmt::format(
                    " a JSON file with a weight or an error rate for each gate (format: "
                    "costs/README.md); or up to {} of these separated by commas, where each breaks "
                    "the ties of those before it (default: the cost in the gate-set file; in the "
                    "bundled sets that is total for nam, t,two-qubit,total for clifford_t, and "
                    "two-qubit,total for the others, which are for hardware; total if the file "
                    "specifies none)",
                    kMaxObjectives);
}

std::string search_help() {
  std::string text =
      "search method, or several with commas between them, which run one after the other with "
      "equal "
      "parts of the time:";
  for (const SearchName& search : search_names()) {
    text += fmt::format(" {} ({});", search.name, search.description);
  }
  text.pop_back();
  return text;
}

std::string exactness_help() {
  std::string text = "angles of rewrites computed in floating-point arithmetic:";
  for (const ExactnessName& row : exactness_names()) {
    text += fmt::format(" {} ({});", row.name, row.description);
  }
  text.pop_back();
  return text;
}

/// Reports on standard error, also with --quiet, whether a result that the check could not decide
/// was written.
void report_unverified(const Options& options, const ResultCheck& check,
                       const CommandContext& context) {
  const std::string result = options.output == "-" ? "the result" : options.output;
  const std::string message =
      options.check.is_required
          ? fmt::format(
                "error: {} was not written, because the result could not be verified "
                "(--require-checked): {}",
                result, check.text)
          : fmt::format("warning: {} was written, but could not be verified: {}", result,
                        check.text);
  context.err << "quartz-opt: " << message << "\n";
}

/// Warns, also with --quiet, that a better circuit was found than the one that was written.
void report_uncertified(const SuperoptimizeResult& result, const CommandContext& context) {
  context.err << fmt::format(
      "quartz-opt: warning: the best circuit found ({}) could not be certified in the time of the "
      "check; an earlier one that could be was written ({}); --check-time sets the time\n",
      result.cost.describe(*result.uncertified_cost),
      result.cost.describe(cost_of(result.circuit, result.cost)));
}

CouplingChoice coupling_choice(const std::string& coupling) {
  if (coupling.empty()) return AnyCoupling{};
  if (coupling == "auto") return CouplingOfCircuit{};
  return std::filesystem::path(coupling);
}

/// Returns the options of the library call, without its callbacks.
SuperoptimizeOptions library_options(const Options& options, const Cost& cost) {
  SuperoptimizeOptions request;
  request.cost = cost;
  request.seconds = options.search.seconds;
  request.threads = options.search.threads;
  request.seed = options.search.seed;
  request.search = options.search.name;
  request.exactness = find_exactness(options.search.exactness);
  request.epsilon = options.search.epsilon;
  request.barriers = options.search.barriers;
  request.steps = options.search.steps;
  request.coupling = coupling_choice(options.search.coupling);
  if (!options.target.rules.empty()) request.rules = std::filesystem::path(options.target.rules);
  request.class_table = options.target.table;
  request.table_memory = static_cast<std::uint64_t>(options.target.table_memory);
  request.qasm_version = options.qasm;
  // With --require-checked, a result that is not verified is not written, but it is still reported.
  request.check = options.check.is_off ? CheckPolicy::off : CheckPolicy::normal;
  if (options.check.seconds != kNotGiven) request.check_seconds = options.check.seconds;
  request.check_memory_bytes = options.check.memory;
  request.record_rules = !options.report.emit_rules.empty();
  request.record_journal = !options.report.journal.empty();
  request.record_gains =
      options.report.explain || !options.report.stats.empty() || !options.report.html.empty();
  request.checkpoint = {options.search.checkpoint, options.search.resume};
  request.circuit_name = options.input;
  return request;
}

/// Shows a progress line for each stage and its progress.
void show_progress(const SuperoptimizeProgress& progress, const Options& options, const Cost& cost,
                   ProgressLine& line) {
  if (progress.stage == SuperoptimizeStage::check) {
    line.show("checking the result");
  } else if (progress.stage == SuperoptimizeStage::journal) {
    line.show("writing the journal");
  } else if (progress.search != nullptr) {
    if (!line.due()) return;
    line.show(fmt::format("{}: {}, {} circuits expanded, {:.1f} of {:g} s", progress.search->phase,
                          cost.describe(progress.search->best_cost),
                          progress.search->circuits_popped, progress.search->seconds,
                          options.search.seconds));
  } else if (progress.rules != nullptr) {
    if (line.due()) line.show(progress_text(*progress.rules));
  } else {
    line.clear();
  }
}

/// Contents of the reports besides the result, and the destination of the result.
struct Delivery {
  const Options& options;
  const Circuit& input;
  const GateSet& set;
  const MemoryLimit& memory;
  const CostHistory& history;
  double read_seconds = 0;
};

/// Returns the circuit as a program of the dialect.
std::string program_of(Circuit circuit, const Options& options, const std::stop_token& stop) {
  const Dialect& dialect = *options.dialect;
  if (options.qasm != 0) {
    circuit.qasm_version = options.qasm;
  } else if (dialect.version != 0) {
    circuit.qasm_version = dialect.version;
  }
  return write_qasm(in_dialect(circuit, dialect), dialect, stop);
}

/// Writes the files of --stats and --report.
void write_reports(const Delivery& delivery, const RunReport& report) {
  const ReportOptions& wanted = delivery.options.report;
  if (wanted.stats.empty() && wanted.html.empty()) return;
  const std::string statistics = statistics_of(report);
  if (!wanted.stats.empty()) write_text_file(wanted.stats, statistics);
  if (wanted.html.empty()) return;
  write_text_file(wanted.html, html_report({.before = report.input,
                                            .after = report.result.circuit,
                                            .statistics = statistics,
                                            .history = delivery.history.points(),
                                            .circuit_name = delivery.options.input,
                                            .command = delivery.options.command}));
}

/// Writes the result and the reports.
void deliver(const Delivery& delivery, const SuperoptimizeResult& result,
             const CommandContext& context) {
  const Options& options = delivery.options;
  const bool unverified = result.check.verified == false;
  const bool written = !(unverified && options.check.is_required);
  const auto start = std::chrono::steady_clock::now();
  // A stop that ended the search must not prevent its result from being written.
  const std::stop_token stop = context.stop.stop_requested() ? std::stop_token() : context.stop;
  if (written) {
    write_output(options.output, program_of(result.circuit, options, stop), context, stop);
  }
  if (!options.report.journal.empty()) {
    write_text_file(options.report.journal, result.journal, stop);
  }
  if (!options.report.emit_rules.empty()) {
    write_text_file(
        options.report.emit_rules,
        rule_set_file_content(recorded_rule_set(result, delivery.set, options.search.seed),
                              options.report.emit_rules));
  }
  RunReport report{delivery.input, result, delivery.set.name};
  report.written = written;
  report.has_journal = !options.report.journal.empty();
  report.reached_memory_limit = delivery.memory.was_reached();
  report.peak_memory_bytes = peak_memory_bytes();
  report.stages.push_back({"read", delivery.read_seconds});
  report.stages.insert(report.stages.end(), result.stages.begin(), result.stages.end());
  report.stages.push_back({"write", seconds_since(start)});
  write_reports(delivery, report);
  if (!options.report.quiet) context.err << summary_of(report);
  if (options.report.explain) context.err << explanation_of(report);
  if (unverified) report_unverified(options, result.check, context);
  if (result.uncertified_cost) report_uncertified(result, context);
}

ExitCode run(const Options& options, const CommandContext& context) {
  keep_freed_memory();
  const MemoryLimit memory(options.search.memory, context.stop);
  const GateSet set = gate_set_of(options.target.gate_set, context.stop);
  const Cost cost = options.target.cost.empty() ? set.default_cost
                                                : load_cost(options.target.cost, set, context.stop);
  require_writable(options.output);
  for (const std::string& path : {options.report.stats, options.report.html,
                                  options.report.emit_rules, options.report.journal}) {
    if (!path.empty()) require_writable(path);
  }
  const auto start = std::chrono::steady_clock::now();
  const Circuit input = read_qasm_file(options.input, context.stop);
  // What the dialect cannot express is an error before the search.
  if (options.dialect != &dialects().front()) (void)program_of(input, options, context.stop);
  CostHistory history;
  const Delivery delivery{options, input, set, memory, history, seconds_since(start)};

  ProgressLine line(context.err, context.terminal);
  SuperoptimizeOptions request = library_options(options, cost);
  request.edges = options.search.edges.of(input);
  if (options.search.edges.has_free_order) request.qubit_order = QubitOrder::free;
  // The search spends some time on the best cost so far that the line shows.
  if (context.terminal || !options.report.html.empty()) {
    request.on_progress = [&](const SuperoptimizeProgress& progress) {
      if (progress.search != nullptr) {
        history.add(progress.search->seconds, progress.search->best_cost, cost);
      }
      if (context.terminal) show_progress(progress, options, cost, line);
    };
  }
  request.on_warning = [&](std::string_view message) {
    line.clear();
    context.err << "warning: " << message << '\n';
  };
  // The result is written before class tables are cached, which may take a while.
  request.on_result = [&](const SuperoptimizeResult& result) {
    line.clear();
    deliver(delivery, result, context);
  };
  request.stop = memory.token();
  request.table_memory =
      static_cast<std::uint64_t>(memory.at_most(options.target.table_memory, kTableShare));
  request.check_memory_bytes = memory.at_most(options.check.memory, kCheckMemoryShare);
  const SuperoptimizeResult result = superoptimize(input, set, request);
  return result.check.verified == false ? ExitCode::unverified : ExitCode::done;
}

void add_target_options(CLI::App& app, TargetOptions& target) {
  app.add_option(
         "-g,--gate-set", target.gate_set,
         fmt::format("gate set of the target: {}, or a file", fmt::join(bundled_gate_sets(), ", ")))
      ->type_name("NAME|FILE")
      ->required();
  app.add_option("--rules", target.rules,
                 "rule set written by quartz-gen; a set with a wrong rule is rejected (default: "
                 "the one that "
                 "comes with the gate set, or else a cached one, which is generated if needed)")
      ->type_name("FILE");
  app.add_option(
         "--table", target.table,
         "class table written by quartz-gen table (default: a cached one, which is built if "
         "needed)")
      ->type_name("FILE");
  add_bytes_option(
      app, "--table-memory", target.table_memory,
      "memory limit for building a class table, as in 4GiB (default 8GiB); its depth is "
      "reduced to fit");
  app.add_option("-c,--cost", target.cost, cost_help())->type_name("NAME|FILE,...");
}

/// Adds the limits of the search, and what its result depends on besides.
void add_limit_options(CLI::App& app, SearchOptions& search) {
  app.add_option(
         "--steps", search.steps,
         "limit in place of --time, which is ignored then; the result depends only on the options, "
         "the "
         "seed and the number of threads. A step is an annealing move on each thread; a circuit "
         "that "
         "backtracking examines counts as 8 steps")
      ->type_name("N");
  add_seconds_option(
      app, "-t,--time", search.seconds,
      "time limit for translation and search (default 10s); 0s only folds rotations");
  add_threads_option(app, search.threads, "number of threads, 0 for all cores or OMP_NUM_THREADS");
  add_seed_option(app, search.seed, "seed of the search's random choices");
}

void add_check_options(CLI::App& app, CheckOptions& check) {
  add_seconds_option(app, "--check-time", check.seconds,
                     fmt::format("time limit for checking the result against the input (default: "
                                 "{:g}s and {:g}% of --time)",
                                 kBaseCheckSeconds, 100 * kCheckShare));
  add_bytes_option(app, "--check-memory", check.memory,
                   "memory limit for the check, as in 4GiB (default 2GiB)");
  CLI::Option* const no_check =
      app.add_flag("--no-check", check.is_off, "do not check the result against the input");
  app.add_flag("--require-checked", check.is_required,
               "do not write a result that the check could not decide (exit code 12)")
      ->excludes(no_check);
}

void add_resource_options(CLI::App& app, SearchOptions& search) {
  add_bytes_option(app, "--memory", search.memory,
                   "memory limit for the whole process, as in 4GiB (default: none); when it is "
                   "nearly reached, the search ends and the best circuit so far is written");
  CLI::Option* const checkpoint =
      app.add_option("--checkpoint", search.checkpoint,
                     "folder in which the search keeps its best circuit, at most a second old, in "
                     "case the process "
                     "is killed")
          ->type_name("FOLDER");
  app.add_flag("--resume", search.resume,
               "continue the search of the checkpoint, if there is one already; its time counts as "
               "part of --time")
      ->needs(checkpoint);
}

void add_report_options(CLI::App& app, ReportOptions& report) {
  app.add_flag(
      "--explain", report.explain,
      "explain the result: gates by kind, the passes and rewrites that improved it, and times "
      "(doubles the memory of backtracking at most)");
  app.add_option("--stats", report.stats, "write these figures and more as JSON")
      ->type_name("FILE");
  app.add_option("--report", report.html,
                 "write a report as one HTML file: the circuits, figures, cost against time, what "
                 "each pass brought, and the check")
      ->type_name("FILE");
  app.add_option("--emit-rules", report.emit_rules,
                 "write every replacement made by annealing to a rule set, for quartz-gen prove")
      ->type_name("FILE");
  app.add_option("--journal", report.journal,
                 "write the rewrites that lead from the input to the result, by which quartz-check "
                 "--journal certifies it")
      ->type_name("FILE");
}

void add_version_option(CLI::App& app, unsigned& version) {
  app.add_option("--qasm", version,
                 "version of OpenQASM to write, 2 or 3 (default: the dialect's, or else the "
                 "input's)")
      ->check(CLI::IsMember({2, 3}));
}

/// Returns the names that an option accepts, one a line.
std::string list_of(const std::string& kind) {
  std::vector<std::string> names;
  if (kind == "gate-sets") names = bundled_gate_sets();
  if (kind == "costs") {
    for (const CostName& cost : cost_names()) names.emplace_back(cost.name);
  }
  if (kind == "searches") {
    for (const SearchName& search : search_names()) names.emplace_back(search.name);
  }
  return fmt::format("{}", fmt::join(names, "\n"));
}

/// Adds an option that, like --version, prints a text in place of the work of the command.
void add_list_option(CLI::App& app) {
  app.add_option_function<std::string>(
         "--list", [](const std::string& kind) { throw CLI::CallForVersion(list_of(kind), 0); },
         "print the names of gate-sets, costs or searches, one a line, and exit")
      ->check(CLI::IsMember({"gate-sets", "costs", "searches"}))
      ->trigger_on_parse();
}

CommandBody declare(CLI::App& app) {
  const auto options = std::make_shared<Options>();
  app.add_option("input", options->input, "OpenQASM file; - for standard input")
      ->type_name("FILE")
      ->required();
  app.add_option("-o,--output", options->output, "file for the result; - for standard output")
      ->type_name("FILE")
      ->capture_default_str();
  add_target_options(app, options->target);
  app.add_option("--search", options->search.name, search_help())
      ->type_name("NAME,...")
      ->capture_default_str();
  app.add_option("--exactness", options->search.exactness, exactness_help())
      ->type_name("NAME")
      ->capture_default_str();
  add_epsilon_option(app, options->search.epsilon,
                     "permitted distance of the result from the input, as the operator norm of the "
                     "difference up to a global phase; two-qubit gates are deleted within it");
  add_barriers_option(app, options->search.barriers,
                      "whether the barriers of the input stay, and no gate crosses them");
  add_edges_options(app, options->search.edges);
  app.add_option(
         "--coupling", options->search.coupling,
         "pairs of qubits on which gates may act: a JSON file, or auto for the pairs on which the "
         "input's gates act")
      ->type_name("auto|FILE");
  add_limit_options(app, options->search);
  add_resource_options(app, options->search);
  add_version_option(app, options->qasm);
  add_dialect_option(app, options->dialect);
  add_report_options(app, options->report);
  add_check_options(app, options->check);
  add_list_option(app);
  app.add_flag("--quiet", options->report.quiet, "print no summary, only warnings and errors");
  return [options, &app](const CommandContext& context) {
    options->command = command_line_of(app);
    return run(*options, context);
  };
}

}  // namespace

const Command& opt_command() {
  static const Command command{
      "quartz-opt", "Searches for equal circuits of lower cost and writes the best one found.",
      "  quartz-opt in.qasm --output out.qasm --gate-set nam\n"
      "  quartz-opt in.qasm -o out.qasm -g ibm_heron --cost two-qubit --time 60s\n"
      "  quartz-opt in.qasm -o out.qasm -g clifford_t --cost t,two-qubit\n"
      "Ctrl-C (SIGINT), SIGTERM and SIGHUP stop the search; the best circuit so far is checked and "
      "written. A second signal ends the program.\n",
      declare};
  return command;
}

}  // namespace quartz::cli
