#include "cli/check_command.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <ostream>

#include "cli/gate_set_argument.hpp"
#include "cli/quantity.hpp"
#include "quartz/certify/equivalence.hpp"
#include "quartz/errors.hpp"
#include "quartz/qasm/qasm.hpp"

namespace quartz::cli {
namespace {

struct CheckOptions {
  std::string left;
  std::string right;
  std::string gate_set;
  EquivalenceOptions equivalence;
  bool json = false;
};

std::string text_of(const EquivalenceReport& report) {
  std::string text = fmt::format("{}\n", to_string(report.verdict));
  text += fmt::format("checked by: {}\n", report.method);
  if (report.phase.has_value() && *report.phase != 0) {
    text += fmt::format("global phase: second circuit = e^(i*{:.12g}) * first circuit\n",
                        *report.phase);
  }
  if (!report.witness.empty()) {
    const bool different = report.verdict == EquivalenceVerdict::not_equal;
    text += fmt::format("{}: {}\n", different ? "difference" : "reason", report.witness);
  }
  for (const std::string& note : report.notes) text += fmt::format("note: {}\n", note);
  return text;
}

std::string json_of(const EquivalenceReport& report) {
  nlohmann::ordered_json json;
  json["verdict"] = to_string(report.verdict);
  json["method"] = report.method;
  json["phase"] = report.phase.has_value() ? nlohmann::ordered_json(*report.phase)
                                           : nlohmann::ordered_json(nullptr);
  json["witness"] = report.witness;
  json["notes"] = report.notes;
  return json.dump(2) + "\n";
}

ExitCode exit_code_of(EquivalenceVerdict verdict) {
  switch (verdict) {
    case EquivalenceVerdict::equal:
    case EquivalenceVerdict::equal_up_to_phase:
      return ExitCode::done;
    case EquivalenceVerdict::not_equal:
      return ExitCode::not_equal;
    case EquivalenceVerdict::undecided:
      return ExitCode::undecided;
  }
  throw InternalError("no such verdict");
}

ExitCode check(const CheckOptions& options, const CommandContext& context) {
  if (options.left == "-" && options.right == "-") {
    throw UsageError("only one of the circuits can be read from standard input");
  }
  if (!options.gate_set.empty()) (void)gate_set_of(options.gate_set, context.stop);
  const Circuit left = read_qasm_file(options.left, context.stop);
  const Circuit right = read_qasm_file(options.right, context.stop);
  EquivalenceOptions equivalence = options.equivalence;
  equivalence.stop = context.stop;
  const EquivalenceReport report = check_equivalence(left, right, equivalence);
  context.out << (options.json ? json_of(report) : text_of(report));
  return exit_code_of(report.verdict);
}

CommandBody declare(CLI::App& parser) {
  const auto options = std::make_shared<CheckOptions>();
  parser.add_option("first", options->left, "OpenQASM file; - is standard input")
      ->required()
      ->type_name("FILE");
  parser.add_option("second", options->right, "OpenQASM file to compare it with")
      ->required()
      ->type_name("FILE");
  parser
      .add_option("-g,--gate-set", options->gate_set,
                  "a file whose own gates the circuits name without a definition")
      ->type_name("NAME|FILE");
  add_seed_option(parser, options->equivalence.seed, "of all random numbers");
  add_seconds_option(parser, "--time", options->equivalence.seconds,
                     "give up after this, as in 60s, 500ms, 2min (default 60s)");
  add_bytes_option(parser, "--memory", options->equivalence.memory_bytes,
                   "for state vectors, as in 4GiB (default 4GB)");
  parser.add_flag("--json", options->json, "print the result as JSON");
  return [options](const CommandContext& context) { return check(*options, context); };
}

}  // namespace

Command check_command() {
  return {"quartz-check",
          "Decides whether two quantum circuits are equal, and says how it was decided.",
          "  quartz-check before.qasm after.qasm\n"
          "  quartz-check --time 5min --memory 16GiB before.qasm after.qasm\n"
          "  quartz-check --json before.qasm after.qasm > verdict.json\n"
          "  quartz-check --gate-set my_gates.json before.qasm after.qasm\n",
          declare};
}

}  // namespace quartz::cli
