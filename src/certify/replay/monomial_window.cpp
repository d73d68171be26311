#include "certify/replay/monomial_window.hpp"

#include <algorithm>
#include <utility>

#include "quartz/base/errors.hpp"
#include "quartz/circuit/gate.hpp"

namespace quartz::certify {

MonomialWindow::GateAction& MonomialWindow::gate_of(OperationCode code) {
  if (gates_.size() <= code) gates_.resize(std::size_t{code} + 1);
  std::optional<GateAction>& known = gates_[code];
  if (!known) {
    known.emplace();
    const Operation& operation = table_[code];
    if (is_monomial_gate(gate(operation.gate))) {
      try {
        known->action = action_of(operation);
        known->is_supported = true;
      } catch (const OverflowError&) {
        known->is_supported = false;  // some sum of angles does not fit into 64 bits
      }
    }
  }
  return *known;
}

bool MonomialWindow::number_phases(Gates gates) {
  for (const ReplayedCircuit::WindowOperation& operation : gates) {
    GateAction& gate = gate_of(operation.code);
    if (!gate.is_supported) return false;
    if (gate.pair == pair_) continue;
    gate.pair = pair_;
    gate.first_factor = phases_.size();
    phases_.insert(phases_.end(), gate.action.phase.begin(), gate.action.phase.end());
  }
  return true;
}

std::size_t MonomialWindow::run(Gates gates, std::size_t state, std::int64_t sign) {
  for (const ReplayedCircuit::WindowOperation& operation : gates) {
    const GateAction& gate = *gates_[operation.code];
    std::size_t local = 0;
    for (std::size_t i = 0; i < operation.operands.size(); ++i) {
      local |= (state >> operation.operands[i] & 1U) << i;
    }
    factors_[gate.first_factor + local] += sign;
    const std::size_t changed = local ^ gate.action.output[local];
    for (std::size_t i = 0; i < operation.operands.size(); ++i) {
      state ^= (changed >> i & 1U) << operation.operands[i];
    }
  }
  return state;
}

Angle MonomialWindow::sum_less(std::span<const std::int64_t> factors) const {
  Angle sum;
  for (std::size_t i = 0; i < phases_.size(); ++i) {
    const std::int64_t factor = factors_[i] - factors[i];
    if (factor != 0 && !phases_[i].is_zero()) sum.add_phase(phases_[i] * Rational(factor));
  }
  return sum.reduced_modulo(2);
}

WindowAnswer MonomialWindow::compare(std::size_t wires, Gates left, Gates right) {
  if (wires > kMaxWires) return {};
  ++pair_;
  phases_.clear();
  if (!number_phases(left) || !number_phases(right)) return {};
  std::vector<std::int64_t> first;
  Angle phase;
  try {
    for (std::size_t state = 0; state < std::size_t{1} << wires; ++state) {
      factors_.assign(phases_.size(), 0);
      if (run(left, state, 1) != run(right, state, -1)) return {WindowAnswer::Kind::different, {}};
      if (state == 0) {
        first.assign(factors_.size(), 0);
        phase = sum_less(first);
        first = factors_;
      } else if (factors_ != first && !sum_less(first).is_zero()) {
        // Angles with decimals may differ by their rounding, which a numeric method bounds.
        if (!std::ranges::all_of(phases_, &Angle::is_pi_multiple)) return {};
        return {WindowAnswer::Kind::different, {}};
      }
    }
  } catch (const OverflowError&) {
    return {};
  }
  return {WindowAnswer::Kind::equal, std::move(phase)};
}

}  // namespace quartz::certify
