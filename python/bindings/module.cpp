#include "base/processor.hpp"
#include "python/bindings/bindings.hpp"
#include "python/bindings/call_without_gil.hpp"

NB_MODULE(_core, module) {
  using namespace quartz::python;
  quartz::require_processor();
  module.doc() = "The library of Quartz. Its public names are those of the package quartz.";
  module.attr("VERSION") = QUARTZ_VERSION;
  bind_errors();
  bind_shutdown(module);
  bind_angle(module);
  bind_circuit(module);
  bind_target(module);
  bind_rule_set(module);
  bind_class_table(module);
  bind_options(module);
  bind_optimize(module);
  bind_generate(module);
  bind_check(module);
  bind_html_report(module);
}
