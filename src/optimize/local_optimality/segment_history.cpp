#include "optimize/local_optimality/segment_history.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <variant>

#include "optimize/state/segments.hpp"
#include "quartz/base/errors.hpp"

namespace quartz::optimizer {
namespace {

using circuit::History;
using circuit::HistoryPointer;
using circuit::NumberList;
using circuit::RecordedGates;

/// The kinds of histories that segments have besides sequences of them.
constexpr std::uint64_t kRewrites = 0;
constexpr std::uint64_t kParts = 1;
constexpr std::uint64_t kUnknown = 2;
/// Parts in parts, at most.
constexpr unsigned kMaxNesting = 16;

}  // namespace

LabelsOfGates::LabelsOfGates(const AnnealingLabels& labels) : labels_(labels) {
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const auto label = static_cast<rewrite::Label>(i);
    const Operation gate = labels.operation(label);
    if (!is_black_box(gate)) found_[{gate.gate, gate.angles}] = label;
  }
}

void SegmentHistoryWriter::put(const HistoryPointer& history) {
  const std::vector<HistoryPointer> sequence = circuit::histories_in_sequence(history);
  message_.number(sequence.size());
  for (const HistoryPointer& each : sequence) {
    if (const auto* const rewrites = std::get_if<History::Rewrites>(&each->content)) {
      put_content(*rewrites);
    } else if (const auto* const parts = std::get_if<History::Parts>(&each->content)) {
      put_content(*parts);
    } else {
      ensure(std::holds_alternative<History::Unknown>(each->content),
             "segments have histories of few kinds");
      message_.number(kUnknown);
    }
  }
}

void SegmentHistoryWriter::put_content(const History::Rewrites& rewrites) {
  message_.number(kRewrites);
  put_gates(rewrites.gates.get());
  message_.number(rewrites.steps);
  put_numbers(rewrites.order);
  message_.text(rewrites.records);
}

void SegmentHistoryWriter::put_content(const History::Parts& parts) {
  message_.number(kParts);
  message_.number(parts.parts.size());
  for (const History::Part& part : parts.parts) {
    put_numbers(part.gates);
    message_.number(part.qubits.size());
    for (const Qubit qubit : part.qubits) message_.number(qubit);
    put(part.history);
  }
}

/// Writes the number of a recorder's gates, and those that the message does not have yet.
void SegmentHistoryWriter::put_gates(const RecordedGates* gates) {
  auto found = std::ranges::find(gates_, gates, [](const auto& known) { return known.first; });
  if (found == gates_.end()) found = gates_.insert(found, {gates, 0});
  message_.number(static_cast<std::uint64_t>(found - gates_.begin()));
  message_.number(gates->size() - found->second);
  for (; found->second < gates->size(); ++found->second) {
    message_.number(labels_.label_of((*gates)[static_cast<RecordedGates::Code>(found->second)]));
  }
}

/// Writes runs of consecutive numbers.
void SegmentHistoryWriter::put_numbers(const NumberList& numbers) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> runs;  // the first number, and the size
  for (const std::uint32_t number : numbers) {
    if (runs.empty() || number != runs.back().first + runs.back().second) {
      runs.emplace_back(number, 0);
    }
    ++runs.back().second;
  }
  message_.number(runs.size());
  for (const auto& [first, size] : runs) {
    message_.number(first);
    message_.number(size);
  }
}

HistoryPointer SegmentHistoryReader::take(unsigned nesting) {
  if (nesting > kMaxNesting) MessageReader::fail();
  HistoryPointer history;
  for (std::size_t left = message_.count(); left != 0; --left) {
    HistoryPointer next;
    switch (message_.number()) {
      case kRewrites:
        next = std::make_shared<History>(take_rewrites());
        break;
      case kParts:
        next = std::make_shared<History>(take_parts(nesting + 1));
        break;
      case kUnknown:
        next = circuit::unknown_history();
        break;
      default:
        MessageReader::fail();
    }
    history = circuit::in_sequence(std::move(history), std::move(next));
  }
  return history;
}

History::Rewrites SegmentHistoryReader::take_rewrites() {
  History::Rewrites rewrites;
  rewrites.gates = take_gates();
  rewrites.steps = message_.number();
  rewrites.order = take_numbers();
  rewrites.records = message_.text();
  return rewrites;
}

History::Parts SegmentHistoryReader::take_parts(unsigned nesting) {
  History::Parts parts;
  for (std::size_t left = message_.count(); left != 0; --left) {
    History::Part& part = parts.parts.emplace_back();
    part.gates = take_numbers();
    for (std::size_t qubits = message_.count(); qubits != 0; --qubits) {
      part.qubits.push_back(message_.number<Qubit>());
    }
    part.history = take(nesting);
  }
  return parts;
}

std::shared_ptr<const RecordedGates> SegmentHistoryReader::take_gates() {
  const auto index = message_.number<std::size_t>();
  if (index > gates_.size()) MessageReader::fail();
  if (index == gates_.size()) gates_.push_back(std::make_shared<RecordedGates>());
  for (std::size_t left = message_.count(); left != 0; --left) {
    const auto label = message_.number<rewrite::Label>();
    if (label >= labels_.size()) MessageReader::fail();
    const std::size_t next = gates_[index]->size();
    if (gates_[index]->code_of(labels_.operation(label)) != next) MessageReader::fail();
  }
  return gates_[index];
}

NumberList SegmentHistoryReader::take_numbers() {
  NumberList numbers;
  for (std::size_t left = message_.count(); left != 0; --left) {
    auto number = message_.number<std::uint32_t>();
    for (auto size = message_.number<std::uint32_t>(); size != 0; --size) {
      numbers.push_back(number++);
    }
  }
  return numbers;
}

}  // namespace quartz::optimizer
