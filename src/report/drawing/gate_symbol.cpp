#include "report/drawing/gate_symbol.hpp"

#include <algorithm>
#include <span>

namespace quartz::report {
namespace {

/// Returns whether the gate maps the basis state `column` to the basis state `row`, with phase 0.
bool maps(const Gate& gate, unsigned column, unsigned row) {
  return std::ranges::any_of(gate.matrix, [&](const MatrixEntry& entry) {
    return entry.column == column && entry.row == row && entry.terms.size() == 1 &&
           entry.terms[0].coefficient == 1 && entry.terms[0].sqrt2_power == 0 &&
           entry.terms[0].exponent == Angle();
  });
}

/// Returns whether the gate does nothing as long as the operand is |0>.
bool is_control(const Gate& gate, unsigned operand) {
  for (unsigned state = 0; state < gate.dimension(); ++state) {
    const bool is_zero = (state >> operand & 1U) == 0;
    if (is_zero && !maps(gate, state, state)) return false;
  }
  return true;
}

/// Returns whether the gate is x on the target if all other operands are |1>.
bool is_x_on(const Gate& gate, unsigned target) {
  const unsigned all = gate.dimension() - 1;
  const unsigned other = all & ~(1U << target);
  return maps(gate, all, other) && maps(gate, other, all);
}

/// Returns whether the gate exchanges two targets if all other operands are |1>.
bool exchanges(const Gate& gate, unsigned first, unsigned second) {
  const unsigned all = gate.dimension() - 1;
  const unsigned without_first = all & ~(1U << first);
  const unsigned without_second = all & ~(1U << second);
  const unsigned without_both = without_first & without_second;
  return maps(gate, all, all) && maps(gate, without_both, without_both) &&
         maps(gate, without_first, without_second) && maps(gate, without_second, without_first);
}

/// Returns the name without the letters for the controls, such as "rz" for crz and "sx" for c3sx.
std::string name_without_controls(const Gate& gate, std::size_t controls) {
  const std::string name(gate.name);
  for (const std::string& prefix : {std::string(controls, 'c'), "c" + std::to_string(controls)}) {
    if (controls > 0 && name.starts_with(prefix)) return name.substr(prefix.size());
  }
  return name;
}

/// Returns whether the operands cannot all be exchanged.
bool have_an_order(const Gate& gate, std::span<const unsigned> operands) {
  return std::ranges::any_of(operands, [&](unsigned operand) {
    return gate.symmetry[operand] != gate.symmetry[operands.front()];
  });
}

}  // namespace

GateSymbol symbol_of(const Gate& gate) {
  GateSymbol symbol{std::vector(gate.qubits, OperandSign::box), std::string(gate.name)};
  if (gate.qubits < 2) return symbol;
  std::vector<unsigned> targets;
  for (unsigned operand = 0; operand < gate.qubits; ++operand) {
    if (is_control(gate, operand)) {
      symbol.signs[operand] = OperandSign::dot;
    } else {
      targets.push_back(operand);
    }
  }
  // Diagonal gates have only controls: those with an angle show it in the last operand.
  if (targets.empty() && !gate.parameters.empty()) {
    targets.push_back(gate.qubits - 1);
    symbol.signs.back() = OperandSign::box;
  }
  symbol.name = name_without_controls(gate, gate.qubits - targets.size());
  if (targets.size() == 1 && is_x_on(gate, targets[0])) {
    symbol.signs[targets[0]] = OperandSign::plus;
  } else if (targets.size() == 2 && exchanges(gate, targets[0], targets[1])) {
    symbol.signs[targets[0]] = symbol.signs[targets[1]] = OperandSign::cross;
  } else {
    symbol.numbered = !targets.empty() && have_an_order(gate, targets);
  }
  return symbol;
}

}  // namespace quartz::report
