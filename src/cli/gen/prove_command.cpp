#include "cli/gen/prove_command.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <ostream>
#include <string>

#include "cli/gate_set_argument.hpp"
#include "cli/gen/gen_options.hpp"
#include "cli/output/progress_line.hpp"
#include "quartz/base/counted.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/enumerate/prove.hpp"
#include "quartz/rules/rule_set.hpp"
#include "quartz/target/gate_set.hpp"

namespace quartz::cli {
namespace {

using Clock = std::chrono::steady_clock;

struct ProvingOptions {
  RunOptions run;  ///< if given, the gate set for which the rules must have been made
  ProofOptions proofs;
  std::string file;  ///< file with the rules; - is standard input
};

ProveReport prove_with_progress(const RuleSet& rules, const ProvingOptions& proving,
                                const CommandContext& context) {
  ProgressLine line(context.err, context.terminal);
  return prove_rule_set(rules, library_options(proving.proofs, proving.run.threads, context, line));
}

/// Returns a line about the equality. Classes and circuits are numbered from 1; a class is one line
/// of the file.
std::string line_of(const UnprovedEquality& equality) {
  const bool refuted = equality.result.verdict == ProofVerdict::refuted;
  return fmt::format("class {}, circuit {}: {}: {}\n", equality.class_index + 1,
                     equality.member_index + 1, refuted ? "refuted" : "unknown",
                     equality.result.witness);
}

std::string stats_of(const ProveReport& report, double seconds) {
  const nlohmann::ordered_json stats = {
      {"method", report.method},
      {"proofs_tried", report.tried},
      {"proved", report.proved},
      {"unknown", report.unknown},
      {"refuted", report.refuted},
      {"proofs_made", report.proofs_made},
      {"proofs_known", report.proofs_known},
      {"seconds", seconds},
  };
  return stats.dump(2) + "\n";
}

ExitCode exit_code_of(const ProveReport& report) {
  if (report.refuted != 0) return ExitCode::not_equal;
  return report.unknown != 0 ? ExitCode::undecided : ExitCode::done;
}

ExitCode run(const ProvingOptions& proving, const CommandContext& context) {
  if (proving.file == "-" && rank_count(context.ranks) > 1) {
    throw UsageError("quartz-gen prove -: all ranks read the rules, expected a file");
  }
  require_different_files(proving.run, proving.file, "");
  if (!proving.run.stats.empty()) require_writable_output(proving.run.stats, context);
  std::optional<GateSet> set;  // read before the rules, which may use its gates
  if (!proving.run.gate_set.empty()) set = gate_set_of(proving.run.gate_set, context.stop);
  const RuleSet rules =
      read_rule_set_file(proving.file, context.stop, set ? set->custom_gates() : CustomGates());
  if (set) require_gate_set(rules, *set, proving.file);
  const Clock::time_point start = Clock::now();
  const ProveReport report = prove_with_progress(rules, proving, context);
  if (own_rank(context.ranks) != 0) return ExitCode::done;  // the first rank reports the result
  const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
  if (!proving.run.stats.empty())
    write_output(proving.run.stats, stats_of(report, seconds), context);
  if (!proving.run.quiet) {
    if (proving.run.stats != "-") {
      for (const UnprovedEquality& equality : report.unproved) context.out << line_of(equality);
    }
    context.err << fmt::format(
        "equalities  {} in {}\n"
        "{:<12}{} proved, {} unknown, {} refuted\n"
        "seconds     {:.2f}\n",
        report.tried, counted(rules.classes.size(), "class"), report.method, report.proved,
        report.unknown, report.refuted, seconds);
  }
  return exit_code_of(report);
}

CommandBody declare_proof(CLI::App& parser) {
  const auto options = std::make_shared<ProvingOptions>();
  parser.add_option("rules", options->file, "the rule set; - for standard input")
      ->required()
      ->type_name("FILE");
  add_run_options(parser, options->run)
      ->description("reject rules made for another gate set than this one, a name or a JSON file");
  add_proof_options(parser, options->proofs);
  return [options](const CommandContext& context) { return run(*options, context); };
}

}  // namespace

Command gen_prove_command() {
  return {"prove",
          "Proves every equality of a rule set from any source, and prints a line for each that is "
          "not proved.",
          "  quartz-gen prove nam_3_3.json\n"
          "  quartz-gen prove found.json --gate-set nam --proof-time 60s\n",
          declare_proof};
}

}  // namespace quartz::cli
