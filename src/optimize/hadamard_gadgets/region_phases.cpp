#include "optimize/hadamard_gadgets/region_phases.hpp"

#include <bit>
#include <utility>

#include "optimize/products/bit_matrix.hpp"

namespace quartz::optimizer {
namespace {

/// Adds the phase (-1)^{f g} = i^{f + g - (f + g modulo 2)}.
void add_controlled_z(ParityPhases& phases, const LinearForm& f, const LinearForm& g) {
  add_phase(phases, f, 2);
  add_phase(phases, g, 2);
  add_phase(phases, f ^ g, -2);
}

}  // namespace

ParityPhases RegionPhases::with_gadgets() const {
  ParityPhases all = phases;
  for (std::size_t i = 0; i < gadgets.size(); ++i) {
    add_controlled_z(all, gadgets[i].measured, unit_vector(variables, variable_of(i)));
  }
  return all;
}

RegionPhases phases_of(const PlannedRegion& region, std::uint32_t qubits) {
  RegionPhases result;
  result.variables = qubits + region.hadamards;
  std::vector<LinearForm> forms;
  for (std::uint32_t qubit = 0; qubit < qubits; ++qubit) {
    forms.push_back(unit_vector(result.variables, qubit));
  }
  for (const RegionStep& step : region.steps) {
    switch (step.kind) {
      case RegionStep::Kind::phase: {
        LinearForm form(result.variables);
        for (std::uint64_t rest = step.parity; rest != 0; rest &= rest - 1) {
          form ^= forms[static_cast<std::size_t>(std::countr_zero(rest))];
        }
        add_phase(result.phases, form, static_cast<int>(step.eighths));
        break;
      }
      case RegionStep::Kind::cx:
        forms[step.second] ^= forms[step.first];
        break;
      case RegionStep::Kind::s:
        add_phase(result.phases, forms[step.first], static_cast<int>(step.eighths));
        break;
      case RegionStep::Kind::hadamard: {
        const LinearForm fresh = unit_vector(result.variables, qubits + result.gadgets.size());
        LinearForm measured = std::exchange(forms[step.first], fresh);
        result.gadgets.push_back({step.first, std::move(measured), forms});
        break;
      }
    }
  }
  return result;
}

}  // namespace quartz::optimizer
