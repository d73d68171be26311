#include "quartz/certify/equivalence.hpp"
#include "quartz/certify/qubit_order.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <cmath>
#include <optional>

#include "python/bindings/bindings.hpp"
#include "python/bindings/call_without_gil.hpp"
#include "python/bindings/options.hpp"
#include "python/bindings/report.hpp"

namespace quartz::python {
namespace {

EquivalenceReport compare(const Circuit& left, const Circuit& right,
                          const SuperoptimizeOptions& assumed, const EquivalenceOptions& options) {
  const ProgramEdges& edges = assumed.edges;
  if (assumed.qubit_order == QubitOrder::free) {
    const OutputPermutation permutation =
        remaining_permutation(stated_permutation(left), stated_permutation(right));
    return check_equivalence_up_to_order(left, right, permutation, edges, options);
  }
  if (!edges.any()) return check_equivalence(left, right, options);
  return check_equivalence(with_edges(left, edges), with_edges(right, edges), options);
}

nb::dict check(const Circuit& left, const Circuit& right, std::uint64_t seed, double time,
               double memory, double epsilon, const nb::dict& edge_arguments) {
  const SuperoptimizeOptions assumed = options_from(edge_arguments);
  EquivalenceOptions options;
  options.seed = seed;
  options.seconds = time;
  options.memory_bytes = memory;
  options.epsilon = epsilon;
  EquivalenceReport report;
  call_without_gil_or_interrupt([&](const std::stop_token& stop) {
    options.stop = stop;
    report = compare(left, right, assumed, options);
  });
  return fields_of(report);
}

}  // namespace

nb::dict fields_of(const EquivalenceReport& report) {
  nb::dict fields;
  fields["verdict"] = nb::cast(to_string(report.verdict));
  fields["method"] = report.method;
  fields["witness"] = report.witness;
  fields["phase"] = nb::cast(report.phase);
  fields["distance"] = nb::cast(report.distance);
  fields["failure_probability"] =
      report.log2_failure ? nb::cast(std::exp2(*report.log2_failure)) : nb::cast(0.0);
  fields["notes"] = nb::tuple(nb::cast(report.notes));
  return fields;
}

void bind_check(nb::module_& module) {
  module.def("_check", &check, nb::arg("left"), nb::arg("right"), nb::arg("seed"), nb::arg("time"),
             nb::arg("memory"), nb::arg("epsilon"), nb::arg("edges"),
             nb::sig("def _check(left: Circuit, right: Circuit, seed: int, "
                     "time: float, memory: float, epsilon: float, edges: dict[str, object]) -> "
                     "dict[str, object]"));
}

}  // namespace quartz::python
