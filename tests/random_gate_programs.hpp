#pragma once

#include <algorithm>
#include <array>
#include <numeric>
#include <string>
#include <vector>

#include "random_circuits.hpp"

/// Random programs that define gates and call them, for property tests.
namespace quartz::test {

/// A program with definitions of up to 3 qubits and 2 parameters that call each other, with calls
/// under modifiers in version 3, and perhaps with measurements and calls under conditions.
class RandomGateProgram {
 public:
  RandomGateProgram(Random& random, unsigned version, bool is_classical = true)
      : random_(random), version_(version), is_classical_(is_classical) {}

  std::string text() {
    std::string text = version_ == 2 ? "OPENQASM 2.0;\ninclude \"qelib1.inc\";\n"
                                     : "OPENQASM 3.0;\ninclude \"stdgates.inc\";\n";
    const std::size_t definitions = 2 + below(random_, 4);
    for (std::size_t i = 0; i < definitions; ++i) text += definition(i);
    text += version_ == 2 ? "qreg q[4];\ncreg c[2];\n" : "qubit[4] q;\nbit[2] c;\n";
    for (std::size_t i = 0; i < 12; ++i) text += statement();
    return text;
  }

 private:
  struct Defined {
    std::string name;
    std::size_t qubits = 0;
    std::size_t parameters = 0;
  };

  std::string definition(std::size_t number) {
    // Names of standard gates, of a gate that the output may use, and one like those of the writer.
    static constexpr std::array kNames{"oracle", "sx", "part", "rzz", "quartz_h", "step"};
    const Defined defined{kNames.at(number), 1 + below(random_, 3), below(random_, 3)};
    std::string text = "gate " + defined.name;
    if (defined.parameters > 0) text += defined.parameters == 1 ? "(a)" : "(a,b)";
    std::vector<std::string> qubits;
    for (std::size_t i = 0; i < defined.qubits; ++i) qubits.push_back("x" + std::to_string(i));
    text += " " + joined(qubits) + " {\n";
    const std::size_t steps = below(random_, 8);
    for (std::size_t i = 0; i < steps; ++i) text += "  " + call(qubits, defined.parameters);
    if (version_ == 3 && one_in(3)) text += "  gphase(" + angle(defined.parameters) + ");\n";
    defined_.push_back(defined);
    return text + "}\n";
  }

  std::string statement() {
    const std::vector<std::string> qubits{"q[0]", "q[1]", "q[2]", "q[3]"};
    if (one_in(12)) return "barrier q;\n";
    if (is_classical_ && one_in(12)) {
      const std::string bit = std::to_string(below(random_, 2));
      return version_ == 2 ? "measure q[0] -> c[" + bit + "];\n"
                           : "c[" + bit + "] = measure q[0];\n";
    }
    if (is_classical_ && one_in(6)) {
      const std::string body = call(qubits, 0);
      return version_ == 2 ? "if(c==1) " + body : "if (c == 1) { " + body + " }\n";
    }
    return call(qubits, 0);
  }

  /// Returns a call of a standard gate, or of a gate that is defined already.
  std::string call(std::vector<std::string> qubits, std::size_t parameters) {
    static const std::vector<Defined> kStandard{
        {"h", 1, 0}, {"t", 1, 0},  {"x", 1, 0},  {"s", 1, 0},   {"tdg", 1, 0},
        {"h", 1, 0}, {"t", 1, 0},  {"cx", 2, 0}, {"cx", 2, 0},  {"rz", 1, 1},
        {"z", 1, 0}, {"cz", 2, 0}, {"rx", 1, 1}, {"ccx", 3, 0}, {"cx", 2, 0}};
    const bool is_own = !defined_.empty() && one_in(2);
    const std::vector<Defined>& gates = is_own ? defined_ : kStandard;
    Defined gate = gates[below(random_, gates.size())];
    std::string text;
    if (is_own && version_ == 3 && one_in(4)) {
      static constexpr std::array kModifiers{"ctrl @ ", "inv @ ", "pow(2) @ ", "negctrl @ "};
      const std::size_t modifier = below(random_, kModifiers.size());
      text = kModifiers.at(modifier);
      if (modifier % 3 == 0) ++gate.qubits;
    }
    if (gate.qubits > qubits.size()) return "h " + qubits[0] + ";\n";
    std::shuffle(qubits.begin(), qubits.end(), random_);
    qubits.resize(gate.qubits);
    text += gate.name;
    if (gate.parameters > 0) {
      text += "(" + angle(parameters);
      if (gate.parameters > 1) text += "," + angle(parameters);
      text += ")";
    }
    return text + " " + joined(qubits) + ";\n";
  }

  /// Returns an angle in the parameters of a definition. One in twenty is not linear in them.
  std::string angle(std::size_t parameters) {
    std::string text = std::to_string(1 + below(random_, 7)) + "*pi/4";
    if (parameters > 0 && one_in(2)) text += one_in(2) ? "+a" : "-2*a";
    if (parameters > 1 && one_in(2)) text += "+b/2";
    if (parameters > 0 && one_in(20)) text += "+sin(a)";
    return text;
  }

  bool one_in(std::size_t times) { return below(random_, times) == 0; }

  static std::string joined(const std::vector<std::string>& parts) {
    return std::accumulate(
        std::next(parts.begin()), parts.end(), parts.front(),
        [](const std::string& all, const std::string& next) { return all + "," + next; });
  }

  Random& random_;
  unsigned version_;
  bool is_classical_;
  std::vector<Defined> defined_;
};

}  // namespace quartz::test
