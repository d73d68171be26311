// A random program, a gate set, a cost and options, and what superoptimize makes of them. The
// result is compared with the program by the replay of its journal, by the library's own check, and
// by the simulator, which reads the OpenQASM text of the result.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <numbers>
#include <set>
#include <sstream>

#include "experiments/experiment.hpp"
#include "files.hpp"
#include "generation/random_program.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/certify/journal.hpp"
#include "quartz/circuit/declared_gate.hpp"
#include "quartz/compound_journal/compound_journal.hpp"
#include "quartz/qasm/include_path.hpp"
#include "quartz/qasm/qasm.hpp"
#include "quartz/target/cost_file.hpp"
#include "quartz/workflow/superoptimize.hpp"
#include "simulator/channel.hpp"

namespace quartz::differential::optimizer {
namespace {

/// The largest distance of a right result: every numeric rewrite is confirmed to 1e-12.
constexpr long double tolerance = 1e-10L;
/// Decimals that mean a multiple of pi are read as it, by both sides.
constexpr long double resolution = 1e-13L;
/// The estimate of a channel's distance may be this many times too large.
constexpr long double channel_factor = 12;

std::string option(const Case& input, const std::string& name, const std::string& otherwise) {
  const auto found = input.options.find(name);
  return found == input.options.end() ? otherwise : found->second;
}

/// Returns the coupling that an option names: "any", "circuit", "all" pairs of qubits, or a
/// directed map of the pairs of the circuit, whose directions a number chooses.
CouplingChoice coupling_choice(const std::string& name, const Circuit& circuit) {
  if (name == "any") return AnyCoupling{};
  if (name == "circuit") return CouplingOfCircuit{};
  CouplingMap map(name != "all");
  Random random(name == "all" ? 0 : std::stoull(name));
  const CouplingMap used = coupling_of(circuit);
  for (Qubit a = 0; a < circuit.qubit_count(); ++a) {
    for (Qubit b = 0; b < a; ++b) {
      if (name != "all" && !used.contains(a, b)) continue;
      const unsigned direction = name == "all" ? 0 : below(random, 3);
      if (direction != 1) map.add(a, b);
      if (direction != 0) map.add(b, a);
    }
  }
  return map;
}

const GateSet& gate_set(const std::string& name) {
  static std::map<std::string, GateSet> known;
  const auto found = known.find(name);
  if (found != known.end()) return found->second;
  const std::string path =
      name == "xy" ? fuzz::repository_folder("gatesets/examples") + "/xy.json" : name;
  return known.emplace(name, load_gate_set(path)).first->second;
}

std::string cost_path(const std::string& list) {
  std::string paths;
  std::istringstream names(list);
  for (std::string name; std::getline(names, name, ',');) {
    if (!paths.empty()) paths += ',';
    paths += name.ends_with(".json") ? fuzz::repository_folder("costs") + "/" + name : name;
  }
  return paths;
}

/// Returns the distance that the result may have, besides that of rounding.
double epsilon_of(const Case& input) { return std::stod(option(input, "epsilon", "0")); }

/// Returns the edges that an option names: "none", "zero", "discarded" or "program".
ProgramAssumptions edges_of(const Case& input, const Circuit& circuit) {
  const std::string name = option(input, "edges", "none");
  if (name == "program") return assumptions_of_program(circuit);
  return {name == "zero", name == "discarded"};
}

/// Returns the program with a reset of each qubit at its edges.
Program with_assumptions(Program program, const ProgramAssumptions& edges) {
  std::vector<Statement> resets(program.qubit_count());
  for (unsigned qubit = 0; qubit < resets.size(); ++qubit) {
    resets[qubit].kind = StatementKind::reset;
    resets[qubit].qubits = {qubit};
  }
  auto& statements = program.statements;
  if (edges.starts_zero) statements.insert(statements.begin(), resets.begin(), resets.end());
  if (edges.ends_discarded) statements.insert(statements.end(), resets.begin(), resets.end());
  return program;
}

/// Returns the program with swaps that undo the output permutation which its text states: element q
/// is the qubit on which qubit q of the original ends.
Program with_order_undone(Program program, const std::string& text) {
  const std::string comment = "// output permutation: [";
  const std::size_t place = text.find(comment);
  if (place == std::string::npos) return program;
  std::istringstream list(text.substr(place + comment.size(), text.find(']', place) - place));
  std::vector<unsigned> now;
  for (std::string number; std::getline(list, number, ',') && now.size() < program.qubit_count();) {
    now.push_back(static_cast<unsigned>(std::stoul(number)));
  }
  for (unsigned qubit = 0; qubit < now.size(); ++qubit) {
    if (now[qubit] == qubit) continue;
    Statement swap;
    swap.name = "swap";
    swap.qubits = {qubit, now[qubit]};
    program.statements.push_back(swap);
    *std::ranges::find(now, qubit) = now[qubit];
    now[qubit] = qubit;
  }
  return program;
}

SuperoptimizeOptions options_of(const Case& input, const GateSet& set, const Circuit& circuit) {
  SuperoptimizeOptions options;
  const std::string cost = option(input, "cost", "default");
  if (cost != "default") options.cost = load_cost(cost_path(cost), set);
  options.search = option(input, "search", "auto");
  options.exactness = find_exactness(option(input, "exactness", "keep"));
  options.steps = std::stoull(option(input, "steps", "100"));
  options.threads = static_cast<unsigned>(std::stoul(option(input, "threads", "1")));
  options.seed = std::stoull(option(input, "seed", "0"));
  options.qasm_version = static_cast<unsigned>(std::stoul(option(input, "qasm", "0")));
  options.coupling = coupling_choice(option(input, "coupling", "any"), circuit);
  options.record_rules = option(input, "record", "nothing") == "rules";
  options.record_gains = option(input, "record", "nothing") == "gains";
  options.epsilon = epsilon_of(input);
  options.keep_gates = option(input, "gates", "expanded") == "kept";
  options.ancillas = static_cast<std::uint32_t>(std::stoul(option(input, "ancillas", "0")));
  options.record_journal = !options.keep_gates;
  options.assumptions = edges_of(input, circuit);
  if (option(input, "order", "keep") == "free") options.qubit_order = QubitOrder::free;
  // Class tables are built once by each process; the result does not depend on the cache.
  options.cache.folder = fuzz::scratch_file("cache");
  // Time must not decide anything, or runs could not be repeated.
  constexpr double enough_seconds = 300;
  options.check_seconds = enough_seconds;
  return options;
}

/// Returns the name of a known limit of the replay that a fault is due to, or an empty text: a sum
/// of phases beyond 64 bits.
std::string known_limit(const std::string& fault) {
  return fault.find("needs more than 64 bits") != std::string::npos ? "sum of phases" : "";
}

/// `distance` is that of the result from the input, up to a phase.
std::string fault_of_journal(const Circuit& input, const GateSet& set,
                             const SuperoptimizeResult& result, bool is_free, double epsilon,
                             long double distance, Outcome& outcome) {
  std::istringstream journal(result.journal);
  ReplayOptions options;
  options.permutation = result.permutation;
  options.assumptions = result.assumptions;
  options.custom_gates = set.custom_gates();
  options.epsilon = epsilon;
  if (is_free && !result.coupling) options.swaps = SwapGates::removed;
  const ReplayReport report =
      replay_journal(input, result.circuit, journal, "the journal", options);
  if (!report.is_certified) {
    const std::string limit = known_limit(report.fault);
    if (limit.empty()) return "journal not certified: " + report.fault;
    outcome.counts.push_back("replay undecided: " + limit);
    return {};
  }
  const double turns = report.phase.value_modulo(2) / (2 * std::numbers::pi);
  if (report.phase.is_constant() && !report.drops_phase &&
      std::abs(turns - std::round(turns)) > report.distance + resolution) {
    return "journal with a phase: " + report.phase.to_string();
  }
  if (distance > channel_factor * report.distance + resolution) {
    return fmt::format("journal with a wrong distance: {:.3g} instead of {:.3g}", report.distance,
                       static_cast<double>(distance));
  }
  return {};
}

/// `difference` is null if the result was not simulated.
std::string fault_of_compound_journal(const Circuit& input, const GateSet& set,
                                      const SuperoptimizeResult& result, double epsilon,
                                      const Difference* difference, Outcome& outcome) {
  EquivalenceOptions options;
  options.ancillas = result.ancillas != 0;
  options.epsilon = epsilon;
  const auto report_on = [&](const Circuit& output) {
    return replay_compound_journal(input, output, result.journal, "the journal", options,
                                   set.custom_gates());
  };
  const EquivalenceReport report = report_on(result.circuit);
  if (report.verdict == EquivalenceVerdict::not_equal ||
      report.verdict == EquivalenceVerdict::undecided) {
    const std::string limit = known_limit(report.witness);
    if (limit.empty()) return "compound journal not certified: " + report.witness;
    outcome.counts.push_back("replay undecided: " + limit);
    return {};
  }
  if (difference != nullptr && difference->distance_up_to_phase >
                                   channel_factor * report.distance.value_or(0) + resolution) {
    return fmt::format("compound journal with a wrong distance: {:.3g} instead of {:.3g}",
                       report.distance.value_or(0),
                       static_cast<double>(difference->distance_up_to_phase));
  }
  // It must not certify another result.
  Circuit other = result.circuit;
  if (other.operations.empty()) return {};
  other.operations.pop_back();
  if (report_on(other).verdict != EquivalenceVerdict::undecided) {
    return "compound journal certifies a result without its last operation";
  }
  return {};
}

std::string fault_of_check(const Circuit& input, const SuperoptimizeResult& result, double epsilon,
                           const Difference& difference, Outcome& outcome) {
  if (!result.check.verified.value_or(false)) {
    const std::string limit = known_limit(result.check.text);
    if (limit.empty()) return "check undecided: " + result.check.text;
    outcome.counts.push_back("check undecided: " + limit);
    return {};
  }
  if (result.check.report.verdict == EquivalenceVerdict::within_epsilon) {
    const double proved = result.check.report.distance.value_or(0);
    if (proved > epsilon) return fmt::format("check of a distance of {:.3g}", proved);
    if (difference.distance_up_to_phase <= channel_factor * proved + resolution) return {};
    return fmt::format("check with a wrong distance: {:.3g} instead of {:.3g}", proved,
                       static_cast<double>(difference.distance_up_to_phase));
  }
  // Only a unitary has a global phase, and a conditional gate loses its own. Approximations keep
  // their distance up to a global phase.
  const bool has_phase = result.ancillas == 0 && result.approximated_rotations == 0 &&
                         std::ranges::none_of(input.operations, [](const Operation& each) {
                           return each.kind != OperationKind::barrier && each.is_boundary();
                         });
  if (has_phase && result.check.report.verdict != EquivalenceVerdict::equal) {
    if (result.check.report.phase) return "check with a phase: " + result.check.text;
    outcome.counts.emplace_back("check finds no phase");
  }
  return {};
}

Circuit parse(const std::string& text, const GateSet& set, GateCalls calls = GateCalls::expanded) {
  return parse_qasm(text, "program", IncludePath(), {}, set.custom_gates(), calls);
}

/// Returns what is wrong with the result besides its meaning.
std::string fault_of_form(const SuperoptimizeResult& result, const GateSet& set,
                          const std::string& text) {
  const Circuit expanded = with_expanded_calls(result.circuit);
  for (const Operation& each : expanded.operations) {
    if (each.kind == OperationKind::gate && !set.contains(each))
      return "not in the gate set: " + text;
  }
  const Circuit translated = with_expanded_calls(result.translated);
  for (const Objective& objective : result.cost.objectives()) {
    const std::uint64_t after = objective.units_of(expanded);
    const std::uint64_t before = objective.units_of(translated);
    if (after > before) return "costs more: " + text;
    if (after < before) break;
  }
  // Calls of declared gates are read as such, and written with the phases of their gates.
  if (result.circuit.operations != expanded.operations) return {};
  const Circuit again = parse(text, set);
  if (again.operations != result.circuit.operations ||
      again.global_phase != result.circuit.global_phase) {
    return "read differently than written: " + text;
  }
  return {};
}

/// Returns the channel of a result on the qubits and bits of the program from which it comes.
Channel channel_of_result(const Program& before, const Program& after, const Values& values,
                          bool bits) {
  const Channel channel = channel_of(after, values, bits);
  if (before.qubit_count() == after.qubit_count()) return channel;
  return without_ancillas(channel, before.qubit_count(), before.bit_count());
}

/// The most measurements and resets of a program with ancillas that the simulator follows.
constexpr std::ptrdiff_t most_outcomes = 9;

std::ptrdiff_t outcomes_in(const Program& program) {
  return std::ranges::count_if(program.statements, [](const Statement& each) {
    return each.kind == StatementKind::measure || each.kind == StatementKind::reset;
  });
}

/// Returns the largest differences over several values of the parameters, and of the bits that
/// decide whether the first loops are executed.
Difference simulated_difference(const Program& before, const Program& after) {
  const unsigned points = before.parameters.empty() ? 1 : 2;
  Difference largest;
  for (unsigned point = 0; point < points; ++point) {
    const Values values = parameter_values(before, point);
    for (const bool bits : {false, true}) {
      if (bits && !before.has_while_loops()) continue;
      const Difference each = difference_between(channel_of(before, values, bits),
                                                 channel_of_result(before, after, values, bits));
      largest.distance = std::max(largest.distance, each.distance);
      largest.distance_up_to_phase =
          std::max(largest.distance_up_to_phase, each.distance_up_to_phase);
    }
  }
  return largest;
}

std::string fault_of_simulation(const Program& before, const Program& after, double epsilon,
                                const Difference& difference) {
  const bool has_ancillas = after.qubit_count() > before.qubit_count();
  if (epsilon > 0) {
    const bool has_channel = before.is_measured() || before.has_conditions() || has_ancillas;
    const long double most = epsilon * (has_channel ? channel_factor : 1) + tolerance;
    if (difference.distance_up_to_phase <= most) return {};
    return fmt::format("wrong result: distance {:.3g} up to a phase",
                       static_cast<double>(difference.distance_up_to_phase));
  }
  // The phase of a conditional gate is not part of the result, because it cannot be observed.
  const long double distance = before.has_conditions() || has_ancillas
                                   ? difference.distance_up_to_phase
                                   : difference.distance;
  if (distance <= tolerance) return {};
  return fmt::format("wrong result: distance {:.3g}, up to a phase {:.3g}",
                     static_cast<double>(difference.distance),
                     static_cast<double>(difference.distance_up_to_phase));
}

void count(const Program& before, const SuperoptimizeResult& result, Outcome& outcome) {
  outcome.counts.emplace_back("done");
  if (before.is_measured()) outcome.counts.emplace_back("measured");
  if (before.has_conditions()) outcome.counts.emplace_back("conditions");
  const auto has = [&](StatementKind kind) {
    return std::ranges::any_of(before.statements,
                               [&](const Statement& each) { return each.kind == kind; });
  };
  if (has(StatementKind::while_loop)) outcome.counts.emplace_back("while");
  if (has(StatementKind::for_loop)) outcome.counts.emplace_back("for");
  if (has(StatementKind::box)) outcome.counts.emplace_back("box");
  if (before.has_while_loops() && !result.permutation.empty()) {
    outcome.counts.emplace_back("while and output permutation");
  }
  if (!before.parameters.empty()) outcome.counts.emplace_back("free parameters");
  if (result.coupling) outcome.counts.emplace_back("coupling");
  if (result.approximated_rotations != 0) outcome.counts.emplace_back("approximated rotations");
  if (result.ancillas != 0) outcome.counts.emplace_back("ancillas");
  if (result.parity_ancillas != 0) outcome.counts.emplace_back("parallel rotations");
  if (result.adders != 0) outcome.counts.emplace_back("adders of rotations");
  if (!result.circuit.declared_gates.empty()) outcome.counts.emplace_back("declared gates");
  if (!result.permutation.empty()) outcome.counts.emplace_back("output permutation");
  if (result.assumptions.any())
    outcome.counts.emplace_back("assumed: " + to_string(result.assumptions));
  if (result.numeric) outcome.counts.emplace_back("rewrites in double precision");
  if (result.circuit.operations.size() < result.translated.operations.size()) {
    outcome.counts.emplace_back("fewer operations");
  }
}

/// Returns whether other tools read the program: a unitary in gates of qelib1.inc. Those left out
/// are c3x and c3sqrtx, which MQT Core 3.11 and Qiskit 2.6 read as different gates.
bool is_read_by_all(const Program& program) {
  static const std::set<std::string, std::less<>> gates{
      "u3",  "u2",  "u1",  "cx",  "id", "u",   "p",    "x",  "y",   "z",    "h",    "s",    "sdg",
      "t",   "tdg", "rx",  "ry",  "rz", "sx",  "sxdg", "cz", "cy",  "swap", "ch",   "ccx",  "cswap",
      "crx", "cry", "crz", "cu1", "cp", "cu3", "csx",  "cu", "rxx", "rzz",  "rccx", "rc3x", "c4x"};
  const bool is_plain = program.version == 2 && !program.is_measured() && !program.has_conditions();
  return is_plain && std::ranges::all_of(program.statements, [](const Statement& each) {
           return each.kind != StatementKind::gate || gates.contains(each.name);
         });
}

/// Refusals by the documented errors are counted by their message without names and numbers.
std::string refusal(const std::string& message) {
  for (const std::string known :
       {"cannot be expressed exactly in the gate set", "global phase", "cannot be used here"}) {
    if (message.find(known) != std::string::npos) return "refused: " + known;
  }
  std::string kind;
  bool is_quoted = false;
  for (const char c :
       message.substr(message.find(": ") == std::string::npos ? 0 : message.find(": ") + 2)) {
    if (c == '\'') is_quoted = !is_quoted;
    if (!is_quoted && c != '\'' && std::isdigit(static_cast<unsigned char>(c)) == 0) kind += c;
  }
  constexpr std::size_t most = 70;
  return "refused: " + kind.substr(0, most);
}

/// Returns the searches that are drawn: all of the list, some of them more often, and sequences.
const std::vector<std::string>& searches() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all{"auto",          "auto",         "auto",
                                 "anneal",        "anneal",       "fold,backtrack",
                                 "blocks,anneal", "pauli,anneal", "controlled,simplify"};
    for (const SearchName& each : search_names()) all.emplace_back(each.name);
    return all;
  }();
  return names;
}

/// The most qubits of a result with ancillas, whose measurements the simulator follows.
constexpr unsigned most_qubits_with_ancillas = 5;

/// Draws ancillas for a case, which exclude other options, and often makes the decimal angles of
/// its program few.
void draw_ancillas(Random& random, Case& drawn) {
  auto& options = drawn.options;
  const unsigned qubits = drawn.programs[0].qubit_count();
  if (qubits >= most_qubits_with_ancillas) return;
  const unsigned most = std::min(3U, most_qubits_with_ancillas - qubits);
  options["ancillas"] = std::to_string(1 + below(random, most));
  options["edges"] = "none";
  options["order"] = "keep";
  options["coupling"] = "any";
  options["record"] = "nothing";
  options["cost"] = one_of<std::string>(random, {"t", "t,two-qubit,total", "t-depth,t,total"});
  if (one_in(random, 4)) return;
  for (Statement& statement : drawn.programs[0].statements) {
    for (std::string& angle : statement.angles) {
      if (angle.find("pi") != std::string::npos) continue;
      angle = one_of<std::string>(random, {"0.3", "0.3", "0.3", "-0.3", "0.6", "0.3+pi/4"});
    }
  }
}

}  // namespace

Case draw(std::uint64_t seed) {
  static const std::vector<std::string> costs{"default",
                                              "default",
                                              "total",
                                              "two-qubit",
                                              "t",
                                              "depth",
                                              "depth,total",
                                              "t-depth,t,total",
                                              "t,two-qubit,total",
                                              "example_weights.json",
                                              "two-qubit,example_errors.json",
                                              "device"};
  Random random(seed);
  Case drawn;
  auto& options = drawn.options;
  std::vector<std::string> sets = bundled_gate_sets();
  sets.emplace_back("xy");
  options["gate_set"] = one_of(random, sets);
  if (one_in(random, 6)) options["gate_set"] = "clifford_t";
  options["search"] = one_of(random, searches());
  options["cost"] = one_of(random, costs);
  if (options["cost"] == "device") {
    const std::string file = options["gate_set"] + "_errors.json";
    const bool exists = std::filesystem::exists(fuzz::repository_folder("costs") + "/" + file);
    options["cost"] = exists ? file : "default";
  }
  options["exactness"] = one_of<std::string>(random, {"keep", "exact", "numeric"});
  options["coupling"] = one_of<std::string>(random, {"any", "any", "any", "circuit", "all", "7"});
  if (options["coupling"] == "7") options["coupling"] = std::to_string(below(random, 1000));
  options["steps"] = one_of<std::string>(random, {"1", "10", "30", "100", "500"});
  options["threads"] = one_in(random, 10) ? "2" : "1";
  options["seed"] = std::to_string(below(random, 1000));
  options["edges"] = one_of<std::string>(
      random, {"none", "none", "none", "zero", "discarded", "program", "program"});
  options["record"] = one_of<std::string>(random, {"nothing", "nothing", "rules", "gains"});
  const bool has_ancillas = one_in(random, 4);
  if (has_ancillas && !one_in(random, 3)) options["gate_set"] = "clifford_t";
  ProgramLimits limits;
  limits.statements = 24;
  limits.has_blocks = !has_ancillas;
  if (one_in(random, options["gate_set"] == "clifford_t" ? 2 : 20)) {
    options["epsilon"] = one_of<std::string>(random, {"1e-1", "1e-2", "1e-4", "1e-6", "1e-8"});
  } else if (!has_ancillas && one_in(random, 4)) {
    options["coupling"] = "any";
    options["gates"] = "kept";
  }
  const bool is_exact = options.find("epsilon") == options.end();
  limits.only_clifford_t = options["gate_set"] == "clifford_t" && is_exact && !one_in(random, 10);
  drawn.programs = {random_program(random, limits)};
  const bool has_blocks = std::ranges::any_of(
      drawn.programs[0].statements, [](const Statement& each) { return begins_block(each.kind); });
  options["order"] = one_in(random, has_blocks ? 2 : 4) ? "free" : "keep";
  // Version 2 can express few of the programs of version 3.
  const bool is_version_2 = drawn.programs[0].version == 2 || one_in(random, 8);
  options["qasm"] = one_of<std::string>(random, {"0", "0", is_version_2 ? "2" : "0", "3"});
  if (has_ancillas) draw_ancillas(random, drawn);
  return drawn;
}

Outcome run(const Case& input) {
  Outcome outcome;
  const Program& program = input.programs.at(0);
  const GateSet& set = gate_set(option(input, "gate_set", "nam"));
  const GateCalls calls =
      option(input, "gates", "expanded") == "kept" ? GateCalls::kept : GateCalls::expanded;
  const Circuit circuit = parse(write_program(program), set, calls);
  SuperoptimizeResult result;
  try {
    SuperoptimizeOptions options = options_of(input, set, circuit);
    try {
      result = superoptimize(circuit, set, options);
    } catch (const UsageError& error) {
      // Many searches do not apply to many programs.
      if (std::string_view(error.what()).find("cannot be used here") == std::string_view::npos) {
        throw;
      }
      outcome.counts.emplace_back("searched by auto instead");
      options.search = "auto";
      result = superoptimize(circuit, set, options);
    }
  } catch (const InputError& error) {
    outcome.counts = {refusal(error.what())};
    return outcome;
  } catch (const UsageError& error) {
    outcome.counts = {refusal(error.what())};
    return outcome;
  }
  const std::string text = write_qasm(result.circuit);
  const Program before = with_assumptions(program, result.assumptions);
  const Program after =
      with_assumptions(with_order_undone(read_program(text), text), result.assumptions);
  const bool is_free = option(input, "order", "keep") == "free";
  count(before, result, outcome);
  const bool is_simulated = result.ancillas == 0 || outcomes_in(after) <= most_outcomes;
  if (!is_simulated) outcome.counts.emplace_back("not simulated: too many outcomes of ancillas");
  const Difference difference = is_simulated ? simulated_difference(before, after) : Difference();
  const double epsilon = epsilon_of(input);
  outcome.finding = fault_of_simulation(before, after, epsilon, difference);
  const bool has_journal = option(input, "gates", "expanded") == "expanded";
  if (outcome.finding.empty() && has_journal && is_compound_journal(result.journal)) {
    outcome.finding = fault_of_compound_journal(circuit, set, result, epsilon,
                                                is_simulated ? &difference : nullptr, outcome);
    outcome.counts.emplace_back("compound journals");
  } else if (outcome.finding.empty() && has_journal) {
    outcome.finding = fault_of_journal(circuit, set, result, is_free, epsilon,
                                       difference.distance_up_to_phase, outcome);
  }
  if (outcome.finding.empty()) {
    outcome.finding = fault_of_check(circuit, result, epsilon, difference, outcome);
  }
  if (outcome.finding.empty()) outcome.finding = fault_of_form(result, set, text);
  // A gate that is defined by its matrix is written as an opaque one.
  if (after.version == 2 && set.name != "xy" && result.permutation.empty() &&
      is_read_by_all(before)) {
    outcome.before = write_program(program);
    outcome.after = text;
  }
  return outcome;
}

}  // namespace quartz::differential::optimizer
