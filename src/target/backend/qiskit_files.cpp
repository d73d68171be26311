#include "target/backend/qiskit_files.hpp"

#include <fmt/core.h>

#include <string>

#include "quartz/base/counted.hpp"
#include "target/backend/device_values.hpp"

namespace quartz::target {
namespace {

/// Returns the name of the device, or an empty text.
std::string name_of(const JsonNode& root) {
  return root.has("backend_name") ? root.member("backend_name").text() : std::string();
}

std::vector<Qubit> read_operands(const JsonNode& node, const std::set<Qubit>& qubits) {
  std::vector<Qubit> operands;
  for (const JsonNode& element : node.elements()) {
    operands.push_back(read_device_qubit(element));
    if (!qubits.contains(operands.back())) {
      element.fail(fmt::format("the backend has qubits 0 to {}, found {}", qubits.size() - 1,
                               operands.back()));
    }
  }
  if (std::set(operands.begin(), operands.end()).size() != operands.size()) {
    node.fail("a qubit is given twice");
  }
  return operands;
}

/// Returns whether a parameter says that something does not work.
bool is_out_of_order(const JsonNode& parameter, const std::string& name) {
  return name == "operational" && parameter.member("value").number() == 0;
}

double read_length(const JsonNode& parameter) {
  const double unit = parameter.has("unit") ? read_time_unit(parameter.member("unit")) : 1;
  return read_nanoseconds(parameter.member("value"), unit);
}

Calibration read_gate(const JsonNode& node, const std::set<Qubit>& qubits) {
  Calibration calibration{node.member("gate").text(), read_operands(node.member("qubits"), qubits)};
  bool works = true;
  for (const JsonNode& parameter : node.member("parameters").elements()) {
    const std::string name = parameter.member("name").text();
    if (name == "gate_error") {
      calibration.error_rate = read_probability(parameter.member("value"));
    } else if (name == "gate_length") {
      calibration.nanoseconds = read_length(parameter);
    } else if (is_out_of_order(parameter, name)) {
      works = false;
    }
  }
  if (!works) calibration.error_rate = 1;
  return calibration;
}

/// Reads what the file says about a qubit. Returns whether it works.
bool read_qubit(const JsonNode& node, Qubit qubit, DeviceFacts& facts) {
  bool works = true;
  for (const JsonNode& parameter : node.elements()) {
    const std::string name = parameter.member("name").text();
    if (name == "readout_length") {
      facts.calibrations.push_back({"measure", {qubit}, std::nullopt, read_length(parameter)});
    } else if (is_out_of_order(parameter, name)) {
      works = false;
    }
  }
  return works;
}

}  // namespace

bool is_qiskit_properties(const JsonNode& root) {
  return root.has("gates") && root.has("qubits") && !root.has("basis_gates");
}

bool is_qiskit_configuration(const JsonNode& root) { return root.has("basis_gates"); }

DeviceFacts read_qiskit_properties(const JsonNode& root) {
  DeviceFacts facts{name_of(root)};
  std::set<Qubit> out_of_order;
  for (const JsonNode& element : root.member("qubits").elements()) {
    const auto qubit = static_cast<Qubit>(facts.qubits.size());
    facts.qubits.insert(qubit);
    if (!read_qubit(element, qubit, facts)) out_of_order.insert(qubit);
  }
  for (const JsonNode& element : root.member("gates").elements()) {
    Calibration calibration = read_gate(element, facts.qubits);
    for (const Qubit qubit : calibration.qubits) {
      if (out_of_order.contains(qubit)) calibration.error_rate = 1;
    }
    facts.calibrations.push_back(std::move(calibration));
  }
  return facts;
}

DeviceFacts read_qiskit_configuration(const JsonNode& root) {
  DeviceFacts facts{name_of(root)};
  facts.gates.emplace();
  for (const JsonNode& element : root.member("basis_gates").elements()) {
    facts.gates->push_back(element.text());
  }
  facts.qubits = read_qubit_count(root.member("n_qubits"));
  // Simulators and devices with one qubit have null.
  facts.all_pairs = !root.has("coupling_map") || root.member("coupling_map").is_null();
  facts.pairs.emplace();
  if (facts.all_pairs) return facts;
  for (const JsonNode& element : root.member("coupling_map").elements()) {
    const std::vector<Qubit> pair = read_operands(element, facts.qubits);
    if (pair.size() != 2) {
      element.fail(fmt::format("expected two qubits, found {}", counted(pair.size(), "element")));
    }
    facts.pairs->emplace(pair[0], pair[1]);
  }
  return facts;
}

}  // namespace quartz::target
