#include "cli/gen_table.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>
#include <numeric>
#include <ostream>

#include "cli/generate_progress.hpp"
#include "cli/memory.hpp"
#include "cli/quantity.hpp"
#include "quartz/errors.hpp"
#include "quartz/workflow/cache.hpp"
#include "quartz/workflow/class_table_source.hpp"

namespace quartz::cli {
namespace {

std::uint64_t class_count(const ClassTableSummary& table) {
  return std::accumulate(table.classes.begin(), table.classes.end(), std::uint64_t{0});
}

double bytes_per_class(const ClassTableSummary& table) {
  return static_cast<double>(table.bytes) / static_cast<double>(class_count(table));
}

std::string summary_of(const ClassTableFile& made) {
  const ClassTableSummary& table = made.table;
  return fmt::format(
      "table    {} classes of cost {} at most, {} letters on {} qubits{}\n"
      "classes  {}\n"
      "memory   {} bytes, {:.2f} a class; {} bytes at the peak\n"
      "seconds  {:.2f} (build), {:.2f} (write)\n",
      class_count(table), table.cost, table.letters, table.qubits,
      table.symbolic ? ", two angles of them symbolic" : "", fmt::join(table.classes, ", "),
      table.bytes, bytes_per_class(table), peak_memory_bytes(), made.build_seconds,
      made.write_seconds);
}

std::string stats_of(const ClassTableFile& made) {
  const ClassTableSummary& table = made.table;
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
      {"seconds", {{"build", made.build_seconds}, {"write", made.write_seconds}}},
      {"peak_memory_bytes", peak_memory_bytes()},
  };
  return stats.dump(2) + "\n";
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
  ClassTableFileOptions options;
  options.table.qubits = qubits;
  options.table.cost = table.cost;
  options.table.two_qubit_weight = table.two_qubit_weight;
  options.table.symbolic = table.symbolic;
  options.table.threads = threads;
  options.table.backend = table.backend;
  options.table.memory = static_cast<std::uint64_t>(table.memory);
  if (table.file != "cache") {
    options.file = table.file;
  } else if (!default_cache_folder()) {
    throw UsageError("--table cache: neither XDG_CACHE_HOME nor HOME is an absolute path");
  }
  const ClassTableFile made = make_table_with_progress(set, options, context);
  if (made.table.cost < table.cost) {
    context.err << fmt::format(
        "warning: cost {} does not fit the memory of {} bytes: the table "
        "goes to cost {}\n",
        table.cost, options.table.memory, made.table.cost);
  }
  if (!stats.empty()) write_output(stats, stats_of(made), context);
  if (!quiet) context.err << summary_of(made);
  return ExitCode::done;
}

}  // namespace quartz::cli
