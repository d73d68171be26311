#include "optimize/windows/exchanged_gates.hpp"

#include <algorithm>
#include <utility>

namespace quartz::optimizer {

ExchangedGates::ExchangedGates(std::span<const Operation> gates)
    : gates_(gates.begin(), gates.end()),
      size_(gates.size()),
      next_number_(static_cast<circuit::GateNumber>(gates.size())),
      recorder_(gates.size()) {
  contents_.reserve(size_);
  first_operand_.reserve(size_);
  std::vector<Place> last;  // for each wire
  for (Place place = 0; place < size_; ++place) {
    contents_.push_back({place, 1, place});
    first_operand_.push_back(static_cast<std::uint32_t>(previous_.size()));
    for (const Qubit wire : gates[place].qubits) {
      if (wire >= last.size()) last.resize(wire + 1, kNone);
      previous_.push_back(std::exchange(last[wire], place));
    }
  }
}

circuit::GateNumber ExchangedGates::last_on(Qubit wire, Place place) {
  for (;;) {
    const auto& wires = gates_[place].qubits;  // the gate that was at this place first
    const auto operand = static_cast<std::size_t>(std::ranges::find(wires, wire) - wires.begin());
    place = previous_[first_operand_[place] + operand];
    if (place == kNone) return 0;
    const Content& content = contents_[place];
    for (std::uint32_t i = content.count; i-- > 0;) {
      const auto& qubits = gates_[content.first + i].qubits;
      if (std::ranges::find(qubits, wire) != qubits.end()) return content.number + i + 1;
    }
  }
}

void ExchangedGates::insert(const Replacement& replacement,
                            std::vector<circuit::RecordedGate>& inserted,
                            std::vector<circuit::RecordedPlace>& places) {
  Content content{static_cast<std::uint32_t>(gates_.size()), 0, next_number_};
  for (const Operation& gate : replacement.gates) {
    inserted.push_back({recorder_.gates().code_of(gate), {gate.qubits.begin(), gate.qubits.end()}});
    for (const Qubit wire : gate.qubits) {
      circuit::GateNumber after = 0;
      for (std::uint32_t i = content.count; after == 0 && i-- > 0;) {
        const auto& qubits = gates_[content.first + i].qubits;
        if (std::ranges::find(qubits, wire) != qubits.end()) after = content.number + i + 1;
      }
      places.push_back({wire, after == 0 ? last_on(wire, replacement.place) : after});
    }
    gates_.push_back(gate);
    ++content.count;
    ++next_number_;
  }
  contents_[replacement.place] = content;
}

void ExchangedGates::exchange(std::span<const Replacement> replacements) {
  std::vector<circuit::GateNumber> removed;
  for (const Replacement& each : replacements) {
    Content& content = contents_[each.place];
    for (std::uint32_t i = 0; i < content.count; ++i) removed.push_back(content.number + i);
    content.count = 0;
  }
  std::vector<circuit::RecordedGate> inserted;
  std::vector<circuit::RecordedPlace> places;
  for (const Replacement& each : replacements) insert(each, inserted, places);
  recorder_.exchange(removed, inserted, places);
}

std::vector<Operation> ExchangedGates::gates() const {
  std::vector<Operation> result;
  result.reserve(contents_.size());
  for (Place place = 0; place < contents_.size(); ++place) {
    const std::span<const Operation> gates = at(place);
    result.insert(result.end(), gates.begin(), gates.end());
  }
  return result;
}

circuit::HistoryPointer ExchangedGates::finish_history() && {
  if (recorder_.is_empty()) return nullptr;
  std::vector<circuit::GateNumber> order;
  order.reserve(contents_.size());
  for (const Content& content : contents_) {
    for (std::uint32_t i = 0; i < content.count; ++i) order.push_back(content.number + i);
  }
  return std::move(recorder_).finish(std::move(order));
}

}  // namespace quartz::optimizer
