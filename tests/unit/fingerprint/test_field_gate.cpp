#include <catch2/catch.hpp>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "fingerprint/field_gate.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/circuit/gate.hpp"

using namespace quartz;
using namespace quartz::algebra;
using namespace quartz::fingerprint;

namespace {

/// Returns the gate on scattered qubits of 5, with a symbol named like it for each parameter.
Operation symbolic(const Gate& row) {
  Operation operation;
  operation.gate = row.kind;
  for (Qubit i = 0; i < row.qubits; ++i) operation.qubits.push_back((3 * i + 2) % 5);
  for (const std::string_view name : row.parameters) {
    operation.angles.push_back(Angle::symbol(std::string(name)));
  }
  return operation;
}

constexpr unsigned qubits = 5;
constexpr std::size_t dimension = 32;

std::vector<Goldilocks> random_vector(std::uint64_t seed) {
  FieldRandom random({seed}, "test vector");
  std::vector<Goldilocks> elements(dimension);
  for (Goldilocks& element : elements) element = random.next();
  return elements;
}

std::vector<Goldilocks> run(const std::vector<Operation>& operations, std::vector<Goldilocks> state,
                            const FieldPoint& point) {
  std::vector<Goldilocks> next(dimension);
  for (const Operation& operation : operations) {
    apply(field_gate(operation, qubits, point), state, next);
    state.swap(next);
  }
  return state;
}

/// Returns a point at which all gates, their decompositions and the phases can be evaluated.
FieldPoint fine_point() {
  std::vector<Operation> operations;
  for (const Gate& row : gate_table()) {
    for (const std::string_view name : row.parameters) {
      operations.push_back(
          make_operation(GateKind::p, {0}, {Angle::symbol(std::string(name)) * Rational(1, 16)}));
    }
  }
  return FieldPoint(operations, {});
}

void check_equal(const Operation& operation, const Decomposition& way, const FieldPoint& point) {
  const std::vector<Goldilocks> state = random_vector(1);
  std::vector<Goldilocks> expected = run(way.operations, state, point);
  for (Goldilocks& amplitude : expected) amplitude *= point.phase(way.phase);
  REQUIRE(run({operation}, state, point) == expected);
}

}  // namespace

TEST_CASE("every gate equals its decompositions exactly in the field") {
  const FieldPoint point = fine_point();
  for (const Gate& row : gate_table()) {
    for (const Decomposition& pattern : row.decompositions) {
      Operation operation = symbolic(row);
      if (!pattern.when.empty()) operation.angles = pattern.when;
      INFO(row.name << " by " << pattern.operations.size() << " gates");
      check_equal(operation, instantiate(pattern, operation), point);
    }
  }
}

TEST_CASE("every gate's inverse undoes it exactly in the field") {
  const FieldPoint point = fine_point();
  for (const Gate& row : gate_table()) {
    INFO(row.name);
    const Operation operation = symbolic(row);
    const Decomposition inverse = inverse_of(operation);
    const std::vector<Goldilocks> state = random_vector(2);
    std::vector<Goldilocks> back = run(inverse.operations, run({operation}, state, point), point);
    for (Goldilocks& amplitude : back) amplitude *= point.phase(inverse.phase);
    REQUIRE(back == state);
  }
}

TEST_CASE("moving a gate into a functional is equivalent to applying it") {
  const FieldPoint point = fine_point();
  const std::vector<Goldilocks> state = random_vector(3);
  const std::vector<Goldilocks> functional = random_vector(4);
  const auto dot = [](const std::vector<Goldilocks>& a, const std::vector<Goldilocks>& b) {
    Goldilocks sum;
    for (std::size_t i = 0; i < dimension; ++i) sum += a[i] * b[i];
    return sum;
  };
  for (const Gate& row : gate_table()) {
    INFO(row.name);
    const FieldGate gate = field_gate(symbolic(row), qubits, point);
    std::vector<Goldilocks> applied(dimension);
    std::vector<Goldilocks> pushed(dimension);
    apply(gate, state, applied);
    apply_transposed(gate, functional, pushed);
    REQUIRE(dot(functional, applied) == dot(pushed, state));
  }
}

TEST_CASE("only gates have a matrix") {
  Operation measure;
  measure.kind = OperationKind::measure;
  measure.qubits.push_back(0);
  CHECK_THROWS_AS(field_gate(measure, 1, fine_point()), UsageError);
}
