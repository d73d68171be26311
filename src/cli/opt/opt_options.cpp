#include "cli/opt/opt_options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <sstream>

#include "cli/command_help.hpp"
#include "cli/file_roles.hpp"
#include "cli/options/barriers_option.hpp"
#include "cli/options/dialect_option.hpp"
#include "cli/options/include_path_option.hpp"
#include "cli/output/quantity.hpp"
#include "quartz/circuit/cost.hpp"
#include "quartz/target/backend.hpp"
#include "quartz/target/gate_set.hpp"

namespace quartz::cli {
namespace {

std::string cost_help() {
  std::string text = "what to minimize:";
  for (const CostName& cost : cost_names()) {
    text += fmt::format(" {} ({});", cost.name, cost.description);
  }
  for (const BackendCost& cost : backend_costs()) {
    text += fmt::format(" {} ({});", cost.name, cost.description);
  }
  return text +
         fmt::format(
             " a JSON file with a weight, an error rate or a duration for each gate (format: "
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

void add_backend_option(CLI::App& app, std::vector<std::string>& files) {
  app.add_option(
         "--backend-json", files,
         "a device's own file: the properties or the configuration of a Qiskit backend, or the "
         "device properties of Amazon Braket; given twice, both files of a Qiskit backend. Gives "
         "the pairs of --coupling and the costs error and duration, and the gate set if the "
         "bundled ones have one for the device's gates")
      ->type_name("FILE")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->allow_extra_args(false);
}

void add_target_options(CLI::App& app, TargetOptions& target) {
  app.add_option(
         "-g,--gate-set", target.gate_set,
         fmt::format("gate set of the target: {}, or a file; required without --backend-json",
                     fmt::join(bundled_gate_sets(), ", ")))
      ->type_name("NAME|FILE");
  app.add_option("-c,--cost", target.cost, cost_help())->type_name("NAME|FILE,...");
  add_backend_option(app, target.backend_files);
}

void add_coupling_option(CLI::App& app, std::string& coupling) {
  app.add_option(
         "--coupling", coupling,
         "pairs of qubits on which gates may act: a JSON file, or auto for the pairs on which the "
         "input's gates act")
      ->type_name("auto|FILE");
}

void add_rule_options(CLI::App& app, TargetOptions& target, OptFiles& files) {
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
  app.add_option("--emit-rules", files.emit_rules,
                 "write every replacement made by annealing to a rule set, for quartz-gen prove")
      ->type_name("FILE");
}

void add_search_options(CLI::App& app, SearchOptions& search) {
  app.add_option("--search", search.name, search_help())
      ->type_name("NAME,...")
      ->capture_default_str();
  app.add_option("--exactness", search.exactness, exactness_help())
      ->type_name("NAME")
      ->capture_default_str();
  add_epsilon_option(app, search.epsilon,
                     "permitted distance of the result from the input, as the operator norm of the "
                     "difference up to a global phase; two-qubit gates are deleted within it");
}

/// Adds the limits of the search, and what its result depends on besides.
void add_limit_options(CLI::App& app, SearchOptions& search) {
  add_seconds_option(
      app, "-t,--time", search.seconds,
      "time limit for translation and search (default 10s); 0s only folds rotations, or with "
      "--search simplify only simplifies");
  app.add_option(
         "--steps", search.steps,
         "limit in place of --time, which is ignored then, at least 1; the result depends only on "
         "the options, the seed and the number of threads. A step is an annealing move on each "
         "thread; a circuit that backtracking examines counts as 8 steps")
      ->type_name("N")
      ->check(CLI::Validator(
          [](const std::string& text) -> std::string {
            const bool is_zero = text.find_first_not_of('0') == std::string::npos;
            return is_zero ? "the number of steps is at least 1; --time 0s runs no search" : "";
          },
          ""));
  add_threads_option(app, search.threads, "number of threads, 0 for all cores or OMP_NUM_THREADS");
  add_seed_option(app, search.seed, "seed of the search's random choices");
}

void add_check_options(CLI::App& app, ResultCheckOptions& check) {
  add_seconds_option(
      app, "--check-time", check.seconds,
      fmt::format("time limit for checking the result against the input after the "
                  "search, of which most is checked while it goes on (default: "
                  "{:g}s and {:g}% of --time; with --steps, {:g} minutes)",
                  kBaseCheckSeconds, 100 * kCheckShare, kCheckSecondsWithSteps / 60));
  add_bytes_option(app, "--check-memory", check.memory,
                   "memory limit for the check, as in 4GiB (default 2GiB)");
  CLI::Option* const no_check =
      app.add_flag("--no-check", check.is_off, "do not check the result against the input");
  app.add_flag("--require-checked", check.is_required,
               "do not write a result that the check could not decide (exit code 12)")
      ->excludes(no_check);
}

void add_resource_options(CLI::App& app, SearchOptions& search, OptFiles& files) {
  add_bytes_option(
      app, "--memory", search.memory,
      "limit on the private memory of the process, without mapped files such as "
      "cached class tables, as in 4GiB (default: none); when it is nearly reached, the "
      "search ends and the best circuit so far is written");
  CLI::Option* const checkpoint =
      app.add_option("--checkpoint", files.checkpoint,
                     "folder in which the search keeps its best circuit, at most a second old, in "
                     "case the process "
                     "is killed")
          ->type_name("FOLDER");
  app.add_flag("--resume", search.resume,
               "continue the search of the checkpoint, if there is one already; its time counts as "
               "part of --time")
      ->needs(checkpoint);
}

void add_report_options(CLI::App& app, OptOptions& options) {
  app.add_flag("-q,--quiet", options.quiet, "print no summary, only warnings and errors");
  app.add_flag(
      "--explain", options.explain,
      "explain the result: gates by kind, the passes and rewrites that improved it, and times "
      "(doubles the memory of backtracking at most)");
  app.add_option("--stats", options.files.stats, "write these figures and more as JSON")
      ->type_name("FILE");
  app.add_option("--report", options.files.html,
                 "write a report as one HTML file: the circuits before and after, figures, cost "
                 "against time, and the check")
      ->type_name("FILE");
  app.add_option("--journal", options.files.journal,
                 "write the rewrites that lead from the input to the result, by which quartz-check "
                 "--journal certifies it")
      ->type_name("FILE");
  app.add_flag("--json", options.json,
               "print the figures of --stats to standard output in place of the summary; for "
               "several inputs, an object with those of each");
}

void add_output_options(CLI::App& app, OptOptions& options) {
  app.add_option("-o,--output", options.files.output,
                 "file for the result; - for standard output; with several inputs, a folder for "
                 "the results, as "
                 "for all other files that are written")
      ->type_name("FILE")
      ->capture_default_str();
  app.add_option("--qasm", options.qasm,
                 "version of OpenQASM to write, 2 or 3 (default: the dialect's, or else the "
                 "input's)")
      ->check(CLI::IsMember({2, 3}));
  add_dialect_option(app, options.dialect);
}

/// Returns the names that an option accepts, one a line.
std::string list_of(const std::string& kind) {
  std::vector<std::string> names;
  if (kind == "gate-sets") names = bundled_gate_sets();
  if (kind == "costs") {
    for (const CostName& cost : cost_names()) names.emplace_back(cost.name);
    for (const BackendCost& cost : backend_costs()) names.emplace_back(cost.name);
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

}  // namespace

void require_different_files(const OptOptions& options, std::span<const OptFiles> runs) {
  FileRoles roles;
  for (const OptFiles& files : runs) roles.add_input("the input " + files.input, files.input);
  const TargetOptions& target = options.target;
  const auto add_input = [&roles](const std::string& option, const std::string& file) {
    roles.add_input(fmt::format("the file {} of {}", file, option), file);
  };
  add_input("--gate-set", target.gate_set);
  add_input("--rules", target.rules);
  add_input("--table", target.table);
  add_input("--coupling", options.search.coupling);
  for (const std::string& file : target.backend_files) add_input("--backend-json", file);
  std::istringstream costs(target.cost);
  for (std::string cost; std::getline(costs, cost, ',');) add_input("--cost", cost);
  const bool is_one = runs.size() == 1;
  for (const OptFiles& files : runs) {
    for (const OutputOption& option : kOutputOptions) {
      const bool is_result = option.file == &OptFiles::output;
      const std::string role = is_result ? "the result" : option.name;
      roles.add_output(is_one && !is_result ? role : fmt::format("{} of {}", role, files.input),
                       files.*option.file);
    }
  }
}

std::shared_ptr<OptOptions> declare_opt_options(CLI::App& app) {
  auto options = std::make_shared<OptOptions>();
  app.add_option("input", options->inputs,
                 "OpenQASM file; - for standard input; or several files and folders, of which all "
                 "*.qasm in them and below are optimized, each within --time")
      ->type_name("FILE")
      ->required();
  CLI::OptionDefaults& defaults = *app.option_defaults();
  defaults.group("Input");
  add_include_path_option(app, options->include_path);
  defaults.group("Target");
  add_target_options(app, options->target);
  add_coupling_option(app, options->search.coupling);
  defaults.group("Output");
  add_output_options(app, *options);
  defaults.group("Search");
  add_search_options(app, options->search);
  add_limit_options(app, options->search);
  add_resource_options(app, options->search, options->files);
  defaults.group("What is assumed about the circuit");
  add_edges_options(app, options->search.edges);
  add_barriers_option(app, options->search.barriers,
                      "whether the barriers of the input stay: no gate crosses them, and nothing "
                      "that is known of the states of their qubits holds beyond them");
  defaults.group("Check of the result");
  add_check_options(app, options->check);
  defaults.group("Reports");
  add_report_options(app, *options);
  defaults.group("Rules and class tables");
  add_rule_options(app, options->target, options->files);
  defaults.group(kGeneralOptions);
  add_list_option(app);
  return options;
}

}  // namespace quartz::cli
