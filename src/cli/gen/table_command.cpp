#include "cli/gen/table_command.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <numeric>
#include <ostream>
#include <string>
#include <string_view>

#include "cli/gate_set_argument.hpp"
#include "cli/gen/gen_options.hpp"
#include "cli/memory.hpp"
#include "cli/output/generate_progress.hpp"
#include "cli/output/quantity.hpp"
#include "quartz/base/counted.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/classes/class_count.hpp"
#include "quartz/workflow/cache.hpp"
#include "quartz/workflow/class_table_source.hpp"

namespace quartz::cli {
namespace {

constexpr unsigned kMaxTableCost = 30;

std::uint64_t class_count(const ClassTableSummary& table) {
  return std::accumulate(table.classes.begin(), table.classes.end(), std::uint64_t{0});
}

double bytes_per_class(const ClassTableSummary& table) {
  return static_cast<double>(table.bytes) / static_cast<double>(class_count(table));
}

std::string table_summary(const ClassTableFile& made) {
  const ClassTableSummary& table = made.table;
  return fmt::format(
      "table    {} of cost up to {}, {} on {}{}\n"
      "classes  {}\n"
      "memory   {} bytes, {:.2f} per class; {} bytes at the peak\n"
      "seconds  {:.2f} (build), {:.2f} (write)\n",
      counted(class_count(table), "class"), table.cost, counted(table.letters, "letter"),
      counted(table.qubits, "qubit"), table.symbolic ? ", two of the angles symbolic" : "",
      fmt::join(table.classes, ", "), table.bytes, bytes_per_class(table), peak_memory_bytes(),
      made.build_seconds, made.write_seconds);
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

struct TableOptions {
  RunOptions run;
  std::string output;
  unsigned qubits = ClassTableOptions().qubits;
  unsigned cost = ClassTableOptions().cost;
  unsigned two_qubit_weight = ClassTableOptions().two_qubit_weight;
  bool symbolic = false;
  std::string backend{kAutomaticBackend};
  double memory = static_cast<double>(ClassTableOptions().memory);
};

/// Value of --output that selects the cache.
constexpr std::string_view kCache = "cache";

/// Returns the options of the library call. Throws UsageError if the table should go to the cache
/// and there is none.
ClassTableFileOptions library_options(const TableOptions& options) {
  ClassTableFileOptions request;
  request.table.qubits = options.qubits;
  request.table.cost = options.cost;
  request.table.two_qubit_weight = options.two_qubit_weight;
  request.table.symbolic = options.symbolic;
  request.table.threads = options.run.threads;
  if (options.backend != kAutomaticBackend) request.table.backend = options.backend;
  request.table.memory = static_cast<std::uint64_t>(options.memory);
  if (options.output != kCache) {
    request.file = options.output;
  } else if (!default_cache_folder()) {
    throw UsageError("--output cache: neither XDG_CACHE_HOME nor HOME is an absolute path");
  }
  return request;
}

ExitCode run(const TableOptions& options, const CommandContext& context) {
  if (rank_count(context.ranks) > 1) {
    throw UsageError("quartz-gen table runs in one process, expected a start without mpirun");
  }
  require_different_files(options.run, "", options.output == kCache ? "" : options.output);
  const GateSet set = gate_set_of(options.run.gate_set, context.stop);
  if (!options.run.stats.empty()) require_writable_output(options.run.stats, context);
  const ClassTableFileOptions request = library_options(options);
  const ClassTableFile made = make_table_with_progress(set, request, context);
  if (made.table.cost < options.cost) {
    write_warning("quartz-gen", context,
                  fmt::format("cost {} does not fit into {} bytes of memory: the table goes up to "
                              "cost {}",
                              options.cost, request.table.memory, made.table.cost));
  }
  if (!options.run.stats.empty()) write_output(options.run.stats, stats_of(made), context);
  if (!options.run.quiet) context.err << table_summary(made);
  return ExitCode::done;
}

CommandBody declare_table(CLI::App& parser) {
  const auto options = std::make_shared<TableOptions>();
  add_run_options(parser, options->run)->required();
  add_qubits_option(parser, options->qubits, ClassTableOptions::kMaxQubits);
  parser
      .add_option(
          "-o,--output", options->output,
          "the class table; 'cache' for the file in the cache that quartz-opt uses by default")
      ->type_name("FILE")
      ->required();
  parser.add_option("--cost", options->cost, "largest cost of a class in the table")
      ->check(CLI::Range(1U, kMaxTableCost))
      ->capture_default_str()
      ->type_name("N");
  parser
      .add_option("--two-qubit-weight", options->two_qubit_weight,
                  "cost of a gate on two or more qubits; all others cost 1")
      ->check(CLI::Range(1U, kMaxTableCost))
      ->capture_default_str()
      ->type_name("N");
  parser.add_flag("--symbolic", options->symbolic, "include rotations by a free angle");
  add_backend_option(parser, options->backend, "the CPU");
  add_bytes_option(parser, "--memory", options->memory,
                   "limit for building the table, on the device with --backend cuda, as in 4GiB "
                   "(default 8GiB); the cost is reduced to fit");
  return [options](const CommandContext& context) { return run(*options, context); };
}

}  // namespace

Command gen_table_command() {
  return {"table",
          "Builds a class table, the least cost of every small circuit, for quartz-opt --table.",
          "  quartz-gen table --gate-set nam --cost 6 --output nam.table\n"
          "  quartz-gen table --gate-set nam --cost 7 --output cache\n",
          declare_table};
}

}  // namespace quartz::cli
