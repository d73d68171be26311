#include "cli/gen/gen_command.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <memory>
#include <nlohmann/json.hpp>
#include <ostream>
#include <string>
#include <string_view>

#include "cli/gate_set_argument.hpp"
#include "cli/gen/count_command.hpp"
#include "cli/gen/gen_options.hpp"
#include "cli/gen/prove_command.hpp"
#include "cli/gen/rule_import.hpp"
#include "cli/gen/table_command.hpp"
#include "cli/memory.hpp"
#include "cli/output/generate_progress.hpp"
#include "quartz/base/counted.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/circuit/gate.hpp"
#include "quartz/classes/class_count.hpp"
#include "quartz/rules/rule_set.hpp"
#include "quartz/rules/tket_rules.hpp"
#include "quartz/target/gate_set.hpp"

namespace quartz::cli {
namespace {

struct RuleOptions {
  RunOptions run;
  ProofOptions proofs;
  std::string output = "-";
  std::string source;     ///< a file with the rules; empty: enumerate circuits
  bool for_tket = false;  ///< whether to write the format of tket
  unsigned gates = GenerateOptions().gates;
  unsigned qubits = GenerateOptions().qubits;
  std::uint64_t seed = GenerateOptions().seed;
  std::string backend{kAutomaticBackend};
};

double total_seconds(const GenerateReport& report) {
  double total = 0;
  for (const auto& [phase, seconds] : report.seconds) total += seconds;
  return total;
}

/// Returns a circuit in the format of rule sets: [["h", 0], ["rz", "p0", 1], ...].
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

std::string rules_summary(const GenerateReport& report) {
  std::string phases;
  for (const auto& [phase, seconds] : report.seconds) {
    phases += fmt::format("{}{} {:.2f}", phases.empty() ? "" : ", ", phase, seconds);
  }
  std::string text =
      fmt::format("enumerated  {} in {}\n", counted(report.circuits_enumerated, "circuit"),
                  counted(report.classes_enumerated, "class"));
  text += fmt::format("rule set    {} in {}, {}\n", counted(report.circuits, "circuit"),
                      counted(report.classes, "class"), counted(report.rules, "rule"));
  text += fmt::format("proofs      {} of {} proved by {}", report.proofs.proved,
                      report.proofs.tried, report.proofs.method);
  text += fmt::format(" ({}", counted(report.proofs_made, "different one"));
  if (report.proofs_known != 0) {
    text += fmt::format(", {} known before", report.proofs_known);
  }
  text += ')';
  if (report.proofs.unknown != 0) {
    text += fmt::format(", {} unknown: omitted (--stats lists them)", report.proofs.unknown);
  }
  text += fmt::format("\nseconds     {:.2f} ({})\n", total_seconds(report), phases);
  return text;
}

/// Returns why there are no letters: no gate fits the qubits, or no angle is permitted.
std::string reason_for_no_letters(const GateSet& set, unsigned qubits) {
  unsigned least = kMaxQubits + 1;
  for (const GateSetEntry& entry : set.entries) least = std::min(least, gate(entry.gate).qubits);
  if (least > qubits) {
    return fmt::format(
        "every gate of the gate set '{}' acts on {} or more, and circuits "
        "have {} (--qubits)",
        set.name, counted(least, "qubit"), qubits);
  }
  return fmt::format(
      "no expression of the alphabet of '{}' is in the ranges of a gate that fits on "
      "{} (--qubits)",
      set.name, counted(qubits, "qubit"));
}

/// Returns why a rule set is empty.
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
      "no two circuits of up to {} on {} of the gate set '{}' are equal, except for "
      "the order of gates that share no qubit; more --gates or --qubits may find some",
      counted(options.gates, "gate"), counted(options.qubits, "qubit"), set.name);
}

GenerateOptions library_options(const RuleOptions& options) {
  GenerateOptions request;
  request.gates = options.gates;
  request.qubits = options.qubits;
  request.threads = options.run.threads;
  request.seed = options.seed;
  if (options.backend != kAutomaticBackend) request.backend = options.backend;
  request.proof_seconds = options.proofs.seconds;
  request.checkpoint = options.proofs.checkpoint;
  return request;
}

/// Writes the rules in the format of tket, and warns of what it cannot express.
void write_for_tket(const RuleSet& rules, const RuleOptions& options,
                    const CommandContext& context) {
  const TketRules exported = write_tket_rules(rules);
  write_output(options.output, exported.text, context);
  if (exported.omitted_circuits == 0) return;
  write_warning("quartz-gen", context,
                fmt::format("{} of {} are omitted, because tket does not know their gates "
                            "or angles, or no equal circuit remains",
                            exported.omitted_circuits, counted(rules.circuit_count(), "circuit")));
}

void write_rules(const RuleSet& rules, const RuleOptions& options, const CommandContext& context) {
  if (options.for_tket) {
    write_for_tket(rules, options, context);
  } else {
    write_output(options.output, rule_set_file_content(rules, options.output), context);
  }
}

ExitCode run_generation(const GateSet& set, const RuleOptions& options,
                        const CommandContext& context) {
  const GenerateOptions request = library_options(options);
  const ObtainedRuleSet result = generate_with_progress(set, request, context);
  if (own_rank(context.ranks) != 0) return ExitCode::done;  // the first rank has the result
  const GenerateReport& report = result.report.value();
  write_rules(result.rules, options, context);
  if (!options.run.stats.empty()) write_output(options.run.stats, stats_of(report), context);
  if (!options.run.quiet) context.err << rules_summary(report);
  if (report.rules == 0) {
    write_warning(
        "quartz-gen", context,
        fmt::format("the rule set has no rules: {}", reason_for_no_rules(set, request, report)));
  }
  return ExitCode::done;
}

ExitCode run_import(const GateSet& set, const RuleOptions& options, const CommandContext& context) {
  const ImportRequest request{options.source, options.proofs, options.run.threads};
  const ImportResult result = import_with_progress(set, request, context);
  write_rules(result.rules, options, context);
  if (!options.run.stats.empty()) write_output(options.run.stats, import_stats(result), context);
  if (!options.run.quiet) context.err << import_summary(result);
  return ExitCode::done;
}

ExitCode run(const RuleOptions& options, const CommandContext& context) {
  // If the parser required this option, it would also require it for the subcommands.
  if (options.run.gate_set.empty()) throw UsageError("--gate-set is required (see --help)");
  require_different_files(options.run, options.source, options.output);
  if (options.for_tket && options.output.ends_with(".zst")) {
    throw UsageError(fmt::format(
        "--output '{}' is a compressed file, which tket does not read; omit .zst", options.output));
  }
  const GateSet set = gate_set_of(options.run.gate_set, context.stop);
  for (const std::string& path : {options.output, options.run.stats}) {
    if (!path.empty()) require_writable_output(path, context);
  }
  return options.source.empty() ? run_generation(set, options, context)
                                : run_import(set, options, context);
}

/// An option of earlier versions and its replacement.
struct RemovedOption {
  const char* name;
  std::string_view replacement;
};

constexpr std::array kRemovedOptions{
    RemovedOption{"--prove", "quartz-gen prove FILE"},
    RemovedOption{"--table", "quartz-gen table --output FILE"},
    RemovedOption{"--table-cost", "quartz-gen table --cost N"},
    RemovedOption{"--table-memory", "quartz-gen table --memory SIZE"},
    RemovedOption{"--two-qubit-weight", "quartz-gen table --two-qubit-weight N"},
    RemovedOption{"--symbolic", "quartz-gen table --symbolic"},
    RemovedOption{"--count", "quartz-gen count"},
    RemovedOption{"--instructions", "quartz-gen count --instructions NAME"},
    RemovedOption{"--devices", "quartz-gen count --devices N"},
    RemovedOption{"--unpruned", "quartz-gen count --unpruned"},
    RemovedOption{"--fingerprint-rounds", "the benchmark quartz-perf (perf/README.md)"},
};

/// Declares an option that --help does not show and that causes an error.
void add_removed_option(CLI::App& parser, const RemovedOption& option) {
  const auto refuse = [option](const std::string&) {
    throw UsageError(fmt::format("{} is no longer an option of quartz-gen; use {}", option.name,
                                 option.replacement));
  };
  parser.add_option_function<std::string>(option.name, refuse)->expected(0, 1)->group("");
}

CommandBody declare_generation(CLI::App& parser) {
  const auto options = std::make_shared<RuleOptions>();
  add_run_options(parser, options->run);
  add_gates_option(parser, options->gates);
  add_qubits_option(parser, options->qubits);
  parser
      .add_option("-o,--output", options->output,
                  "the rule set; compressed if the name ends with .zst; - for standard output")
      ->capture_default_str()
      ->type_name("FILE");
  parser
      .add_option_function<std::string>(
          "--export", [options](const std::string&) { options->for_tket = true; },
          "write the format of another program, uncompressed: tket (its optimizer badger)")
      ->check(CLI::IsMember({"tket"}));
  add_point_seed_option(parser, options->seed);
  add_proof_options(parser, options->proofs);
  add_backend_option(parser, options->backend, "the CPU");
  CLI::Option* source = parser.add_option(
      "--import", options->source,
      "take the rules from a file instead of enumerating circuits: a rule set, or an ECC set of "
      "the original Quartz; Z3 proves each of them again");
  source->type_name("FILE");
  for (const char* enumeration : {"--gates", "--qubits", "--seed", "--backend"}) {
    source->excludes(parser.get_option(enumeration));
  }
  for (const RemovedOption& option : kRemovedOptions) add_removed_option(parser, option);
  return [options](const CommandContext& context) { return run(*options, context); };
}

}  // namespace

Command gen_command() {
  return {
      "quartz-gen",
      "Generates a rule set for quartz-opt: enumerates the small circuits of a gate set, finds "
      "which are equal, and has Z3 prove each equality. Subcommands prove rule sets, build "
      "class tables, and count classes.",
      "  quartz-gen --gate-set nam --gates 3 --qubits 3 --output nam_3_3.json\n"
      "  quartz-gen --gate-set my_gates.json --gates 4 --qubits 2 --output my_4_2.json \\\n"
      "             --stats my_4_2.stats.json\n"
      "  quartz-gen --gate-set ibm --gates 2 --qubits 2 --quiet | less\n"
      "  quartz-gen --gate-set nam --import Nam_6_3_complete_ECC_set.json --output nam_6_3.json\n"
      "  quartz-gen prove nam_3_3.json\n"
      "  quartz-gen table --gate-set nam --cost 6 --output nam.table\n"
      "  quartz-gen count --gate-set nam --gates 6 --qubits 3\n",
      declare_generation,
      {gen_prove_command(), gen_table_command(), gen_count_command()},
      {{"--gate-set", "gates of the rules: nam, clifford_t, ibm_heron, ..., or a file"},
       {"--gates", "largest number of gates of a circuit (default: 3)"},
       {"--qubits", "number of qubits of a circuit (default: 3)"},
       {"--output", "file for the rule set (default: standard output)"},
       {"--stats", "write statistics as JSON"},
       {"--checkpoint", "folder with which an interrupted run continues"},
       {"--threads", "number of threads (default: all cores)"},
       {"--quiet", "print only warnings and errors"}}};
}

}  // namespace quartz::cli
