#include "quartz/enumerate/generate.hpp"

#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/string.h>

#include <chrono>
#include <mutex>
#include <optional>
#include <utility>

#include "python/bindings/arguments.hpp"
#include "python/bindings/bindings.hpp"
#include "python/bindings/call_without_gil.hpp"
#include "quartz/enumerate/import_rules.hpp"
#include "quartz/rules/ecc_set.hpp"

namespace quartz::python {
namespace {

/// The list of the arguments of quartz.generate.
constexpr Argument<GenerateOptions> kGenerateArguments[] = {
    {"gates", "a whole number, 1 or more",
     [](GenerateOptions& o, nb::handle v) { o.gates = whole_number_from<unsigned>(v, 1); }},
    {"qubits", "a whole number, 1 or more",
     [](GenerateOptions& o, nb::handle v) { o.qubits = whole_number_from<unsigned>(v, 1); }},
    {"threads", kThreadsExpected,
     [](GenerateOptions& o, nb::handle v) { o.threads = threads_from(v); }},
    {"seed", kSeedExpected,
     [](GenerateOptions& o, nb::handle v) { o.seed = whole_number_from(v); }},
    {"proof_time", "a number of seconds above 0",
     [](GenerateOptions& o, nb::handle v) { o.proof_seconds = positive_from(v); }},
    {"checkpoint", "a path", [](GenerateOptions& o, nb::handle v) { o.checkpoint = path_from(v); }},
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

nb::tuple generate_rules(const GateSet& set, const nb::dict& arguments, const nb::object& show) {
  GenerateOptions options;
  assign_arguments<GenerateOptions>("generate", kGenerateArguments, options, arguments);
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

/// The list of the arguments of quartz.import_rules.
constexpr Argument<ProveOptions> kImportArguments[] = {
    {"threads", kThreadsExpected,
     [](ProveOptions& o, nb::handle v) { o.threads = threads_from(v); }},
    {"proof_time", "a number of seconds above 0",
     [](ProveOptions& o, nb::handle v) { o.proof_seconds = positive_from(v); }},
    {"checkpoint", "a path", [](ProveOptions& o, nb::handle v) { o.checkpoint = path_from(v); }},
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

nb::tuple import_from(const GateSet& set, const std::filesystem::path& path,
                      const nb::dict& arguments, const nb::object& show) {
  ProveOptions options;
  assign_arguments<ProveOptions>("import_rules", kImportArguments, options, arguments);
  LatestProgress latest;
  options.on_progress = [&](const GenerateProgress& progress) { latest.set(progress); };
  EccSet source;
  ImportResult result;
  call_without_gil_or_interrupt(
      [&](const std::stop_token& stop) {
        options.stop = stop;
        source = read_ecc_set_file(path, set, stop);
        result = import_rules(source, set, options);
      },
      [&] { show_latest(latest, show); });
  nb::dict fields = fields_of(source, result);
  return nb::make_tuple(std::move(result.rules), fields);
}

}  // namespace

void bind_generate(nb::module_& module) {
  module.def("_generate", &generate_rules, nb::arg("gate_set"), nb::arg("arguments"),
             nb::arg("show").none(),
             nb::sig("def _generate(gate_set: GateSet, arguments: dict[str, object], show: "
                     "collections.abc.Callable[[str, int, int, float], object] | None) -> "
                     "tuple[RuleSet, dict[str, object]]"));
  module.def("_import_rules", &import_from, nb::arg("gate_set"), nb::arg("path"),
             nb::arg("arguments"), nb::arg("show").none(),
             nb::sig("def _import_rules(gate_set: GateSet, path: str | os.PathLike[str], "
                     "arguments: dict[str, object], show: collections.abc.Callable[[str, int, int, "
                     "float], object] | None) -> tuple[RuleSet, dict[str, object]]"));
}

}  // namespace quartz::python
