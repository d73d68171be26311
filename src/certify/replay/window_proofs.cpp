#include "certify/replay/window_proofs.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <variant>

#include "base/leb128.hpp"
#include "certify/methods/compare_problem.hpp"
#include "certify/path_sum/path_sum_comparison.hpp"
#include "certify/problem/comparison.hpp"
#include "certify/problem/problem.hpp"
#include "certify/simulation/exact_unitary.hpp"
#include "quartz/base/errors.hpp"

namespace quartz::certify {
namespace {

/// Largest number of wires for which all columns of a unitary are computed exactly.
constexpr std::size_t kMaxExactWires = 8;

/// Tries the methods that prove equality, the quickest and strongest first.
Comparison compare(Problem problem, std::size_t wires, const Budget& budget, std::uint64_t seed) {
  Comparison result;
  if (problem.is_approximate()) return compare_problem(std::move(problem), budget, seed);
  if (wires <= kMaxExactWires) {
    result = compare_exact_unitaries(problem, budget.share(0.5));
    if (result.outcome != Outcome::unknown) return result;
  }
  result = compare_path_sums(problem, budget.share(0.5));
  if (result.outcome != Outcome::unknown) return result;
  return compare_problem(std::move(problem), budget, seed);
}

GateList list_of(WindowProofs::Gates gates) {
  GateList list;
  for (const ReplayedCircuit::WindowOperation& gate : gates) {
    for (const std::uint8_t operand : gate.operands) list.add_wire(operand);
    list.add_gate(gate.code);
  }
  return list;
}

WindowProofs::Pair pair_of(const Comparison& comparison) {
  WindowProofs::Pair pair;
  if (comparison.outcome != Outcome::equal) {
    pair.reason = comparison.method + ": " + comparison.reason;
    return pair;
  }
  // The phase of a comparison is that of the right circuit relative to the left one.
  if (comparison.exact_phase) {
    pair.phase = -*comparison.exact_phase;
  } else if (comparison.phase) {
    // A numeric proof bounds the distance for the phase that it found, here rounded to an exact
    // one.
    constexpr std::int64_t parts = 1'000'000'000'000'000;
    const std::int64_t rounded = std::llround(*comparison.phase * static_cast<double>(parts));
    pair.phase = -Angle::radians(Rational(rounded, parts));
    pair.strength.distance = 2.0 / static_cast<double>(parts);
  } else {
    pair.reason = comparison.method + ": the phase is not a single number";
    return pair;
  }
  pair.is_equal = true;
  pair.strength.distance += comparison.distance;
  pair.strength.log2_failure = comparison.log2_failure;
  return pair;
}

}  // namespace

void ProofStrength::add(const ProofStrength& other, std::uint64_t uses) {
  distance += static_cast<double>(uses) * other.distance;
  if (!other.log2_failure) return;
  log2_failure =
      log2_failure ? log2_of_sum(*log2_failure, *other.log2_failure) : *other.log2_failure;
}

std::vector<PlacedGate> WindowProofs::placed(const GateList& gates) const {
  std::vector<PlacedGate> result;
  result.reserve(gates.size());
  for (std::size_t i = 0; i < gates.size(); ++i) {
    result.push_back({&table_[gates.code(i)], gates.wires(i)});
  }
  return result;
}

Circuit WindowProofs::circuit_of(std::size_t wires, const GateList& gates) const {
  std::vector<Operation> operations;
  operations.reserve(gates.size());
  for (std::size_t i = 0; i < gates.size(); ++i) {
    Operation& operation = operations.emplace_back(table_[gates.code(i)]);
    operation.qubits.assign(gates.wires(i).begin(), gates.wires(i).end());
  }
  return make_circuit(static_cast<std::uint32_t>(wires), std::move(operations));
}

WindowProofs::Pair WindowProofs::prove(std::size_t wires, Gates left, Gates right,
                                       const Budget& budget) {
  WindowAnswer answer = monomial_.compare(wires, left, right);
  if (answer.kind == WindowAnswer::Kind::unsupported) answer = ring_.compare(wires, left, right);
  Pair pair;
  switch (answer.kind) {
    case WindowAnswer::Kind::equal:
      pair.is_equal = true;
      pair.phase = std::move(answer.phase);
      return pair;
    case WindowAnswer::Kind::different:
      if (epsilon_ > 0) break;
      pair.reason = "their unitaries differ";
      return pair;
    case WindowAnswer::Kind::unsupported:
      break;
  }
  return prove_by_methods(wires, list_of(left), list_of(right), budget);
}

Comparison WindowProofs::compare_rotations(std::size_t wires, const GateList& left,
                                           const GateList& right, const Budget& budget) {
  if (rotations_ == nullptr) rotations_ = std::make_unique<PauliRotations>();
  return rotations_->compare(wires, placed(left), placed(right), budget);
}

WindowProofs::Pair WindowProofs::prove_by_methods(std::size_t wires, const GateList& left,
                                                  const GateList& right, const Budget& budget) {
  Pair pair = pair_of(compare_rotations(wires, left, right, budget.share(0.5)));
  if (pair.is_equal) return pair;
  auto posed = pose_problem(circuit_of(wires, left), circuit_of(wires, right));
  auto* const problem = std::get_if<Problem>(&posed);
  ensure(problem != nullptr, "windows consist of gates");
  problem->epsilon = epsilon_;
  return pair_of(compare(std::move(*problem), wires, budget.share(0.5), seed_));
}

void WindowProofs::write_key() {
  key_.clear();
  for (const Gates side : {reduced_.left(), reduced_.right()}) {
    append_leb128(key_, side.size());
    for (const ReplayedCircuit::WindowOperation& gate : side) {
      // The number of operands follows from the code.
      append_leb128(key_, gate.code);
      for (const std::uint8_t operand : gate.operands) key_.push_back(static_cast<char>(operand));
    }
  }
}

const WindowProofs::Pair& WindowProofs::pair(Gates left, Gates right, const Budget& budget) {
  reduced_.reduce(left, right);
  write_key();
  if (const auto known = pairs_.find(std::string_view(key_)); known != pairs_.end()) {
    return known->second;
  }
  Pair proved = prove(reduced_.wires(), reduced_.left(), reduced_.right(), budget);
  if (proved.is_equal) proved.kind = kind_of(proved);
  return pairs_.emplace(key_, std::move(proved)).first->second;
}

std::uint32_t WindowProofs::kind_of(const Pair& pair) {
  const auto next = static_cast<std::uint32_t>(kinds_.size());
  Kind kind{pair.phase.reduced_modulo(2), pair.strength};
  if (pair.strength.distance == 0 && !pair.strength.log2_failure) {
    const auto [known, is_new] = exact_kinds_.try_emplace(kind.phase, next);
    if (!is_new) return known->second;
  }
  kinds_.push_back(std::move(kind));
  return next;
}

void WindowProofs::add_uses(Total& total, const Kind& kind) {
  const std::uint64_t uses = kind.uses + kind.conditional_uses;
  if (uses == 0) return;
  total.phase.add_phase(kind.phase * Rational(static_cast<std::int64_t>(kind.uses)));
  if (kind.conditional_uses != 0 && !kind.phase.is_zero()) total.drops_phase = true;
  total.strength.add(kind.strength, uses);
}

void WindowProofs::use_once(const Pair& pair, bool is_conditional) {
  Kind kind{pair.phase.reduced_modulo(2), pair.strength};
  ++(is_conditional ? kind.conditional_uses : kind.uses);
  add_uses(once_, kind);
  ++once_.pairs;
}

bool WindowProofs::prove_moves(std::size_t wires, std::span<const MovableGate> gates,
                               bool is_conditional, const Budget& budget) {
  if (rotations_ == nullptr) rotations_ = std::make_unique<PauliRotations>();
  Pair pair = pair_of(rotations_->compare_moved(wires, gates, budget.share(0.5)));
  if (!pair.is_equal) return false;
  use_once(pair, is_conditional);
  return true;
}

Fault WindowProofs::prove_once(std::size_t wires, const GateList& left, const GateList& right,
                               bool is_conditional, const Budget& budget) {
  Pair pair = prove_by_methods(wires, left, right, budget);
  if (!pair.is_equal) return pair.reason;
  use_once(pair, is_conditional);
  return {};
}

Fault WindowProofs::prove_from_zero(std::size_t wires, std::span<const Wire> zero_wires,
                                    const GateList& left, const GateList& right,
                                    const Budget& budget) {
  auto posed = pose_problem(circuit_of(wires, left), circuit_of(wires, right));
  auto* const problem = std::get_if<Problem>(&posed);
  ensure(problem != nullptr, "windows consist of gates");
  for (const Wire wire : zero_wires) problem->wires.at(wire).starts_zero = true;
  Pair pair = pair_of(compare_problem(std::move(*problem), budget.share(0.5), seed_));
  if (!pair.is_equal) return pair.reason;
  use_once(pair, false);
  return {};
}

WindowProofs::Total WindowProofs::total() const {
  Total total = once_;
  total.pairs += pairs_.size();
  for (const Kind& kind : kinds_) add_uses(total, kind);
  return total;
}

}  // namespace quartz::certify
