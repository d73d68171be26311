#include "optimize/measured_ancillas/ancilla_writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <numeric>
#include <set>
#include <string>
#include <utility>

namespace quartz::optimizer {
namespace {

/// Names that a circuit has for its registers and parameters.
std::set<std::string> names_of(const Circuit& circuit) {
  std::set<std::string> names;
  for (const Register& each : circuit.qubit_registers) names.insert(each.name);
  for (const Register& each : circuit.bit_registers) names.insert(each.name);
  for (const Parameter& each : circuit.parameters) names.insert(each.name);
  return names;
}

/// Returns a name with which no name of the circuit begins.
std::string unused_name(const Circuit& circuit, std::string name) {
  const std::set<std::string> names = names_of(circuit);
  while (std::ranges::any_of(names, [&](const auto& each) { return each.starts_with(name); })) {
    name += '_';
  }
  return name;
}

/// Appends CNOTs that add a form to a qubit, and X if it is negated.
void append_affine_sum(const LinearForm& form, bool is_negated, Qubit target,
                       std::vector<Operation>& gates) {
  append_sum(form, target, gates);
  if (is_negated) gates.push_back(make_operation(GateKind::x, {target}));
}

/// Returns (-1)^{f(x) g(x)}.
QuadraticPhase controlled_z(const LinearForm& f, const LinearForm& g) {
  QuadraticPhase result(f.size());
  for (auto i = f.find_first(); i != LinearForm::npos; i = f.find_next(i)) {
    for (auto j = g.find_first(); j != LinearForm::npos; j = g.find_next(j)) {
      if (i == j) {
        result.add_bit(i, 2);
      } else {
        result.add_pair(i, j);
      }
    }
  }
  return result;
}

/// Returns the first bit of a form that is not in another one, or else its first bit.
Qubit chosen_bit(const LinearForm& form, const LinearForm& other) {
  const auto alone = (form - other).find_first();
  return static_cast<Qubit>(alone == LinearForm::npos ? form.find_first() : alone);
}

/// Returns the gates for (-1)^{f g} that add up f on one of its qubits, and on another one what g
/// is without it.
std::vector<Operation> product_by_sums(const BitProduct& product) {
  const Qubit first = chosen_bit(product.f, product.g);
  LinearForm rest_of_f = product.f;
  rest_of_f.reset(first);
  // The first qubit carries f afterwards: g is the sum of the rest and, if it has that qubit, f.
  const bool has_first = product.g.test(first);
  LinearForm rest = product.g;
  if (has_first) {
    rest.reset(first);
    rest ^= rest_of_f;
  }
  std::vector<Operation> sums;
  append_sum(rest_of_f, first, sums);
  std::vector<Operation> phases;
  if (has_first != product.negates_g) phases.push_back(make_operation(GateKind::z, {first}));
  if (has_first && product.negates_f) phases.push_back(make_operation(GateKind::z, {first}));
  if (rest.any()) {
    const auto second = static_cast<Qubit>(rest.find_first());
    LinearForm others = rest;
    others.reset(second);
    append_sum(others, second, sums);
    phases.push_back(make_operation(GateKind::cz, {first, second}));
    if (product.negates_f) phases.push_back(make_operation(GateKind::z, {second}));
  }
  std::vector<Operation> gates = sums;
  gates.insert(gates.end(), phases.begin(), phases.end());
  gates.insert(gates.end(), sums.rbegin(), sums.rend());
  return gates;
}

}  // namespace

AncillaPlaces::AncillaPlaces(const Circuit& circuit)
    : qubits_(circuit.qubit_count()),
      bits_(circuit.bit_count()),
      registers_(static_cast<std::uint32_t>(circuit.bit_registers.size())) {}

void AncillaPlaces::add_registers(Circuit& circuit, std::uint32_t ancillas) const {
  const std::string outcome = unused_name(circuit, "outcome");
  add_qubits(circuit, ancillas, "ancilla");
  for (std::uint32_t i = 0; i < ancillas; ++i) {
    circuit.bit_registers.push_back({fmt::format("{}{}", outcome, i), bits_ + i, 1});
  }
}

void AncillaPlaces::add_qubits(Circuit& circuit, std::uint32_t ancillas, std::string name) const {
  circuit.qubit_registers.push_back({unused_name(circuit, std::move(name)), qubits_, ancillas});
}

Operation reset_of(Qubit qubit) {
  Operation reset = make_operation(GateKind::id, {qubit});
  reset.kind = OperationKind::reset;
  return reset;
}

void append_sum(const LinearForm& form, Qubit target, std::vector<Operation>& gates) {
  for (auto i = form.find_first(); i != LinearForm::npos; i = form.find_next(i)) {
    gates.push_back(make_operation(GateKind::cx, {static_cast<Qubit>(i), target}));
  }
}

void append_bit_product(const BitProduct& product, Qubit ancilla, std::vector<Operation>& gates) {
  gates.push_back(make_operation(GateKind::h, {ancilla}));
  gates.push_back(make_operation(GateKind::t, {ancilla}));
  append_affine_sum(product.f, product.negates_f, ancilla, gates);
  gates.push_back(make_operation(GateKind::tdg, {ancilla}));
  append_affine_sum(product.g, product.negates_g, ancilla, gates);
  gates.push_back(make_operation(GateKind::t, {ancilla}));
  append_affine_sum(product.f, product.negates_f, ancilla, gates);
  gates.push_back(make_operation(GateKind::tdg, {ancilla}));
  append_affine_sum(product.g, product.negates_g, ancilla, gates);
  gates.push_back(make_operation(GateKind::h, {ancilla}));
  gates.push_back(make_operation(GateKind::s, {ancilla}));
}

void append_measurement(Qubit qubit, const MeasuredAncilla& ancilla,
                        std::vector<Operation>& gates) {
  gates.push_back(make_operation(GateKind::h, {qubit}));
  Operation measurement = make_operation(GateKind::id, {qubit});
  measurement.kind = OperationKind::measure;
  ClassicalPart part;
  part.bits = {ancilla.bit};
  measurement.classical = std::make_shared<const ClassicalPart>(std::move(part));
  gates.push_back(std::move(measurement));
}

Operation if_measured(const MeasuredAncilla& ancilla, Operation gate) {
  ClassicalPart part;
  part.conditions.push_back({.bit_register = ancilla.bit_register, .value = 1});
  gate.classical = std::make_shared<const ClassicalPart>(std::move(part));
  return gate;
}

void append_correction(const MeasuredAncilla& ancilla, const QuadraticPhase& correction,
                       std::span<const Qubit> qubits, std::vector<Operation>& gates) {
  constexpr std::array kPowersOfS{GateKind::id, GateKind::s, GateKind::z, GateKind::sdg};
  for (std::size_t bit = 0; bit < qubits.size(); ++bit) {
    if (correction.linear(bit) != 0) {
      gates.push_back(if_measured(
          ancilla, make_operation(kPowersOfS.at(correction.linear(bit)), {qubits[bit]})));
    }
    const LinearForm& pairs = correction.pairs(bit);
    for (auto i = pairs.find_next(bit); i != LinearForm::npos; i = pairs.find_next(i)) {
      gates.push_back(if_measured(ancilla, make_operation(GateKind::cz, {qubits[bit], qubits[i]})));
    }
  }
}

void append_correction(const MeasuredAncilla& ancilla, const BitProduct& product,
                       std::vector<Operation>& gates) {
  QuadraticPhase correction = controlled_z(product.f, product.g);
  if (product.negates_f) correction.add_parity(product.g, 2);
  if (product.negates_g) correction.add_parity(product.f, 2);
  std::vector<Qubit> qubits(correction.bits());
  std::iota(qubits.begin(), qubits.end(), Qubit{0});
  std::vector<Operation> by_pairs;
  append_correction(ancilla, correction, qubits, by_pairs);
  std::vector<Operation> by_sums = product_by_sums(product);
  if (by_pairs.size() <= by_sums.size()) {
    gates.insert(gates.end(), by_pairs.begin(), by_pairs.end());
    return;
  }
  for (Operation& gate : by_sums) gates.push_back(if_measured(ancilla, std::move(gate)));
}

}  // namespace quartz::optimizer
