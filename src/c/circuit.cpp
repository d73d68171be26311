#include "c/circuit.hpp"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "c/error.hpp"
#include "c/options.hpp"
#include "quartz/circuit/cost.hpp"
#include "quartz/qasm/dialect.hpp"
#include "quartz/qasm/include_path.hpp"
#include "quartz/qasm/qasm.hpp"
#include "quartz/target/gate_set.hpp"
#include "quartz/workflow/control_expansion.hpp"

namespace quartz::c {
namespace {

const Dialect& dialect_of(const char* name) {
  if (name == nullptr) return dialects().front();
  if (const Dialect* const found = find_dialect(name)) return *found;
  std::string known;
  for (const Dialect& dialect : dialects()) {
    known += (known.empty() ? "" : ", ") + std::string(dialect.name);
  }
  throw UsageError("unknown dialect \"" + std::string(name) + "\", expected one of " + known);
}

/// Returns the circuit as a program of the dialect.
std::string program_of(Circuit circuit, unsigned version, const Dialect& dialect) {
  if (version != 0 && version != 2 && version != 3) {
    throw UsageError("version " + std::to_string(version) + " of OpenQASM, expected 2, 3 or 0");
  }
  if (version != 0) {
    circuit.qasm_version = version;
  } else if (dialect.version != 0) {
    circuit.qasm_version = dialect.version;
  }
  return write_qasm(in_dialect(circuit, dialect), dialect);
}

/// What a program may refer to besides its own text.
struct Surroundings {
  IncludePath include_path;
  CustomGates custom_gates;
  GateCalls calls = GateCalls::expanded;
  ControlExpansion expansion = {};
};

Surroundings surroundings_of(const quartz_options& options) {
  const GateCalls calls = options.values.keep_gates ? GateCalls::kept : GateCalls::expanded;
  if (options.gate_set.empty()) return {options.include_path, {}, calls, {}};
  const GateSet set = load_gate_set(options.gate_set);
  return {options.include_path, set.custom_gates(), calls, control_expansion_for(set)};
}

void parse(const char* text, size_t size, const char* name, const Surroundings& around,
           quartz_circuit** circuit) {
  quartz_circuit*& output = required_output(circuit, "circuit");
  const std::string_view program(&required(text, "text"), size);
  Circuit parsed = parse_qasm(program, name == nullptr ? "<input>" : name, around.include_path, {},
                              around.custom_gates, around.calls, around.expansion);
  output = std::make_unique<quartz_circuit>(quartz_circuit{std::move(parsed)}).release();
}

void read(const char* path, const Surroundings& around, quartz_circuit** circuit) {
  quartz_circuit*& output = required_output(circuit, "circuit");
  Circuit parsed = read_qasm_file(required_text(path, "path"), around.include_path, {},
                                  around.custom_gates, around.calls, around.expansion);
  output = std::make_unique<quartz_circuit>(quartz_circuit{std::move(parsed)}).release();
}

}  // namespace
}  // namespace quartz::c

using namespace quartz::c;

quartz_status quartz_circuit_parse(const char* text, size_t size, const char* name,
                                   quartz_circuit** circuit, quartz_error** error) noexcept {
  return guarded(error, [&] { parse(text, size, name, {}, circuit); });
}

quartz_status quartz_circuit_read(const char* path, quartz_circuit** circuit,
                                  quartz_error** error) noexcept {
  return guarded(error, [&] { read(path, {}, circuit); });
}

quartz_status quartz_circuit_parse_with(const char* text, size_t size, const char* name,
                                        const quartz_options* options, quartz_circuit** circuit,
                                        quartz_error** error) noexcept {
  return guarded(error, [&] {
    (void)required_output(circuit, "circuit");
    parse(text, size, name, surroundings_of(required(options, "options")), circuit);
  });
}

quartz_status quartz_circuit_read_with(const char* path, const quartz_options* options,
                                       quartz_circuit** circuit, quartz_error** error) noexcept {
  return guarded(error, [&] {
    (void)required_output(circuit, "circuit");
    read(path, surroundings_of(required(options, "options")), circuit);
  });
}

quartz_status quartz_circuit_write(const quartz_circuit* circuit, unsigned version,
                                   const char* dialect, char** text, size_t* size,
                                   quartz_error** error) noexcept {
  if (size != nullptr) *size = 0;
  return guarded(error, [&] {
    char*& output = required_output(text, "text");
    const std::string program =
        program_of(required(circuit, "circuit").circuit, version, dialect_of(dialect));
    output = std::make_unique<char[]>(program.size() + 1).release();
    std::copy_n(program.c_str(), program.size() + 1, output);
    if (size != nullptr) *size = program.size();
  });
}

size_t quartz_circuit_qubits(const quartz_circuit* circuit) noexcept {
  return circuit == nullptr ? 0 : circuit->circuit.qubit_count();
}

size_t quartz_circuit_measurements(const quartz_circuit* circuit) noexcept {
  return circuit == nullptr ? 0 : quartz::count_measurements(circuit->circuit);
}

quartz_status quartz_circuit_cost(const quartz_circuit* circuit, const char* name, uint64_t* value,
                                  quartz_error** error) noexcept {
  if (value != nullptr) *value = 0;
  return guarded(error, [&] {
    uint64_t& output = required(value, "value");
    const std::string cost = required_text(name, "name");
    const quartz::CostName* const found = quartz::find_cost(cost);
    if (found == nullptr) throw quartz::UsageError("unknown cost \"" + cost + "\"");
    output = quartz::count_gates(required(circuit, "circuit").circuit).*found->count;
  });
}

void quartz_circuit_free(quartz_circuit* circuit) noexcept { delete circuit; }
