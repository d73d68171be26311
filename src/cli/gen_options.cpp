#include "cli/gen_options.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <vector>

#include "cli/quantity.hpp"
#include "quartz/enumerate/class_count.hpp"
#include "quartz/errors.hpp"
#include "quartz/gateset/gate_set.hpp"

namespace quartz::cli {
namespace {

/// Far beyond what can be enumerated, so that a typing error is found before the memory is full.
constexpr unsigned kMaxGates = 16;

}  // namespace

CLI::Option* add_run_options(CLI::App& parser, RunOptions& options) {
  CLI::Option* const gate_set = parser
                                    .add_option("-g,--gate-set", options.gate_set,
                                                fmt::format("the gates: {}, or a JSON file",
                                                            fmt::join(bundled_gate_sets(), ", ")))
                                    ->type_name("NAME|FILE");
  parser.add_option("--stats", options.stats, "write figures as JSON; - for standard output")
      ->type_name("FILE");
  add_threads_option(parser, options.threads,
                     "0 for all cores; the result does not depend on their number");
  parser.add_flag("--quiet", options.quiet, "no summary; warnings and errors only");
  return gate_set;
}

void add_proof_options(CLI::App& parser, ProofOptions& options) {
  add_seconds_option(parser, "--proof-time", options.seconds,
                     "limit for each proof, as in 10s, 500ms (default 10s)");
  parser
      .add_option("--checkpoint", options.checkpoint,
                  "folder in which proofs are kept as they are made, so that a run that was killed "
                  "continues from there and no proof is made twice")
      ->type_name("FOLDER");
}

void add_gates_option(CLI::App& parser, unsigned& gates) {
  parser.add_option("-n,--gates", gates, "largest number of gates of a circuit")
      ->check(CLI::Range(1U, kMaxGates))
      ->capture_default_str()
      ->type_name("N");
}

void add_qubits_option(CLI::App& parser, unsigned& qubits) {
  parser.add_option("-q,--qubits", qubits, "number of qubits of a circuit")
      ->check(CLI::Range(1U, kMaxQubits))
      ->capture_default_str()
      ->type_name("N");
}

void add_point_seed_option(CLI::App& parser, std::uint64_t& seed) {
  add_seed_option(parser, seed, "of the points at which fingerprints are taken");
}

void add_backend_option(CLI::App& parser, std::string& backend, const std::string& automatic) {
  std::vector<std::string> names{std::string(kAutomaticBackend)};
  for (const std::string& name : enumeration_backends()) names.push_back(name);
  parser
      .add_option("--backend", backend,
                  fmt::format("where fingerprints are computed: {}; auto is {}",
                              fmt::join(names, ", "), automatic))
      ->capture_default_str()
      ->type_name("NAME");
}

void require_two_files(const std::string& output, const std::string& stats) {
  if (output != stats) return;
  throw UsageError(fmt::format("--output and --stats are both '{}', expected two files", output));
}

}  // namespace quartz::cli
