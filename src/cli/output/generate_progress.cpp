#include "cli/output/generate_progress.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "cli/output/progress_line.hpp"
#include "quartz/base/counted.hpp"

namespace quartz::cli {
namespace {

/// Formats a number as "950", "12.3 k" or "1.2 M".
std::string short_count(double value) {
  constexpr const char* kUnits[] = {"", " k", " M", " G", " T"};
  std::size_t unit = 0;
  for (; value >= 1000 && unit + 1 < std::size(kUnits); ++unit) value /= 1000;
  return fmt::format("{:.{}f}{}", value, unit == 0 ? 0 : 1, kUnits[unit]);
}

/// Returns what is being done, in words for users.
std::string activity(const GenerateProgress& progress) {
  const std::string size = progress.level == 0 ? "" : " of " + counted(progress.level, "gate");
  if (progress.phase == "enumerate") return "enumerating circuits" + size;
  if (progress.phase == "phases") return "computing global phases of circuits" + size;
  if (progress.phase == "prove") return "proving equalities of circuits" + size;
  if (progress.phase == "prune") return "removing rules that follow from others";
  return progress.phase;
}

}  // namespace

std::string progress_text(const GenerateProgress& progress) {
  std::string text = activity(progress);
  if (progress.phase == "enumerate") {
    text += ", " + counted(progress.classes, "different one");
    if (progress.seconds > 0) {
      const double rate = static_cast<double>(progress.candidates) / progress.seconds;
      text += fmt::format(" ({}/s)", short_count(rate));
    }
  }
  if (progress.proofs_total > 0) {
    text += fmt::format(", {} of {}", progress.proofs_done, progress.proofs_total);
  }
  if (progress.seconds_left >= 0) {
    text += fmt::format(", {:.0f} s left", std::ceil(progress.seconds_left));
  }
  return text;
}

std::string progress_text(const ClassTableProgress& progress) {
  return fmt::format("class table: cost {}, {}, {:.1f} s", progress.level,
                     counted(progress.classes, "class"), progress.seconds);
}

ObtainedRuleSet generate_with_progress(const GateSet& set, GenerateOptions options,
                                       const CommandContext& context) {
  ProgressLine line(context.err, context.terminal);
  options.stop = context.stop;
  options.ranks = context.ranks;
  options.on_progress = [&line](const GenerateProgress& progress) {
    if (line.due()) line.show(progress_text(progress));
  };
  return obtain_rule_set(set, {std::move(options), {.enabled = false, .folder = {}}, {}});
}

ClassTableFile make_table_with_progress(const GateSet& set, ClassTableFileOptions options,
                                        const CommandContext& context) {
  ProgressLine line(context.err, context.terminal);
  options.table.stop = context.stop;
  options.table.on_progress = [&line](const ClassTableProgress& progress) {
    if (line.due()) line.show(progress_text(progress));
  };
  return make_class_table_file(set, options);
}

}  // namespace quartz::cli
