#include "target/backend/device_values.hpp"

#include <fmt/core.h>

#include <array>
#include <charconv>
#include <limits>
#include <string>

#include "quartz/circuit/gate_weights.hpp"

namespace quartz::target {
namespace {

/// No device has more qubits; the bound keeps a wrong file from filling the memory.
constexpr std::uint64_t kMaxQubits = 1'000'000;

struct TimeUnit {
  std::string_view name;
  double nanoseconds;
};

/// The last two are the signs for micro and mu, which some files of IBM use.
constexpr std::array kTimeUnits = {TimeUnit{"ns", 1},        TimeUnit{"us", 1e3},
                                   TimeUnit{"ms", 1e6},      TimeUnit{"s", 1e9},
                                   TimeUnit{"\u00b5s", 1e3}, TimeUnit{"\u03bcs", 1e3}};

}  // namespace

Qubit device_qubit(std::string_view text, const JsonNode& node) {
  Qubit qubit = 0;
  const char* const end = text.data() + text.size();
  const auto [last, code] = std::from_chars(text.data(), end, qubit);
  if (code != std::errc() || last != end || qubit == std::numeric_limits<Qubit>::max()) {
    node.fail(fmt::format("expected the number of a qubit, found '{}'", text));
  }
  return qubit;
}

Qubit read_device_qubit(const JsonNode& node) { return device_qubit(node.text_or_number(), node); }

std::set<Qubit> read_qubit_count(const JsonNode& node) {
  const std::uint64_t count = node.whole_number();
  if (count > kMaxQubits) {
    node.fail(fmt::format("expected at most {} qubits, found {}", kMaxQubits, count));
  }
  std::set<Qubit> qubits;
  for (Qubit qubit = 0; qubit < count; ++qubit) qubits.insert(qubits.end(), qubit);
  return qubits;
}

double read_probability(const JsonNode& node) {
  const double value = node.number();
  if (!(value >= 0 && value <= 1)) {
    node.fail(fmt::format("expected a number from 0 to 1, found {:g}", value));
  }
  return value;
}

double read_nanoseconds(const JsonNode& value, double unit) {
  const double nanoseconds = value.number() * unit;
  if (!(nanoseconds >= 0 && nanoseconds <= GateWeights::kGreatest)) {
    value.fail(fmt::format("expected a duration from 0 to 1 s, found {:g} ns", nanoseconds));
  }
  return nanoseconds;
}

double read_time_unit(const JsonNode& node) {
  const std::string name = node.text();
  for (const TimeUnit& unit : kTimeUnits) {
    if (unit.name == name) return unit.nanoseconds;
  }
  node.fail(fmt::format("expected the unit s, ms, us or ns, found '{}'", name));
}

}  // namespace quartz::target
