#include <boost/multiprecision/cpp_int.hpp>
#include <catch2/catch.hpp>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "programs.hpp"
#include "quartz/circuit/bit_expression.hpp"
#include "quartz/circuit/circuit.hpp"

using namespace quartz;
using namespace quartz::test;
using boost::multiprecision::cpp_int;

// Registers of more than 64 bits, compared with numbers that only arbitrary precision can hold.

namespace {

/// Returns whether an operation is executed when the classical bits are these.
bool is_executed(const Circuit& circuit, const Operation& operation, const cpp_int& content) {
  std::vector<bool> bits(circuit.bit_count());
  for (std::size_t i = 0; i < bits.size(); ++i) {
    bits[i] = boost::multiprecision::bit_test(content, static_cast<unsigned>(i));
  }
  for (const Condition& condition : operation.conditions()) {
    bool holds_here = false;
    if (condition.expression != nullptr) {
      holds_here = holds(*condition.expression, bits);
    } else {
      const Register tested = tested_bits(circuit, condition);
      cpp_int value = 0;
      for (std::uint32_t i = tested.size; i-- > 0;)
        value = 2 * value + (bits[tested.first + i] ? 1 : 0);
      holds_here = value == condition.value;
    }
    if (holds_here == condition.negated) return false;
  }
  return true;
}

/// Returns how often the gates of a program are executed when its register has the content.
std::size_t executions(const Circuit& circuit, GateKind gate, const cpp_int& content) {
  std::size_t count = 0;
  for (const Operation& operation : circuit.operations) {
    if (operation.kind != OperationKind::gate || operation.gate != gate) continue;
    count += is_executed(circuit, operation, content) ? 1 : 0;
  }
  return count;
}

bool compares(const std::string& sign, const cpp_int& a, const cpp_int& b) {
  if (sign == "==") return a == b;
  if (sign == "!=") return a != b;
  if (sign == "<") return a < b;
  if (sign == "<=") return a <= b;
  if (sign == ">") return a > b;
  return a >= b;
}

std::string in_base_16(const cpp_int& number) {
  std::ostringstream text;
  text << "0x" << std::hex << number;
  return text.str();
}

}  // namespace

TEST_CASE("Registers of more than 64 bits are compared with numbers of as many bits") {
  std::mt19937_64 random(7);
  for (const unsigned width : {65U, 70U, 124U, 200U}) {
    const cpp_int size = boost::multiprecision::pow(cpp_int(2), width);
    for (const std::string sign : {"==", "!=", "<", "<=", ">", ">="}) {
      cpp_int number = 0;
      for (unsigned i = 0; i < 4; ++i) number = (number << 64) + random();
      number = number % size;
      boost::multiprecision::bit_set(number, width - 1);
      const bool is_hexadecimal = random() % 2 == 0;
      const std::string text = is_hexadecimal ? in_base_16(number) : number.str();
      for (const bool is_mirrored : {false, true}) {
        const std::string condition = is_mirrored ? text + sign + "c" : "c" + sign + text;
        CAPTURE(width, condition);
        const Circuit circuit =
            parse_3("qubit q; bit[" + std::to_string(width) + "] c; c[0] = measure q;\nif (" +
                    condition + ") { x q; } else { z q; }");
        for (const cpp_int& content :
             {cpp_int(0), cpp_int(size - 1), number, cpp_int(number - 1),
              cpp_int((number + 1) % size), cpp_int(number ^ (cpp_int(1) << 63)),
              cpp_int(number ^ 1), cpp_int(number ^ (cpp_int(1) << (width - 1)))}) {
          const bool expected =
              is_mirrored ? compares(sign, number, content) : compares(sign, content, number);
          CHECK(executions(circuit, GateKind::x, content) == (expected ? 1 : 0));
          CHECK(executions(circuit, GateKind::z, content) == (expected ? 0 : 1));
        }
        const std::string written = write_qasm(circuit);
        INFO(written);
        CHECK(parse_qasm(written) == circuit);
      }
    }
  }
}

TEST_CASE("A string of bits may have more than 64 bits in a comparison") {
  const std::string zeros(68, '0');
  const std::string start = "qubit q; bit[70] c; c[0] = measure q; if (c == ";
  CHECK(parse_3(start + "\"10" + zeros + "\") x q;") ==
        parse_3(start + "590295810358705651712) x q;"));
}

TEST_CASE("OpenQASM 2 compares registers with numbers of any size, as a program of version 3") {
  const Circuit circuit =
      parse_2("qreg q[1]; creg c[70]; measure q[0] -> c[0]; if(c==590295810358705651712) x q[0];");
  CHECK(circuit.qasm_version == 3);
  CHECK(executions(circuit, GateKind::x, cpp_int(1) << 69) == 1);
  CHECK(executions(circuit, GateKind::x, 0) == 0);
  CHECK(parse_qasm(write_qasm(circuit)) == circuit);
}

TEST_CASE("Integers with a sign of more than 64 bits are compared for equality") {
  const std::string start = "qubit q; bit[70] c; c[0] = measure q; if (int[70](c) ";
  const Circuit circuit = parse_3(start + "== -1) x q;");
  CHECK(executions(circuit, GateKind::x, (cpp_int(1) << 70) - 1) == 1);
  CHECK(executions(circuit, GateKind::x, (cpp_int(1) << 64) - 1) == 0);
  CHECK(
      error_of(version_3 + start + "< -1) x q;").find("an order of integers with a sign of more") !=
      std::string::npos);
  CHECK(error_of(version_3 + start + "== 590295810358705651712) x q;").find("-2^69 to 2^69-1") !=
        std::string::npos);
}

TEST_CASE("Numbers that a register cannot have, and operators, are refused") {
  const std::string start = version_3 + "qubit q; bit[70] c; c[0] = measure q; if (";
  CHECK(error_of(start + "c == 1180591620717411303424) x q;").find("a number below 2^70") !=
        std::string::npos);
  CHECK(error_of(start + "(c & c) == 590295810358705651712) x q;").find("of an operator on") !=
        std::string::npos);
}
