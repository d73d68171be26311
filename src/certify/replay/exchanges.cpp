#include "certify/replay/exchanges.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "certify/replay/unobserved_gates.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/circuit/gate.hpp"

namespace quartz::certify {
namespace {

/// Work between two reads of the clock: about a millisecond.
constexpr std::uint64_t kWorkBetweenClockReads = std::uint64_t{1} << 16U;
/// Pairs of hulls up to this size are kept, as they may occur again.
constexpr std::size_t kMaxKeptWires = 5;
constexpr std::size_t kMaxKeptGates = 8;
/// Hulls of more gates leave no room for those of later exchanges: it would be a good part of the
/// memory that a replay takes.
constexpr std::size_t kMaxKeptRoom = 100'000;
constexpr const char* kTimeLimit = "the time limit is reached";

/// The operands of a gate as the wires of its window.
constexpr std::array<std::uint8_t, 8> kOwnWires = {0, 1, 2, 3, 4, 5, 6, 7};

OperationIndex operation_with(std::uint64_t number, std::span<const OperationIndex> numbers) {
  return number < numbers.size() ? numbers[number] : kNoOperation;
}

}  // namespace

Fault Exchanges::apply(const JournalRecord& record, std::span<const OperationCode> codes,
                       std::vector<OperationIndex>& numbers, const Budget& budget) {
  look_at_ = circuit_.work() + kWorkBetweenClockReads;  // the clock was looked at before the record
  if (Fault fault = read_context(record, numbers)) return fault;
  if (Fault fault = take_removed(record, numbers)) return fault;
  if (Fault fault = read_inserted(record, codes, numbers, budget)) return fault;
  condition_ = removed_.empty() ? kNoCondition : circuit_.condition_of(removed_[0]);
  if (!context_.empty() && condition_ != kNoCondition) {
    return "gates under a condition cannot have resets as their context";
  }
  ends_ = removed_;
  ends_.insert(ends_.end(), context_.begin(), context_.end());
  if (Fault fault = circuit_.find_hull(ends_, places_, hull_)) return fault;
  open_hull_.begin(condition_, !context_.empty());
  open_hull_.list(hull_, before_);
  if (Fault fault = remove(budget)) return fault;
  if (Fault fault = insert(record, numbers, budget)) return fault;
  open_hull_.list(hull_, after_);
  Fault fault = prove(budget);
  if (hull_.size() > kMaxKeptRoom) release_room();
  return fault;
}

void Exchanges::release_room() {
  // A list to which {} is assigned keeps its memory.
  for (std::vector<OperationIndex>* const list : {&context_, &removed_, &hull_, &new_, &ends_}) {
    *list = std::vector<OperationIndex>();
  }
  inserted_ = std::vector<OperationCode>();
  places_ = std::vector<ReplayedCircuit::Place>();
  before_ = OpenHull::List();
  after_ = OpenHull::List();
  movable_ = std::vector<MovableGate>();
}

bool Exchanges::is_spent(const Budget& budget) {
  if (circuit_.work() < look_at_) return false;
  look_at_ = circuit_.work() + kWorkBetweenClockReads;
  return budget.spent();
}

Fault Exchanges::read_context(const JournalRecord& record,
                              std::span<const OperationIndex> numbers) {
  context_.clear();
  for (const std::uint64_t number : record.context) {
    const OperationIndex index = operation_with(number, numbers);
    if (index == kNoOperation) return fmt::format("operation {} does not exist", number);
    if (circuit_.table()[circuit_.code_of(index)].kind != OperationKind::reset ||
        circuit_.condition_of(index) != kNoCondition) {
      return fmt::format("operation {}: only a reset without a condition is a context", number);
    }
    context_.push_back(index);
  }
  return {};
}

Fault Exchanges::take_removed(const JournalRecord& record, std::vector<OperationIndex>& numbers) {
  removed_.clear();
  for (const std::uint64_t number : record.removed) {
    const OperationIndex index = operation_with(number, numbers);
    if (index == kNoOperation) return fmt::format("operation {} does not exist", number);
    if (circuit_.table()[circuit_.code_of(index)].is_boundary()) {
      return fmt::format("operation {}: only gates may be removed", number);
    }
    removed_.push_back(index);
    numbers[number] = kNoOperation;  // neither removed twice nor named by an inserted gate
  }
  return {};
}

Fault Exchanges::read_inserted(const JournalRecord& record, std::span<const OperationCode> codes,
                               std::span<const OperationIndex> numbers, const Budget& budget) {
  inserted_.clear();
  places_.clear();
  std::span<const JournalRecord::Place> rest = record.places;
  for (std::size_t i = 0; i < record.gates.size(); ++i) {
    if (record.gates[i] >= codes.size()) {
      return fmt::format("gate {} is not defined", record.gates[i]);
    }
    inserted_.push_back(codes[record.gates[i]]);
    const auto operands = rest.first(record.arities[i]);
    rest = rest.subspan(operands.size());
    const Gate& row = gate(circuit_.table()[inserted_[i]].gate);
    if (operands.empty() || operands.size() != row.qubits) {
      return fmt::format("'{}' with {} operands", row.name, operands.size());
    }
    for (const JournalRecord::Place& operand : operands) {
      if (const Fault fault = read_place(operand, i, numbers)) {
        return fmt::format("wire {}: {}", operand.wire, fault.reason());
      }
      if (is_spent(budget)) return kTimeLimit;
    }
  }
  return {};
}

Fault Exchanges::read_place(const JournalRecord::Place& place, std::size_t gate,
                            std::span<const OperationIndex> numbers) {
  if (place.wire >= circuit_.qubits()) return "the wire does not exist";
  OperationIndex before = kNoOperation;
  if (place.after != 0) {
    const std::uint64_t number = place.after - 1;
    // A place behind a gate that was inserted before is next to that gate's own places.
    if (number >= numbers.size() && number - numbers.size() < gate) return {};
    before = operation_with(number, numbers);
    if (before == kNoOperation) return fmt::format("operation {} does not exist", number);
  }
  ReplayedCircuit::Place found;
  if (Fault fault = circuit_.find_place(static_cast<ReplayedWire>(place.wire), before, found)) {
    return fault;
  }
  places_.push_back(found);
  return {};
}

Fault Exchanges::remove(const Budget& budget) {
  std::vector<OperationIndex> none;
  for (const OperationIndex index : removed_) {
    if (is_spent(budget)) return kTimeLimit;
    circuit_.begin_window();
    if (Fault fault = circuit_.add_to_window(index)) return fault;
    if (Fault fault = circuit_.replace_window({}, none)) return fault;
  }
  std::erase_if(hull_, [&](OperationIndex index) { return !circuit_.contains(index); });
  return {};
}

Fault Exchanges::insert(const JournalRecord& record, std::vector<OperationIndex>& numbers,
                        const Budget& budget) {
  std::span<const JournalRecord::Place> rest = record.places;
  for (std::size_t i = 0; i < inserted_.size(); ++i) {
    circuit_.begin_window(condition_);
    for (const JournalRecord::Place& place : rest.first(record.arities[i])) {
      const OperationIndex before =
          place.after == 0 ? kNoOperation : operation_with(place.after - 1, numbers);
      if (const Fault fault =
              circuit_.add_wire_to_window(static_cast<ReplayedWire>(place.wire), before)) {
        return fmt::format("wire {}: {}", place.wire, fault.reason());
      }
    }
    rest = rest.subspan(record.arities[i]);
    const ReplayedCircuit::WindowOperation inserted{inserted_[i],
                                                    std::span(kOwnWires).first(record.arities[i])};
    if (circuit_.replace_window(std::span(&inserted, 1), numbers)) {
      return fmt::format("a path leads from the places behind inserted gate {} to one before it",
                         i);
    }
    hull_.push_back(numbers.back());
    if (is_spent(budget)) return kTimeLimit;
  }
  new_.assign(hull_.end() - static_cast<std::ptrdiff_t>(inserted_.size()), hull_.end());
  circuit_.sort_by_position(hull_);
  return {};
}

void Exchanges::KeptHull::assign(const GateList& list) {
  operands.clear();
  for (const Wire wire : list.wires()) operands.push_back(static_cast<std::uint8_t>(wire));
  gates.clear();
  std::size_t first = 0;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const std::size_t count = list.wires(i).size();
    gates.push_back({list.code(i), std::span(operands).subspan(first, count)});
    first += count;
  }
}

Fault Exchanges::prove(const Budget& budget) {
  Fault fault;
  try {
    fault = prove_within_range(budget);
  } catch (const OverflowError& error) {
    fault = fmt::format("the phase does not fit exact arithmetic: {}", error.what());
  }
  return fault ? Fault("the two sides are not proved equal: " + fault.reason()) : fault;
}

Fault Exchanges::prove_within_range(const Budget& budget) {
  const bool is_conditional = condition_ != kNoCondition;
  if (!context_.empty()) return prove_in_context(budget);
  if (is_kept()) return prove_kept(budget);
  if (list_union()) {
    if (proofs_.prove_moves(open_hull_.wires(), movable_, is_conditional, budget)) return {};
    return prove_cone(is_conditional, budget);
  }
  return proofs_.prove_once(open_hull_.wires(), before_.gates, after_.gates, is_conditional,
                            budget);
}

Fault Exchanges::prove_cone(bool is_conditional, const Budget& budget) {
  constexpr Wire kUnused = ~Wire{0};
  const std::vector<bool> matters = proofs_.cone_of(open_hull_.wires(), movable_);
  if (std::ranges::find(matters, false) == matters.end()) {
    // The lists of an exchange of a million gates are not copied.
    return proofs_.prove_once(open_hull_.wires(), before_.gates, after_.gates, is_conditional,
                              budget);
  }
  std::vector<Wire> wire_of(open_hull_.wires(), kUnused);  // in the order in which they occur
  Wire wires = 0;
  GateList left;
  GateList right;
  const auto add = [&](const PlacedGate& gate, OperationCode code, GateList& list) {
    for (const Wire wire : gate.wires) {
      if (wire_of[wire] == kUnused) wire_of[wire] = wires++;
      list.add_wire(wire_of[wire]);
    }
    list.add_gate(code);
  };
  std::size_t before = 0;
  std::size_t after = 0;
  for (std::size_t i = 0; i < movable_.size(); ++i) {
    const auto& [gate, role] = movable_[i];
    const bool is_before = role != MovableGate::Role::inserted;
    const bool is_after = role != MovableGate::Role::removed;
    const OperationCode code = is_before ? before_.gates.code(before) : after_.gates.code(after);
    if (is_before && matters[i]) add(gate, code, left);
    if (is_after && matters[i]) add(gate, code, right);
    before += is_before ? 1 : 0;
    after += is_after ? 1 : 0;
  }
  return proofs_.prove_once(wires, left, right, is_conditional, budget);
}

Fault Exchanges::prove_in_context(const Budget& budget) {
  const std::span<const Wire> discarded = open_hull_.discarded_wires();
  return proofs_.prove_from_zero(
      open_hull_.wires(), open_hull_.zero_wires(),
      without_unobserved_gates(before_.gates, discarded, circuit_.table()),
      without_unobserved_gates(after_.gates, discarded, circuit_.table()), budget);
}

bool Exchanges::list_union() {
  std::ranges::sort(removed_);
  std::ranges::sort(new_);
  movable_.clear();
  movable_.reserve(before_.gates.size() + new_.size());
  const auto add = [&](const GateList& gates, std::size_t i, MovableGate::Role role) {
    movable_.push_back({{&circuit_.table()[gates.code(i)], gates.wires(i)}, role});
  };
  std::size_t left = 0;
  std::size_t right = 0;
  for (;;) {
    while (left < before_.gates.size() &&
           std::ranges::binary_search(removed_, before_.operations[left])) {
      add(before_.gates, left++, MovableGate::Role::removed);
    }
    while (right < after_.gates.size() &&
           std::ranges::binary_search(new_, after_.operations[right])) {
      add(after_.gates, right++, MovableGate::Role::inserted);
    }
    const bool is_end = left == before_.gates.size();
    if (is_end || right == after_.gates.size()) return is_end && right == after_.gates.size();
    if (before_.operations[left++] != after_.operations[right]) return false;
    add(after_.gates, right++, MovableGate::Role::stays);
  }
}

bool Exchanges::is_kept() const {
  return open_hull_.wires() <= kMaxKeptWires &&
         std::max(before_.gates.size(), after_.gates.size()) <= kMaxKeptGates;
}

Fault Exchanges::prove_kept(const Budget& budget) {
  left_.assign(before_.gates);
  right_.assign(after_.gates);
  WindowProofs::PairKind pair = 0;
  if (Fault fault = proofs_.prove_pair(left_.gates, right_.gates, budget, pair)) return fault;
  proofs_.use(pair, condition_ != kNoCondition);
  return {};
}

}  // namespace quartz::certify
