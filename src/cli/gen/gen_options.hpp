#pragma once

#include <cstdint>
#include <string>

#include "cli/command.hpp"
#include "quartz/enumerate/prove.hpp"

namespace CLI {
class App;
class Option;
}  // namespace CLI

/// Options shared by quartz-gen and its subcommands; each is declared in one place.
namespace quartz::cli {

class ProgressLine;

/// Options of quartz-gen and of all its subcommands.
struct RunOptions {
  std::string gate_set;
  std::string stats;  ///< a file, "-" or empty
  unsigned threads = 0;
  bool quiet = false;
};
/// Declares these options and returns --gate-set.
CLI::Option* add_run_options(CLI::App& parser, RunOptions& options);

/// Options of quartz-gen and of `quartz-gen prove`.
struct ProofOptions {
  double seconds = 10;     ///< for each proof
  std::string checkpoint;  ///< a folder, or empty
};
void add_proof_options(CLI::App& parser, ProofOptions& options);
/// Returns these options for the library, with the ranks and the stop token of the command. The
/// line, which must outlive the result, shows the progress.
[[nodiscard]] ProveOptions library_options(const ProofOptions& options, unsigned threads,
                                           const CommandContext& context, ProgressLine& line);

/// Maximum value of --qubits for rule sets.
inline constexpr unsigned kMaxQubits = 8;

void add_gates_option(CLI::App& parser, unsigned& gates);
void add_qubits_option(CLI::App& parser, unsigned& qubits, unsigned most = kMaxQubits);
void add_point_seed_option(CLI::App& parser, std::uint64_t& seed);
/// `automatic` is the meaning of "auto" for the command.
void add_backend_option(CLI::App& parser, std::string& backend, const std::string& automatic);

/// Throws UsageError if a file that is written is the same as another one of the command. `source`
/// is a file that is read besides that of the gate set; an output is empty if there is none.
void require_different_files(const RunOptions& run, const std::string& source,
                             const std::string& output);

}  // namespace quartz::cli
