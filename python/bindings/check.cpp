#include "quartz/certify/equivalence.hpp"
#include "quartz/certify/qubit_order.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <cmath>
#include <optional>
#include <utility>

#include "python/bindings/arguments.hpp"
#include "python/bindings/bindings.hpp"
#include "python/bindings/call_without_gil.hpp"
#include "python/bindings/options.hpp"
#include "python/bindings/report.hpp"
#include "quartz/workflow/options.hpp"

namespace quartz::python {
namespace {

EquivalenceReport compare(const Circuit& left, const Circuit& right,
                          const SuperoptimizeOptions& assumed, const EquivalenceOptions& options) {
  if (options.ancillas) {
    SuperoptimizeOptions combined = assumed;
    combined.epsilon = options.epsilon;
    require_suitable_for_ancillas(combined, spelled_for_python);
  }
  return check_equivalence_of_programs(left, right, assumed.assumptions,
                                       assumed.qubit_order == QubitOrder::free, options);
}

/// The list of the arguments that are passed on to the comparison.
constexpr Argument<EquivalenceOptions> kCheckArguments[] = {
    {"time", kSecondsExpected,
     [](EquivalenceOptions& o, nb::handle v) { o.seconds = magnitude_from(v); }},
    {"memory", kMemoryExpected,
     [](EquivalenceOptions& o, nb::handle v) { o.memory_bytes = positive_from(v); }},
    {"seed", kSeedExpected,
     [](EquivalenceOptions& o, nb::handle v) { o.seed = whole_number_from(v); }},
    {"epsilon", "a number, 0 or more",
     [](EquivalenceOptions& o, nb::handle v) { o.epsilon = magnitude_from(v); }},
    {"ancillas", "True or False",
     [](EquivalenceOptions& o, nb::handle v) { o.ancillas = truth_from(v); }},
};

/// Compares copies, because another thread of Python may change the circuits meanwhile.
nb::dict check(Circuit left, Circuit right, const nb::dict& arguments, const nb::dict& edges) {
  const SuperoptimizeOptions assumed = options_from("check", edges);
  EquivalenceOptions options;
  assign_arguments<EquivalenceOptions>("check", kCheckArguments, options, arguments);
  EquivalenceReport report;
  call_without_gil_or_interrupt([&](const std::stop_token& stop) {
    options.stop = stop;
    report = compare(left, right, assumed, options);
  });
  return check_fields(report);
}

}  // namespace

nb::dict check_fields(const EquivalenceReport& report) {
  nb::dict fields;
  fields["verdict"] = nb::cast(to_string(report.verdict));
  fields["method"] = report.method;
  fields["witness"] = report.witness;
  fields["phase"] = nb::cast(report.phase);
  fields["distance"] = nb::cast(report.distance);
  fields["failure_probability"] =
      report.log2_failure ? nb::cast(std::exp2(*report.log2_failure)) : nb::cast(0.0);
  fields["lacked"] =
      report.shortage == Shortage::none ? nb::none() : nb::cast(to_string(report.shortage));
  fields["notes"] = nb::tuple(nb::cast(report.notes));
  return fields;
}

void bind_check(nb::module_& module) {
  module.def("_check", &check, nb::arg("left"), nb::arg("right"), nb::arg("arguments"),
             nb::arg("edges"),
             nb::sig("def _check(left: Circuit, right: Circuit, arguments: dict[str, object], "
                     "edges: dict[str, object]) -> dict[str, object]"));
}

}  // namespace quartz::python
