#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <utility>

#include "quartz/circuit/gate.hpp"
#include "quartz/rules/tket_rules.hpp"

namespace quartz {
namespace {

using nlohmann::json;

/// A gate that badger knows; it panics on any other.
struct TketGate {
  std::string_view name;
  std::string_view tket_name;
};

constexpr std::array kTketGates{
    TketGate{"h", "h"},     TketGate{"cx", "cx"}, TketGate{"t", "t"},      TketGate{"s", "s"},
    TketGate{"x", "x"},     TketGate{"y", "y"},   TketGate{"z", "z"},      TketGate{"tdg", "tdg"},
    TketGate{"sdg", "sdg"}, TketGate{"sx", "v"},  TketGate{"sxdg", "vdg"}, TketGate{"rz", "rz"},
};

/// Coefficients above this are not written, because each unit of one is an addition.
constexpr std::int64_t kMaxCoefficient = 16;

/// The parameters of a circuit: those of the rule set, and sums of them.
class TketParameters {
 public:
  explicit TketParameters(unsigned inputs) : inputs_(inputs), total_(inputs) {}

  /// Returns the name of the parameter with this value, and adds the additions that it needs.
  /// Returns nothing if it is not a sum of parameters of the rule set.
  std::optional<std::string> name_of(const Angle& angle) {
    const std::optional<std::vector<unsigned>> summands = summands_of(angle);
    if (!summands) return std::nullopt;
    std::vector<unsigned> sum{summands->front()};
    unsigned index = sum.front();
    for (std::size_t i = 1; i < summands->size(); ++i) {
      sum.push_back((*summands)[i]);
      const auto [place, is_new] = sums_.try_emplace(sum, total_);
      if (is_new) {
        additions_.push_back({"add", {name(total_)}, {name(index), name(sum.back())}});
        ++total_;
      }
      index = place->second;
    }
    return name(index);
  }
  [[nodiscard]] const std::vector<json>& additions() const noexcept { return additions_; }
  [[nodiscard]] unsigned total() const noexcept { return total_; }

 private:
  static std::string name(unsigned index) { return fmt::format("P{}", index); }

  [[nodiscard]] std::optional<std::vector<unsigned>> summands_of(const Angle& angle) const {
    Angle rest = angle;
    std::vector<unsigned> summands;
    for (unsigned index = 0; index < inputs_; ++index) {
      const Angle parameter = Angle::symbol(fmt::format("p{}", index));
      const std::string& symbol = parameter.terms().front().symbol;
      for (const Angle::Term& term : angle.terms()) {
        if (term.symbol != symbol) continue;
        std::int64_t count = 1;
        while (count <= kMaxCoefficient && term.coefficient != Rational(count)) ++count;
        if (count > kMaxCoefficient) return std::nullopt;
        summands.insert(summands.end(), static_cast<std::size_t>(count), index);
        rest += -(parameter * term.coefficient);
      }
    }
    if (summands.empty() || !rest.is_zero()) return std::nullopt;
    return summands;
  }

  unsigned inputs_;
  unsigned total_;
  std::map<std::vector<unsigned>, unsigned> sums_;
  std::vector<json> additions_;
};

std::optional<json> json_of(const Operation& operation, TketParameters& parameters) {
  const std::string_view name = gate(operation.gate).name;
  const auto* const known = std::find_if(kTketGates.begin(), kTketGates.end(),
                                         [&](const TketGate& entry) { return entry.name == name; });
  if (operation.is_boundary() || known == kTketGates.end()) return std::nullopt;
  json outputs = json::array();
  for (const Qubit qubit : operation.qubits) outputs.push_back(fmt::format("Q{}", qubit));
  json inputs = outputs;
  for (const Angle& angle : operation.angles) {
    std::optional<std::string> parameter = parameters.name_of(angle);
    if (!parameter) return std::nullopt;
    inputs.push_back(std::move(*parameter));
  }
  return json::array({known->tket_name, std::move(outputs), std::move(inputs)});
}

/// Returns a circuit, or nothing if badger cannot read it.
std::optional<json> json_of(const ClassMember& member, const RuleSet& rules,
                            const std::string& id) {
  TketParameters parameters(rules.parameters);
  std::vector<json> gates;
  for (const Operation& operation : member.gates) {
    std::optional<json> gate = json_of(operation, parameters);
    if (!gate) return std::nullopt;
    gates.push_back(std::move(*gate));
  }
  std::vector<json> operations = parameters.additions();
  operations.insert(operations.end(), gates.begin(), gates.end());
  // Quartz stores a fingerprint after the identifiers. Badger requires two numbers there and does
  // not use them.
  const json header = json::array({rules.qubits, rules.parameters, parameters.total(),
                                   operations.size(), json::array({id}), json::array({0.0, 0.0})});
  return json::array({header, operations});
}

}  // namespace

TketRules write_tket_rules(const RuleSet& rules) {
  TketRules result;
  json classes = json::object();
  for (const EquivalenceClass& equal : rules.classes) {
    // Badger keeps one class for each identifier of a first circuit, so all have to differ.
    const std::string id = fmt::format("{}_0", result.classes);
    json circuits = json::array();
    for (const ClassMember& member : equal.members) {
      std::optional<json> circuit = json_of(member, rules, id);
      if (circuit) circuits.push_back(std::move(*circuit));
    }
    const std::size_t written = circuits.size() < 2 ? 0 : circuits.size();
    result.omitted_circuits += equal.members.size() - written;
    if (written == 0) continue;
    result.circuits += written;
    ++result.classes;
    classes[id] = std::move(circuits);
  }
  result.text = json::array({json::array(), std::move(classes)}).dump() + "\n";
  return result;
}

}  // namespace quartz
