#include "optimize/scheduling/commuting_units.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <map>
#include <string>

#include "optimize/resynthesis/block_unitary.hpp"
#include "quartz/circuit/gate.hpp"

namespace quartz::optimizer {
namespace {

using UnitNumber = std::uint32_t;
constexpr UnitNumber kNoUnit = std::numeric_limits<UnitNumber>::max();
constexpr std::array kPauliAxes{PauliAxis::x, PauliAxis::y, PauliAxis::z};

std::uint8_t bit_of(PauliAxis axis) {
  return static_cast<std::uint8_t>(1U << static_cast<unsigned>(axis));
}

/// Returns the gate with a number in place of each angle that is not constant. What commutes for
/// any angles commutes for these; equal angles have equal numbers.
Operation with_numbers(Operation gate, std::map<std::string, Angle>& numbers) {
  for (Angle& angle : gate.angles) {
    if (angle.is_constant()) continue;
    const auto next = static_cast<std::int64_t>(numbers.size());
    angle =
        numbers.try_emplace(angle.to_string(), Angle::radians(Rational(1009 + 613 * next, 1000)))
            .first->second;
  }
  return gate;
}

/// Returns the axes of the Pauli operators on one of the qubits with which a unitary commutes.
std::uint8_t axes_of(const Eigen::MatrixXcd& unitary, Qubit qubit, std::span<const Qubit> qubits) {
  constexpr double kTolerance = 1e-9;
  constexpr std::array kPaulis{GateKind::x, GateKind::y, GateKind::z};
  std::uint8_t axes = 0;
  for (const PauliAxis axis : kPauliAxes) {
    const Operation gate = make_operation(kPaulis.at(static_cast<std::size_t>(axis)), {qubit});
    const Eigen::MatrixXcd pauli = unitary_on(std::span(&gate, 1), qubits);
    const double difference = (unitary * pauli - pauli * unitary).cwiseAbs().maxCoeff();
    if (difference < kTolerance) axes |= bit_of(axis);
  }
  return axes;
}

class UnitFinder {
 public:
  UnitFinder(std::span<const Operation> gates, std::uint32_t wires, RunWords& words,
             const std::function<std::uint64_t(const Operation&)>& weight_of)
      : gates_(gates), words_(words), weight_of_(weight_of), wires_(wires) {
    found_.cliffords.resize(wires);
  }

  [[nodiscard]] CommutingUnits run() && {
    for (std::uint32_t place = 0; place < gates_.size(); ++place) add(place);
    for (Qubit wire = 0; wire < wires_.size(); ++wire) flush(wire);
    for (CommutingUnit& unit : found_.units) complete(unit);
    return std::move(found_);
  }

 private:
  struct Wire {
    UnitNumber pair = kNoUnit;           ///< the pair to which the last gate on two qubits belongs
    std::vector<std::uint32_t> pending;  ///< gates on the wire alone behind it
  };

  void add(std::uint32_t place) {
    const Operation& gate = gates_[place];
    if (gate.qubits.size() == 1) {
      wires_[gate.qubits[0]].pending.push_back(place);
      return;
    }
    if (gate.qubits.size() == 2 && extends_pair(place)) return;
    for (const Qubit wire : gate.qubits) flush(wire);
    const auto number = static_cast<UnitNumber>(found_.units.size());
    begin_unit(place);
    for (const Qubit wire : gate.qubits) {
      wires_[wire].pair = gate.qubits.size() == 2 ? number : kNoUnit;
    }
  }

  /// Adds a gate to the unit that both of its wires have last, if there is one.
  bool extends_pair(std::uint32_t place) {
    const Operation& gate = gates_[place];
    const UnitNumber pair = wires_[gate.qubits[0]].pair;
    if (pair == kNoUnit || wires_[gate.qubits[1]].pair != pair) return false;
    CommutingUnit& unit = found_.units[pair];
    for (const Qubit wire : gate.qubits) {
      std::vector<std::uint32_t>& pending = wires_[wire].pending;
      unit.gates.insert(unit.gates.end(), pending.begin(), pending.end());
      pending.clear();
    }
    unit.gates.push_back(place);
    return true;
  }

  /// Makes units of the gates behind the last pair of a wire, of those that are no Clifford gates.
  void flush(Qubit wire) {
    for (const std::uint32_t place : wires_[wire].pending) {
      // A set without words for Clifford gates cannot write them elsewhere.
      const RunGate* const form = words_.available() ? &words_.classified(gates_[place]) : nullptr;
      if (form == nullptr || form->kind != RunGate::Kind::clifford) {
        begin_unit(place);
        continue;
      }
      OneQubitGroup::Element& cliffords = found_.cliffords[wire];
      cliffords = OneQubitGroup::get().product(form->element, cliffords);
    }
    if (!wires_[wire].pending.empty()) wires_[wire].pair = kNoUnit;
    wires_[wire].pending.clear();
  }

  void begin_unit(std::uint32_t place) {
    CommutingUnit& unit = found_.units.emplace_back();
    unit.gates.push_back(place);
    for (const Qubit wire : gates_[place].qubits) {
      unit.sides.push_back({wire, found_.cliffords[wire].number, 0});
    }
  }

  /// Sets the axes and the length.
  void complete(CommutingUnit& unit) {
    std::vector<std::uint64_t> levels(unit.sides.size(), 0);
    std::vector<Qubit> qubits;
    for (const CommutingUnit::Side& side : unit.sides) qubits.push_back(side.wire);
    std::vector<Operation> plain;
    std::map<std::string, Angle> numbers;
    for (const std::uint32_t place : unit.gates) {
      const Operation& gate = gates_[place];
      plain.push_back(with_numbers(gate, numbers));
      std::uint64_t level = 0;
      const auto level_of = [&](Qubit qubit) -> std::uint64_t& {
        return levels[static_cast<std::size_t>(std::ranges::find(qubits, qubit) - qubits.begin())];
      };
      for (const Qubit qubit : gate.qubits) level = std::max(level, level_of(qubit));
      level += weight_of_(gate);
      for (const Qubit qubit : gate.qubits) level_of(qubit) = level;
      unit.length = std::max(unit.length, level);
    }
    constexpr std::size_t kMostQubits = 3;
    if (qubits.size() > kMostQubits || plain.size() > kMaxRunGates) return;
    const Eigen::MatrixXcd unitary = unitary_on(plain, qubits);
    for (std::size_t i = 0; i < qubits.size(); ++i) {
      CommutingUnit::Side& side = unit.sides[i];
      const std::uint8_t axes = axes_of(unitary, side.wire, qubits);
      for (const PauliAxis axis : kPauliAxes) {
        if ((axes & bit_of(axis)) == 0) continue;
        side.axes |= bit_of(OneQubitGroup::get().before(side.frame, axis).axis);
      }
    }
  }

  std::span<const Operation> gates_;
  RunWords& words_;
  const std::function<std::uint64_t(const Operation&)>& weight_of_;
  std::vector<Wire> wires_;
  CommutingUnits found_;
};

}  // namespace

CommutingUnits commuting_units(std::span<const Operation> gates, std::uint32_t wires,
                               RunWords& words,
                               const std::function<std::uint64_t(const Operation&)>& weight_of) {
  return UnitFinder(gates, wires, words, weight_of).run();
}

}  // namespace quartz::optimizer
