// Prints the circuit in a file, optimized for a target.
#include <iostream>
#include <quartz/gateset/gate_set.hpp>
#include <quartz/optimize/optimize.hpp>
#include <quartz/qasm/qasm.hpp>

int main(int, char** arguments) {
  const quartz::GateSet target = quartz::load_gate_set("ibm_heron");
  const quartz::Circuit input = quartz::translate(quartz::read_qasm_file(arguments[1]), target);
  const auto rules = quartz::bundled_rule_set(target).value_or(quartz::RuleSet());
  quartz::OptimizeOptions options;
  options.cost = target.default_cost;
  options.seconds = 1;
  std::cout << quartz::write_qasm(quartz::optimize(input, target, rules, options).circuit);
}
