#include "cli/gen_prove.hpp"

#include <fmt/format.h>

#include <chrono>
#include <nlohmann/json.hpp>
#include <optional>
#include <ostream>

#include "cli/gate_set_argument.hpp"
#include "cli/generate_progress.hpp"
#include "cli/progress_line.hpp"
#include "quartz/files.hpp"
#include "quartz/gateset/gate_set.hpp"
#include "quartz/rules/rule_set.hpp"

namespace quartz::cli {
namespace {

using Clock = std::chrono::steady_clock;

ProveReport prove_with_progress(const RuleSet& rules, const RuleProving& proving,
                                const CommandContext& context) {
  ProgressLine line(context.err, context.terminal);
  ProveOptions options;
  options.threads = proving.threads;
  options.proof_seconds = proving.proof_seconds;
  options.checkpoint = proving.checkpoint;
  options.ranks = context.ranks;
  options.stop = context.stop;
  options.on_progress = [&line](const GenerateProgress& progress) {
    if (line.due()) line.show(progress_text(progress));
  };
  return prove_rule_set(rules, options);
}

/// Classes and circuits count from 1; a class is one line of the file.
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

}  // namespace

ExitCode prove_rules(const RuleProving& proving, const CommandContext& context) {
  if (proving.file == "-" && rank_count(context.ranks) > 1) {
    throw UsageError("--prove -: all ranks read the rules, expected a file");
  }
  std::optional<GateSet> set;  // before the rules, which may name its gates
  if (!proving.gate_set.empty()) set = gate_set_of(proving.gate_set, context.stop);
  const RuleSet rules = read_rule_set_file(proving.file, context.stop);
  if (set) require_gate_set(rules, *set, proving.file);
  const Clock::time_point start = Clock::now();
  const ProveReport report = prove_with_progress(rules, proving, context);
  if (own_rank(context.ranks) != 0) return ExitCode::done;  // the first rank has it
  const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
  if (!proving.stats.empty()) write_output(proving.stats, stats_of(report, seconds), context);
  if (!proving.quiet) {
    if (proving.stats != "-") {
      for (const UnprovedEquality& equality : report.unproved) context.out << line_of(equality);
    }
    context.err << fmt::format(
        "equalities  {} in {} classes\n"
        "{:<12}{} proved, {} unknown, {} refuted\n"
        "seconds     {:.2f}\n",
        report.tried, rules.classes.size(), report.method, report.proved, report.unknown,
        report.refuted, seconds);
  }
  return exit_code_of(report);
}

}  // namespace quartz::cli
