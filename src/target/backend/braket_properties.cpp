#include "target/backend/braket_properties.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include "quartz/circuit/gate.hpp"
#include "target/backend/device_values.hpp"

namespace quartz::target {
namespace {

struct BraketName {
  std::string_view braket;
  std::string_view own;
};

/// The names of Braket's gates, in lower case, that differ from those of the gate table.
constexpr std::array kNames = {
    BraketName{"cnot", "cx"},   BraketName{"cphase", "cp"}, BraketName{"cphaseshift", "cp"},
    BraketName{"ccnot", "ccx"}, BraketName{"i", "id"},      BraketName{"phaseshift", "p"},
    BraketName{"si", "sdg"},    BraketName{"ti", "tdg"},    BraketName{"v", "sx"},
    BraketName{"vi", "sxdg"},   BraketName{"xx", "rxx"},    BraketName{"yy", "ryy"},
    BraketName{"zz", "rzz"},
};

/// Durations and error rates of all gates on one qubit, or on two.
struct Typical {
  std::optional<double> error_rate;
  std::optional<double> nanoseconds;
};

struct TypicalOfDevice {
  std::array<Typical, 2> of_gates;  ///< on one qubit, and on two
  std::optional<double> measurement;
  std::optional<double> reset;
};

/// Keys of IonQ for gates on one qubit, and on two.
constexpr std::array kIonqKeys = {"1Q", "2Q"};
constexpr double kNanosecondsPerSecond = 1e9;

std::string own_name(std::string name) {
  std::ranges::transform(name, name.begin(),
                         [](unsigned char letter) { return std::tolower(letter); });
  for (const BraketName& row : kNames) {
    if (row.braket == name) return std::string(row.own);
  }
  return name;
}

/// Returns a member that is neither missing nor null.
std::optional<JsonNode> member_of(const JsonNode& node, const char* key) {
  if (!node.has(key) || node.member(key).is_null()) return std::nullopt;
  return node.member(key);
}

double error_rate_from(const JsonNode& fidelity) { return 1 - read_probability(fidelity); }

/// Returns the error rate by the first randomized benchmarking in a list of fidelities, which may
/// also have that of the readout.
std::optional<double> read_fidelities(const JsonNode& list) {
  for (const JsonNode& element : list.elements()) {
    const std::optional<JsonNode> type = member_of(element, "fidelityType");
    const bool is_of_gates =
        !type || type->member("name").text().find("RANDOMIZED_BENCHMARKING") != std::string::npos;
    if (is_of_gates) return error_rate_from(element.member("fidelity"));
  }
  return std::nullopt;
}

std::optional<double> read_duration(const JsonNode& node, const char* key) {
  const std::optional<JsonNode> duration = member_of(node, key);
  if (!duration) return std::nullopt;
  return read_nanoseconds(duration->member("value"), read_time_unit(duration->member("unit")));
}

/// Reads the members of the third version of the standardized properties.
void read_typical_standardized(const JsonNode& standardized, TypicalOfDevice& typical) {
  if (const auto list = member_of(standardized, "TwoQubitGateFidelity")) {
    typical.of_gates[1].error_rate = read_fidelities(*list);
  }
  typical.of_gates[0].nanoseconds = read_duration(standardized, "SingleQubitGateDuration");
  typical.of_gates[1].nanoseconds = read_duration(standardized, "TwoQubitGateDuration");
  typical.measurement = read_duration(standardized, "ReadoutDuration");
  typical.reset = read_duration(standardized, "ActiveResetDuration");
}

/// Reads the provider's properties of IonQ, whose times are in seconds.
void read_typical_of_ionq(const JsonNode& provider, TypicalOfDevice& typical) {
  const auto fidelity = member_of(provider, "fidelity");
  const auto timing = member_of(provider, "timing");
  for (std::size_t i = 0; i < kIonqKeys.size(); ++i) {
    const auto mean = fidelity ? member_of(*fidelity, kIonqKeys[i]) : std::nullopt;
    if (mean) typical.of_gates[i].error_rate = error_rate_from(mean->member("mean"));
    const auto time = timing ? member_of(*timing, kIonqKeys[i]) : std::nullopt;
    if (time) typical.of_gates[i].nanoseconds = read_nanoseconds(*time, kNanosecondsPerSecond);
  }
  if (!timing) return;
  if (const auto time = member_of(*timing, "readout")) {
    typical.measurement = read_nanoseconds(*time, kNanosecondsPerSecond);
  }
  if (const auto time = member_of(*timing, "reset")) {
    typical.reset = read_nanoseconds(*time, kNanosecondsPerSecond);
  }
}

/// Returns the qubits of a key such as "0-1".
std::pair<Qubit, Qubit> pair_of(std::string_view key, const JsonNode& node) {
  const std::size_t dash = key.find('-');
  if (dash == std::string_view::npos) {
    node.fail(fmt::format("expected a key of two qubits such as '0-1', found '{}'", key));
  }
  const std::pair<Qubit, Qubit> pair{device_qubit(key.substr(0, dash), node),
                                     device_qubit(key.substr(dash + 1), node)};
  if (pair.first == pair.second) {
    node.fail(fmt::format("qubit {} is coupled with itself", pair.first));
  }
  return pair;
}

void read_connectivity(const JsonNode& paradigm, DeviceFacts& facts) {
  const JsonNode connectivity = paradigm.member("connectivity");
  facts.all_pairs = connectivity.member("fullyConnected").truth();
  facts.pairs.emplace();
  for (const auto& [key, neighbors] : connectivity.member("connectivityGraph").members()) {
    const Qubit first = device_qubit(key, neighbors);
    facts.qubits.insert(first);
    for (const JsonNode& element : neighbors.elements()) {
      const Qubit second = read_device_qubit(element);
      if (first == second) element.fail(fmt::format("qubit {} is coupled with itself", first));
      facts.qubits.insert(second);
      facts.pairs->emplace(first, second);
    }
  }
  if (facts.qubits.empty()) facts.qubits = read_qubit_count(paradigm.member("qubitCount"));
}

/// Returns whether a gate is a change of frames, which takes no time and has no error.
bool is_virtual(std::string_view gate) { return gate == "rz"; }

/// Adds a calibration of each gate on one qubit, whose fidelity the file gives for all of them.
void add_one_qubit_gates(Qubit qubit, double error_rate, DeviceFacts& facts) {
  for (const std::string& name : *facts.gates) {
    const Gate* row = find_built_in_gate(name);
    if (row == nullptr || row->qubits != 1) continue;
    facts.calibrations.push_back({name, {qubit}, is_virtual(name) ? 0 : error_rate});
  }
}

void read_standardized(const JsonNode& standardized, DeviceFacts& facts) {
  if (const auto qubits = member_of(standardized, "oneQubitProperties")) {
    for (const auto& [key, properties] : qubits->members()) {
      const Qubit qubit = device_qubit(key, properties);
      facts.qubits.insert(qubit);
      const auto error_rate = read_fidelities(properties.member("oneQubitFidelity"));
      if (error_rate) add_one_qubit_gates(qubit, *error_rate, facts);
    }
  }
  if (const auto pairs = member_of(standardized, "twoQubitProperties")) {
    for (const auto& [key, properties] : pairs->members()) {
      const auto [first, second] = pair_of(key, properties);
      for (const JsonNode& element : properties.member("twoQubitGateFidelity").elements()) {
        Calibration calibration{own_name(element.member("gateName").text()), {first, second}};
        if (const auto direction = member_of(element, "direction")) {
          calibration.qubits = {read_device_qubit(direction->member("control")),
                                read_device_qubit(direction->member("target"))};
          if (calibration.qubits[0] == calibration.qubits[1]) {
            direction->fail("the control is the target");
          }
        }
        calibration.error_rate = error_rate_from(element.member("fidelity"));
        facts.calibrations.push_back(std::move(calibration));
      }
    }
  }
}

/// Adds what holds on all operands that have no calibration of their own.
void add_typical(const TypicalOfDevice& typical, DeviceFacts& facts) {
  for (const std::string& name : *facts.gates) {
    const Gate* row = find_built_in_gate(name);
    if (row == nullptr || row->qubits > 2) continue;
    Typical values = typical.of_gates[row->qubits - 1];
    if (is_virtual(name)) {
      if (values.error_rate) values.error_rate = 0;
      if (values.nanoseconds) values.nanoseconds = 0;
    }
    if (!values.error_rate && !values.nanoseconds) continue;
    facts.calibrations.push_back({name, {}, values.error_rate, values.nanoseconds});
  }
  if (typical.measurement) {
    facts.calibrations.push_back({"measure", {}, std::nullopt, typical.measurement});
  }
  if (typical.reset) facts.calibrations.push_back({"reset", {}, std::nullopt, typical.reset});
}

}  // namespace

bool is_braket_properties(const JsonNode& root) { return root.has("paradigm"); }

DeviceFacts read_braket_properties(const JsonNode& root) {
  DeviceFacts facts;
  const JsonNode paradigm = root.member("paradigm");
  facts.gates.emplace();
  for (const JsonNode& element : paradigm.member("nativeGateSet").elements()) {
    facts.gates->push_back(own_name(element.text()));
  }
  read_connectivity(paradigm, facts);
  TypicalOfDevice typical;
  const std::optional<JsonNode> provider = member_of(root, "provider");
  if (const auto standardized = member_of(root, "standardized")) {
    read_standardized(*standardized, facts);
    read_typical_standardized(*standardized, typical);
  }
  if (provider) read_typical_of_ionq(*provider, typical);
  add_typical(typical, facts);
  return facts;
}

}  // namespace quartz::target
