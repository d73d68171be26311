#include "verify/witness.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace quartz::verify {
namespace {

constexpr unsigned kMaxWitnessQubits = 10;
constexpr double kMinDifference = 1e-9;

std::string complex_text(const Complex& value) {
  return fmt::format("{:.17g}{:+.17g}i", value.real(), value.imag());
}

/// Returns the qubits that some gate acts on, in ascending order.
std::vector<Qubit> qubits_of(const Claim& claim) {
  std::set<Qubit> qubits;
  for (const auto side : {claim.left, claim.right}) {
    for (const Operation& operation : side) {
      qubits.insert(operation.qubits.begin(), operation.qubits.end());
    }
  }
  return {qubits.begin(), qubits.end()};
}

/// Returns the same gates with qubits[i] renamed to qubit i.
std::vector<Operation> on_first(std::span<const Operation> operations,
                                const std::vector<Qubit>& qubits) {
  std::vector<Operation> moved(operations.begin(), operations.end());
  for (Operation& operation : moved) {
    for (Qubit& qubit : operation.qubits) {
      const auto found = std::lower_bound(qubits.begin(), qubits.end(), qubit);
      qubit = static_cast<Qubit>(found - qubits.begin());
    }
  }
  return moved;
}

/// Moves bit i of the index to bit qubits[i].
std::size_t scattered(std::size_t index, const std::vector<Qubit>& qubits) {
  std::size_t moved = 0;
  for (std::size_t i = 0; i < qubits.size(); ++i) moved |= ((index >> i) & 1U) << qubits[i];
  return moved;
}

}  // namespace

std::string Witness::to_string() const {
  std::string text;
  for (const auto& [name, value] : parameters) {
    text += fmt::format("{}{} = {:.17g}", text.empty() ? "" : ", ", name, value);
  }
  if (!text.empty()) text += ": ";
  return text +
         fmt::format("entry (row {}, column {}) is {} on the left side and {} on the right side",
                     row, column, complex_text(left), complex_text(right));
}

std::optional<Witness> witness_at(const Claim& claim, const Bindings& parameters) {
  const std::vector<Qubit> qubits = qubits_of(claim);
  if (claim.qubits > 64 || qubits.size() > kMaxWitnessQubits) return std::nullopt;
  const auto count = static_cast<std::uint32_t>(qubits.size());
  const std::vector<Complex> left = unitary_of(on_first(claim.left, qubits), count, parameters);
  const std::vector<Complex> right = unitary_of(on_first(claim.right, qubits), count, parameters);
  const Complex phase = std::polar(1.0, claim.phase.value(parameters));
  std::optional<Witness> witness;
  double largest = kMinDifference;
  for (std::size_t i = 0; i < left.size(); ++i) {
    const double difference = std::abs(phase * left[i] - right[i]);
    if (!(difference > largest)) continue;
    largest = difference;
    witness =
        Witness{parameters, scattered(i >> count, qubits),
                scattered(i & ((std::size_t{1} << count) - 1), qubits), phase * left[i], right[i]};
  }
  return witness;
}

std::vector<std::string> parameters_of(const Claim& claim) {
  std::set<std::string> names;
  const auto collect = [&](const Angle& angle) {
    for (std::string& name : angle.symbols()) names.insert(std::move(name));
  };
  for (const auto side : {claim.left, claim.right}) {
    for (const Operation& operation : side) {
      for (const Angle& angle : operation.angles) collect(angle);
    }
  }
  collect(claim.phase);
  return {names.begin(), names.end()};
}

ProofResult refutation(const Claim& claim, bool is_complete) {
  // Different analytic functions agree only on a set of measure zero, so a few generic points
  // suffice.
  const std::vector<std::string> names = parameters_of(claim);
  for (const double spread : {1.0, 0.6180339887498949, 1.7320508075688772, 0.1415926535897932}) {
    Bindings parameters;
    double value = spread;
    for (const std::string& name : names) {
      parameters[name] = value;
      value = std::fmod(value * 2.6457513110645907 + 0.5, 3.0);
    }
    if (const auto witness = witness_at(claim, parameters)) {
      return {ProofVerdict::refuted, witness->to_string()};
    }
  }
  if (!is_complete) {
    return {ProofVerdict::unknown,
            "not proved, but the two sides agree within 1e-9 where they were evaluated"};
  }
  return {ProofVerdict::refuted,
          "the two sides differ, but by less than 1e-9 where they were evaluated, or on too many "
          "qubits to evaluate them"};
}

}  // namespace quartz::verify
