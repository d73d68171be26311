#include "cli/gen_command.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <ostream>

#include "cli/count_classes.hpp"
#include "cli/gate_set_argument.hpp"
#include "cli/gen_prove.hpp"
#include "cli/gen_table.hpp"
#include "cli/generate_progress.hpp"
#include "cli/memory.hpp"
#include "cli/quantity.hpp"
#include "quartz/circuit/gate.hpp"
#include "quartz/errors.hpp"
#include "quartz/files.hpp"
#include "quartz/gateset/gate_set.hpp"
#include "quartz/rules/rule_set.hpp"

namespace quartz::cli {
namespace {

// Far beyond what can be enumerated, so that a typing error is found before the memory is full.
constexpr unsigned most_gates = 16;
constexpr unsigned most_qubits = 8;

struct GenOptions {
  std::string gate_set;
  std::string output = "-";
  std::string stats;
  std::string prove;
  std::string checkpoint;
  GenerateOptions generate;
  TableGeneration table;
  bool quiet = false;
  bool count = false;
  std::string backend{kAutomaticBackend};
  std::string instructions;
  unsigned devices = 1;
  bool unpruned = false;
  unsigned fingerprint_rounds = 0;
};

double total_seconds(const GenerateReport& report) {
  double total = 0;
  for (const auto& [phase, seconds] : report.seconds) total += seconds;
  return total;
}

/// [["h", 0], ["rz", "p0", 1], ...], as in a rule set.
nlohmann::ordered_json json_of(const std::vector<Operation>& circuit) {
  nlohmann::ordered_json gates = nlohmann::ordered_json::array();
  for (const Operation& operation : circuit) {
    nlohmann::ordered_json& words = gates.emplace_back();
    words.push_back(gate(operation.gate).name);
    for (const Angle& angle : operation.angles) words.push_back(angle.to_string());
    for (const Qubit qubit : operation.qubits) words.push_back(qubit);
  }
  return gates;
}

nlohmann::ordered_json json_of(const std::vector<UnknownEquality>& unknown) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const UnknownEquality& equality : unknown) {
    list.push_back({{"representative", json_of(equality.representative)},
                    {"circuit", json_of(equality.circuit)},
                    {"reason", equality.reason}});
  }
  return list;
}

std::string stats_of(const GenerateReport& report) {
  nlohmann::ordered_json seconds;
  for (const auto& [phase, value] : report.seconds) seconds[phase] = value;
  seconds["total"] = total_seconds(report);
  const nlohmann::ordered_json stats = {
      {"circuits_enumerated", report.circuits_enumerated},
      {"classes_enumerated", report.classes_enumerated},
      {"fingerprint_collisions", report.fingerprint_collisions},
      {"classes", report.classes},
      {"circuits", report.circuits},
      {"rules", report.rules},
      {"proofs_tried", report.proofs.tried},
      {"proofs_proved", report.proofs.proved},
      {"proofs_unknown", report.proofs.unknown},
      {"proofs_made", report.proofs_made},
      {"proofs_known", report.proofs_known},
      {"unknown", json_of(report.unknown)},
      {"seconds", seconds},
      {"peak_memory_bytes", peak_memory_bytes()},
  };
  return stats.dump(2) + "\n";
}

std::string summary_of(const GenerateReport& report) {
  std::string phases;
  for (const auto& [phase, seconds] : report.seconds) {
    phases += fmt::format("{}{} {:.2f}", phases.empty() ? "" : ", ", phase, seconds);
  }
  std::string text = fmt::format("enumerated  {} circuits in {} classes\n",
                                 report.circuits_enumerated, report.classes_enumerated);
  text += fmt::format("rule set    {} circuits in {} classes, {} rules\n", report.circuits,
                      report.classes, report.rules);
  text += fmt::format("proofs      {} of {} proved by {}", report.proofs.proved,
                      report.proofs.tried, report.proofs.method);
  text += fmt::format(" ({} different ones", report.proofs_made);
  if (report.proofs_known != 0) {
    text += fmt::format(", besides {} known before", report.proofs_known);
  }
  text += ')';
  if (report.proofs.unknown != 0) {
    text += fmt::format(", {} unknown: left out (--stats lists them)", report.proofs.unknown);
  }
  text += fmt::format("\nseconds     {:.2f} ({})\n", total_seconds(report), phases);
  return text;
}

/// Why there is no letter: no gate fits the qubits, or none of the angles tried is allowed.
std::string reason_for_no_letters(const GateSet& set, unsigned qubits) {
  unsigned least = most_qubits + 1;
  for (const GateSetEntry& entry : set.entries) least = std::min(least, gate(entry.gate).qubits);
  if (least > qubits) {
    return fmt::format(
        "every gate of the gate set '{}' acts on {} qubits or more, and circuits "
        "have {} (--qubits)",
        set.name, least, qubits);
  }
  return fmt::format(
      "no expression of the alphabet of '{}' is in the ranges of a gate that fits on "
      "{} qubit{} (--qubits)",
      set.name, qubits, qubits == 1 ? "" : "s");
}

/// Why a rule set is empty.
std::string reason_for_no_rules(const GateSet& set, const GenerateOptions& options,
                                const GenerateReport& report) {
  if (alphabet(set, options.qubits).empty()) return reason_for_no_letters(set, options.qubits);
  if (report.proofs.unknown != 0) {
    return fmt::format(
        "none of the {} equalities found was proved within --proof-time (--stats "
        "lists them)",
        report.proofs.unknown);
  }
  return fmt::format(
      "no two circuits of up to {} gate{} on {} qubit{} of the gate set '{}' are equal, except for "
      "the order of gates that share no qubit; more --gates or --qubits may find some",
      options.gates, options.gates == 1 ? "" : "s", options.qubits, options.qubits == 1 ? "" : "s",
      set.name);
}

ExitCode generate_rules(const GenOptions& options, const CommandContext& context) {
  if (options.stats == options.output) {
    throw UsageError(
        fmt::format("--output and --stats are both '{}', expected two files", options.output));
  }
  const GateSet set = gate_set_of(options.gate_set, context.stop);
  for (const std::string& path : {options.output, options.stats}) {
    if (!path.empty()) require_writable_output(path, context);
  }
  GenerateOptions generate = options.generate;
  generate.checkpoint = options.checkpoint;
  if (options.backend != kAutomaticBackend) generate.backend = options.backend;
  const ObtainedRuleSet result = generate_with_progress(set, generate, context);
  if (own_rank(context.ranks) != 0) return ExitCode::done;  // the first rank has it
  const GenerateReport& report = result.report.value();
  write_output(options.output, rule_set_file_content(result.rules, options.output), context);
  if (!options.stats.empty()) write_output(options.stats, stats_of(report), context);
  if (!options.quiet) context.err << summary_of(report);
  if (report.rules == 0) {
    context.err << fmt::format("quartz-gen: warning: the rule set has no rules: {}\n",
                               reason_for_no_rules(set, generate, report));
  }
  return ExitCode::done;
}

ExitCode prove_rules(const GenOptions& options, const CommandContext& context) {
  if (!options.stats.empty()) require_writable_output(options.stats, context);
  RuleProving proving;
  proving.file = options.prove;
  proving.gate_set = options.gate_set;
  proving.stats = options.stats;
  proving.threads = options.generate.threads;
  proving.proof_seconds = options.generate.proof_seconds;
  proving.checkpoint = options.checkpoint;
  proving.quiet = options.quiet;
  return prove_rules(proving, context);
}

ExitCode count_only(const GenOptions& options, const CommandContext& context) {
  CountRequest request;
  request.gate_set = options.gate_set;
  request.stats = options.stats;
  request.fingerprint_rounds = options.fingerprint_rounds;
  request.options.gates = options.generate.gates;
  request.options.qubits = options.generate.qubits;
  request.options.threads = options.generate.threads;
  request.options.seed = options.generate.seed;
  request.options.backend = options.backend;
  request.options.devices = options.devices;
  request.options.instructions = options.instructions;
  request.options.pruned = !options.unpruned;
  return count_classes_level_by_level(request, context);
}

ExitCode run(const GenOptions& options, const CommandContext& context) {
  if (!options.prove.empty()) return prove_rules(options, context);
  if (options.gate_set.empty()) throw UsageError("--gate-set is required (see --help)");
  if (options.count) return count_only(options, context);
  if (options.table.file.empty()) return generate_rules(options, context);
  if (rank_count(context.ranks) > 1) {
    throw UsageError("--table is the work of one process: start it without mpirun");
  }
  if (options.stats == options.table.file) {
    throw UsageError(
        fmt::format("--table and --stats are both '{}', expected two files", options.stats));
  }
  const GateSet set = gate_set_of(options.gate_set, context.stop);
  if (!options.stats.empty()) require_writable(options.stats);
  TableGeneration table = options.table;
  if (options.backend != kAutomaticBackend) table.backend = options.backend;
  return generate_table(set, table, options.generate.qubits, options.generate.threads,
                        options.stats, options.quiet, context);
}

/// --count and what belongs to it.
CLI::Option* add_count_options(CLI::App& parser, GenOptions& options) {
  CLI::Option* const count = parser.add_flag(
      "--count", options.count,
      "only count the classes with each number of gates, constant angles only, without circuits");
  parser
      .add_option("--instructions", options.instructions,
                  fmt::format("with --count on the CPU: its instructions, one of {}; the best it "
                              "has if left out",
                              fmt::join(cpu_instruction_sets(), ", ")))
      ->needs(count)
      ->type_name("NAME");
  parser
      .add_option("--devices", options.devices,
                  "with --count --backend cuda: on so many devices of this host")
      ->check(CLI::Range(1U, 64U))
      ->capture_default_str()
      ->needs(count)
      ->type_name("N");
  parser.add_flag("--unpruned", options.unpruned, "with --count: look up every extension")
      ->needs(count);
  parser
      .add_option("--fingerprint-rounds", options.fingerprint_rounds,
                  "with --count: form the fingerprints of the last level's extensions so many "
                  "times, and look none up: what the arithmetic alone costs")
      ->needs(count)
      ->type_name("N");
  return count;
}

CLI::Option* add_backend_option(CLI::App& parser, std::string& backend) {
  std::vector<std::string> names{std::string(kAutomaticBackend)};
  for (const std::string& name : enumeration_backends()) names.push_back(name);
  return parser
      .add_option(
          "--backend", backend,
          fmt::format("where fingerprints are formed: {}; auto is the CPU for rules and tables, "
                      "and the best there is for --count",
                      fmt::join(names, ", ")))
      ->capture_default_str()
      ->type_name("NAME");
}

CommandBody declare(CLI::App& parser) {
  const auto options = std::make_shared<GenOptions>();
  GenerateOptions& generate = options->generate;
  parser
      .add_option("-g,--gate-set", options->gate_set,
                  fmt::format("required, but for --prove: {}, or a JSON file",
                              fmt::join(bundled_gate_sets(), ", ")))
      ->type_name("NAME|FILE");
  CLI::Option* const gates =
      parser.add_option("-n,--gates", generate.gates, "circuits of up to so many gates")
          ->check(CLI::Range(1U, most_gates))
          ->capture_default_str()
          ->type_name("N");
  CLI::Option* const qubits =
      parser.add_option("-q,--qubits", generate.qubits, "on so many qubits")
          ->check(CLI::Range(1U, most_qubits))
          ->capture_default_str()
          ->type_name("N");
  CLI::Option* const output =
      parser
          .add_option("-o,--output", options->output,
                      "the rule set; compressed if the name ends with .zst; - for "
                      "standard output")
          ->capture_default_str()
          ->type_name("FILE");
  parser.add_option("--stats", options->stats, "write figures as JSON; - for standard output")
      ->type_name("FILE");
  add_threads_option(parser, generate.threads, "0 for all cores; the result is the same");
  CLI::Option* const seed =
      add_seed_option(parser, generate.seed, "of the points where fingerprints are taken");
  CLI::Option* const proof_time =
      add_seconds_option(parser, "--proof-time", generate.proof_seconds,
                         "limit for each proof, as in 10s, 500ms (default 10s)");
  CLI::Option* const checkpoint =
      parser
          .add_option("--checkpoint", options->checkpoint,
                      "a folder where proofs are kept as they are made, and none is made twice: a "
                      "run that was killed goes on from there")
          ->type_name("FOLDER");
  parser.add_flag("--quiet", options->quiet, "no summary; warnings and errors only");
  CLI::Option* const backend = add_backend_option(parser, options->backend);
  CLI::Option* const count = add_count_options(parser, *options);
  for (CLI::Option* const of_rules : {output, proof_time, checkpoint}) count->excludes(of_rules);
  CLI::Option* const prove =
      parser
          .add_option("--prove", options->prove,
                      "prove every equality of this rule set, whoever made it; exit code 0 if all "
                      "are proved")
          ->type_name("FILE");
  for (CLI::Option* const of_making : {gates, qubits, output, seed, backend, count})
    prove->excludes(of_making);
  CLI::Option* const table = add_table_options(parser, options->table);
  for (CLI::Option* const of_rules : {gates, output, seed, proof_time, checkpoint, count, prove})
    table->excludes(of_rules);
  return [options](const CommandContext& context) { return run(*options, context); };
}

}  // namespace

Command gen_command() {
  return {"quartz-gen",
          "Enumerates the small circuits of a gate set, finds which are equal, has Z3 prove each "
          "equality, and writes them as a rule set for quartz-opt; or writes a class table.",
          "  quartz-gen --gate-set nam --gates 3 --qubits 3 --output nam_3_3.json\n"
          "  quartz-gen --gate-set my_gates.json --gates 4 --qubits 2 --output my_4_2.json \\\n"
          "             --stats my_4_2.stats.json\n"
          "  quartz-gen --gate-set ibm --gates 2 --qubits 2 --quiet | less\n"
          "  quartz-gen --gate-set nam --table nam.table --table-cost 6\n"
          "  quartz-gen --prove nam_3_3.json\n"
          "  quartz-gen --gate-set nam --count --gates 6 --qubits 3 --backend cpu\n",
          declare};
}

}  // namespace quartz::cli
