#include "optimize/scheduling/scheduled_gates.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "optimize/scheduling/commuting_units.hpp"
#include "optimize/scheduling/unit_schedule.hpp"
#include "quartz/base/errors.hpp"

namespace quartz::optimizer {
namespace {

/// Returns the number of the inverse of a Clifford gate.
OneQubitGroup::Number inverse_of(OneQubitGroup::Number number) {
  for (OneQubitGroup::Number other = 0; other < OneQubitGroup::kElements; ++other) {
    if (OneQubitGroup::get().product({other, 0}, {number, 0}).number == 0) return other;
  }
  throw InternalError("each element of a group has an inverse");
}

/// Writes units in another order, with the Clifford gates between them.
class UnitWriter {
 public:
  UnitWriter(std::span<const Operation> gates, std::uint32_t wires, RunWords& words)
      : gates_(gates), words_(words), written_(wires) {}

  void write(const CommutingUnit& unit) {
    for (const CommutingUnit::Side& side : unit.sides) write_frame(side.wire, side.frame);
    for (const std::uint32_t place : unit.gates) result_.push_back(gates_[place]);
  }
  /// Writes what is missing of a product of Clifford gates on a wire.
  void finish(Qubit wire, const OneQubitGroup::Element& clifford) {
    write_frame(wire, clifford.number);
    eighths_ += clifford.eighths + 8U - written_[wire].eighths;
  }

  [[nodiscard]] Angle phase() const { return Angle::pi_times(Rational(eighths_ % 8, 4)); }
  [[nodiscard]] std::vector<Operation> gates() && { return std::move(result_); }

 private:
  void write_frame(Qubit wire, OneQubitGroup::Number frame) {
    const OneQubitGroup& group = OneQubitGroup::get();
    OneQubitGroup::Element& written = written_[wire];
    const OneQubitGroup::Number missing =
        group.product({frame, 0}, {inverse_of(written.number), 0}).number;
    if (missing == 0) return;
    const RunWords::Word& word = words_.cheapest({}, missing);
    for (const RunWords::Step& step : word.steps) {
      result_.push_back(words_.letters()[step.letter].gate);
      result_.back().qubits[0] = wire;
    }
    written = group.product({missing, word.eighths}, written);
  }

  std::span<const Operation> gates_;
  RunWords& words_;
  std::vector<OneQubitGroup::Element> written_;  ///< products of the Clifford gates so far
  unsigned eighths_ = 0;
  std::vector<Operation> result_;
};

}  // namespace

std::optional<circuit::DerivedGates> scheduled_gates(
    std::span<const Operation> gates, std::uint32_t wires, RunWords& words,
    const std::function<std::uint64_t(const Operation&)>& weight_of, FastRandom& random,
    const Budget& budget) {
  const CommutingUnits units = commuting_units(gates, wires, words, weight_of);
  std::vector<std::uint64_t> ends(wires, 0);
  std::uint64_t length = 0;
  for (const CommutingUnit& unit : units.units) {
    std::uint64_t end = 0;
    for (const CommutingUnit::Side& side : unit.sides) end = std::max(end, ends[side.wire]);
    end += unit.length;
    for (const CommutingUnit::Side& side : unit.sides) ends[side.wire] = end;
    length = std::max(length, end);
  }
  const UnitSchedule schedule = schedule_units(units, random, budget);
  ensure(schedule.order.size() == units.units.size(), "a schedule has all units");
  if (schedule.length >= length) return std::nullopt;
  UnitWriter writer(gates, wires, words);
  for (const std::uint32_t unit : schedule.order) writer.write(units.units[unit]);
  for (Qubit wire = 0; wire < wires; ++wire) writer.finish(wire, units.cliffords[wire]);
  circuit::DerivedGates result{{}, writer.phase(), circuit::Derivation::unchanged()};
  result.gates = std::move(writer).gates();
  result.derivation = circuit::Derivation::by_exchange(gates.size(), result.gates, wires);
  return result;
}

}  // namespace quartz::optimizer
