#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "quartz/rules/rule_set.hpp"
#include "rewrite/linked_circuit.hpp"
#include "rewrite/packed_circuit.hpp"

namespace quartz::rewrite {

/// One gate of a replacement, on the pattern's wires, with angles in the rule's parameters.
struct ReplacementGate {
  GateKind gate{};
  AngleList angles;
  std::array<std::uint8_t, 3> wires{};
  std::uint8_t size = 0;
};

/// Maximum number of parameters of a replacement; rules that exceed it are not indexed.
inline constexpr std::size_t kMaxRuleParameters = 8;

/// A possible replacement of a matched pattern: pattern = e^{i phase} times the gates.
struct Replacement {
  std::vector<ReplacementGate> gates;
  Angle phase;
  /// Indices of the pattern's parameters that it uses.
  std::vector<std::uint8_t> parameters;
  std::uint32_t number = 0;  ///< number among all replacements of the index
};

/// Left-hand side of one or more rules. Gates are numbered in the order in which matching finds
/// them.
struct Pattern {
  std::uint8_t gate_count = 0;
  std::uint8_t wire_count = 0;
  /// The gates on each wire, first to last.
  std::vector<std::vector<std::uint8_t>> wires;
  /// The gate and the angle of it that bind a parameter, with the parameter's name.
  struct Parameter {
    std::string name;
    std::uint8_t gate = 0;
    std::uint8_t angle = 0;
  };
  std::vector<Parameter> parameters;
  std::vector<Replacement> replacements;
};

/// An occurrence of a pattern in a circuit.
struct Match {
  const Pattern* pattern = nullptr;
  std::array<std::int32_t, 16> gates{};  ///< positions, indexed by the pattern's gates
  std::array<std::uint8_t, 8> qubits{};  ///< qubit of each pattern wire
};

/// All left-hand sides of a rule set in one tree, so that the time to find the matches at a gate
/// does not depend on the number of rules (the idea of Mondada and Andres-Martinez, arXiv
/// 2402.13065). A path from the root extends the match gate by gate along wires: each step
/// specifies a wire, a direction and the expected gate, so at most one child fits.
class RuleIndex {
 public:
  /// The order in which matching finds the gates of one pattern; used during construction.
  struct GrowthPlan;

  explicit RuleIndex(const RuleSet& rules);

  [[nodiscard]] std::span<const Pattern> patterns() const { return patterns_; }
  /// Origin of a replacement in the rule set: indices of a class and of two of its members.
  struct Origin {
    std::uint32_t equivalence_class = 0;
    std::uint32_t left = 0;
    std::uint32_t right = 0;
    friend auto operator<=>(const Origin&, const Origin&) = default;
  };
  /// Returns the origin of the replacement with this number.
  [[nodiscard]] const Origin& origin(std::uint32_t replacement) const {
    return origins_[replacement];
  }

  /// Maps a search's labels to the constants of the patterns.
  class Constants {
   public:
    Constants(const RuleIndex& index, LabelTable& labels);
    [[nodiscard]] std::int32_t find(Label label) const {
      return label < numbers_.size() ? numbers_[label] : -1;
    }

   private:
    std::vector<std::int32_t> numbers_;
  };

  /// Calls visit(match) for each occurrence of a pattern with its first gate at `anchor` and its
  /// gates consecutive on every wire. The caller must check convexity (`place`).
  template <typename Visit>
  void for_each_match(const LinkedCircuit& circuit, const LabelTable& labels,
                      const Constants& constants, std::size_t anchor, Visit&& visit) const {
    Growth growth;
    const PackedGate& gate = circuit.gates()[anchor];
    for (const Child& child : nodes_[0].children) {
      if (!fits(child, gate, labels, constants)) continue;
      bool repeated = false;
      for (std::uint8_t i = 0; i < gate.size; ++i) {
        growth.match.qubits[child.wires[i]] = gate.qubits[i];
        growth.first[child.wires[i]] = growth.last[child.wires[i]] =
            static_cast<std::int32_t>(anchor);
        repeated = repeated || child.wires[i] != i;
      }
      if (repeated) continue;
      growth.match.gates[0] = static_cast<std::int32_t>(anchor);
      growth.gate_count = 1;
      growth.wire_count = gate.size;
      descend(circuit, labels, constants, nodes_[child.node], growth, visit);
    }
  }

 private:
  struct Child {
    std::uint32_t expected = 0;  ///< a gate kind with any angles, or the number of a constant
    bool any_angles = false;
    std::uint8_t size = 0;
    std::array<std::uint8_t, 3> wires{};  ///< wire of each operand; the next unused number if new
    std::uint32_t node = 0;
  };
  /// The children found along one wire in one direction.
  struct Step {
    std::uint8_t wire = 0;
    bool forward = true;
    std::vector<Child> children;
  };
  struct Node {
    std::vector<Child> children;  ///< children of the root only
    std::vector<Step> steps;
    std::vector<std::uint32_t> patterns;  ///< patterns that end here
  };
  struct Growth {
    Match match;
    std::array<std::int32_t, 8> first{};  ///< first matched gate on each wire
    std::array<std::int32_t, 8> last{};
    std::uint8_t gate_count = 0;
    std::uint8_t wire_count = 0;
  };

  void add_class(const EquivalenceClass& equal, std::uint32_t number);
  /// Returns the node at which the pattern ends, creating missing nodes.
  std::uint32_t path_to(std::span<const Operation> gates, const GrowthPlan& plan);
  Child make_child(const Operation& operation, const GrowthPlan& plan);

  [[nodiscard]] static bool fits(const Child& child, const PackedGate& gate,
                                 const LabelTable& labels, const Constants& constants) {
    if (child.size != gate.size) return false;
    if (child.any_angles) {
      return static_cast<std::uint32_t>(labels.entry(gate.label).gate) == child.expected;
    }
    return constants.find(gate.label) == static_cast<std::int32_t>(child.expected);
  }

  /// Binds the child's operands to the gate's qubits. Returns false if that contradicts the match
  /// so far.
  [[nodiscard]] static bool extend(const Child& child, const PackedGate& gate,
                                   std::int32_t position, Growth& growth) {
    for (std::uint8_t i = 0; i < growth.gate_count; ++i) {
      if (growth.match.gates[i] == position) return false;
    }
    for (std::uint8_t i = 0; i < gate.size; ++i) {
      const std::uint8_t wire = child.wires[i];
      if (wire < growth.wire_count) {
        if (growth.match.qubits[wire] != gate.qubits[i]) return false;
        if (position < growth.first[wire]) growth.first[wire] = position;
        if (position > growth.last[wire]) growth.last[wire] = position;
        continue;
      }
      for (std::uint8_t other = 0; other < growth.wire_count; ++other) {
        if (growth.match.qubits[other] == gate.qubits[i]) return false;
      }
      growth.match.qubits[wire] = gate.qubits[i];
      growth.first[wire] = growth.last[wire] = position;
    }
    for (std::uint8_t i = 0; i < gate.size; ++i) {
      if (child.wires[i] >= growth.wire_count) {
        growth.wire_count = static_cast<std::uint8_t>(child.wires[i] + 1);
      }
    }
    growth.match.gates[growth.gate_count++] = position;
    return true;
  }

  /// Returns whether the matched gates are consecutive on each wire.
  [[nodiscard]] static bool consecutive(const LinkedCircuit& circuit, const Match& match) {
    const Pattern& pattern = *match.pattern;
    for (std::size_t wire = 0; wire < pattern.wires.size(); ++wire) {
      const std::vector<std::uint8_t>& on_wire = pattern.wires[wire];
      for (std::size_t i = 0; i + 1 < on_wire.size(); ++i) {
        const auto position = static_cast<std::size_t>(match.gates[on_wire[i]]);
        const std::uint8_t slot = circuit.slot_of(position, match.qubits[wire]);
        if (circuit.next(position, slot) != match.gates[on_wire[i + 1]]) return false;
      }
    }
    return true;
  }

  template <typename Visit>
  void descend(const LinkedCircuit& circuit, const LabelTable& labels, const Constants& constants,
               const Node& node, Growth& growth, Visit&& visit) const {
    for (const std::uint32_t number : node.patterns) {
      growth.match.pattern = &patterns_[number];
      if (consecutive(circuit, growth.match)) visit(std::as_const(growth.match));
    }
    for (const Step& step : node.steps) {
      const std::int32_t from = step.forward ? growth.last[step.wire] : growth.first[step.wire];
      const auto at = static_cast<std::size_t>(from);
      const std::uint8_t slot = circuit.slot_of(at, growth.match.qubits[step.wire]);
      const std::int32_t position =
          step.forward ? circuit.next(at, slot) : circuit.previous(at, slot);
      if (position == LinkedCircuit::kNone) continue;
      const PackedGate& gate = circuit.gates()[static_cast<std::size_t>(position)];
      for (const Child& child : step.children) {
        if (!fits(child, gate, labels, constants)) continue;
        Growth longer = growth;
        if (!extend(child, gate, position, longer)) continue;
        descend(circuit, labels, constants, nodes_[child.node], longer, visit);
      }
    }
  }

  std::vector<Node> nodes_;
  std::vector<Pattern> patterns_;
  std::vector<Origin> origins_;  ///< by Replacement::number
  std::vector<std::pair<GateKind, AngleList>> constants_;
};

/// The parts of a rewritten circuit around the replacement: `before` and `after` contain the
/// positions between the first and the last matched gate that precede and follow it.
struct Placement {
  std::int32_t first = 0;
  std::int32_t last = 0;
  std::vector<std::int32_t> before;
  std::vector<std::int32_t> after;
};
/// Computes the placement of a match. Returns false if the match is not convex, that is, if a gate
/// outside depends on one gate of it and another gate of it depends on that gate.
[[nodiscard]] bool place(const LinkedCircuit& circuit, const Match& match, Placement& placement);

}  // namespace quartz::rewrite
