#include "cli/opt/run_target.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <ostream>
#include <utility>

#include "cli/gate_set_argument.hpp"
#include "cli/memory_limit.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/target/cost_file.hpp"

namespace quartz::cli {
namespace {

std::optional<Backend> read_backend(const OptOptions& options, const CommandContext& context) {
  if (options.backend_files.empty()) return std::nullopt;
  const std::vector<std::filesystem::path> files(options.backend_files.begin(),
                                                 options.backend_files.end());
  return load_backend(files, context.stop);
}

/// Returns the name of the gate set, which is that of the device unless the options have one.
std::string gate_set_name(const OptOptions& options, const std::optional<Backend>& backend,
                          const CommandContext& context) {
  if (!options.gate_set.empty()) return options.gate_set;
  if (!backend) throw UsageError("--gate-set is required unless --backend-json is given");
  std::string name = gate_set_name_of(*backend);
  if (!options.quiet) {
    context.err << fmt::format("gate set {}, for {}, which has the gates {}\n", name, backend->name,
                               fmt::join(backend->gates, ", "));
  }
  return name;
}

/// Returns the pairs of qubits that the options say, or else those of the device.
CouplingChoice coupling_of(const OptOptions& options, const std::optional<Backend>& backend,
                           const GateSet& set) {
  const CouplingChoice& given = options.library.coupling;
  if (std::holds_alternative<AnyCoupling>(given) && backend && backend->coupling) {
    return *coupling_for(*backend, set);
  }
  return given;
}

}  // namespace

RunTarget target_of(const OptOptions& options, const CommandContext& context) {
  // A limit that is too low is an error before anything is read.
  const MemoryLimit memory(options.memory, context.stop);
  std::optional<Backend> backend = read_backend(options, context);
  GateSet set = gate_set_of(gate_set_name(options, backend, context), context.stop);
  Cost cost = options.cost.empty()
                  ? set.default_cost
                  : load_cost(options.cost, set, context.stop, backend ? &*backend : nullptr);
  CouplingChoice coupling = coupling_of(options, backend, set);
  return {std::move(set), std::move(cost), std::move(coupling), std::move(backend)};
}

}  // namespace quartz::cli
