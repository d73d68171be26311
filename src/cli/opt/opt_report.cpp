#include "cli/opt/opt_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <span>

#include "cli/output/report.hpp"
#include "quartz/base/counted.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/qasm/qasm.hpp"
#include "report/figures.hpp"
#include "report/headline.hpp"
#include "report/run_text.hpp"

namespace quartz::cli {
namespace {

using namespace report;

/// Returns the outcome of the check, which is only omitted with --no-check.
std::string check_text(const ResultCheck& check) {
  return check.verified ? check.text : check.text + " (--no-check)";
}

/// Describes a rewrite up to a global phase.
std::string rewrite_text(const Rewrite& rewrite) {
  if (!has_sides(rewrite)) return std::string(description_of(rewrite.kind));
  const auto side = [](std::span<const Operation> circuit) {
    return circuit.empty() ? std::string("nothing") : circuit_text(circuit);
  };
  return side(rewrite.left) + " -> " + side(rewrite.right);
}

/// A line about rewrites, or about what other changes came to.
struct RewriteLine {
  std::string uses;
  std::int64_t gates_removed = 0;
  std::string what;
};

/// Returns lines about the rewrites of one pass that saved most, and one about all others.
std::vector<RewriteLine> lines_of_pass(std::span<const RewriteGain> gains) {
  constexpr std::size_t kMaxRows = 10;
  std::vector<RewriteLine> lines;
  std::vector<RewriteLine> last;
  RewriteGain others;
  std::uint64_t other_count = 0;
  const std::string pass(gains.front().rewrite.pass);
  for (const RewriteGain& gain : gains) {
    const bool is_last = gain.rewrite.kind == RewriteKind::detours;
    if (!is_last && lines.size() == kMaxRows) {
      others.uses += gain.uses;
      others.gates_removed += gain.gates_removed;
      ++other_count;
      continue;
    }
    (is_last ? last : lines)
        .push_back({std::to_string(gain.uses), gain.gates_removed,
                    pass + ": " + rewrite_text(gain.rewrite)});
  }
  if (other_count != 0) {
    lines.push_back({std::to_string(others.uses), others.gates_removed,
                     pass + ": " + counted(other_count, "other")});
  }
  lines.insert(lines.end(), last.begin(), last.end());
  return lines;
}

/// Returns a table of the rewrites that led to the result, whose gains and those of all other
/// changes add up to the number of gates that were removed.
std::string list_of_rewrites(std::span<const RewriteGain> gains, std::int64_t removed) {
  std::vector<RewriteLine> lines;
  std::int64_t rest = removed;
  while (!gains.empty()) {
    const auto next = std::ranges::find_if(gains, [&](const RewriteGain& gain) {
      return gain.rewrite.pass != gains.front().rewrite.pass;
    });
    const auto count = static_cast<std::size_t>(next - gains.begin());
    for (RewriteLine& line : lines_of_pass(gains.first(count))) {
      rest -= line.gates_removed;
      lines.push_back(std::move(line));
    }
    gains = gains.subspan(count);
  }
  if (rest != 0) lines.push_back({"", rest, "everything else: passes without such rewrites"});
  lines.push_back({"", removed, "total"});
  constexpr std::string_view kUses = "uses";
  std::size_t width = kUses.size();
  for (const RewriteLine& line : lines) width = std::max(width, line.uses.size());
  std::string text =
      fmt::format("{:>{}}  gates removed  rewrites that led to the result\n", kUses, width);
  for (const RewriteLine& line : lines) {
    text += fmt::format("{:>{}}  {:>13}  {}\n", line.uses, width, line.gates_removed, line.what);
  }
  return text;
}

/// Describes the size of the journal.
std::string journal_text(const SuperoptimizeResult& result) {
  std::string text = fmt::format("journal: {} in {}", counted(result.journal_rewrites, "rewrite"),
                                 counted(result.journal.size(), "byte"));
  if (const std::optional<double> bytes = journal_bytes_per_rewrite(result)) {
    text += fmt::format(", {:.1f} for each", *bytes);
  }
  return text + "\n";
}

std::string seconds_text(double seconds) { return fmt::format("{:.3f}", seconds); }

/// Returns a table of one or more lists of counts, with a row for each name in any of them.
template <typename... Counts>
Table table_of_counts(std::vector<std::string> header, const Counts&... counts) {
  std::map<std::string, std::vector<std::string>> rows;
  (
      [&] {
        for (const auto& [name, count] : counts) rows[name] = {name};
      }(),
      ...);
  Table table{std::move(header), {}};
  for (auto& [name, row] : rows) {
    const auto add = [&row = row, &name = name](const std::map<std::string, std::uint64_t>& from) {
      const auto found = from.find(name);
      row.push_back(std::to_string(found == from.end() ? 0 : found->second));
    };
    (add(counts), ...);
    table.rows.push_back(std::move(row));
  }
  return table;
}

/// Returns the numbers of qubits and of measurements, and the T depth, before and after.
Table sizes_table(const RunFigures& figures) {
  Table table{{"sizes", "input", "translated", "result"}, {}};
  const auto add = [&](std::string name, std::uint64_t CircuitFigures::*size) {
    table.rows.push_back({std::move(name), std::to_string(figures.input.*size),
                          std::to_string(figures.translated.*size),
                          std::to_string(figures.result.*size)});
  };
  add("qubits", &CircuitFigures::qubits);
  add("measurements", &CircuitFigures::measurements);
  add("T depth", &CircuitFigures::t_depth);
  return table;
}

std::uint64_t gates_of(const CircuitFigures& figures) {
  std::uint64_t sum = 0;
  for (const auto& [kind, count] : figures.gates) sum += count;
  return sum;
}

/// Returns by how many gates the result is smaller than the translated circuit.
std::int64_t gates_removed(const RunFigures& figures) {
  return static_cast<std::int64_t>(gates_of(figures.translated)) -
         static_cast<std::int64_t>(gates_of(figures.result));
}

std::int64_t removed_by_passes(const SuperoptimizeResult& result) {
  std::int64_t sum = 0;
  for (const OptimizePass& pass : result.passes) sum += pass.gates_removed;
  return sum;
}

std::string headline_of(const SuperoptimizeResult& result, const RunFigures& figures) {
  const ResultCheck& check = result.check;
  return headline(
      objectives_of(figures.translated, result.cost), objectives_of(figures.result, result.cost),
      {check.verified, check.report.distance, check.report.log2_failure.has_value(),
       check.report.verdict == EquivalenceVerdict::equal_up_to_phase, result.assumptions.any(),
       check.report.verdict == EquivalenceVerdict::within_epsilon});
}

/// Returns a line about the time of the run and of its search.
std::string time_line(const RunReport& report) {
  const SuperoptimizeResult& result = report.result;
  const std::string resumed =
      result.seconds_before
          ? fmt::format(" after {:.2f} s of the checkpoint", *result.seconds_before)
          : "";
  return fmt::format("time     {:.2f} s, {:.2f} s of it in the search{}, stopped: {}\n",
                     report.seconds, result.seconds, resumed, stop_reason_of(report));
}

/// Returns an angle as an OpenQASM expression, or as a rounded number or the beginning of a sum if
/// that is too long for a line. --stats has it in full.
std::string phase_text(const Angle& phase) {
  constexpr std::size_t kMostCharacters = 48;
  std::string text = qasm_expression(phase);
  if (text.size() <= kMostCharacters) return text;
  if (phase.is_constant()) return fmt::format("about {:.10g}", phase.value_modulo(2));
  text.resize(kMostCharacters);
  text.erase(std::max<std::size_t>(text.find_last_of("+-"), 1));
  return fmt::format("{} + ..., {}", text, counted(phase.terms().size(), "parameter"));
}

/// Returns a line about the gates that changed because of what is known of states; empty if none
/// did.
std::string known_states_line(const KnownStates& changes) {
  if (!changes.any()) return "";
  return fmt::format("states   gates removed because of known states: {}, replaced: {}\n",
                     changes.gates_removed, changes.gates_replaced);
}

/// Returns a line about the products; empty if no search found fewer.
std::string products_line(const std::optional<ProductCounts>& products) {
  if (!products || products->after >= products->before) return "";
  return fmt::format("products (Toffoli gates on parities): {} for {}\n", products->after,
                     products->before);
}

/// Returns a line about annealing on a device; empty if no device was used.
std::string device_line(const std::optional<DeviceAnnealing>& device) {
  if (!device) return "";
  return fmt::format("annealing on {}: {}, {}, {}; {} replaced, {} refuted\n",
                     device->devices > 1 ? counted(device->devices, "device") : "the device",
                     counted(device->chains, "chain"), counted(device->sweeps, "sweep"),
                     counted(device->moves, "move"), counted(device->confirmed, "part"),
                     device->refuted);
}

/// Returns a line about repeated fragments; empty if no search looked for cheaper ones.
std::string repetitions_line(const std::optional<RepetitionCounts>& repetitions) {
  if (!repetitions) return "";
  return fmt::format("repeated fragments: {}; copies: {}, of {}\n", repetitions->fragments,
                     repetitions->copies, counted(repetitions->gates, "gate"));
}

/// Returns a line about local optimality; empty if no search of segments ran.
std::string local_optimality_line(const std::optional<LocalOptimality>& optimality) {
  if (!optimality || optimality->gates == 0) return "";
  const auto percent = [&](std::size_t gates) {
    // Rounded down, so that 100% means all gates.
    return static_cast<double>(1000 * gates / optimality->gates) / 10;
  };
  std::string line =
      fmt::format("locally optimal: {:.1f}% of the gates in windows of the class table",
                  percent(optimality->in_windows));
  if (optimality->moves_per_gate != 0) {
    line += fmt::format(
        ", {:.1f}% also in segments of {} annealed by {} a gate", percent(optimality->in_segments),
        counted(optimality->gates_of_segment, "gate"), counted(optimality->moves_per_gate, "move"));
  }
  return line + "\n";
}

/// Returns a line about ancillas; empty if there are none.
std::string ancillas_line(const SuperoptimizeResult& result) {
  if (result.ancillas == 0) return "";
  const std::string without =
      result.without_ancillas
          ? fmt::format("; without them: {}", result.cost.describe(*result.without_ancillas))
          : "";
  if (result.adders != 0) {
    return fmt::format("ancillas {}, for {} of equal rotations{}\n", result.ancillas,
                       counted(result.adders, "measured adder"), without);
  }
  std::string uses = fmt::format("{} and {}", counted(result.gadgets, "measured Hadamard gadget"),
                                 counted(result.measured_toffolis, "Toffoli gate"));
  if (result.parity_ancillas != 0) {
    const std::string parallel = counted(result.parity_ancillas, "parallel rotation");
    const bool is_alone = result.parity_ancillas == result.ancillas;
    uses = is_alone ? parallel : fmt::format("{}, and {}", uses, parallel);
  }
  return fmt::format("ancillas {}, for {}{}\n", result.ancillas, uses, without);
}

std::string rewrites_text(const SuperoptimizeResult& result) {
  if (!result.numeric) return "all exact";
  const double epsilon = std::get<double>(result.run_record.value_of("epsilon"));
  if (epsilon == 0) return "some in double precision, within 1e-12";
  if (result.approximated_rotations != 0) {
    return fmt::format("{} approximated, in all within {:g} (--epsilon)",
                       counted(result.approximated_rotations, "rotation"), epsilon);
  }
  return fmt::format("some in double precision, in all within {:g} (--epsilon)", epsilon);
}

}  // namespace

std::vector<CostChange> cost_changes_of(const RunFigures& figures, const Cost& cost) {
  const std::vector<Figure> before = objectives_of(figures.translated, cost);
  const std::vector<Figure> after = objectives_of(figures.result, cost);
  std::vector<CostChange> changes;
  for (std::size_t i = 0; i < after.size(); ++i) {
    changes.push_back({after[i].name, before[i].value, after[i].value});
  }
  return changes;
}

std::string summary_of(const RunReport& report, const RunFigures& figures) {
  const SuperoptimizeResult& result = report.result;
  const std::vector<Figure> input = shown_figures(figures.input, figures.shown);
  const std::vector<Figure> translated = shown_figures(figures.translated, figures.shown);
  const std::vector<Figure> after = shown_figures(figures.result, figures.shown);
  return headline_of(result, figures) + "\n" +
         format_table(input == translated ? before_after_table(input, after)
                                          : translated_after_table(input, translated, after)) +
         growth_note(translated, after, report.result.cost.name()) + time_line(report) +
         fmt::format("rewrites {}\n", rewrites_text(result)) +
         fmt::format("phase    {}\n", phase_text(result.circuit.global_phase)) +
         (result.assumptions.any() ? fmt::format("assumed  {}\n", to_string(result.assumptions))
                                   : "") +
         known_states_line(result.known_states) + ancillas_line(result) +
         fmt::format("checked  {}\n", check_text(result.check));
}

std::string explanation_of(const RunReport& report, const RunFigures& figures) {
  const SuperoptimizeResult& result = report.result;
  std::string text =
      "\n" + format_table(table_of_counts({"gates by kind", "input", "translated", "result"},
                                          figures.input.gates, figures.translated.gates,
                                          figures.result.gates));
  text += "\n" + format_table(sizes_table(figures));
  if (!figures.result.boundaries.empty() || !figures.input.boundaries.empty()) {
    text +=
        "\n" + format_table(table_of_counts({"never crossed", "input", "result"},
                                            figures.input.boundaries, figures.result.boundaries));
  }
  Table passes{{"pass", "runs", "successful", "gates removed", "seconds"}, {}};
  for (const OptimizePass& pass : result.passes) {
    passes.rows.push_back({fmt::format("{}: {}", pass.name, pass.description),
                           std::to_string(pass.runs), std::to_string(pass.runs_that_paid),
                           std::to_string(pass.gates_removed), seconds_text(pass.seconds)});
  }
  const std::int64_t removed = gates_removed(figures);
  if (const std::int64_t rest = removed - removed_by_passes(result); rest != 0) {
    passes.rows.push_back({"everything else", "", "", std::to_string(rest), ""});
  }
  passes.rows.push_back({"total", "", "", std::to_string(removed), ""});
  text += "\n" + format_table(passes);
  if (!result.gains.empty()) text += "\n" + list_of_rewrites(result.gains, removed);
  text += fmt::format("annealing moves: {}, circuits examined by backtracking: {}\n",
                      result.annealing_moves, result.circuits_popped);
  text += device_line(result.device_annealing);
  text += products_line(result.products);
  text += repetitions_line(result.repetitions);
  text += local_optimality_line(result.local_optimality);
  if (report.has_journal) text += journal_text(result);
  Table times{{"stage", "seconds"}, {}};
  for (const auto& [name, seconds] : report.stages) {
    times.rows.push_back({name, seconds_text(seconds)});
  }
  return text + "\n" + format_table(times);
}

}  // namespace quartz::cli
