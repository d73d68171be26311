#pragma once

#include <cstdint>
#include <string>

#include "cli/command.hpp"
#include "quartz/enumerate/class_table.hpp"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace quartz::cli {

/// `quartz-gen --table`: the class table of a gate set, written as a file.
struct TableGeneration {
  std::string file;  ///< empty: no table is asked for
  unsigned cost = ClassTableOptions().cost;
  unsigned two_qubit_weight = ClassTableOptions().two_qubit_weight;
  bool symbolic = false;
  std::string backend = ClassTableOptions().backend;
  double memory = static_cast<double>(ClassTableOptions().memory);
};

/// Declares --table, which is returned, and the options that go with it.
CLI::Option* add_table_options(CLI::App& parser, TableGeneration& table);

/// Builds and writes it, unless another process did so while this one waited for it; the figures
/// as JSON go to `stats`, if that is not empty, and a summary to the standard error unless `quiet`.
ExitCode generate_table(const GateSet& set, const TableGeneration& table, unsigned qubits,
                        unsigned threads, const std::string& stats, bool quiet,
                        const CommandContext& context);

}  // namespace quartz::cli
