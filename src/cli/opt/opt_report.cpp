#include "cli/opt/opt_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <span>

#include "cli/output/report.hpp"
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

/// Returns a table of the rewrites that saved most in each pass, and the number of further
/// rewrites.
std::string list_of_rewrites(const std::vector<RewriteGain>& gains) {
  constexpr std::ptrdiff_t kMaxRows = 10;
  std::string text = "uses  gates removed  rewrites that led to the result\n";
  const auto add = [&](const RewriteGain& gain, std::string_view pass, const std::string& what) {
    text += fmt::format("{:>4}  {:>13}  {}: {}\n", gain.uses, gain.gates_removed, pass, what);
  };
  for (auto first = gains.begin(); first != gains.end();) {
    const std::string_view pass = first->rewrite.pass;
    const auto last = std::find_if(
        first, gains.end(), [&](const RewriteGain& gain) { return gain.rewrite.pass != pass; });
    const auto shown = first + std::min(kMaxRows, last - first);
    for (auto gain = first; gain != shown; ++gain) add(*gain, pass, rewrite_text(gain->rewrite));
    RewriteGain others;
    for (auto gain = shown; gain != last; ++gain) {
      others.uses += gain->uses;
      others.gates_removed += gain->gates_removed;
    }
    if (shown != last) add(others, pass, fmt::format("{} others", last - shown));
    first = last;
  }
  return text;
}

/// Describes the size of the journal.
std::string journal_text(const SuperoptimizeResult& result) {
  std::string text = fmt::format("journal: {} rewrites in {} bytes", result.journal_rewrites,
                                 result.journal.size());
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

/// Returns by how many gates the result is smaller than the translated circuit.
std::int64_t gates_removed(const SuperoptimizeResult& result) {
  return static_cast<std::int64_t>(count_gates(result.translated).total) -
         static_cast<std::int64_t>(count_gates(result.circuit).total);
}

std::int64_t removed_by_passes(const SuperoptimizeResult& result) {
  std::int64_t sum = 0;
  for (const OptimizePass& pass : result.passes) sum += pass.gates_removed;
  return sum;
}

std::string headline_of(const SuperoptimizeResult& result) {
  const ResultCheck& check = result.check;
  return headline(
      objectives_of(result.translated, result.cost), objectives_of(result.circuit, result.cost),
      {check.verified, check.report.distance, check.report.log2_failure.has_value(),
       check.report.verdict == EquivalenceVerdict::equal_up_to_phase, result.assumptions.any(),
       check.report.verdict == EquivalenceVerdict::within_epsilon});
}

std::string resumed_text(const SuperoptimizeResult& result) {
  if (!result.seconds_before) return "";
  return fmt::format(" after {:.2f} s of the checkpoint", *result.seconds_before);
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
  return fmt::format(
      "annealing on the device: {} chains, {} sweeps, {} moves; {} parts replaced, {} refuted\n",
      device->chains, device->sweeps, device->moves, device->confirmed, device->refuted);
}

/// Returns a line about repeated fragments; empty if no search looked for cheaper ones.
std::string repetitions_line(const std::optional<RepetitionCounts>& repetitions) {
  if (!repetitions) return "";
  return fmt::format("repeated fragments: {} with {} copies, of {} gates\n", repetitions->fragments,
                     repetitions->copies, repetitions->gates);
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
    line += fmt::format(", {:.1f}% also in segments of {} gates annealed by {} moves a gate",
                        percent(optimality->in_segments), optimality->gates_of_segment,
                        optimality->moves_per_gate);
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
    return fmt::format("ancillas {}, for {} measured adders of equal rotations{}\n",
                       result.ancillas, result.adders, without);
  }
  return fmt::format("ancillas {}, for {} measured Hadamard gadgets and {} Toffoli gates{}\n",
                     result.ancillas, result.gadgets, result.measured_toffolis, without);
}

std::string rewrites_text(const SuperoptimizeResult& result) {
  if (!result.numeric) return "all exact";
  const double epsilon = std::get<double>(result.run_record.value_of("epsilon"));
  if (epsilon == 0) return "some in double precision, within 1e-12";
  if (result.approximated_rotations != 0) {
    return fmt::format("{} rotations approximated, in all within {:g} (--epsilon)",
                       result.approximated_rotations, epsilon);
  }
  return fmt::format("some in double precision, in all within {:g} (--epsilon)", epsilon);
}

}  // namespace

std::vector<CostChange> cost_changes_of(const RunReport& report) {
  const std::vector<Figure> before = objectives_of(report.result.translated, report.result.cost);
  const std::vector<Figure> after = objectives_of(report.result.circuit, report.result.cost);
  std::vector<CostChange> changes;
  for (std::size_t i = 0; i < after.size(); ++i) {
    changes.push_back({after[i].name, before[i].value, after[i].value});
  }
  return changes;
}

std::string summary_of(const RunReport& report) {
  const SuperoptimizeResult& result = report.result;
  const std::vector<Figure> input = input_figures(report);
  const std::vector<Figure> translated = figures_of(report.result.translated, report.result.cost);
  const std::vector<Figure> after = figures_of(result.circuit, report.result.cost);
  return headline_of(result) + "\n" +
         format_table(input == translated ? before_after_table(input, after)
                                          : translated_after_table(input, translated, after)) +
         growth_note(translated, after, report.result.cost.name()) +
         fmt::format("time     {:.2f} s{}, stopped: {}\n", result.seconds, resumed_text(result),
                     stop_reason_of(report)) +
         fmt::format("rewrites {}\n", rewrites_text(result)) +
         fmt::format("phase    {}\n", qasm_expression(result.circuit.global_phase)) +
         (result.assumptions.any() ? fmt::format("assumed  {}\n", to_string(result.assumptions))
                                   : "") +
         known_states_line(result.known_states) + ancillas_line(result) +
         fmt::format("checked  {}\n", check_text(result.check));
}

std::string explanation_of(const RunReport& report) {
  const SuperoptimizeResult& result = report.result;
  std::string text =
      "\n" + format_table(table_of_counts(
                 {"gates by kind", "input", "translated", "result"}, gates_by_kind(report.input),
                 gates_by_kind(report.result.translated), gates_by_kind(result.circuit)));
  if (const auto boundaries = boundaries_by_kind(result.circuit); !boundaries.empty()) {
    text += "\n" + format_table(table_of_counts({"never crossed", "number"}, boundaries));
  }
  Table passes{{"pass", "runs", "successful", "gates removed", "seconds"}, {}};
  for (const OptimizePass& pass : result.passes) {
    passes.rows.push_back({fmt::format("{}: {}", pass.name, pass.description),
                           std::to_string(pass.runs), std::to_string(pass.runs_that_paid),
                           std::to_string(pass.gates_removed), seconds_text(pass.seconds)});
  }
  const std::int64_t removed = gates_removed(result);
  if (const std::int64_t rest = removed - removed_by_passes(result); rest != 0) {
    passes.rows.push_back({"everything else", "", "", std::to_string(rest), ""});
  }
  passes.rows.push_back({"total", "", "", std::to_string(removed), ""});
  text += "\n" + format_table(passes);
  if (!result.gains.empty()) text += "\n" + list_of_rewrites(result.gains);
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
