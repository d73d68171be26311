#include "certify/replay/replayed_steps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "quartz/base/counted.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/circuit/gate.hpp"

namespace quartz::certify {

ReplayedSteps::ReplayedSteps(const Circuit& first, std::span<const Operation> gates,
                             const ReplayOptions& options)
    : circuit_(first),
      proofs_(circuit_.shared_table(), options.seed, options.epsilon),
      exchanges_(circuit_, proofs_) {
  numbers_.resize(first.operations.size());
  for (OperationIndex i = 0; i < numbers_.size(); ++i) numbers_[i] = i;
  for (const Operation& gate : gates) define_gate(gate);
}

ReplayedSteps::ReplayedSteps(const ReplayedSteps& other)
    : circuit_(other.circuit_),
      proofs_(other.proofs_),
      exchanges_(circuit_, proofs_),
      numbers_(other.numbers_),
      codes_(other.codes_),
      lemmas_(other.lemmas_) {}

void ReplayedSteps::renumber() {
  std::erase_if(numbers_, [](OperationIndex index) { return index == kNoOperation; });
}

Fault ReplayedSteps::add_gates_to_window(std::span<const std::uint64_t> numbers) {
  for (const std::uint64_t number : numbers) circuit_.prefetch(index_of(number));
  for (const std::uint64_t number : numbers) {
    if (const Fault fault = circuit_.add_to_window(index_of(number))) {
      return fmt::format("operation {}: {}", number, fault.reason());
    }
  }
  return {};
}

Fault ReplayedSteps::open_window(const JournalRecord& record) {
  circuit_.begin_window();
  if (Fault fault = add_gates_to_window(record.removed)) return fault;
  if (Fault fault = add_places_to_window(record)) return fault;
  circuit_.prefetch_neighbours();
  left_.clear();
  for (std::size_t i = 0; i < circuit_.window_size(); ++i) {
    left_.push_back(circuit_.window_operation(i));
  }
  return {};
}

Fault ReplayedSteps::add_places_to_window(const JournalRecord& record) {
  for (const JournalRecord::Place& gap : record.places) {
    const OperationIndex before = gap.after == 0 ? kNoOperation : index_of(gap.after - 1);
    if (gap.after != 0 && before == kNoOperation) {
      return fmt::format("operation {} does not exist", gap.after - 1);
    }
    if (gap.wire >= circuit_.qubits()) return "the wire does not exist";
    if (const Fault fault =
            circuit_.add_wire_to_window(static_cast<ReplayedWire>(gap.wire), before)) {
      return fmt::format("wire {}: {}", gap.wire, fault.reason());
    }
  }
  return {};
}

Fault ReplayedSteps::read_inserted(const JournalRecord& record) {
  right_.clear();
  const std::size_t wires = circuit_.window_wires().size();
  std::size_t first = 0;
  for (std::size_t i = 0; i < record.gates.size(); ++i) {
    if (record.gates[i] >= codes_.size()) {
      return fmt::format("gate {} is not defined", record.gates[i]);
    }
    const OperationCode code = codes_[record.gates[i]];
    const std::span<const std::uint8_t> operands =
        std::span(record.operands).subspan(first, record.arities[i]);
    first += operands.size();
    const Gate& row = gate(circuit_.table()[code].gate);
    if (operands.size() != row.qubits) {
      return fmt::format("'{}' with {} operands", row.name, operands.size());
    }
    for (std::size_t k = 0; k < operands.size(); ++k) {
      if (operands[k] >= wires || std::ranges::count(operands, operands[k]) != 1) {
        return fmt::format("operand {} of '{}' is not a wire of its own in the window", k,
                           row.name);
      }
    }
    right_.push_back({code, operands});
  }
  return {};
}

Fault ReplayedSteps::replace_window(const JournalRecord& record,
                                    std::span<const ReplayedCircuit::WindowOperation> gates,
                                    WindowProofs::PairKind pair) {
  const std::size_t first = numbers_.size();
  if (Fault fault = circuit_.replace_window(gates, numbers_)) {
    numbers_.resize(first);
    return fault;
  }
  for (const std::uint64_t number : record.removed) numbers_[number] = kNoOperation;
  proofs_.use(pair, circuit_.window_condition() != kNoCondition);
  return {};
}

Fault ReplayedSteps::rewrite(const JournalRecord& record, const Budget& budget) {
  if (Fault fault = open_window(record)) return fault;
  if (Fault fault = read_inserted(record)) return fault;
  WindowProofs::PairKind pair = 0;
  if (const Fault fault = proofs_.prove_pair(left_, right_, budget, pair)) {
    return "the two sides are not proved equal: " + fault.reason();
  }
  return replace_window(record, right_, pair);
}

Fault ReplayedSteps::swap(const JournalRecord& record) {
  circuit_.begin_window();
  if (Fault fault = add_places_to_window(record)) return fault;
  return circuit_.insert_final_swap(numbers_);
}

ReplayedSteps::UsedLemma::Side ReplayedSteps::side_of(std::span<const Operation> gates) {
  UsedLemma::Side side;
  for (const Operation& gate : gates) {
    Operation plain = gate;
    plain.qubits.clear();
    side.codes.push_back(circuit_.table().code_of(plain));
    for (const Qubit qubit : gate.qubits) side.operands.push_back(static_cast<std::uint8_t>(qubit));
  }
  std::size_t first = 0;
  for (std::size_t i = 0; i < gates.size(); ++i) {
    const std::size_t operands = gates[i].qubits.size();
    side.gates.push_back({side.codes[i], std::span(side.operands).subspan(first, operands)});
    first += operands;
  }
  return side;
}

const ReplayedSteps::UsedLemma& ReplayedSteps::used(std::size_t index, const ReplayedLemma& lemma) {
  if (index >= lemmas_.size()) lemmas_.resize(index + 1);
  if (lemmas_[index] == nullptr) {
    lemmas_[index] = std::make_shared<const UsedLemma>(
        UsedLemma{side_of(lemma.before), side_of(lemma.after), proofs_.kind_of(lemma.proved)});
  }
  return *lemmas_[index];
}

Fault ReplayedSteps::use(const JournalRecord& record, std::span<const ReplayedLemma> lemmas) {
  if (record.lemma >= lemmas.size()) return fmt::format("there is no lemma {}", record.lemma);
  const UsedLemma& lemma = used(record.lemma, lemmas[record.lemma]);
  circuit_.begin_window(kNoCondition, ReplayedCircuit::kMaxLemmaWires);
  if (Fault fault = add_gates_to_window(record.removed)) return fault;
  // Both number the wires in the order in which they first occur.
  const auto is_same = [&](std::size_t i) {
    const ReplayedCircuit::WindowOperation own = circuit_.window_operation(i);
    const ReplayedCircuit::WindowOperation& other = lemma.before.gates[i];
    return own.code == other.code && std::ranges::equal(own.operands, other.operands);
  };
  if (circuit_.window_size() != lemma.before.gates.size()) {
    return fmt::format("{}, expected the {} of lemma {}", counted(circuit_.window_size(), "gate"),
                       lemma.before.gates.size(), record.lemma);
  }
  for (std::size_t i = 0; i < circuit_.window_size(); ++i) {
    if (!is_same(i)) {
      return fmt::format("operation {} is not gate {} of lemma {}", record.removed[i], i,
                         record.lemma);
    }
  }
  return replace_window(record, lemma.after.gates, lemma.pair);
}

Fault ReplayedSteps::end_lemma(const JournalRecord& record, ReplayedLemma& lemma) {
  circuit_.begin_window(kNoCondition, ReplayedCircuit::kMaxLemmaWires);
  if (Fault fault = add_gates_to_window(record.order)) return fault;
  // The gates of a window are consecutive, and these are all, so they are in an order of the
  // circuit.
  if (circuit_.window_size() != circuit_.size()) {
    return fmt::format("{} at the end of a lemma, expected {}",
                       counted(circuit_.window_size(), "gate"), circuit_.size());
  }
  for (std::size_t i = 0; i < circuit_.window_size(); ++i) {
    const ReplayedCircuit::WindowOperation each = circuit_.window_operation(i);
    Operation& gate = lemma.after.emplace_back(circuit_.table()[each.code]);
    for (const std::uint8_t operand : each.operands) {
      gate.qubits.push_back(circuit_.window_wires()[operand].wire);
    }
  }
  try {
    const WindowProofs::Total total = proofs_.total();
    lemma.proved.is_equal = true;
    lemma.proved.phase = total.phase;
    lemma.proved.strength = total.strength;
  } catch (const OverflowError& error) {
    return fmt::format("the phase does not fit exact arithmetic: {}", error.what());
  }
  return {};
}

}  // namespace quartz::certify
