#include "quartz/enumerate/generate.hpp"

#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/string.h>

#include <chrono>
#include <mutex>
#include <optional>

#include "python/bindings/bindings.hpp"
#include "python/bindings/call_without_gil.hpp"
#include "quartz/enumerate/import_rules.hpp"
#include "quartz/rules/ecc_set.hpp"

namespace quartz::python {
namespace {

/// The options of quartz.generate, as Python passes them.
struct GenerateRequest {
  unsigned gates = 0;
  unsigned qubits = 0;
  unsigned threads = 0;
  std::uint64_t seed = 0;
  double proof_time = 0;
  std::filesystem::path checkpoint;
};

/// The latest progress, which one thread sets and another one shows.
class LatestProgress {
 public:
  void set(const GenerateProgress& progress) {
    const std::lock_guard lock(mutex_);
    progress_ = progress;
  }
  [[nodiscard]] std::optional<GenerateProgress> take() {
    const std::lock_guard lock(mutex_);
    return std::exchange(progress_, std::nullopt);
  }

 private:
  std::mutex mutex_;
  std::optional<GenerateProgress> progress_;
};

nb::dict fields_of(const GenerateReport& report) {
  nb::dict fields;
  fields["circuits_enumerated"] = report.circuits_enumerated;
  fields["classes_enumerated"] = report.classes_enumerated;
  fields["classes"] = report.classes;
  fields["circuits"] = report.circuits;
  fields["rule_count"] = report.rules;
  fields["prover"] = report.proofs.method;
  fields["proofs_tried"] = report.proofs.tried;
  fields["proofs_found"] = report.proofs.proved;
  fields["proofs_unknown"] = report.proofs.unknown;
  return fields;
}

/// Calls `show(phase, done, total, seconds)` with the latest progress, if it is new.
void show_latest(LatestProgress& latest, const nb::object& show) {
  if (show.is_none()) return;
  const std::optional<GenerateProgress> progress = latest.take();
  if (!progress) return;
  show(progress->phase, progress->proofs_done, progress->proofs_total, progress->seconds);
}

nb::tuple generate_rules(const GateSet& set, const GenerateRequest& request,
                         const nb::object& show) {
  GenerateOptions options;
  options.gates = request.gates;
  options.qubits = request.qubits;
  options.threads = request.threads;
  options.seed = request.seed;
  options.proof_seconds = request.proof_time;
  options.checkpoint = request.checkpoint;
  LatestProgress latest;
  options.on_progress = [&](const GenerateProgress& progress) { latest.set(progress); };
  std::optional<GenerateResult> result;
  call_without_gil_or_interrupt(
      [&](const std::stop_token& stop) {
        options.stop = stop;
        result = generate(set, options);
      },
      [&] { show_latest(latest, show); });
  return nb::make_tuple(std::move(result->rules), fields_of(result->report));
}

/// The options of quartz.import_rules, as Python passes them.
struct ImportRequest {
  std::filesystem::path path;
  unsigned threads = 0;
  double proof_time = 0;
  std::filesystem::path checkpoint;
};

nb::dict fields_of(const EccSet& source, const ImportResult& result) {
  nb::dict fields;
  fields["circuits_read"] = result.report.circuits_read;
  fields["circuits_omitted"] = source.omitted_circuits();
  fields["classes"] = result.rules.classes.size();
  fields["circuits"] = result.rules.circuit_count();
  fields["rule_count"] = result.rules.rule_count();
  fields["prover"] = result.report.proofs.method;
  fields["proofs_tried"] = result.report.proofs.tried;
  fields["proofs_found"] = result.report.proofs.proved;
  return fields;
}

nb::tuple import_from(const GateSet& set, const ImportRequest& request, const nb::object& show) {
  ProveOptions options;
  options.threads = request.threads;
  options.proof_seconds = request.proof_time;
  options.checkpoint = request.checkpoint;
  LatestProgress latest;
  options.on_progress = [&](const GenerateProgress& progress) { latest.set(progress); };
  EccSet source;
  ImportResult result;
  call_without_gil_or_interrupt(
      [&](const std::stop_token& stop) {
        options.stop = stop;
        source = read_ecc_set_file(request.path, set, stop);
        result = import_rules(source, set, options);
      },
      [&] { show_latest(latest, show); });
  nb::dict fields = fields_of(source, result);
  return nb::make_tuple(std::move(result.rules), fields);
}

}  // namespace

void bind_generate(nb::module_& module) {
  module.def(
      "_generate",
      [](const GateSet& set, unsigned gates, unsigned qubits, unsigned threads, std::uint64_t seed,
         double proof_time, const std::filesystem::path& checkpoint, const nb::object& show) {
        return generate_rules(set, {gates, qubits, threads, seed, proof_time, checkpoint}, show);
      },
      nb::arg("gate_set"), nb::arg("gates"), nb::arg("qubits"), nb::arg("threads"), nb::arg("seed"),
      nb::arg("proof_time"), nb::arg("checkpoint"), nb::arg("show").none(),
      nb::sig("def _generate(gate_set: GateSet, gates: int, qubits: int, threads: int, seed: int, "
              "proof_time: float, checkpoint: str | os.PathLike[str], show: "
              "collections.abc.Callable[[str, int, int, float], object] | None) -> "
              "tuple[RuleSet, dict[str, object]]"));
  module.def(
      "_import_rules",
      [](const GateSet& set, const std::filesystem::path& path, unsigned threads, double proof_time,
         const std::filesystem::path& checkpoint, const nb::object& show) {
        return import_from(set, {path, threads, proof_time, checkpoint}, show);
      },
      nb::arg("gate_set"), nb::arg("path"), nb::arg("threads"), nb::arg("proof_time"),
      nb::arg("checkpoint"), nb::arg("show").none(),
      nb::sig("def _import_rules(gate_set: GateSet, path: str | os.PathLike[str], threads: int, "
              "proof_time: float, checkpoint: str | os.PathLike[str], show: "
              "collections.abc.Callable[[str, int, int, float], object] | None) -> "
              "tuple[RuleSet, dict[str, object]]"));
}

}  // namespace quartz::python
