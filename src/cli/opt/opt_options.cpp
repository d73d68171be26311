#include "cli/opt/opt_options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <sstream>
#include <variant>

#include "cli/command_help.hpp"
#include "cli/file_roles.hpp"
#include "cli/options/dialect_option.hpp"
#include "cli/options/include_path_option.hpp"
#include "cli/options/library_option.hpp"
#include "cli/options/program_option.hpp"
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
             "two-qubit,two-qubit-depth,total for the others, which are for hardware; total if the "
             "file specifies none)",
             kMaxObjectives);
}

void add_backend_option(CLI::App& app, std::vector<std::string>& files) {
  app.add_option("--backend-json", files,
                 "a device's own file: the properties or the configuration of a Qiskit "
                 "backend, or the device properties of Amazon Braket; may be given "
                 "twice, for both files of a Qiskit backend. Provides the pairs of "
                 "--coupling, the costs error and duration, and the gate set if a "
                 "bundled one has the device's gates")
      ->type_name("FILE")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->allow_extra_args(false);
}

void add_target_options(CLI::App& app, OptOptions& options) {
  app.add_option(
         "-g,--gate-set", options.gate_set,
         fmt::format("gate set of the target: {}, or a file; required without --backend-json",
                     fmt::join(bundled_gate_sets(), ", ")))
      ->type_name("NAME|FILE");
  app.add_option("-c,--cost", options.cost, cost_help())->type_name("NAME|FILE,...");
  add_backend_option(app, options.backend_files);
  add_library_options(app, option_group::kTarget, options.library);
}

void add_rule_options(CLI::App& app, OptOptions& options) {
  add_library_options(app, option_group::kRules, options.library);
  app.add_option("--emit-rules", options.files.emit_rules,
                 "write every replacement made by annealing to a rule set, for quartz-gen prove")
      ->type_name("FILE");
}

void add_search_options(CLI::App& app, OptOptions& options) {
  add_library_options(app, option_group::kSearch, options.library);
  add_bytes_option(app, "--memory", options.memory,
                   "limit on the private memory of the process, as in 4GiB (default: "
                   "none); mapped files, such as cached class tables, do not count. When "
                   "the limit is nearly reached, the search ends and the best circuit so "
                   "far is written");
  // Each of several inputs has a folder of its own below the one that is given.
  const auto name_of = [](std::string_view name) { return "--" + std::string(name); };
  CLI::Option* const checkpoint = app.add_option("--checkpoint", options.files.checkpoint,
                                                 help_of(library_option("checkpoint"), name_of))
                                      ->type_name("FOLDER");
  add_library_option(app, library_option("resume"), options.library)->needs(checkpoint);
  app.add_option("--finished", options.files.finished,
                 "with several inputs: folder that records which of them are finished; "
                 "a repeated call with the same options skips these, and its summary "
                 "covers all inputs")
      ->type_name("FOLDER");
}

void add_assumption_options(CLI::App& app, OptOptions& options) {
  add_program_option(app, options.is_program,
                     "assume a complete program: --initial-state zero, and --final-state "
                     "discarded if the circuit measures anything. Gates without an effect "
                     "under these assumptions are removed, including rounds of error "
                     "correction that begin in |0>, unless barriers enclose them");
  add_library_options(app, option_group::kAssumptions, options.library);
}

void add_check_options(CLI::App& app, OptOptions& options) {
  add_library_options(app, option_group::kCheck, options.library);
  CLI::Option* const no_check = app.add_flag_callback(
      "--no-check", [&options] { options.library.check = CheckPolicy::off; },
      "do not check the result against the input");
  app.add_flag("--require-checked", options.requires_check,
               "do not write a result that the check could not decide (exit code 12)")
      ->excludes(no_check);
}

void add_report_options(CLI::App& app, OptOptions& options) {
  app.add_flag("-q,--quiet", options.quiet, "print no summary, only warnings and errors");
  app.add_flag("--explain", options.explain,
               "explain the result: gates by kind, the passes and rewrites that "
               "improved it, and times (at most doubles the memory of backtracking)");
  app.add_option("--stats", options.files.stats,
                 "write the figures of --explain and others as JSON")
      ->type_name("FILE");
  app.add_option("--report", options.files.html,
                 "write a report as one HTML file: the circuits before and after, figures, cost "
                 "against time, and the check")
      ->type_name("FILE");
  app.add_option("--journal", options.files.journal,
                 "write the rewrites that lead from the input to the result, with which "
                 "quartz-check --journal can prove that they are equal")
      ->type_name("FILE");
  app.add_flag("--json", options.json,
               "print the figures of --stats to standard output instead of the "
               "summary; for several inputs, one object with the figures of each");
}

void add_output_options(CLI::App& app, OptOptions& options) {
  app.add_option("-o,--output", options.files.output,
                 "file for the result; - for standard output; with several inputs, a "
                 "folder, like all other files that are written")
      ->type_name("FILE")
      ->capture_default_str();
  app.add_option("--qasm", options.library.qasm_version,
                 "version of OpenQASM to write, 2 or 3 (default: the dialect's, or else the "
                 "input's)")
      ->check(CLI::IsMember({2, 3}));
  add_dialect_option(app, options.dialect);
  add_library_option(app, library_option("keep_gates"), options.library);
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
         "print the names of gate sets, costs or searches, one per line, and "
         "exit")
      ->check(CLI::IsMember({"gate-sets", "costs", "searches"}))
      ->trigger_on_parse();
}

}  // namespace

std::vector<FileOfOption> files_read_by_options(const OptOptions& options) {
  std::vector<FileOfOption> files{{"--gate-set", options.gate_set}};
  if (const auto* file = std::get_if<std::filesystem::path>(&options.library.rules)) {
    files.push_back({"--rules", file->string()});
  }
  files.push_back({"--table", options.library.class_table.string()});
  if (const auto* file = std::get_if<std::filesystem::path>(&options.library.coupling)) {
    files.push_back({"--coupling", file->string()});
  }
  for (const std::string& file : options.backend_files) files.push_back({"--backend-json", file});
  std::istringstream costs(options.cost);
  for (std::string cost; std::getline(costs, cost, ',');) files.push_back({"--cost", cost});
  return files;
}

std::vector<std::string_view> options_without_effect_on_results() {
  std::vector<std::string_view> names{"input",      "--checkpoint", "--resume",
                                      "--finished", "--quiet",      "--include-path"};
  for (const OutputOption& option : kOutputOptions) names.emplace_back(option.name);
  return names;
}

void require_different_files(const OptOptions& options, std::span<const OptFiles> runs) {
  FileRoles roles;
  for (const OptFiles& files : runs) roles.add_input("the input " + files.input, files.input);
  for (const auto& [option, file] : files_read_by_options(options)) {
    roles.add_input(fmt::format("the file {} of {}", file, option), file);
  }
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
                 "OpenQASM file; - for standard input; or several files and folders: "
                 "all *.qasm files in a folder and its subfolders are optimized, each "
                 "within --time")
      ->type_name("FILE")
      ->required();
  CLI::OptionDefaults& defaults = *app.option_defaults();
  defaults.group("Input");
  add_include_path_option(app, options->include_path);
  defaults.group(std::string(option_group::kTarget));
  add_target_options(app, *options);
  defaults.group("Output");
  add_output_options(app, *options);
  defaults.group(std::string(option_group::kSearch));
  add_search_options(app, *options);
  defaults.group(std::string(option_group::kAssumptions));
  add_assumption_options(app, *options);
  defaults.group(std::string(option_group::kCheck));
  add_check_options(app, *options);
  defaults.group("Reports");
  add_report_options(app, *options);
  defaults.group(std::string(option_group::kRules));
  add_rule_options(app, *options);
  defaults.group(kGeneralOptions);
  add_list_option(app);
  return options;
}

}  // namespace quartz::cli
