#include "cli/check/check_command.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <array>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <ostream>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/color.hpp"
#include "cli/gate_set_argument.hpp"
#include "cli/options/include_path_option.hpp"
#include "cli/options/library_option.hpp"
#include "cli/options/program_option.hpp"
#include "cli/output/quantity.hpp"
#include "cli/output/timed_progress.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/base/files.hpp"
#include "quartz/certify/equivalence.hpp"
#include "quartz/certify/journal.hpp"
#include "quartz/certify/qubit_order.hpp"
#include "quartz/circuit/output_permutation.hpp"
#include "quartz/compound_journal/compound_journal.hpp"
#include "quartz/qasm/include_path.hpp"
#include "quartz/qasm/qasm.hpp"

namespace quartz::cli {
namespace {

struct CheckOptions {
  std::string left;
  std::string right;
  std::string gate_set;
  CustomGates custom_gates = {};  ///< those of the gate set
  std::string journal;
  std::vector<std::string> include_path;  ///< folders
  bool is_program = false;
  SuperoptimizeOptions assumed;  ///< the barriers, the assumptions and the order of the qubits
  EquivalenceOptions equivalence;
  bool json = false;
  bool quiet = false;
};

Color color_of(EquivalenceVerdict verdict) {
  if (verdict == EquivalenceVerdict::not_equal) return Color::red;
  return verdict == EquivalenceVerdict::undecided ? Color::yellow : Color::green;
}

std::string text_of(const EquivalenceReport& report, const ProgramAssumptions& assumptions,
                    bool shows_colors) {
  std::string text =
      colored(to_string(report.verdict), color_of(report.verdict), shows_colors) + "\n";
  if (assumptions.any()) text += fmt::format("assumed: {}\n", to_string(assumptions));
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

std::string json_of(const EquivalenceReport& report, const ProgramAssumptions& assumptions) {
  nlohmann::ordered_json json;
  json["verdict"] = to_string(report.verdict);
  json["assumed"] = to_string(assumptions);
  json["method"] = report.method;
  json["phase"] = report.phase.has_value() ? nlohmann::ordered_json(*report.phase)
                                           : nlohmann::ordered_json(nullptr);
  // Both are upper bounds: on the operator norm of the difference up to global phase, and on the
  // probability, over the random numbers drawn, that the verdict is wrong.
  json["distance"] = report.distance.has_value() ? nlohmann::ordered_json(*report.distance)
                                                 : nlohmann::ordered_json(nullptr);
  json["failure_probability"] =
      report.log2_failure.has_value() ? std::exp2(*report.log2_failure) : 0.0;
  json["witness"] = report.witness;
  // What an undecided comparison lacked: "time", "memory" or null.
  json["lacked"] = report.shortage == Shortage::none
                       ? nlohmann::ordered_json(nullptr)
                       : nlohmann::ordered_json(to_string(report.shortage));
  json["notes"] = report.notes;
  return json.dump(2) + "\n";
}

/// Suggests --ancillas if the second circuit is larger.
void suggest_ancillas(const CheckOptions& options, const Circuit& left, const Circuit& right,
                      EquivalenceReport& report) {
  const bool is_larger =
      left.qubit_count() < right.qubit_count() && left.bit_count() <= right.bit_count();
  if (options.equivalence.ancillas || !is_larger) return;
  report.notes.emplace_back(
      "with --ancillas, the additional qubits of the second circuit are ancillas");
}

/// Returns whether a comment of the circuit states where its qubits end. Without --permutation
/// free, a malformed one is a comment like others.
bool states_permutation(const Circuit& circuit) {
  try {
    return !stated_permutation(circuit).empty();
  } catch (const InputError&) {
    return false;
  }
}

/// Suggests --permutation free if one of the circuits states where its qubits end.
void suggest_permutation(const CheckOptions& options, const Circuit& left, const Circuit& right,
                         EquivalenceReport& report) {
  const bool is_free = options.assumed.qubit_order == QubitOrder::free;
  if (is_free || report.verdict != EquivalenceVerdict::not_equal) return;
  const bool left_states = states_permutation(left);
  if (!left_states && !states_permutation(right)) return;
  report.notes.push_back(
      fmt::format("the comment of the {} circuit about its output permutation counts only with "
                  "--permutation free",
                  left_states ? "first" : "second"));
}

/// Says in a note that more than the results of measurements is compared, because one of the
/// circuits has none.
void note_measurements(const Circuit& left, const Circuit& right,
                       const ProgramAssumptions& assumptions, EquivalenceReport& report) {
  const bool left_measures = assumptions_of_program(left).ends_discarded;
  const bool right_measures = assumptions_of_program(right).ends_discarded;
  if (left_measures == right_measures || assumptions.ends_discarded) return;
  report.notes.push_back(fmt::format(
      "only the {} circuit measures, so that the states of the qubits at the end count as well",
      left_measures ? "first" : "second"));
}

/// Returns the names of the opaque gates of both circuits.
std::set<std::string> opaque_names(const Circuit& left, const Circuit& right) {
  std::set<std::string> names;
  for (const Circuit* circuit : {&left, &right}) {
    for (const Operation& operation : circuit->operations) {
      const bool is_gate = operation.kind == OperationKind::opaque &&
                           operation.classical->opaque_kind == OpaqueKind::gate;
      if (is_gate) names.insert(operation.classical->opaque_name);
    }
  }
  return names;
}

/// Suggests a gate-set file in the explanation of the verdict if the circuits were not found equal
/// and contain opaque operations, which are compared only by name.
void suggest_gate_set(const CheckOptions& options, const Circuit& left, const Circuit& right,
                      EquivalenceReport& report) {
  const bool undecided = report.verdict == EquivalenceVerdict::undecided;
  if (!undecided && report.verdict != EquivalenceVerdict::not_equal) return;
  const std::set<std::string> names = opaque_names(left, right);
  if (names.empty()) return;
  const bool one = names.size() == 1;
  const std::string what = fmt::format("the circuits do not define the gate{} {}", one ? "" : "s",
                                       fmt::join(names, ", "));
  const std::string hint =
      options.gate_set.empty()
          ? fmt::format("{}; if a gate-set file defines {}, give it with --gate-set", what,
                        one ? "it" : "them")
          : fmt::format("{}, and the gate set '{}' does not define {} either", what,
                        options.gate_set, one ? "it" : "them");
  if (undecided) {
    report.witness += (report.witness.empty() ? "" : "; ") + hint;
  } else {
    report.notes.push_back(hint);
  }
}

/// Says in a note whether a higher limit might decide.
void note_limits(const CheckOptions& options, double seconds, EquivalenceReport& report) {
  const bool is_compared = options.journal.empty();
  if (!is_compared || report.verdict != EquivalenceVerdict::undecided) return;
  const std::string spent =
      fmt::format("{:.1f} s of the {:g} s of --time", seconds, options.equivalence.seconds);
  switch (report.shortage) {
    case Shortage::time:
      report.notes.push_back(
          fmt::format("a method ran out of time, after {}: more time may decide", spent));
      return;
    case Shortage::memory:
      report.notes.push_back(
          fmt::format("a method lacked memory, after {}: a higher --memory may decide", spent));
      return;
    case Shortage::none:
      report.notes.push_back(fmt::format(
          "all methods that apply have ended after {}: more time would not help", spent));
      return;
  }
}

ExitCode exit_code_of(EquivalenceVerdict verdict) {
  switch (verdict) {
    case EquivalenceVerdict::equal:
    case EquivalenceVerdict::equal_up_to_phase:
    case EquivalenceVerdict::within_epsilon:
      return ExitCode::done;
    case EquivalenceVerdict::not_equal:
      return ExitCode::not_equal;
    case EquivalenceVerdict::undecided:
      return ExitCode::undecided;
  }
  throw InternalError("no such verdict");
}

Circuit read(const std::string& path, const CheckOptions& options, const CommandContext& context) {
  Circuit circuit = read_qasm_file(path, include_path_of(options.include_path), context.stop,
                                   options.custom_gates);
  return options.assumed.barriers == Barriers::ignore ? without_barriers(circuit)
                                                      : std::move(circuit);
}

bool is_positive(EquivalenceVerdict verdict) {
  return verdict != EquivalenceVerdict::not_equal && verdict != EquivalenceVerdict::undecided;
}

/// Replays the journal, which begins with the first circuit, or with it without its SWAP gates.
EquivalenceReport replay(const CheckOptions& options, const Circuit& left, const Circuit& right,
                         const ReplayOptions& limits) {
  return as_equivalence_report(replay_journal(left, right, options.journal, limits));
}

/// Replays the journal of a free order. It begins with the first circuit without its SWAP gates or,
/// if the search had a coupling map, with them.
EquivalenceReport replay_in_any_order(const CheckOptions& options, const Circuit& left,
                                      const Circuit& right, ReplayOptions limits) {
  std::optional<EquivalenceReport> report;
  try {
    limits.swaps = SwapGates::removed;
    report = replay(options, left, right, limits);
    if (is_positive(report->verdict)) return *report;
  } catch (const InputError&) {
    // A journal that begins with another circuit looks damaged.
  }
  limits.swaps = SwapGates::kept;
  EquivalenceReport kept = replay(options, left, right, limits);
  return report && !is_positive(kept.verdict) ? *report : kept;
}

/// Returns the bytes of a journal that consists of several parts; nothing for other files.
std::optional<std::string> read_compound_journal(const CheckOptions& options,
                                                 const std::stop_token& stop) {
  if (!std::filesystem::is_regular_file(options.journal)) return std::nullopt;
  std::array<char, 8> start{};
  std::ifstream file(options.journal, std::ios::binary);
  file.read(start.data(), start.size());
  const std::string_view bytes(start.data(), static_cast<std::size_t>(file.gcount()));
  if (!is_compound_journal(bytes)) return std::nullopt;
  return read_text_file(options.journal, {.max_bytes = file_limit::rules, .stop = stop});
}

/// Throws UsageError for options that concern the order or the states of qubits: the parts of a
/// compound journal begin and end with all of them in their places, and in any state.
void require_suitable_for_parts(const CheckOptions& options,
                                const ProgramAssumptions& assumptions) {
  if (options.assumed.qubit_order == QubitOrder::keep && !assumptions.any()) return;
  throw UsageError(
      "--program, --initial-state, --final-state and --permutation cannot be combined with this "
      "journal, which consists of several parts");
}

EquivalenceReport compare(const CheckOptions& options, const Circuit& left, const Circuit& right,
                          const ProgramAssumptions& assumptions, const EquivalenceOptions& limits) {
  if (!options.journal.empty()) {
    if (const auto compound = read_compound_journal(options, limits.stop)) {
      require_suitable_for_parts(options, assumptions);
      return replay_compound_journal(left, right, *compound, options.journal, limits,
                                     options.custom_gates);
    }
  }
  const bool is_free = options.assumed.qubit_order == QubitOrder::free;
  if (options.journal.empty()) {
    return check_equivalence_of_programs(left, right, assumptions, is_free, limits);
  }
  const OutputPermutation permutation =
      is_free ? remaining_permutation(stated_permutation(left), stated_permutation(right))
              : OutputPermutation();
  ReplayOptions replayed{limits.seconds, limits.memory_bytes, limits.stop,
                         limits.seed,    limits.epsilon,      permutation};
  replayed.assumptions = assumptions;
  replayed.custom_gates = options.custom_gates;
  return is_free ? replay_in_any_order(options, left, right, replayed)
                 : replay(options, left, right, replayed);
}

/// Throws UsageError for options with which circuits are not compared with ancillas.
void require_suitable(const CheckOptions& options) {
  if (!options.equivalence.ancillas) return;
  SuperoptimizeOptions combined = options.assumed;
  combined.epsilon = options.equivalence.epsilon;
  // What a program assumes is known once its circuit has been read; any assumption is a conflict.
  if (options.is_program) combined.assumptions.starts_zero = true;
  require_suitable_for_ancillas(combined);
}

/// Reads both circuits.
std::pair<Circuit, Circuit> read_both(const CheckOptions& options, const CommandContext& context,
                                      ProgressLine& line) {
  const TimedProgress progress(line, [](double seconds) {
    return timed_progress_text("reading the circuits", seconds, {});
  });
  Circuit left = read(options.left, options, context);
  Circuit right = read(options.right, options, context);
  return {std::move(left), std::move(right)};
}

EquivalenceReport compare_with_progress(const CheckOptions& options, const Circuit& left,
                                        const Circuit& right, const ProgramAssumptions& assumptions,
                                        const CommandContext& context, ProgressLine& line) {
  EquivalenceOptions equivalence = options.equivalence;
  equivalence.stop = context.stop;
  const TimedProgress progress(line, [&](double seconds) {
    return timed_progress_text("comparing the circuits", seconds, options.equivalence.seconds);
  });
  return compare(options, left, right, assumptions, equivalence);
}

ExitCode check(CheckOptions options, const CommandContext& context) {
  if (options.left == "-" && options.right == "-") {
    throw UsageError("only one of the circuits can be read from standard input");
  }
  require_suitable(options);
  if (!options.gate_set.empty()) {
    options.custom_gates = gate_set_of(options.gate_set, context.stop).custom_gates();
  }
  ProgressLine line(context.err, context.terminal);
  const auto [left, right] = read_both(options, context, line);
  const ProgramAssumptions assumptions =
      options.is_program
          ? all_assumptions(options.assumed.assumptions, assumptions_of_programs(left, right))
          : options.assumed.assumptions;
  const auto start = std::chrono::steady_clock::now();
  EquivalenceReport report =
      compare_with_progress(options, left, right, assumptions, context, line);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  note_limits(options, seconds.count(), report);
  if (options.is_program) note_measurements(left, right, assumptions, report);
  suggest_gate_set(options, left, right, report);
  suggest_ancillas(options, left, right, report);
  suggest_permutation(options, left, right, report);
  if (options.json) {
    context.out << json_of(report, assumptions);
  } else if (!options.quiet) {
    context.out << text_of(report, assumptions, context.colors_on_out);
  }
  return exit_code_of(report.verdict);
}

CommandBody declare_check(CLI::App& parser) {
  const auto options = std::make_shared<CheckOptions>();
  parser.add_option("first", options->left, "OpenQASM file; - for standard input")
      ->required()
      ->type_name("FILE");
  parser
      .add_option("second", options->right,
                  "OpenQASM file to compare with the first; - for standard input")
      ->required()
      ->type_name("FILE");
  parser
      .add_option("-g,--gate-set", options->gate_set,
                  "gate set that defines gates of the circuits: needed if the circuits "
                  "use a gate that they do not define, or declare opaque, as the results "
                  "of quartz-opt do with gates that a gate-set file defines by a matrix "
                  "alone")
      ->type_name("NAME|FILE");
  add_library_option(parser, library_option("barriers"), options->assumed,
                     "whether the barriers of both circuits are kept; a journal of "
                     "quartz-opt --barriers ignore begins with the circuit without barriers");
  add_include_path_option(parser, options->include_path);
  add_program_option(
      parser, options->is_program,
      "compare complete programs: --initial-state zero, and --final-state discarded if both "
      "circuits measure anything");
  add_library_option(parser, library_option("initial_state"), options->assumed,
                     "state of the qubits before the circuits: zero compares only what the "
                     "circuits do if each qubit starts in |0>");
  add_library_option(parser, library_option("final_state"), options->assumed,
                     "what happens to the qubits after the circuits: discarded compares "
                     "only the classical bits");
  add_library_option(parser, library_option("permutation"), options->assumed,
                     "order of the qubits after the circuits: free takes it from the "
                     "comment at the top of a circuit, output permutation, which states "
                     "where each qubit ends");
  parser
      .add_option("--journal", options->journal,
                  "journal that quartz-opt --journal wrote: the circuits are compared by "
                  "proving each of its rewrites")
      ->type_name("FILE");
  parser.add_flag("--ancillas", options->equivalence.ancillas,
                  "let the second circuit have more qubits and classical bits, after "
                  "those of the first: ancillas, which start in |0> and are discarded, "
                  "and the outcomes of measurements. The circuits are equal if, for all "
                  "of these outcomes, they do the same to the qubits and bits of the "
                  "first circuit");
  add_epsilon_option(
      parser, [options](double epsilon) { options->equivalence.epsilon = epsilon; },
      "largest permitted distance between the circuits, as the operator norm "
      "of their difference up to a global phase");
  add_seed_option(parser, options->equivalence.seed, "seed of all random numbers");
  add_seconds_option(parser, "--time", options->equivalence.seconds,
                     "time limit, as in 60s, 500ms, 2min (default 60s)");
  add_bytes_option(parser, "--memory", options->equivalence.memory_bytes,
                   "memory limit for state vectors, as in 4GiB (default 4GB)");
  parser.add_flag("--json", options->json, "print the result as JSON");
  parser.add_flag("-q,--quiet", options->quiet,
                  "print nothing unless there is an error: the exit code is the verdict");
  return [options](const CommandContext& context) { return check(*options, context); };
}

}  // namespace

Command check_command() {
  return {"quartz-check",
          "Decides whether two quantum circuits are equal, and says how it was decided.",
          "  quartz-check before.qasm after.qasm\n"
          "  quartz-check --time 5min --memory 16GiB before.qasm after.qasm\n"
          "  quartz-check --json before.qasm after.qasm > verdict.json\n"
          "  quartz-check --journal changes.qj before.qasm after.qasm\n"
          "  quartz-check --gate-set my_gates.json before.qasm after.qasm\n",
          declare_check,
          {},
          {{"--program", "assume complete programs: qubits begin in |0>"},
           {"--permutation", "free: the qubits may end in the order that is stated"},
           {"--barriers", "ignore: compare the circuits without their barriers"},
           {"--gate-set", "gate set that defines gates of the circuits"},
           {"--epsilon", "permitted distance of the circuits"},
           {"--ancillas", "the second circuit may have additional qubits"},
           {"--journal", "replay the rewrites that quartz-opt --journal wrote"},
           {"--time", "time limit, as in 500ms, 5min (default: 60s)"},
           {"--json", "print the result as JSON"},
           {"--quiet", "print nothing: the exit code is the verdict"}}};
}

}  // namespace quartz::cli
