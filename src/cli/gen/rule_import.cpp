#include "cli/gen/rule_import.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <ostream>

#include "cli/output/progress_line.hpp"
#include "quartz/base/counted.hpp"
#include "quartz/rules/ecc_set.hpp"

namespace quartz::cli {
namespace {

void warn_of_omitted(const EccSet& source, const GateSet& set, const CommandContext& context) {
  if (source.omitted.empty()) return;
  std::string gates;
  for (const auto& [gate, circuits] : source.omitted) gates += (gates.empty() ? "" : ", ") + gate;
  write_warning("quartz-gen", context,
                fmt::format("omitted circuits with gates that the gate set '{}' cannot express "
                            "({}): {}",
                            set.name, gates, source.omitted_circuits()));
}

}  // namespace

ImportResult import_with_progress(const GateSet& set, const ImportRequest& request,
                                  const CommandContext& context) {
  const EccSet source = read_ecc_set_file(request.file, set, context.stop);
  warn_of_omitted(source, set, context);
  ProgressLine line(context.err, context.terminal);
  return import_rules(source, set, library_options(request.proofs, request.threads, context, line));
}

std::string import_stats(const ImportResult& result) {
  nlohmann::ordered_json unproved = nlohmann::ordered_json::array();
  for (const UnprovedCircuit& circuit : result.report.unproved) {
    unproved.push_back({{"class", circuit.class_index + 1},
                        {"circuit", circuit.member_index + 1},
                        {"reason", circuit.reason}});
  }
  const nlohmann::ordered_json stats = {
      {"circuits_read", result.report.circuits_read},
      {"classes", result.rules.classes.size()},
      {"circuits", result.rules.circuit_count()},
      {"rules", result.rules.rule_count()},
      {"proofs_tried", result.report.proofs.tried},
      {"proofs_proved", result.report.proofs.proved},
      {"unproved", unproved},
  };
  return stats.dump(2) + "\n";
}

std::string import_summary(const ImportResult& result) {
  const ProofSummary& proofs = result.report.proofs;
  std::string text =
      fmt::format("read        {}\n", counted(result.report.circuits_read, "circuit"));
  text += fmt::format(
      "rule set    {} in {}, {}\n", counted(result.rules.circuit_count(), "circuit"),
      counted(result.rules.classes.size(), "class"), counted(result.rules.rule_count(), "rule"));
  text +=
      fmt::format("proofs      {} of {} proved by {}", proofs.proved, proofs.tried, proofs.method);
  if (proofs.unknown != 0) {
    text += fmt::format(", {} not proved: omitted (--stats lists them)", proofs.unknown);
  }
  return text + '\n';
}

}  // namespace quartz::cli
