#include "certify/pauli/difference_cone.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace quartz::certify {
namespace {

/// The wires of a part of a gate.
class PartWires {
 public:
  PartWires(const Part& part, std::span<const Wire> wires) : part_(part), wires_(wires) {}

  [[nodiscard]] Wire operator[](unsigned operand) const { return wires_[part_.operands[operand]]; }
  /// Calls a function for the operands in a mask, with the wire and the operand of the gate.
  template <typename Function>
  void for_each_of(unsigned operands, const Function& function) const {
    for (unsigned i = 0; operands >> i != 0; ++i) {
      if ((operands >> i & 1U) != 0) function((*this)[i], part_.operands[i]);
    }
  }

 private:
  const Part& part_;
  std::span<const Wire> wires_;
};

/// The Pauli operators that may be in the difference of two circuits.
class DifferenceContent {
  /// Those on a wire, as bits: Y is both.
  static constexpr std::uint8_t kNone = 0;
  static constexpr std::uint8_t kX = 1;
  static constexpr std::uint8_t kZ = 2;
  static constexpr std::uint8_t kAll = kX | kZ;

 public:
  DifferenceContent(GateParts& parts, std::size_t wires) : parts_(parts), content_(wires, kNone) {}

  /// Adds the operators of a gate that only one of the circuits has.
  void add(const PlacedGate& gate) {
    const Parts* const parts = parts_of(gate, false);
    if (parts == nullptr) return fill(gate.wires);
    // Hadamards around rotations turn Z into X.
    const bool has_axes = consists_of_rotations(*parts);
    unsigned turned = 0;  // operands of the gate with a Hadamard that is not undone
    for (const Part& part : parts->parts) {
      if (part.is_hadamard && has_axes) {
        turned ^= 1U << part.operands[0];
        continue;
      }
      add(part, PartWires(part, gate.wires), turned);
    }
  }
  /// Moves the operators through a gate or its inverse. Returns false if it commutes with them.
  [[nodiscard]] bool move_through(const PlacedGate& gate, bool is_inverse) {
    if (std::ranges::all_of(gate.wires, [&](Wire wire) { return content_[wire] == kNone; })) {
      return false;
    }
    const Parts* const parts = parts_of(gate, is_inverse);
    if (parts == nullptr) {
      fill(gate.wires);
      return true;
    }
    const bool commutes = std::ranges::all_of(parts->parts, [&](const Part& part) {
      return commutes_with(part, PartWires(part, gate.wires));
    });
    if (commutes) return false;
    for (const Part& part : parts->parts) move_through(part, PartWires(part, gate.wires));
    return true;
  }

 private:
  /// Returns nothing for gates that are not known.
  [[nodiscard]] const Parts* parts_of(const PlacedGate& gate, bool is_inverse) {
    try {
      return &parts_.of(*gate.operation, is_inverse);
    } catch (const Unsupported&) {
      return nullptr;
    }
  }
  void fill(std::span<const Wire> wires) {
    for (const Wire wire : wires) content_[wire] = kAll;
  }
  [[nodiscard]] bool has(Wire wire, std::uint8_t operators) const {
    return (content_[wire] & operators) != 0;
  }
  void insert(Wire wire, std::uint8_t operators) { content_[wire] |= operators; }

  void add(const Part& part, const PartWires& wires, unsigned turned) {
    if (part.is_hadamard) return insert(wires[0], kAll);
    for (const ZRotation& rotation : part.rotations) {
      wires.for_each_of(rotation.operands, [&](Wire wire, unsigned operand) {
        insert(wire, (turned >> operand & 1U) != 0 ? kX : kZ);
      });
    }
    for (const MapStep& step : part.map_steps) {
      if (step.kind == CliffordLog::Kind::x) {
        insert(wires[step.second], kX);
        continue;
      }
      const bool is_swap = step.kind == CliffordLog::Kind::swap;
      insert(wires[step.first], is_swap ? kAll : kZ);
      insert(wires[step.second], is_swap ? kAll : kX);
    }
  }
  [[nodiscard]] bool commutes_with(const Part& part, const PartWires& wires) const {
    if (part.is_hadamard) return content_[wires[0]] == kNone;
    bool commutes = true;
    for (const ZRotation& rotation : part.rotations) {
      wires.for_each_of(rotation.operands,
                        [&](Wire wire, unsigned) { commutes &= !has(wire, kX); });
    }
    for (const MapStep& step : part.map_steps) {
      if (step.kind == CliffordLog::Kind::x) {
        commutes &= !has(wires[step.second], kZ);
        continue;
      }
      const bool is_swap = step.kind == CliffordLog::Kind::swap;
      commutes &= !has(wires[step.first], is_swap ? kAll : kX) &&
                  !has(wires[step.second], is_swap ? kAll : kZ);
    }
    return commutes;
  }
  void move_through(const Part& part, const PartWires& wires) {
    if (part.is_hadamard) {
      std::uint8_t& content = content_[wires[0]];
      if (content == kX || content == kZ) content ^= kAll;
      return;
    }
    for (const ZRotation& rotation : part.rotations) {
      bool anticommutes = false;
      wires.for_each_of(rotation.operands,
                        [&](Wire wire, unsigned) { anticommutes |= has(wire, kX); });
      if (!anticommutes) continue;
      wires.for_each_of(rotation.operands, [&](Wire wire, unsigned) { insert(wire, kZ); });
    }
    for (const MapStep& step : part.map_steps) {
      if (step.kind == CliffordLog::Kind::x) continue;
      std::uint8_t& first = content_[wires[step.first]];
      std::uint8_t& second = content_[wires[step.second]];
      if (step.kind == CliffordLog::Kind::swap) {
        std::swap(first, second);
        continue;
      }
      const auto from_target = static_cast<std::uint8_t>(second & kZ);
      second |= first & kX;
      first |= from_target;
    }
  }

  GateParts& parts_;
  std::vector<std::uint8_t> content_;  ///< for each wire
};

}  // namespace

std::vector<bool> difference_cone(GateParts& parts, std::size_t wires,
                                  std::span<const MovableGate> gates) {
  std::vector<bool> matters(gates.size(), true);
  const auto leave_out = [&](std::size_t i, DifferenceContent& content, bool is_inverse) {
    if (!matters[i]) return;
    if (gates[i].role == MovableGate::Role::stays) {
      matters[i] = content.move_through(gates[i].gate, is_inverse);
    } else {
      content.add(gates[i].gate);
    }
  };
  DifferenceContent forwards(parts, wires);
  for (std::size_t i = 0; i < gates.size(); ++i) leave_out(i, forwards, false);
  DifferenceContent backwards(parts, wires);
  for (std::size_t i = gates.size(); i-- > 0;) leave_out(i, backwards, true);
  return matters;
}

}  // namespace quartz::certify
