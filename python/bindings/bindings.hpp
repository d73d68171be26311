#pragma once

#include <nanobind/nanobind.h>

/// The extension module quartz._core, on which the Python package is built. Each function adds one
/// group of classes and functions to the module.
namespace quartz::python {

namespace nb = nanobind;

/// Registers the translation of the library's exceptions into those of quartz.errors.
void bind_errors();
void bind_angle(nb::module_& module);
void bind_circuit(nb::module_& module);
void bind_target(nb::module_& module);
void bind_cost(nb::module_& module);
void bind_rule_set(nb::module_& module);
void bind_class_table(nb::module_& module);
void bind_options(nb::module_& module);
void bind_optimize(nb::module_& module);
void bind_generate(nb::module_& module);
void bind_check(nb::module_& module);
void bind_html_report(nb::module_& module);

}  // namespace quartz::python
