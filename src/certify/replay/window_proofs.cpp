#include "certify/replay/window_proofs.hpp"

#include <cmath>
#include <utility>
#include <variant>

#include "certify/path_sum/path_sum_comparison.hpp"
#include "certify/problem/comparison.hpp"
#include "certify/problem/problem.hpp"
#include "certify/simulation/dense.hpp"
#include "certify/simulation/exact_unitary.hpp"
#include "quartz/base/errors.hpp"

namespace quartz::certify {
namespace {

/// Largest number of wires for methods that compute all columns of a unitary.
constexpr std::size_t kMaxDenseWires = 8;

void append_number(std::string& key, std::uint32_t number) {
  for (unsigned shift = 0; shift < 32; shift += 8) {
    key.push_back(static_cast<char>(number >> shift & 0xffU));
  }
}

void append_gates(std::string& key, WindowProofs::Gates gates) {
  append_number(key, static_cast<std::uint32_t>(gates.size()));
  for (const ReplayedCircuit::WindowOperation& gate : gates) {
    append_number(key, gate.code);
    for (const std::uint8_t operand : gate.operands) key.push_back(static_cast<char>(operand));
  }
}

/// Tries the methods that prove equality, the quickest and strongest first.
Comparison compare(const Problem& problem, std::size_t wires, const Budget& budget) {
  Comparison result;
  if (wires <= kMaxDenseWires) {
    result = compare_exact_unitaries(problem, budget.share(0.5));
    if (result.outcome != Outcome::unknown) return result;
  }
  result = compare_path_sums(problem, budget.share(0.5));
  if (result.outcome == Outcome::unknown && wires <= kMaxDenseWires) {
    result = compare_dense_unitaries(problem, budget);
  }
  return result;
}

}  // namespace

Circuit WindowProofs::circuit_of(std::size_t wires, Gates gates) const {
  std::vector<Operation> operations;
  operations.reserve(gates.size());
  for (const ReplayedCircuit::WindowOperation& gate : gates) {
    Operation& operation = operations.emplace_back(table_[gate.code]);
    operation.qubits.assign(gate.operands.begin(), gate.operands.end());
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
      pair.reason = "their unitaries differ";
      return pair;
    case WindowAnswer::Kind::unsupported:
      break;
  }
  return prove_by_methods(wires, left, right, budget);
}

WindowProofs::Pair WindowProofs::prove_by_methods(std::size_t wires, Gates left, Gates right,
                                                  const Budget& budget) const {
  Pair pair;
  const auto posed = pose_problem(circuit_of(wires, left), circuit_of(wires, right));
  const auto* const problem = std::get_if<Problem>(&posed);
  ensure(problem != nullptr, "windows consist of gates");
  const Comparison comparison = compare(*problem, wires, budget.share(0.5));
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

WindowProofs::Pair& WindowProofs::pair(std::size_t wires, Gates left, Gates right,
                                       const Budget& budget) {
  key_.clear();
  append_gates(key_, left);
  append_gates(key_, right);
  if (const auto known = pairs_.find(std::string_view(key_)); known != pairs_.end()) {
    return known->second;
  }
  Pair proved = prove(wires, left, right, budget);
  return pairs_.emplace(key_, std::move(proved)).first->second;
}

void WindowProofs::for_each(const std::function<void(const Pair&)>& visit) const {
  for (const auto& [key, pair] : pairs_) visit(pair);
}

}  // namespace quartz::certify
