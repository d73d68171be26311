#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "cli/options/edges_option.hpp"
#include "quartz/qasm/dialect.hpp"
#include "quartz/workflow/superoptimize.hpp"

namespace CLI {
class App;
}

/// Options of quartz-opt.
namespace quartz::cli {

/// The files that a run reads and writes. An empty name means that a file is not written.
struct OptFiles {
  std::string input;
  std::string output = "-";
  std::string stats;
  std::string html;
  std::string emit_rules;
  std::string journal;
  std::string checkpoint;  ///< a folder
};

/// An option that names a file which a run writes.
struct OutputOption {
  const char* name;
  std::string OptFiles::*file;
  /// What follows the name of an input in that of its file, if there are several inputs.
  const char* suffix;
};

/// THE list of these options. The folder of --checkpoint is not among them.
inline constexpr std::array kOutputOptions{
    OutputOption{"--output", &OptFiles::output, ""},
    OutputOption{"--stats", &OptFiles::stats, ".stats.json"},
    OutputOption{"--report", &OptFiles::html, ".html"},
    OutputOption{"--emit-rules", &OptFiles::emit_rules, ".rules.json"},
    OutputOption{"--journal", &OptFiles::journal, ".qj"},
};

struct TargetOptions {
  std::string gate_set;  ///< empty: that of the device
  std::vector<std::string> backend_files;
  std::string rules;
  std::string table;
  double table_memory = static_cast<double>(SuperoptimizeOptions().table_memory);
  std::string cost;  ///< empty: the default cost of the gate set
};

struct SearchOptions {
  std::string name = SuperoptimizeOptions().search;
  std::string exactness = "keep";
  double epsilon = 0;
  Barriers barriers = Barriers::keep;
  EdgesChoice edges;
  std::string coupling;
  std::uint64_t steps = 0;
  double seconds = SuperoptimizeOptions().seconds;
  unsigned threads = 0;
  std::uint64_t seed = 0;
  bool resume = false;
  double memory = 0;  ///< 0: no limit
};

struct ResultCheckOptions {
  /// A value that no duration on the command line can have.
  static constexpr double kNotGiven = -1;

  double seconds = kNotGiven;
  double memory = SuperoptimizeOptions().check_memory_bytes;
  bool is_off = false;
  bool is_required = false;
};

struct OptOptions {
  std::vector<std::string> inputs;
  std::vector<std::string> include_path;  ///< folders
  /// What the command line says. With several inputs, every name is that of a folder.
  OptFiles files;
  unsigned qasm = 0;  ///< 0: the version of the dialect, or else that of the input
  const Dialect* dialect = nullptr;
  TargetOptions target;
  SearchOptions search;
  ResultCheckOptions check;
  bool explain = false;
  bool json = false;
  bool quiet = false;
  std::string command;  ///< as it was called, for a shell

  /// Returns whether the parts of the result are reported, which takes memory.
  [[nodiscard]] bool has_reports() const {
    return explain || json || !files.stats.empty() || !files.html.empty();
  }
};

/// Declares the options of quartz-opt, into which the parser writes their values.
[[nodiscard]] std::shared_ptr<OptOptions> declare_opt_options(CLI::App& app);

/// Throws UsageError if a file that one of the runs writes is the same as one that another run or
/// the same one writes or reads.
void require_different_files(const OptOptions& options, std::span<const OptFiles> runs);

}  // namespace quartz::cli
