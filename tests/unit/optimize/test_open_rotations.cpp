#include <catch2/catch.hpp>
#include <map>
#include <random>
#include <vector>

#include "optimize/folding/open_rotations.hpp"
#include "optimize/pauli/clifford_frame.hpp"
#include "quartz/circuit/gate.hpp"

using namespace quartz;
using namespace quartz::optimizer;

namespace {

using Bits = std::vector<std::uint64_t>;

/// Returns whether the number of positions with X in one and Z in the other is odd.
bool anticommute(const Bits& a, const Bits& b) {
  const std::size_t words = a.size() / 2;
  bool odd = false;
  for (std::size_t qubit = 0; qubit < 64 * words; ++qubit) {
    const auto bit = [&](const Bits& bits, std::size_t half) {
      return ((bits[half * words + qubit / 64] >> (qubit % 64)) & 1U) != 0;
    };
    odd ^= (bit(a, 0) && bit(b, 1)) != (bit(a, 1) && bit(b, 0));
  }
  return odd;
}

/// A Clifford gate of the table, with its actions.
struct Clifford {
  unsigned qubits = 0;
  PauliAction pulled_back;
  PauliAction pushed_forward;
};

std::vector<Clifford> clifford_gates() {
  std::vector<Clifford> result;
  for (const Gate& row : gate_table()) {
    if (!row.parameters.empty()) continue;
    Operation operation;
    operation.gate = row.kind;
    for (Qubit i = 0; i < row.qubits; ++i) operation.qubits.push_back(i);
    const auto action = as_clifford(operation);
    if (action) {
      result.push_back({row.qubits, pulled_back_action(*action), pushed_forward_action(*action)});
    }
  }
  return result;
}

/// The pulled-back operator of a rotation commutes with that of another one if and only if the
/// first operator, pushed through the gates between them, commutes with the second one at its
/// position. The columns must therefore agree with the rows of the frame.
void check_against_frame(std::uint32_t qubits, std::uint64_t seed, int steps) {
  INFO("qubits " << qubits << ", seed " << seed);
  std::mt19937_64 random(seed);
  const std::vector<Clifford> gates = clifford_gates();
  REQUIRE(gates.size() > 15);
  const PauliRows paulis(qubits);
  CliffordFrame frame(paulis, qubits);
  OpenRotations open(paulis, qubits);
  std::map<Bits, std::uint32_t> expected;
  std::uint32_t number = 0;
  for (int step = 0; step < steps; ++step) {
    std::vector<Qubit> operands{static_cast<Qubit>(random() % qubits)};
    operands.push_back((operands[0] + 1 + static_cast<Qubit>(random() % (qubits - 1))) % qubits);
    if (random() % 2 == 0) {
      const Clifford& gate = gates[random() % gates.size()];
      operands.resize(gate.qubits);
      frame.append(gate.pulled_back, operands);
      open.append(gate.pushed_forward, operands);
      continue;
    }
    operands.resize(1 + random() % 2);
    const unsigned paulis_of_operands = 1U << operands.size();
    LocalPauli axis{static_cast<unsigned>(random() % paulis_of_operands),
                    static_cast<unsigned>(random() % paulis_of_operands), 0};
    if (axis.x == 0 && axis.z == 0) axis.z = 1;
    const PauliRows::ConstRow bits = paulis.bits(frame.pull_back(axis, operands));
    const Bits own(bits.begin(), bits.end());
    const auto known = expected.find(own);
    const auto found = open.find(bits);
    CHECK(found.has_value() == (known != expected.end()));
    if (found && known != expected.end()) CHECK(*found == known->second);
    std::erase_if(expected, [&](const auto& entry) { return anticommute(entry.first, own); });
    open.close_anticommuting(axis, operands);
    expected[own] = number;
    open.open(axis, operands, bits, number++);
  }
  for (const auto& [bits, last] : expected) {
    const auto found = open.find(bits);
    REQUIRE(found.has_value());
    CHECK(*found == last);
  }
}

}  // namespace

TEST_CASE("Columns and rows agree on which rotations are closed", "[folding]") {
  for (std::uint64_t seed = 0; seed < 20; ++seed) check_against_frame(3, seed, 300);
  check_against_frame(64, 20, 2000);
  check_against_frame(65, 21, 2000);
  // This many qubits keep hundreds of rotations open at once.
  check_against_frame(700, 22, 3000);
}

TEST_CASE("The oldest rotations are closed if there are too many", "[folding]") {
  const std::uint32_t qubits = 5000;
  const PauliRows paulis(qubits);
  CliffordFrame frame(paulis, qubits);
  OpenRotations open(paulis, qubits);
  const LocalPauli z{0, 1, 0};
  for (Qubit qubit = 0; qubit < qubits; ++qubit) {
    const std::vector<Qubit> operand{qubit};
    open.open(z, operand, paulis.bits(frame.pull_back(z, operand)), qubit);
  }
  std::size_t left = 0;
  for (Qubit qubit = 0; qubit < qubits; ++qubit) {
    const std::vector<Qubit> operand{qubit};
    if (open.find(paulis.bits(frame.pull_back(z, operand)))) ++left;
  }
  CHECK(left < 4096);
  CHECK(left >= 2048);
  const std::vector<Qubit> last{qubits - 1};
  CHECK(open.find(paulis.bits(frame.pull_back(z, last))) == qubits - 1);
}
