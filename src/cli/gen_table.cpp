#include "cli/gen_table.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>
#include <ostream>

#include "cli/generate_progress.hpp"
#include "cli/memory.hpp"
#include "cli/quantity.hpp"
#include "cli/table_source.hpp"
#include "quartz/errors.hpp"
#include "quartz/file_lock.hpp"
#include "quartz/files.hpp"

namespace quartz::cli {
namespace {

using Clock = std::chrono::steady_clock;

struct Outcome {
  ClassTableSummary table;
  double build_seconds = 0;
  double write_seconds = 0;
};

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

std::uint64_t class_count(const ClassTableSummary& table) {
  return std::accumulate(table.classes.begin(), table.classes.end(), std::uint64_t{0});
}

double bytes_per_class(const ClassTableSummary& table) {
  return static_cast<double>(table.bytes) / static_cast<double>(class_count(table));
}

std::string summary_of(const Outcome& outcome) {
  const ClassTableSummary& table = outcome.table;
  return fmt::format(
      "table    {} classes of cost {} at most, {} letters on {} qubits{}\n"
      "classes  {}\n"
      "memory   {} bytes, {:.2f} a class; {} bytes at the peak\n"
      "seconds  {:.2f} (build), {:.2f} (write)\n",
      class_count(table), table.cost, table.letters, table.qubits,
      table.symbolic ? ", two angles of them symbolic" : "", fmt::join(table.classes, ", "),
      table.bytes, bytes_per_class(table), peak_memory_bytes(), outcome.build_seconds,
      outcome.write_seconds);
}

std::string stats_of(const Outcome& outcome) {
  const ClassTableSummary& table = outcome.table;
  const nlohmann::ordered_json stats = {
      {"gate_set", table.gate_set},
      {"qubits", table.qubits},
      {"cost", table.cost},
      {"two_qubit_weight", table.two_qubit_weight},
      {"symbolic", table.symbolic},
      {"letters", table.letters},
      {"classes", table.classes},
      {"bytes", table.bytes},
      {"bytes_per_class", bytes_per_class(table)},
      {"seconds", {{"build", outcome.build_seconds}, {"write", outcome.write_seconds}}},
      {"peak_memory_bytes", peak_memory_bytes()},
  };
  return stats.dump(2) + "\n";
}

/// The lock, and whether it was had at once.
std::pair<FileLock, bool> lock_for(const std::string& file, const CommandContext& context) {
  if (std::optional<FileLock> lock = FileLock::try_lock(file)) return {std::move(*lock), true};
  if (std::optional<FileLock> lock = FileLock::wait(file, context.stop)) {
    return {std::move(*lock), false};
  }
  throw Error("stopped while another process made the class table");
}

std::string file_of(const TableGeneration& table, const GateSet& set,
                    const ClassTableOptions& options) {
  if (table.file != "cache") return table.file;
  const std::optional<std::filesystem::path> path = cached_table_path(set, options);
  if (!path) {
    throw UsageError("--table cache: neither XDG_CACHE_HOME nor HOME is an absolute path");
  }
  std::error_code ignored;  // writing will tell
  std::filesystem::create_directories(path->parent_path(), ignored);
  return path->string();
}

/// The table in the file, if it is the one that these options make.
std::shared_ptr<const ClassTable> existing_table(const std::string& file, const GateSet& set,
                                                 const ClassTableOptions& options) {
  try {
    std::shared_ptr<const ClassTable> table = open_class_table(file, set, options.threads);
    if (is_table_of(*table, options)) return table;
  } catch (const InputError&) {
    // It is made, then.
  }
  return nullptr;
}

}  // namespace

CLI::Option* add_table_options(CLI::App& parser, TableGeneration& table) {
  const std::string group = "A class table in place of a rule set";
  CLI::Option* const file =
      parser
          .add_option(
              "--table", table.file,
              "write the least cost of every small circuit, for quartz-opt --table; 'cache' "
              "for where quartz-opt looks for one itself")
          ->type_name("FILE")
          ->group(group);
  parser.add_option("--table-cost", table.cost, "classes up to this cost")
      ->check(CLI::Range(1U, 30U))
      ->capture_default_str()
      ->type_name("N")
      ->needs(file)
      ->group(group);
  parser
      .add_option("--two-qubit-weight", table.two_qubit_weight,
                  "cost of a gate on two qubits or more; all others cost 1")
      ->check(CLI::Range(1U, 30U))
      ->capture_default_str()
      ->type_name("N")
      ->needs(file)
      ->group(group);
  parser.add_flag("--symbolic", table.symbolic, "also rotations by a free angle")
      ->needs(file)
      ->group(group);
  add_bytes_option(parser, "--table-memory", table.memory,
                   "what building may take, of the device with --backend cuda, as in 4GiB (default "
                   "8GiB); the cost gives way")
      ->needs(file)
      ->group(group);
  return file;
}

ExitCode generate_table(const GateSet& set, const TableGeneration& table, unsigned qubits,
                        unsigned threads, const std::string& stats, bool quiet,
                        const CommandContext& context) {
  ClassTableOptions options;
  options.qubits = qubits;
  options.cost = table.cost;
  options.two_qubit_weight = table.two_qubit_weight;
  options.symbolic = table.symbolic;
  options.threads = threads;
  options.backend = table.backend;
  options.memory = static_cast<std::uint64_t>(table.memory);
  const std::string file = file_of(table, set, options);
  require_writable(file);
  const auto [lock, at_once] = lock_for(file, context);
  std::shared_ptr<const ClassTable> made;
  if (!at_once) made = existing_table(file, set, options);
  Outcome outcome;
  if (!made) {
    const Clock::time_point start = Clock::now();
    made = build_with_progress(set, options, context);
    outcome.build_seconds = seconds_since(start);
    const Clock::time_point built = Clock::now();
    options.cost = summary_of(*made).cost;  // which the name in the cache has in it
    write_class_table(*made, file_of(table, set, options));
    outcome.write_seconds = seconds_since(built);
  }
  outcome.table = summary_of(*made);
  if (outcome.table.cost < table.cost) {
    context.err << fmt::format(
        "warning: cost {} does not fit the memory of {} bytes: the table "
        "goes to cost {}\n",
        table.cost, options.memory, outcome.table.cost);
  }
  if (!stats.empty()) write_output(stats, stats_of(outcome), context);
  if (!quiet) context.err << summary_of(outcome);
  return ExitCode::done;
}

}  // namespace quartz::cli
