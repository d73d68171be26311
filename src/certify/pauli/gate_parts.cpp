#include "certify/pauli/gate_parts.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "quartz/base/errors.hpp"

namespace quartz::certify {
namespace {

unsigned parity(unsigned bits) { return static_cast<unsigned>(__builtin_parity(bits)); }

bool is_affine(const Gate& row) {
  if (!is_monomial_gate(row)) return false;
  std::vector<unsigned> output(row.dimension());
  for (const MatrixEntry& entry : row.matrix) output[entry.column] = entry.row;
  return affine_map(output).has_value();
}

}  // namespace

GateParts::GateParts() : expansions_(is_affine), parts_(2 * gate_count()) {}

const Parts& GateParts::of(const Operation& operation, bool inverse) {
  if (operation.kind != OperationKind::gate) {
    throw Unsupported{fmt::format("the opaque operation '{}'", operation.classical->opaque_name)};
  }
  const std::size_t place = 2 * static_cast<std::size_t>(operation.gate) + (inverse ? 1 : 0);
  if (place >= parts_.size()) {
    throw Unsupported{fmt::format("the new gate '{}'", gate(operation.gate).name)};
  }
  if (!parts_[place]) parts_[place] = parts_of(gate(operation.gate), inverse);
  return *parts_[place];
}

Parts GateParts::parts_of(const Gate& row, bool inverse) const {
  Operation operation = on_own_operands(row);
  for (const std::string_view name : row.parameters) {
    operation.angles.push_back(Angle::symbol(std::string(name)));
  }
  Splitting splitting{row, {}, {}};
  split(operation, inverse, splitting);
  return {std::move(splitting.parts), AngleFunction(splitting.phase, row)};
}

void GateParts::split(const Operation& operation, bool inverse, Splitting& parts) const {
  if (!expansions_.knows(operation.gate)) {
    throw Unsupported{fmt::format("the gate '{}'", gate(operation.gate).name)};
  }
  if (operation.gate == GateKind::h) {
    parts.parts.push_back({true, {}, {}, {}, {operation.qubits.begin(), operation.qubits.end()}});
    return;
  }
  const Decomposition* const expansion = expansions_.of(operation.gate);
  if (expansion == nullptr && !inverse) return add_affine(operation, parts);
  Decomposition steps =
      expansion == nullptr ? inverse_of(operation) : instantiate(*expansion, operation);
  // The decomposition from inverse_of is already in the order of the inverse.
  const bool backwards = inverse && expansion != nullptr;
  if (backwards) std::reverse(steps.operations.begin(), steps.operations.end());
  for (const Operation& step : steps.operations) split(step, backwards, parts);
  parts.phase.add_phase(backwards ? -steps.phase : steps.phase);
}

void GateParts::add_affine(const Operation& operation, Splitting& parts) {
  const MonomialAction action = action_of(operation);
  Part part;
  part.operands.assign(operation.qubits.begin(), operation.qubits.end());
  part.map = *affine_map(action.output);
  part.map_steps = steps_of_map(action.output);
  const auto size = static_cast<unsigned>(action.phase.size());
  for (unsigned operands = 0; operands < size; ++operands) {
    Angle sum;
    for (unsigned b = 0; b < size; ++b) {
      sum += parity(operands & b) != 0 ? -action.phase[b] : action.phase[b];
    }
    const Angle mean = sum * Rational(1, static_cast<std::int64_t>(size));
    if (mean.is_zero()) continue;
    if (operands == 0) {
      parts.phase.add_phase(mean);
    } else {
      part.rotations.push_back({operands, AngleFunction(mean * Rational(-2), parts.row)});
    }
  }
  parts.parts.push_back(std::move(part));
}

bool consists_of_rotations(const Parts& parts) {
  std::vector<unsigned> open;  // operands of Hadamards that have not cancelled
  for (const Part& part : parts.parts) {
    if (!part.map.rows.empty()) return false;
    if (!part.is_hadamard) continue;
    // Hadamards on different operands commute.
    const auto same = std::ranges::find(open, part.operands[0]);
    if (same == open.end()) {
      open.push_back(part.operands[0]);
    } else {
      open.erase(same);
    }
  }
  return open.empty();
}

}  // namespace quartz::certify
