#include "cli/gen/gen_options.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <vector>

#include "cli/file_roles.hpp"
#include "cli/output/generate_progress.hpp"
#include "cli/output/progress_line.hpp"
#include "cli/output/quantity.hpp"
#include "quartz/classes/class_count.hpp"
#include "quartz/target/gate_set.hpp"

namespace quartz::cli {
namespace {

/// Far beyond any feasible enumeration, so that a typing error is reported before memory runs out.
constexpr unsigned kMaxGates = 16;

}  // namespace

CLI::Option* add_run_options(CLI::App& parser, RunOptions& options) {
  CLI::Option* const gate_set = parser
                                    .add_option("-g,--gate-set", options.gate_set,
                                                fmt::format("gate set: {}, or a JSON file",
                                                            fmt::join(bundled_gate_sets(), ", ")))
                                    ->type_name("NAME|FILE");
  parser.add_option("--stats", options.stats, "write statistics as JSON; - for standard output")
      ->type_name("FILE");
  add_threads_option(
      parser, options.threads,
      "number of threads, 0 for all cores or OMP_NUM_THREADS; the result does not depend on it");
  parser.add_flag("--quiet", options.quiet, "print no summary, only warnings and errors");
  return gate_set;
}

void add_proof_options(CLI::App& parser, ProofOptions& options) {
  add_seconds_option(parser, "--proof-time", options.seconds,
                     "time limit for each proof, as in 10s, 500ms (default 10s)");
  parser
      .add_option(
          "--checkpoint", options.checkpoint,
          "folder that stores proofs as soon as they are made, so that an interrupted run can "
          "continue and no proof is repeated")
      ->type_name("FOLDER");
}

ProveOptions library_options(const ProofOptions& options, unsigned threads,
                             const CommandContext& context, ProgressLine& line) {
  ProveOptions request;
  request.threads = threads;
  request.proof_seconds = options.seconds;
  request.checkpoint = options.checkpoint;
  request.ranks = context.ranks;
  request.stop = context.stop;
  request.on_progress = [&line](const GenerateProgress& progress) {
    if (line.due()) line.show(progress_text(progress));
  };
  return request;
}

void add_gates_option(CLI::App& parser, unsigned& gates) {
  parser.add_option("-n,--gates", gates, "largest number of gates of a circuit")
      ->check(CLI::Range(1U, kMaxGates))
      ->capture_default_str()
      ->type_name("N");
}

void add_qubits_option(CLI::App& parser, unsigned& qubits, unsigned most) {
  parser.add_option("-q,--qubits", qubits, "number of qubits of a circuit")
      ->check(CLI::Range(1U, most))
      ->capture_default_str()
      ->type_name("N");
}

void add_point_seed_option(CLI::App& parser, std::uint64_t& seed) {
  add_seed_option(parser, seed, "seed of the points at which fingerprints are evaluated");
}

void add_backend_option(CLI::App& parser, std::string& backend, const std::string& automatic) {
  std::vector<std::string> names{std::string(kAutomaticBackend)};
  for (const std::string& name : enumeration_backends()) names.push_back(name);
  parser
      .add_option("--backend", backend,
                  fmt::format("device that computes fingerprints: {}; auto is {}",
                              fmt::join(names, ", "), automatic))
      ->capture_default_str()
      ->type_name("NAME");
}

void require_different_files(const RunOptions& run, const std::string& source,
                             const std::string& output) {
  FileRoles files;
  files.add_input("the gate set " + run.gate_set, run.gate_set);
  files.add_input("the rules " + source, source);
  files.add_output("--output", output);
  files.add_output("--stats", run.stats);
}

}  // namespace quartz::cli
