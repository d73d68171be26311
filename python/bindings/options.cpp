#include "python/bindings/options.hpp"

#include <filesystem>
#include <string>

#include "python/bindings/arguments.hpp"
#include "python/bindings/class_table.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/workflow/option_values.hpp"

namespace quartz::python {
namespace {

namespace nb = nanobind;

CouplingChoice coupling_from(nb::handle value) {
  if (nb::isinstance<CouplingMap>(value)) return nb::cast<CouplingMap>(value);
  if (nb::isinstance<nb::str>(value) && text_from(value) == "auto") return CouplingOfCircuit{};
  return path_from(value);
}

RuleChoice rules_from(nb::handle value) {
  if (nb::isinstance<RuleSet>(value)) return nb::cast<RuleSet>(value);
  return path_from(value);
}

std::filesystem::path table_from(nb::handle value) {
  if (!nb::isinstance<TableInFile>(value)) return path_from(value);
  const auto& table = nb::cast<const TableInFile&>(value);
  if (table.file.empty()) throw UsageError("the class table is not in a file; write it first");
  return table.file;
}

CacheOptions cache_from(nb::handle value) {
  if (nb::isinstance<nb::bool_>(value)) return {.enabled = truth_from(value), .folder = {}};
  return {.enabled = true, .folder = path_from(value)};
}

using Options = SuperoptimizeOptions;
using Value = nb::handle;

/// THE list of the arguments that are passed on to the library. Arguments that are None are not in
/// the dictionary.
constexpr Argument<Options> kSearchArguments[] = {
    {"cost", "a cost", [](Options& o, Value v) { o.cost = nb::cast<Cost>(v); }},
    {"time", kSecondsExpected, [](Options& o, Value v) { o.seconds = magnitude_from(v); }},
    {"threads", kThreadsExpected, [](Options& o, Value v) { o.threads = threads_from(v); }},
    {"seed", kSeedExpected, [](Options& o, Value v) { o.seed = whole_number_from(v); }},
    {"search", "a string", [](Options& o, Value v) { o.search = text_from(v); }},
    {"exactness", "a string",
     [](Options& o, Value v) { o.exactness = find_exactness(text_from(v)); }},
    {"epsilon", "a number, 0 or more", [](Options& o, Value v) { o.epsilon = magnitude_from(v); }},
    {"barriers", "a string",
     [](Options& o, Value v) { o.barriers = value_named(text_from(v), kBarriersValues); }},
    {"initial_state", "a string",
     [](Options& o, Value v) {
       o.edges.starts_zero = value_named(text_from(v), kInitialStateValues);
     }},
    {"final_state", "a string",
     [](Options& o, Value v) {
       o.edges.ends_discarded = value_named(text_from(v), kFinalStateValues);
     }},
    {"permutation", "a string",
     [](Options& o, Value v) { o.qubit_order = value_named(text_from(v), kQubitOrderValues); }},
    {"coupling", "a coupling map, pairs of qubits, a path or \"auto\"",
     [](Options& o, Value v) { o.coupling = coupling_from(v); }},
    {"steps", "a whole number, 1 or more",
     [](Options& o, Value v) { o.steps = whole_number_from<std::uint64_t>(v, 1); }},
    {"rules", "a rule set or a path", [](Options& o, Value v) { o.rules = rules_from(v); }},
    {"table", "a class table or a path",
     [](Options& o, Value v) { o.class_table = table_from(v); }},
    {"table_memory", "a whole number of bytes, 0 or more",
     [](Options& o, Value v) { o.table_memory = whole_number_from(v); }},
    {"cache", "True, False or a path", [](Options& o, Value v) { o.cache = cache_from(v); }},
    {"qasm", "2 or 3",
     [](Options& o, Value v) { o.qasm_version = whole_number_from<unsigned>(v, 2, 3); }},
    {"check", "a string",
     [](Options& o, Value v) { o.check = value_named(text_from(v), kCheckValues); }},
    {"check_time", kSecondsExpected,
     [](Options& o, Value v) { o.check_seconds = magnitude_from(v); }},
    {"check_memory", kMemoryExpected,
     [](Options& o, Value v) { o.check_memory_bytes = positive_from(v); }},
    {"checkpoint", "a path", [](Options& o, Value v) { o.checkpoint.folder = path_from(v); }},
    {"resume", "True or False", [](Options& o, Value v) { o.checkpoint.resume = truth_from(v); }},
    {"journal", "True or False", [](Options& o, Value v) { o.record_journal = truth_from(v); }},
    {"explain", "True or False", [](Options& o, Value v) { o.record_gains = truth_from(v); }},
    {"emit_rules", "True or False", [](Options& o, Value v) { o.record_rules = truth_from(v); }},
    {"circuit_name", "a string", [](Options& o, Value v) { o.circuit_name = text_from(v); }},
};

}  // namespace

SuperoptimizeOptions options_from(const char* function, const nb::dict& arguments) {
  SuperoptimizeOptions options;
  assign_arguments<Options>(function, kSearchArguments, options, arguments);
  return options;
}

}  // namespace quartz::python
