#include "cli/gen/count_command.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <ostream>
#include <string>

#include "cli/gate_set_argument.hpp"
#include "cli/gen/gen_options.hpp"
#include "quartz/base/counted.hpp"
#include "quartz/classes/class_count.hpp"
#include "quartz/enumerate/generate.hpp"

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

/// Returns where the work was done: "cuda", "cpu (avx2)", "cpu (avx2) in 4 processes".
std::string place_of(const std::string& backend, const std::string& instructions,
                     const ClassCountOptions& options) {
  std::string text = instructions.empty() ? backend : fmt::format("{} ({})", backend, instructions);
  const unsigned ranks = rank_count(options.ranks);
  return ranks == 1 ? text : fmt::format("{} in {} processes", text, ranks);
}

std::string count_summary(const ClassCount& count, const ClassCountOptions& options) {
  CountedLevel total;
  for (const CountedLevel& level : count.levels) {
    total.classes += level.classes;
    total.candidates += level.candidates;
    total.seconds += level.seconds;
  }
  std::string text = fmt::format(
      "total {:>16}{:>18}{:>12.4f}{:>12.1f}\n"
      "{}, backend {}, {:.3f} s of preparation; expected classes lost by chance: {:.1e}\n",
      total.classes, total.candidates, total.seconds, rate(total.candidates, total.seconds) / 1e6,
      counted(count.letters, "letter"), place_of(count.backend, count.instructions, options),
      count.preparation_seconds, count.expected_misses);
  if (!count.complete) {
    text += fmt::format("stopped after {} of {}: the next one does not fit into memory\n",
                        count.levels.size(), counted(options.gates, "level"));
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

struct CountOptions {
  RunOptions run;
  ClassCountOptions count;
  bool unpruned = false;
};

/// Runs the command, which prints each level as soon as it is complete.
ExitCode run(const CountOptions& options, const CommandContext& context) {
  require_different_files(options.run, "", "");
  const GateSet set = gate_set_of(options.run.gate_set, context.stop);
  if (!options.run.stats.empty()) require_writable_output(options.run.stats, context);
  ClassCountOptions request = options.count;
  request.threads = options.run.threads;
  request.pruned = !options.unpruned;
  request.stop = context.stop;
  request.ranks = context.ranks;
  const bool quiet = options.run.quiet;
  if (!quiet) {
    context.err << fmt::format("{:>6}{:>16}{:>18}{:>12}{:>12}   {}\n", "gates", "classes",
                               "candidates", "seconds", "million/s", "digest");
    request.on_level = [&](const CountedLevel& level) {
      context.err << level_line(level) << std::flush;
    };
  }
  const ClassCount count = count_classes(set, request);
  if (!quiet) context.err << count_summary(count, request);
  if (!options.run.stats.empty()) write_output(options.run.stats, stats_of(count), context);
  return count.complete ? ExitCode::done : ExitCode::stopped;
}

CommandBody declare_count(CLI::App& parser) {
  const auto options = std::make_shared<CountOptions>();
  ClassCountOptions& count = options->count;
  count.gates = GenerateOptions().gates;
  add_run_options(parser, options->run)->required();
  add_gates_option(parser, count.gates);
  add_qubits_option(parser, count.qubits, ClassCountOptions::kMaxQubits);
  add_point_seed_option(parser, count.seed);
  add_backend_option(parser, count.backend, "the fastest one available");
  parser
      .add_option("--instructions", count.instructions,
                  fmt::format("instruction set of the CPU: {} (default: the fastest one available)",
                              fmt::join(cpu_instruction_sets(), ", ")))
      ->type_name("NAME");
  parser
      .add_option("--devices", count.devices, "number of devices of this host, with --backend cuda")
      ->check(CLI::Range(1U, 64U))
      ->capture_default_str()
      ->type_name("N");
  parser.add_flag("--unpruned", options->unpruned,
                  "look up every extension, including those known to be in no new class");
  return [options](const CommandContext& context) { return run(*options, context); };
}

}  // namespace

Command gen_count_command() {
  return {"count",
          "Counts the classes of circuits with each number of gates, for constant angles only and "
          "without storing circuits.",
          "  quartz-gen count --gate-set nam --gates 6 --qubits 3\n"
          "  quartz-gen count --gate-set nam --gates 10 --backend cuda --devices 4\n",
          declare_count};
}

}  // namespace quartz::cli
