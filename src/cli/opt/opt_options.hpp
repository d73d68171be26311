#pragma once

#include <array>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

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
  std::string finished;    ///< the record that the run is finished
};

/// An option that names a file which a run writes.
struct OutputOption {
  const char* name;
  std::string OptFiles::*file;
  /// What follows the name of an input in that of its file, if there are several inputs.
  const char* suffix;
};

/// The list of these options. The folders of --checkpoint and --finished are not among them.
inline constexpr std::array kOutputOptions{
    OutputOption{"--output", &OptFiles::output, ""},
    OutputOption{"--stats", &OptFiles::stats, ".stats.json"},
    OutputOption{"--report", &OptFiles::html, ".html"},
    OutputOption{"--emit-rules", &OptFiles::emit_rules, ".rules.json"},
    OutputOption{"--journal", &OptFiles::journal, ".qj"},
};

/// The call of the command.
struct CalledCommand {
  std::string line;      ///< for a shell
  std::string settings;  ///< the part on which results depend, and the version of the program
};

struct OptOptions {
  std::vector<std::string> inputs;
  std::vector<std::string> include_path;  ///< folders
  /// What the command line says. With several inputs, every name is that of a folder.
  OptFiles files;
  const Dialect* dialect = nullptr;
  std::string gate_set;                    ///< empty: that of the device
  std::vector<std::string> backend_files;  ///< files of the device
  std::string cost;                        ///< empty: the default cost of the gate set
  bool is_program = false;                 ///< --program
  double memory = 0;                       ///< limit in bytes; 0: none
  bool requires_check = false;             ///< --require-checked
  /// The options that the library has under the same names. What depends on the input or the target
  /// is set for each run.
  SuperoptimizeOptions library;
  bool explain = false;
  bool json = false;
  bool quiet = false;
  CalledCommand command;

  /// Returns whether the parts of the result are reported, which takes memory.
  [[nodiscard]] bool has_reports() const {
    return explain || json || !files.stats.empty() || !files.html.empty();
  }
};

/// Declares the options of quartz-opt, into which the parser writes their values.
[[nodiscard]] std::shared_ptr<OptOptions> declare_opt_options(CLI::App& app);

/// A file that an option names, and the option.
struct FileOfOption {
  std::string option;
  std::string file;  ///< perhaps not a file, but the name of a bundled one; perhaps empty
};

/// Returns the files that the options name and every run reads.
[[nodiscard]] std::vector<FileOfOption> files_read_by_options(const OptOptions& options);

/// Returns the names of the options on which no result depends: they say where files are, what is
/// printed, and how a call goes on with what earlier ones have left.
[[nodiscard]] std::vector<std::string_view> options_without_effect_on_results();

/// Throws UsageError if a file that one of the runs writes is the same as one that another run or
/// the same one writes or reads.
void require_different_files(const OptOptions& options, std::span<const OptFiles> runs);

}  // namespace quartz::cli
