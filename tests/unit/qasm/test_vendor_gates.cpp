#include <catch2/catch.hpp>
#include <cmath>
#include <complex>
#include <functional>
#include <map>
#include <numbers>
#include <string>
#include <vector>

#include "programs.hpp"
#include "qasm/gates/library.hpp"
#include "quartz/circuit/unitary.hpp"

using namespace quartz;
using namespace quartz::test;

namespace {

using Matrix = std::vector<std::vector<Complex>>;

const Complex i_unit(0, 1);

Matrix diagonal(const std::vector<Complex>& entries) {
  Matrix result(entries.size(), std::vector<Complex>(entries.size()));
  for (std::size_t i = 0; i < entries.size(); ++i) result[i][i] = entries[i];
  return result;
}

Matrix product(const Matrix& a, const Matrix& b) {
  Matrix result(a.size(), std::vector<Complex>(a.size()));
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t k = 0; k < a.size(); ++k) {
      for (std::size_t j = 0; j < a.size(); ++j) result[i][j] += a[i][k] * b[k][j];
    }
  }
  return result;
}

/// Returns exp(-i angle/2 P P) for a Pauli matrix P, by its cosine and sine.
Matrix pauli_rotation(char pauli, double angle) {
  const Complex c = std::cos(angle / 2);
  const Complex s = -i_unit * std::sin(angle / 2);
  switch (pauli) {
    case 'x':
      return {{c, 0, 0, s}, {0, c, s, 0}, {0, s, c, 0}, {s, 0, 0, c}};
    case 'y':
      return {{c, 0, 0, -s}, {0, c, s, 0}, {0, s, c, 0}, {-s, 0, 0, c}};
    default:
      return diagonal({c + s, c - s, c - s, c + s});
  }
}

Complex phase(double angle) { return std::polar(1.0, angle); }

/// The matrices that the vendors' documentation gives, with the first qubit as the most significant
/// bit of an index. The angles of the calls are 0.3, 0.7 and 1.1.
std::map<std::string, Matrix> documented_matrices() {
  const double a = 0.3;
  const double b = 0.7;
  const double c = 1.1;
  const Complex plus = Complex(1, 1) / 2.0;
  const Complex minus = Complex(1, -1) / 2.0;
  Matrix ccnot = diagonal({1, 1, 1, 1, 1, 1, 0, 0});
  ccnot[6][7] = ccnot[7][6] = 1;
  const Complex xy_sine = i_unit * std::sin(a / 2);
  const double root = 1 / std::numbers::sqrt2;
  return {
      // docs.aws.amazon.com and amazon-braket-sdk: braket.circuits.gates
      {"i", diagonal({1, 1})},
      {"si", diagonal({1, -i_unit})},
      {"ti", diagonal({1, phase(-std::numbers::pi / 4)})},
      {"v", {{plus, minus}, {minus, plus}}},
      {"vi", {{minus, plus}, {plus, minus}}},
      {"cv", {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, plus, minus}, {0, 0, minus, plus}}},
      {"ccnot", ccnot},
      {"phaseshift", diagonal({1, phase(a)})},
      {"cphaseshift", diagonal({1, 1, 1, phase(a)})},
      {"cphaseshift00", diagonal({phase(a), 1, 1, 1})},
      {"cphaseshift01", diagonal({1, phase(a), 1, 1})},
      {"cphaseshift10", diagonal({1, 1, phase(a), 1})},
      {"pswap", {{1, 0, 0, 0}, {0, 0, phase(a), 0}, {0, phase(a), 0, 0}, {0, 0, 0, 1}}},
      {"xx", pauli_rotation('x', a)},
      {"yy", pauli_rotation('y', a)},
      {"zz", pauli_rotation('z', a)},
      {"xy",
       {{1, 0, 0, 0},
        {0, std::cos(a / 2), xy_sine, 0},
        {0, xy_sine, std::cos(a / 2), 0},
        {0, 0, 0, 1}}},
      {"iswap", {{1, 0, 0, 0}, {0, 0, i_unit, 0}, {0, i_unit, 0, 0}, {0, 0, 0, 1}}},
      {"ecr",
       {{0, 0, root, root * i_unit},
        {0, 0, root * i_unit, root},
        {root, -root * i_unit, 0, 0},
        {-root * i_unit, root, 0, 0}}},
      {"gpi", {{0, phase(-a)}, {phase(a), 0}}},
      {"gpi2", {{root, -i_unit * root * phase(-a)}, {-i_unit * root * phase(a), root}}},
      {"ms",
       {{std::cos(c / 2), 0, 0, -i_unit * phase(-a - b) * std::sin(c / 2)},
        {0, std::cos(c / 2), -i_unit * phase(-a + b) * std::sin(c / 2), 0},
        {0, -i_unit * phase(a - b) * std::sin(c / 2), std::cos(c / 2), 0},
        {-i_unit * phase(a + b) * std::sin(c / 2), 0, 0, std::cos(c / 2)}}},
      {"prx",
       {{std::cos(a / 2), -i_unit * phase(-b) * std::sin(a / 2)},
        {-i_unit * phase(b) * std::sin(a / 2), std::cos(a / 2)}}},
      // Quantinuum's and pytket's documentation: OpType.PhasedX, Rz, ZZMax, ZZPhase, TK2
      {"U1q",
       {{std::cos(a / 2), -i_unit * phase(-b) * std::sin(a / 2)},
        {-i_unit * phase(b) * std::sin(a / 2), std::cos(a / 2)}}},
      {"Rz", diagonal({phase(-a / 2), phase(a / 2)})},
      {"ZZ", pauli_rotation('z', std::numbers::pi / 2)},
      {"RZZ", pauli_rotation('z', a)},
      {"Rxxyyzz",
       product(product(pauli_rotation('x', a), pauli_rotation('y', b)), pauli_rotation('z', c))},
      // bqskit.ir.gates.SqrtISwapGate
      {"sqisw",
       {{1, 0, 0, 0}, {0, root, root * i_unit, 0}, {0, root * i_unit, root, 0}, {0, 0, 0, 1}}},
  };
}

/// The number of parameters of each gate that the table of gates has under the vendor's name.
const std::map<std::string, std::size_t> table_parameters{
    {"v", 0}, {"iswap", 0}, {"ecr", 0}, {"gpi", 1}, {"gpi2", 1}, {"ms", 3}, {"prx", 2}};

std::size_t parameters_of(const std::string& name) {
  for (const qasm::VendorGate& gate : qasm::vendor_gates()) {
    if (gate.name == name) return gate.parameters.size();
  }
  return table_parameters.at(name);
}

std::string call_of(const std::string& name, std::size_t qubits) {
  const std::vector<std::string> angles{"0.3", "0.7", "1.1"};
  std::string call = name;
  for (std::size_t i = 0; i < parameters_of(name); ++i) call += (i == 0 ? "(" : ",") + angles[i];
  if (parameters_of(name) != 0) call += ")";
  for (std::size_t i = 0; i < qubits; ++i) {
    call += (i == 0 ? " q[" : ",q[") + std::to_string(i) + "]";
  }
  return call + ";";
}

}  // namespace

TEST_CASE("Vendors' gates have the matrices of their documentation") {
  for (const auto& [name, matrix] : documented_matrices()) {
    const std::size_t qubits = matrix.size() == 2 ? 1 : matrix.size() == 4 ? 2 : 3;
    const Circuit circuit =
        parse_3("qubit[" + std::to_string(qubits) + "] q; " + call_of(name, qubits));
    const std::vector<Complex> unitary =
        unitary_of(circuit.operations, static_cast<std::uint32_t>(qubits));
    const auto reversed = [&](std::size_t index) {
      std::size_t result = 0;
      for (std::size_t i = 0; i < qubits; ++i) result |= ((index >> i) & 1U) << (qubits - 1 - i);
      return result;
    };
    INFO(name);
    for (std::size_t row = 0; row < matrix.size(); ++row) {
      for (std::size_t column = 0; column < matrix.size(); ++column) {
        const Complex found = phase(circuit.global_phase.value()) *
                              unitary[reversed(row) * matrix.size() + reversed(column)];
        CHECK(std::abs(found - matrix[row][column]) < 1e-12);
      }
    }
  }
}

TEST_CASE("Each vendor's gate has a documented matrix") {
  const std::map<std::string, Matrix> matrices = documented_matrices();
  for (const qasm::VendorGate& gate : qasm::vendor_gates()) {
    INFO(gate.name);
    CHECK(matrices.contains(std::string(gate.name)));
  }
}

TEST_CASE(
    "A program may define a gate with a vendor's name, and use vendors' gates in definitions") {
  CHECK(parse_3("gate zz a, b { cx a, b; } qubit[2] q; zz q[0], q[1];").operations ==
        parse_3("qubit[2] q; cx q[0], q[1];").operations);
  CHECK(parse_3("gate my(t) a, b { zz(t) a, b; ctrl @ si a, b; } qubit[2] q; my(0.1) q[0], q[1];")
            .operations ==
        parse_3("qubit[2] q; rzz(0.1) q[0], q[1]; ctrl @ sdg q[0], q[1];").operations);
  CHECK(
      parse_qasm("OPENQASM 2.0;\ninclude \"hqslib1.inc\";\nqreg q[2]; ZZ q[0],q[1]; U1q(0.5*pi,0) "
                 "q[0];")
          .operations == parse_2("qreg q[2]; rzz(pi/2) q[0],q[1]; r(pi/2,0) q[0];").operations);
}
