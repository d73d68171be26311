#include "cli/opt_command.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "cli/gate_set_argument.hpp"
#include "cli/memory.hpp"
#include "cli/opt_report.hpp"
#include "cli/progress_line.hpp"
#include "cli/quantity.hpp"
#include "cli/rule_cache.hpp"
#include "cli/table_source.hpp"
#include "quartz/certify/equivalence.hpp"
#include "quartz/circuit/cost.hpp"
#include "quartz/circuit/coupling.hpp"
#include "quartz/errors.hpp"
#include "quartz/files.hpp"
#include "quartz/gateset/cost_file.hpp"
#include "quartz/gateset/coupling_file.hpp"
#include "quartz/gateset/gate_set.hpp"
#include "quartz/optimize/optimize.hpp"
#include "quartz/qasm/qasm.hpp"
#include "quartz/rules/rule_set.hpp"

namespace quartz::cli {
namespace {

/// The size of the rule set that is made where none is given or bundled.
constexpr unsigned kDefaultRuleGates = 3;
constexpr unsigned kDefaultRuleQubits = 3;

/// The check of the result may take a quarter of the time of the search, and a second.
constexpr double kCheckShare = 0.25;
constexpr double kLeastCheckSeconds = 1;
/// Stands for "not given": durations on the command line are not negative.
constexpr double kNotGiven = -1;

struct Options {
  std::string input;
  std::string output = "-";
  std::string gate_set;
  std::string rules;
  std::string table;
  std::string emit_rules;
  std::string cost;  ///< empty: the gate set's
  std::string stats;
  std::string search = "auto";
  std::string exactness = "keep";
  std::string coupling;
  std::uint64_t steps = 0;
  double seconds = 10;
  double check_seconds = kNotGiven;
  double check_memory = 0x1p31;
  double table_memory = static_cast<double>(OptimizeOptions().table_memory);
  unsigned threads = 0;
  std::uint64_t seed = 0;
  unsigned qasm = 0;  ///< 0: the input's
  bool no_check = false;
  bool require_checked = false;
  bool explain = false;
  bool quiet = false;
};

std::string cost_help() {
  std::string text = "what to minimize:";
  for (const CostName& cost : cost_names()) {
    text += fmt::format(" {} ({});", cost.name, cost.description);
  }
  return text + fmt::format(
                    " a JSON file with a weight or an error rate for each gate (format: "
                    "costs/README.md); or up to {} of these separated by commas, where each breaks "
                    "the ties of those before it (default: what the gate-set file says; of the "
                    "bundled sets nam says total, clifford_t t,two-qubit,total, and the others, "
                    "which are for hardware, two-qubit,total; a file that says nothing means "
                    "total)",
                    kMostObjectives);
}

/// The seconds that the check of the result may take.
double check_seconds(const Options& options) {
  if (options.check_seconds != kNotGiven) return options.check_seconds;
  return kLeastCheckSeconds + kCheckShare * options.seconds;
}

std::string search_help() {
  std::string text = "how to look:";
  for (const SearchName& search : search_names()) {
    text += fmt::format(" {} ({});", search.name, search.description);
  }
  text.pop_back();
  return text;
}

std::string exactness_help() {
  std::string text = "angles of rewrites by floating-point arithmetic:";
  for (const ExactnessName& row : exactness_names()) {
    text += fmt::format(" {} ({});", row.name, row.description);
  }
  text.pop_back();
  return text;
}

RuleSet load_rules(const Options& options, const GateSet& set, const CommandContext& context) {
  if (!options.rules.empty()) {
    RuleSet rules = read_rule_set_file(options.rules, context.stop);
    require_gate_set(rules, set, options.rules);
    require_usable_rules(rules, set, options.rules, options.threads);
    return rules;
  }
  if (std::optional<RuleSet> bundled = bundled_rule_set(set)) return std::move(*bundled);
  GenerateOptions generation;
  generation.gates = kDefaultRuleGates;
  generation.qubits = kDefaultRuleQubits;
  generation.threads = options.threads;
  generation.stop = context.stop;
  return cached_rule_set(set, generation, context);
}

/// The pairs of qubits that gates may stand on. The circuit has to keep to them already: nothing is
/// routed here; but gates that stand on a pair the wrong way are turned round.
std::optional<CouplingMap> load_coupling(const Options& options, const GateSet& set,
                                         const Circuit& input, Circuit& translated,
                                         const std::stop_token& stop) {
  if (options.coupling.empty()) return std::nullopt;
  if (options.coupling == "auto") return coupling_of(input);
  CouplingMap map = parse_coupling(
      read_text_file(options.coupling, {file_limit::description, stop}), options.coupling);
  if (map.directed()) translated = turned_round(translated, set, map);
  if (const auto gate = uncoupled_gate(translated, map)) {
    const bool reversed = map.contains(gate->first, gate->second);
    throw InputError(
        fmt::format("{}: a gate between qubits {} and {}, which {} {}", options.input, gate->first,
                    gate->second, options.coupling,
                    reversed ? "couples the other way round, and only cx and ecr can be turned"
                             : "does not couple; route the circuit first"));
  }
  return map;
}

/// Throws if the result is wrong, so that it is not written.
ResultCheck check(const Circuit& input, const Circuit& result,
                  const std::optional<CouplingMap>& coupling, const Options& options,
                  const CommandContext& context) {
  // With --no-check as well: it takes no time.
  if (const auto gate = coupling ? uncoupled_gate(result, *coupling) : std::nullopt) {
    throw InternalError(
        fmt::format("the result has a gate between qubits {} and {}, which are not coupled, and "
                    "was not written; please report this with the input file and the options",
                    gate->first, gate->second));
  }
  if (options.no_check) return {std::nullopt, "not checked (--no-check)"};
  EquivalenceOptions check_options;
  check_options.seconds = check_seconds(options);
  check_options.memory_bytes = options.check_memory;
  check_options.seed = options.seed;
  // A signal during the search ends the search only. What it has found is still checked; the next
  // signal ends the process (cli/stop_signal.hpp).
  if (!context.stop.stop_requested()) check_options.stop = context.stop;
  const EquivalenceReport report = check_equivalence(input, result, check_options);
  if (report.verdict == EquivalenceVerdict::not_equal) {
    if (!options.rules.empty()) {
      throw InputError({options.rules},
                       fmt::format("the search with these rules ended in a circuit that is not "
                                   "equal to the input, and nothing was written: {}; do not trust "
                                   "this rule set unless quartz-gen --prove proves all of it, and "
                                   "please report this if it does",
                                   report.witness));
    }
    throw InternalError(
        fmt::format("the result is not equal to the input and was not written: {}; please report "
                    "this with the input file and the options",
                    report.witness));
  }
  if (report.verdict == EquivalenceVerdict::undecided) {
    return {false, fmt::format("undecided: {}", report.witness)};
  }
  return {true, fmt::format("{} ({})", to_string(report.verdict), report.method)};
}

/// Says on standard error, also with --quiet, what became of a result that the check could not
/// decide.
void report_unverified(const Options& options, const ResultCheck& check,
                       const CommandContext& context) {
  const std::string result = options.output == "-" ? "the result" : options.output;
  const std::string message =
      options.require_checked
          ? fmt::format(
                "error: {} was not written, because the result could not be verified "
                "(--require-checked): {}",
                result, check.text)
          : fmt::format("warning: {} was written, but could not be verified: {}", result,
                        check.text);
  context.err << "quartz-opt: " << message << "\n";
}

/// The circuit in the version of the language that it is to be written in. What that version cannot
/// say is an error now, before the search.
Circuit in_version(Circuit circuit, const Options& options) {
  if (options.qasm == 0 || options.qasm == circuit.qasm_version) return circuit;
  circuit.qasm_version = options.qasm;
  circuit.hides_library_names = false;
  (void)write_qasm(circuit);
  return circuit;
}

/// What annealing used, in the form of quartz-gen's files.
RuleSet rules_of(const OptimizeResult& result, const GateSet& set, std::uint64_t seed) {
  RuleSet rules;
  rules.gate_set = set.name;
  rules.gate_set_digest = set.digest;
  rules.qubits = ClassTableOptions().qubits;
  rules.parameters = 1;
  rules.seed = seed;
  rules.classes = result.rules;
  for (const EquivalenceClass& rule : rules.classes) {
    for (const ClassMember& member : rule.members) {
      rules.gates = std::max(rules.gates, static_cast<unsigned>(member.gates.size()));
    }
  }
  rules.proofs = {"exact arithmetic", rules.classes.size(), rules.classes.size(), 0};
  return rules;
}

ExitCode run(const Options& options, const CommandContext& context) {
  keep_freed_memory();
  const GateSet set = gate_set_of(options.gate_set, context.stop);
  const Cost cost =
      options.cost.empty() ? set.default_cost : load_cost(options.cost, set, context.stop);
  require_writable(options.output);
  for (const std::string& path : {options.stats, options.emit_rules}) {
    if (!path.empty()) require_writable(path);
  }
  StageTimes times;
  const Circuit input = read_qasm_file(options.input, context.stop);
  times.end_stage("read");
  const auto start = std::chrono::steady_clock::now();
  Circuit translated = in_version(translate(input, set, context.stop), options);
  times.end_stage("translate");
  const std::optional<CouplingMap> coupling =
      load_coupling(options, set, input, translated, context.stop);
  TableSource tables(set,
                     {.file = options.table,
                      .seconds = options.seconds,
                      .reproducible = options.steps != 0,
                      .threads = options.threads},
                     context);
  const RuleSet rules = load_rules(options, set, context);
  times.end_stage("rules");

  OptimizeOptions search;
  search.cost = cost;
  search.seconds = options.seconds;
  search.seconds_spent =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  search.threads = options.threads;
  search.seed = options.seed;
  search.search = options.search;
  search.exactness = find_exactness(options.exactness);
  search.coupling = coupling;
  search.steps = options.steps;
  search.stop = context.stop;
  search.record_rules = !options.emit_rules.empty();
  search.record_gains = options.explain || !options.stats.empty();
  search.table_memory = static_cast<std::uint64_t>(options.table_memory);
  search.find_class_table = [&](const GateSet& of, const ClassTableOptions& wanted) {
    return tables.find(of, wanted);
  };
  search.on_class_table = [&](const GateSet& of, const ClassTableOptions& wanted,
                              std::shared_ptr<const ClassTable> built) {
    tables.note(of, wanted, std::move(built));
  };
  ProgressLine line(context.err, context.terminal);
  search.on_progress = [&](const OptimizeProgress& progress) {
    if (!line.due()) return;
    line.show(fmt::format("{}: {}, {} circuits looked at, {:.1f} of {:g} s", progress.phase,
                          cost.describe(progress.best_cost), progress.circuits_popped,
                          progress.seconds, options.seconds));
  };
  const OptimizeResult result = optimize(translated, set, rules, search);
  times.end_stage("search");
  line.show("checking the result");
  const ResultCheck checked = check(input, result.circuit, coupling, options, context);
  line.clear();
  times.end_stage("check");

  const bool unverified = checked.verified == false;
  const bool written = !(unverified && options.require_checked);
  // A stop that ended the search does not stop the writing of what it found.
  const std::stop_token stop = context.stop.stop_requested() ? std::stop_token() : context.stop;
  if (written) write_output(options.output, write_qasm(result.circuit, stop), context, stop);
  if (!options.emit_rules.empty()) {
    write_text_file(options.emit_rules,
                    rule_set_file_content(rules_of(result, set, options.seed), options.emit_rules));
  }
  times.end_stage("write");
  const OptReport report{input, translated, result, cost, set.name, checked, written, times};
  if (!options.stats.empty()) write_text_file(options.stats, stats_of(report));
  if (!options.quiet) context.err << summary_of(report);
  if (options.explain) context.err << explanation_of(report);
  if (unverified) report_unverified(options, checked, context);
  tables.keep();
  return unverified ? ExitCode::unverified : ExitCode::done;
}

CommandBody declare(CLI::App& app) {
  const auto options = std::make_shared<Options>();
  app.add_option("input", options->input, "the circuit, OpenQASM; - for standard input")
      ->required();
  app.add_option("-o,--output", options->output, "where the result goes; - for standard output")
      ->capture_default_str();
  app.add_option("-g,--gate-set", options->gate_set,
                 fmt::format("the target: {}, or a file", fmt::join(bundled_gate_sets(), ", ")))
      ->required();
  app.add_option(
      "--rules", options->rules,
      "a rule set written by quartz-gen; one with a wrong rule is refused (default: the one that "
      "comes with the gate set, or else a cached one, made where needed)");
  app.add_option("--table", options->table,
                 "a class table written by quartz-gen --table (default: a cached one, made where "
                 "needed)");
  add_bytes_option(app, "--table-memory", options->table_memory,
                   "what building a class table may take, as in 4GiB (default 8GiB); its depth "
                   "gives way");
  app.add_option("-c,--cost", options->cost, cost_help());
  app.add_option("--search", options->search, search_help())->capture_default_str();
  app.add_option("--exactness", options->exactness, exactness_help())->capture_default_str();
  app.add_option(
      "--coupling", options->coupling,
      "gates on several qubits stand on these pairs of qubits only: a JSON file, or auto "
      "for the pairs that the input's gates are on");
  app.add_option("--steps", options->steps,
                 "moves of the annealing on each thread, in place of a time: with --search anneal "
                 "the result then depends on the seed and the threads only");
  add_seconds_option(app, "-t,--time", options->seconds,
                     "how long to translate and search (default 10s); 0s only folds rotations");
  add_threads_option(app, options->threads, "0 for all cores");
  add_seed_option(app, options->seed, "of the search's random choices");
  app.add_option("--qasm", options->qasm,
                 "version of OpenQASM to write, 2 or 3 (default: the input's)")
      ->check(CLI::IsMember({2, 3}));
  app.add_flag("--explain", options->explain,
               "say what was found: gates by kind, the passes and rules that paid, the time of "
               "each (backtracking takes up to twice the memory then)");
  app.add_option("--stats", options->stats, "write the same and more as JSON");
  app.add_option("--emit-rules", options->emit_rules,
                 "write every replacement that annealing made as a rule set, for quartz-gen "
                 "--prove");
  add_seconds_option(app, "--check-time", options->check_seconds,
                     fmt::format("time limit for checking the result against the input (default: "
                                 "{:g}s and {:g}% of --time)",
                                 kLeastCheckSeconds, 100 * kCheckShare));
  add_bytes_option(app, "--check-memory", options->check_memory,
                   "memory limit for that check, as in 4GiB (default 2GiB)");
  CLI::Option* const no_check =
      app.add_flag("--no-check", options->no_check, "do not check the result against the input");
  app.add_flag("--require-checked", options->require_checked,
               "do not write a result that the check could not decide (exit code 12)")
      ->excludes(no_check);
  app.add_flag("--quiet", options->quiet, "no summary; warnings and errors only");
  return [options](const CommandContext& context) { return run(*options, context); };
}

}  // namespace

const Command& opt_command() {
  static const Command command{
      "quartz-opt", "Searches circuits equal to the given one and writes the best found.",
      "  quartz-opt in.qasm --output out.qasm --gate-set nam\n"
      "  quartz-opt in.qasm -o out.qasm -g ibm_heron --cost two-qubit --time 60s\n"
      "  quartz-opt in.qasm -o out.qasm -g clifford_t --cost t,two-qubit\n"
      "Ctrl-C (SIGINT), SIGTERM and SIGHUP stop the search; the best circuit so far is checked and "
      "written. A second signal ends the program.\n",
      declare};
  return command;
}

}  // namespace quartz::cli
