#include "quartz/target/backend.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <utility>

#include "circuit/kept_statement.hpp"
#include "quartz/base/counted.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/base/files.hpp"
#include "quartz/circuit/gate.hpp"
#include "target/backend/backend_of_facts.hpp"
#include "target/backend/braket_properties.hpp"
#include "target/backend/qiskit_files.hpp"
#include "target/json_node.hpp"

namespace quartz {
namespace {

using target::DeviceFacts;
using target::JsonNode;

/// A kind of file that describes a device.
struct FileKind {
  std::string_view name;
  bool (*is_this)(const JsonNode& root);
  DeviceFacts (*read)(const JsonNode& root);
};

/// The list of the kinds of files.
constexpr FileKind kFileKinds[] = {
    {"the properties of a Qiskit backend", target::is_qiskit_properties,
     target::read_qiskit_properties},
    {"the configuration of a Qiskit backend", target::is_qiskit_configuration,
     target::read_qiskit_configuration},
    {"the device properties of Amazon Braket", target::is_braket_properties,
     target::read_braket_properties},
};

constexpr std::array kBackendCosts = {
    BackendCost{"error",
                "minus the logarithm of the fidelity, by the error rates of --backend-json",
                &Backend::error, Combination::sum, "error rate"},
    BackendCost{"duration",
                "longest chain of operations in nanoseconds, by the durations of --backend-json",
                &Backend::duration, Combination::critical_path, "duration"},
};

struct NamedFacts {
  DeviceFacts facts;
  const FileKind* kind;
  std::string file;
};

NamedFacts read_facts(std::string_view text, const std::string& name) {
  const nlohmann::json document = target::parse_json(text, name);
  const target::JsonSource source{text, name};
  const JsonNode root(document, source);
  for (const FileKind& kind : kFileKinds) {
    if (kind.is_this(root)) return {kind.read(root), &kind, name};
  }
  root.fail(
      "expected the properties of a Qiskit backend (with the keys 'gates' and 'qubits'), its "
      "configuration ('basis_gates'), or the device properties of Amazon Braket ('paradigm')");
}

Backend named_backend(const DeviceFacts& facts, const std::string& file) {
  Backend backend = target::backend_of(facts);
  if (backend.name.empty()) backend.name = file;
  return backend;
}

/// Returns what both files of a backend of Qiskit say.
DeviceFacts joined(const NamedFacts& properties, const NamedFacts& configuration) {
  const DeviceFacts& left = properties.facts;
  const DeviceFacts& right = configuration.facts;
  std::string difference;
  if (!left.name.empty() && !right.name.empty() && left.name != right.name) {
    difference = fmt::format("{} and {}", left.name, right.name);
  } else if (left.qubits != right.qubits) {
    difference = fmt::format("with {} and {} qubits", left.qubits.size(), right.qubits.size());
  }
  if (!difference.empty()) {
    throw UsageError(fmt::format("{} and {} are of different backends: {}", properties.file,
                                 configuration.file, difference));
  }
  DeviceFacts both = right;
  if (both.name.empty()) both.name = left.name;
  both.calibrations = left.calibrations;
  return both;
}

bool is_missing(const Backend& backend, GateKind kind, Qubit first, Qubit second) {
  const auto pairs = backend.missing.find(kind);
  return pairs != backend.missing.end() && pairs->second.contains(std::minmax(first, second));
}

}  // namespace

std::span<const BackendCost> backend_costs() { return kBackendCosts; }

const BackendCost* find_backend_cost(std::string_view name) {
  for (const BackendCost& cost : kBackendCosts) {
    if (cost.name == name) return &cost;
  }
  return nullptr;
}

Backend parse_backend(std::string_view text, const std::string& name) {
  return named_backend(read_facts(text, name).facts, name);
}

Backend load_backend(std::span<const std::filesystem::path> files, const std::stop_token& stop) {
  if (files.empty() || files.size() > 2) {
    throw UsageError(fmt::format("a backend has one or two files, found {}", files.size()));
  }
  std::vector<NamedFacts> read;
  for (const std::filesystem::path& file : files) {
    read.push_back(
        read_facts(read_text_file(file, {file_limit::description, stop}), file.string()));
  }
  if (read.size() == 1) return named_backend(read[0].facts, read[0].file);
  const FileKind* const properties = &kFileKinds[0];
  const FileKind* const configuration = &kFileKinds[1];
  if (read[0].kind == configuration) std::swap(read[0], read[1]);
  if (read[0].kind != properties || read[1].kind != configuration) {
    throw UsageError(
        fmt::format("two files of a backend are {} and {}, found {} twice or with "
                    "another file",
                    properties->name, configuration->name, read[0].kind->name));
  }
  return named_backend(joined(read[0], read[1]), read[0].file);
}

std::optional<CouplingMap> coupling_for(const Backend& backend, const GateSet& set) {
  if (!backend.coupling || backend.missing.empty()) return backend.coupling;
  std::vector<GateKind> on_pairs;
  for (const GateSetEntry& entry : set.entries) {
    if (gate(entry.gate).qubits == 2) on_pairs.push_back(entry.gate);
  }
  CouplingMap map(backend.coupling->directed());
  for (const auto& [first, second] : backend.coupling->pairs()) {
    const auto is_missing_here = [&](GateKind kind) {
      return is_missing(backend, kind, first, second);
    };
    if (on_pairs.empty() || !std::ranges::all_of(on_pairs, is_missing_here)) map.add(first, second);
  }
  return map;
}

std::optional<std::string> warning_of_missing_gates(const Circuit& circuit,
                                                    const Backend& backend) {
  if (backend.missing.empty()) return std::nullopt;
  const Operation* first = nullptr;
  std::size_t count = 0;
  for (const Operation& operation : circuit.operations) {
    if (operation.kind != OperationKind::gate || operation.qubits.size() != 2 ||
        !is_missing(backend, operation.gate, operation.qubits[0], operation.qubits[1])) {
      continue;
    }
    if (first == nullptr) first = &operation;
    ++count;
  }
  if (first == nullptr) return std::nullopt;
  return fmt::format(
      "{} of the result {} on qubits on which {} has other gates only, the first one '{}' on "
      "qubits {} and {}",
      counted(count, "gate"), count == 1 ? "is" : "are", backend.name, gate(first->gate).name,
      first->qubits[0], first->qubits[1]);
}

void require_qubits(const Circuit& circuit, const Backend& backend,
                    const std::string& circuit_name) {
  for (const Operation& operation : circuit.operations) {
    // What is on all qubits of a register is also on those between the numbers that the device has.
    if (operation.kind == OperationKind::barrier || circuit::is_kept_statement(operation)) continue;
    for (const Qubit qubit : operation.qubits) {
      if (backend.qubits.contains(qubit)) continue;
      throw InputError(fmt::format(
          "{}: an operation acts on qubit {}, which {} with {} qubits{} "
          "does not have",
          circuit_name, qubit, backend.name, backend.qubits.size(),
          backend.qubits.empty()
              ? ""
              : fmt::format(" from {} to {}", *backend.qubits.begin(), *backend.qubits.rbegin())));
    }
  }
}

}  // namespace quartz
