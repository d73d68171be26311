#include "workflow/certificate/encoded_circuit.hpp"

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <utility>

#include "base/leb128.hpp"

namespace quartz::workflow {
namespace {

std::size_t hash_of(const Operation& operation) {
  constexpr std::size_t kFactor = 0x9e3779b97f4a7c15ULL;
  std::size_t hash = static_cast<std::size_t>(operation.kind) * kFactor;
  hash = (hash ^ static_cast<std::size_t>(operation.gate)) * kFactor;
  hash = (hash ^ operation.qubits.size()) * kFactor;
  for (const Angle& angle : operation.angles) hash = (hash ^ angle.hash()) * kFactor;
  return hash ^ std::hash<const void*>()(operation.classical.get());
}

}  // namespace

EncodedOperations::EncodedOperations(std::span<const Operation> operations)
    : size_(operations.size()) {
  std::unordered_multimap<std::size_t, std::size_t> by_hash;
  const auto number_of = [&](const Operation& operation) {
    const std::size_t hash = hash_of(operation);
    const auto [begin, end] = by_hash.equal_range(hash);
    for (auto entry = begin; entry != end; ++entry) {
      const auto& [known, qubits] = distinct_[entry->second];
      // Operations have the same classical part if they share it: it is not compared.
      if (known.kind == operation.kind && known.gate == operation.gate &&
          qubits == operation.qubits.size() && known.classical == operation.classical &&
          known.angles == operation.angles) {
        return entry->second;
      }
    }
    Distinct added{operation, operation.qubits.size()};
    added.operation.qubits.clear();
    distinct_.push_back(std::move(added));
    by_hash.emplace(hash, distinct_.size() - 1);
    return distinct_.size() - 1;
  };
  for (const Operation& operation : operations) {
    append_leb128(bytes_, number_of(operation));
    for (const Qubit qubit : operation.qubits) append_leb128(bytes_, qubit);
  }
  bytes_.shrink_to_fit();
}

std::vector<Operation> EncodedOperations::decoded() const {
  std::vector<Operation> operations;
  operations.reserve(size_);
  const char* place = bytes_.data();
  for (std::size_t i = 0; i < size_; ++i) {
    const auto& [known, qubits] = distinct_[take_leb128(place)];
    Operation& operation = operations.emplace_back(known);
    for (std::size_t k = 0; k < qubits; ++k) {
      operation.qubits.push_back(static_cast<Qubit>(take_leb128(place)));
    }
  }
  return operations;
}

std::function<circuit::DerivedCircuit()> encoded(circuit::DerivedCircuit circuit) {
  auto operations = std::make_shared<const EncodedOperations>(
      std::exchange(circuit.circuit.operations, std::vector<Operation>()));
  return [operations = std::move(operations),
          rest = std::make_shared<const circuit::DerivedCircuit>(std::move(circuit))] {
    circuit::DerivedCircuit formed = *rest;
    formed.circuit.operations = operations->decoded();
    return formed;
  };
}

}  // namespace quartz::workflow
