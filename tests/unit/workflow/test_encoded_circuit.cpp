#include <catch2/catch.hpp>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "random_circuits.hpp"
#include "workflow/certificate/encoded_circuit.hpp"

namespace quartz::workflow {
namespace {

/// Returns random gates with some other operations among them.
std::vector<Operation> random_operations(test::Random& random, std::size_t gates) {
  std::vector<Operation> operations =
      test::random_circuit(random, test::kinds_up_to(3), 300, gates).operations;
  const auto content = std::make_shared<const ClassicalPart>(ClassicalPart{{2}, {}, {}});
  for (std::size_t i = 0; i < operations.size(); i += 7) {
    Operation measurement;
    measurement.kind = OperationKind::measure;
    measurement.qubits = {static_cast<Qubit>(i % 300)};
    measurement.classical = content;
    operations.insert(operations.begin() + static_cast<std::ptrdiff_t>(i), measurement);
  }
  Operation barrier;
  barrier.kind = OperationKind::barrier;
  for (Qubit qubit = 0; qubit < 300; ++qubit) barrier.qubits.push_back(qubit);
  operations.push_back(barrier);
  operations.push_back(make_operation(GateKind::u3, {299},
                                      {Angle::symbol("theta"), Angle::decimal("0.1"), Angle()}));
  return operations;
}

}  // namespace

TEST_CASE("encoded operations are decoded as they were", "[workflow]") {
  test::Random random(21);
  CHECK(EncodedOperations({}).decoded().empty());
  for (const std::size_t gates : {1U, 50U, 2'000U}) {
    const std::vector<Operation> operations = random_operations(random, gates);
    const EncodedOperations encoded(operations);
    CHECK(encoded.decoded() == operations);
  }
}

TEST_CASE("an encoded circuit takes a few bytes for each gate", "[workflow]") {
  test::Random random(22);
  const Circuit circuit = test::random_circuit(random, test::kinds_up_to(3), 100, 5'000);
  CHECK(EncodedOperations(circuit.operations).bytes() <= 5 * circuit.operations.size());
  const std::function<circuit::DerivedCircuit()> form =
      encoded(circuit::DerivedCircuit::first(circuit));
  CHECK(form().circuit == circuit);
  CHECK(form().circuit == circuit);
}

}  // namespace quartz::workflow
