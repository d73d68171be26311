#include "certify/problem/monomial_gate.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <numeric>

#include "quartz/circuit/custom_gate.hpp"

namespace quartz::certify {
namespace {

std::size_t index(GateKind kind) { return static_cast<std::size_t>(kind); }

}  // namespace

bool is_monomial_gate(const Gate& row) {
  return row.matrix.size() == row.dimension() &&
         std::all_of(row.matrix.begin(), row.matrix.end(), [](const MatrixEntry& entry) {
           return entry.terms.size() == 1 && std::abs(entry.terms[0].coefficient) == 1 &&
                  entry.terms[0].sqrt2_power == 0;
         });
}

MonomialAction action_of(const Operation& operation) {
  const Gate& row = gate(operation.gate);
  const std::map<std::string, Angle> angles = angles_by_name(row, operation.angles);
  MonomialAction action;
  action.output.resize(row.dimension());
  action.phase.resize(row.dimension());
  for (const MatrixEntry& entry : row.matrix) {
    const PhaseTerm& term = entry.terms[0];
    action.output[entry.column] = entry.row;
    action.phase[entry.column] = term.exponent.substitute(angles);
    if (term.coefficient < 0) action.phase[entry.column] += Angle::pi_times(1);
  }
  return action;
}

MonomialAction controlled(const MonomialAction& action) {
  const auto size = static_cast<unsigned>(action.output.size());
  MonomialAction result;
  result.output.resize(2 * size);
  std::iota(result.output.begin(), result.output.end(), 0U);
  result.phase.resize(2 * size);
  for (unsigned b = 0; b < size; ++b) {
    result.output[size + b] = size + action.output[b];
    result.phase[size + b] = action.phase[b];
  }
  return result;
}

Expansions::Expansions(bool (*is_basic)(const Gate&))
    : decomposition_(gate_count()), known_(decomposition_.size(), false) {
  for (std::size_t i = 0; i < known_.size(); ++i) {
    const auto kind = static_cast<GateKind>(i);
    known_[i] = kind == GateKind::h || is_basic(gate(kind));
  }
  for (bool again = true; again;) {
    again = false;
    for (std::size_t i = 0; i < known_.size(); ++i) {
      if (!known_[i] && find_decomposition(gate(static_cast<GateKind>(i)))) again = true;
    }
  }
}

const Decomposition* Expansions::of(GateKind kind) const { return decomposition_[index(kind)]; }

bool Expansions::knows(GateKind kind) const { return known_[index(kind)]; }

bool Expansions::find_decomposition(const Gate& row) {
  for (const Decomposition& candidate : row.decompositions) {
    if (!candidate.when.empty()) continue;
    if (!std::all_of(candidate.operations.begin(), candidate.operations.end(),
                     [this](const Operation& o) { return known_[index(o.gate)]; })) {
      continue;
    }
    decomposition_[index(row.kind)] = &candidate;
    known_[index(row.kind)] = true;
    return true;
  }
  return false;
}

}  // namespace quartz::certify
