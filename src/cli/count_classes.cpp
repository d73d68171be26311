#include "cli/count_classes.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <ostream>

#include "cli/gate_set_argument.hpp"
#include "quartz/files.hpp"

namespace quartz::cli {
namespace {

double rate(std::uint64_t count, double seconds) {
  return seconds > 0 ? static_cast<double>(count) / seconds : 0;
}

std::string level_line(const CountedLevel& level) {
  return fmt::format("{:>6}{:>16}{:>18}{:>12.4f}{:>12.1f}   {:016x}\n", level.gates, level.classes,
                     level.candidates, level.seconds, rate(level.candidates, level.seconds) / 1e6,
                     level.digest);
}

/// "cuda", "cpu (avx2)", "cpu (avx2) in 4 processes".
std::string place_of(const std::string& backend, const std::string& instructions,
                     const ClassCountOptions& options) {
  std::string text = instructions.empty() ? backend : fmt::format("{} ({})", backend, instructions);
  const unsigned ranks = rank_count(options.ranks);
  return ranks == 1 ? text : fmt::format("{} in {} processes", text, ranks);
}

std::string summary_of(const ClassCount& count, const ClassCountOptions& options) {
  CountedLevel total;
  for (const CountedLevel& level : count.levels) {
    total.classes += level.classes;
    total.candidates += level.candidates;
    total.seconds += level.seconds;
  }
  std::string text = fmt::format(
      "total {:>16}{:>18}{:>12.4f}{:>12.1f}\n"
      "{} letters, backend {}, {:.3f} s of preparation; expected classes lost by chance: {:.1e}\n",
      total.classes, total.candidates, total.seconds, rate(total.candidates, total.seconds) / 1e6,
      count.letters, place_of(count.backend, count.instructions, options),
      count.preparation_seconds, count.expected_misses);
  if (!count.complete) {
    text += fmt::format("stopped after {} of {} levels: the memory does not hold the next\n",
                        count.levels.size(), options.gates);
  }
  return text;
}

std::string stats_of(const ClassCount& count) {
  nlohmann::ordered_json levels = nlohmann::ordered_json::array();
  for (const CountedLevel& level : count.levels) {
    levels.push_back({{"gates", level.gates},
                      {"classes", level.classes},
                      {"candidates", level.candidates},
                      {"digest", fmt::format("{:016x}", level.digest)},
                      {"seconds", level.seconds}});
  }
  const nlohmann::ordered_json stats = {{"backend", count.backend},
                                        {"instructions", count.instructions},
                                        {"letters", count.letters},
                                        {"complete", count.complete},
                                        {"preparation_seconds", count.preparation_seconds},
                                        {"expected_misses", count.expected_misses},
                                        {"levels", levels}};
  return stats.dump(2) + "\n";
}

void measure(const GateSet& set, const ClassCountOptions& options, unsigned rounds,
             const CommandContext& context) {
  const FingerprintRate measured = measure_fingerprints(set, options, rounds);
  context.err << fmt::format(
      "{} fingerprints in {:.4f} s: {:.1f} million a second, backend {}, digest {:016x}\n",
      measured.fingerprints, measured.seconds, rate(measured.fingerprints, measured.seconds) / 1e6,
      place_of(measured.backend, measured.instructions, options), measured.digest);
}

}  // namespace

ExitCode count_classes_level_by_level(const CountRequest& request, const CommandContext& context) {
  const GateSet set = gate_set_of(request.gate_set, context.stop);
  if (!request.stats.empty()) require_writable_output(request.stats, context);
  ClassCountOptions options = request.options;
  options.stop = context.stop;
  options.ranks = context.ranks;
  if (request.fingerprint_rounds != 0) {
    measure(set, options, request.fingerprint_rounds, context);
    return ExitCode::done;
  }
  context.err << fmt::format("{:>6}{:>16}{:>18}{:>12}{:>12}   {}\n", "gates", "classes",
                             "candidates", "seconds", "million/s", "digest");
  options.on_level = [&](const CountedLevel& level) {
    context.err << level_line(level) << std::flush;
  };
  const ClassCount count = count_classes(set, options);
  context.err << summary_of(count, options);
  if (!request.stats.empty()) write_output(request.stats, stats_of(count), context);
  return count.complete ? ExitCode::done : ExitCode::stopped;
}

}  // namespace quartz::cli
