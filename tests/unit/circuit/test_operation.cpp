#include <catch2/catch.hpp>
#include <functional>
#include <span>
#include <vector>

#include "multiples_of_pi.hpp"
#include "quartz/circuit/operation.hpp"

namespace quartz {
namespace {

/// Returns whether elements of an operation are in the operation itself.
template <typename Element>
bool are_in(const Operation& operation, std::span<const Element> elements) {
  const std::less<const void*> before;
  return !before(elements.data(), &operation) && before(elements.data(), &operation + 1);
}

}  // namespace

TEST_CASE("a gate with an angle is 56 bytes, and nothing elsewhere", "[circuit]") {
  STATIC_REQUIRE(sizeof(Angle) == 16);
  STATIC_REQUIRE(sizeof(Operation) <= 56);
  const Operation toffoli = make_operation(GateKind::ccx, {0, 1, 2});
  CHECK(are_in<Qubit>(toffoli, toffoli.qubits));
  const Operation rotation = make_operation(GateKind::rz, {7}, {test::pi(1, 4)});
  CHECK(are_in<Qubit>(rotation, rotation.qubits));
  CHECK(are_in<Angle>(rotation, rotation.angles));
  // A circuit of many gates needs no more.
  const std::vector<Operation> copies(100, rotation);
  CHECK(are_in<Angle>(copies[50], copies[50].angles));
  CHECK(copies[50] == rotation);
}

TEST_CASE("operations with many qubits and angles are copied and compared", "[circuit]") {
  Operation barrier;
  barrier.kind = OperationKind::barrier;
  for (Qubit qubit = 0; qubit < 50; ++qubit) barrier.qubits.push_back(qubit);
  Operation copy = barrier;
  CHECK(copy == barrier);
  copy.qubits[49] = 50;
  CHECK_FALSE(copy == barrier);
  const Operation general = make_operation(
      GateKind::u3, {0}, {test::pi(1, 3), Angle::symbol("theta"), Angle::decimal("0.1")});
  const Operation same = general;
  CHECK(same == general);
  CHECK(same.angles.size() == 3);
}

}  // namespace quartz
