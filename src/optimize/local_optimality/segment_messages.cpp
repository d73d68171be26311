#include "optimize/local_optimality/segment_messages.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "optimize/local_optimality/message.hpp"

namespace quartz::optimizer {
namespace {

using Gates = std::vector<rewrite::PlainGate>;

constexpr double kMicrosecond = 1e-6;
constexpr std::array kCounts{&AnnealingCounts::moves,    &AnnealingCounts::unknown,
                             &AnnealingCounts::replaced, &AnnealingCounts::blocks,
                             &AnnealingCounts::rejected, &AnnealingCounts::strayed,
                             &AnnealingCounts::refuted};

void put_seconds(MessageWriter& message, std::optional<double> seconds) {
  message.flag(seconds.has_value());
  if (!seconds) return;
  message.number(static_cast<std::uint64_t>(std::max(*seconds, 0.0) / kMicrosecond));
}

std::optional<double> take_seconds(MessageReader& message) {
  if (!message.flag()) return std::nullopt;
  return kMicrosecond * static_cast<double>(message.number());
}

void put_gates(MessageWriter& message, const Gates& gates) {
  message.number(gates.size());
  for (const rewrite::PlainGate& gate : gates) {
    message.number(gate.label);
    message.number(2U * gate.size + (gate.marked ? 1 : 0));
    for (std::size_t i = 0; i < gate.size; ++i) message.number(gate.wires[i]);
  }
}

Gates take_gates(MessageReader& message, const AnnealingLabels& labels) {
  Gates gates(message.count());
  for (rewrite::PlainGate& gate : gates) {
    gate.label = message.number<rewrite::Label>();
    const auto size = message.number<unsigned>();
    gate.size = static_cast<std::uint8_t>(size / 2);
    gate.marked = size % 2 != 0;
    if (gate.label >= labels.size() || size / 2 > gate.wires.size()) MessageReader::fail();
    for (std::size_t i = 0; i < gate.size; ++i) gate.wires[i] = message.number<rewrite::Wire>();
  }
  return gates;
}

void put_descent(MessageWriter& message, SegmentHistoryWriter& histories,
                 const SegmentSearch::Descent& descent) {
  message.flag(descent.reaches_start);
  message.flag(descent.is_complete);
  message.number(descent.marks.size());
  for (const bool mark : descent.marks) message.flag(mark);
  message.flag(descent.improved.has_value());
  if (!descent.improved) return;
  put_gates(message, descent.improved->gates);
  message.number(static_cast<unsigned>(descent.improved->phase & 15));
  message.number(descent.improved->wires.size());
  for (const Qubit wire : descent.improved->wires) message.number(wire);
  histories.put(descent.improved->history);
}

SegmentSearch::Descent take_descent(MessageReader& message, SegmentHistoryReader& histories,
                                    const AnnealingLabels& labels) {
  SegmentSearch::Descent descent;
  descent.reaches_start = message.flag();
  descent.is_complete = message.flag();
  for (std::size_t left = message.count(); left != 0; --left) {
    descent.marks.push_back(message.flag());
  }
  if (!message.flag()) return descent;
  ImprovedSegment& improved = descent.improved.emplace();
  improved.gates = take_gates(message, labels);
  improved.phase = static_cast<int>(message.number<unsigned>() & 15U);
  for (std::size_t left = message.count(); left != 0; --left) {
    improved.wires.push_back(message.number<Qubit>());
  }
  improved.history = histories.take();
  return descent;
}

std::string_view as_text(const std::vector<std::uint8_t>& letters) {
  return {reinterpret_cast<const char*>(letters.data()), letters.size()};
}

std::vector<std::uint8_t> as_letters(std::string_view text) { return {text.begin(), text.end()}; }

}  // namespace

std::string SegmentBatch::message() const {
  MessageWriter message;
  message.flag(step == SegmentStep::annealing);
  put_seconds(message, seconds_to_begin);
  put_seconds(message, seconds);
  message.number(segments.size());
  for (const Segment& segment : segments) {
    message.number(segment.seed);
    put_gates(message, segment.gates);
  }
  return std::move(message).take();
}

SegmentBatch SegmentBatch::from_message(std::string_view bytes, const AnnealingLabels& labels) {
  MessageReader message(bytes);
  SegmentBatch batch;
  batch.step = message.flag() ? SegmentStep::annealing : SegmentStep::windows;
  batch.seconds_to_begin = take_seconds(message);
  batch.seconds = take_seconds(message);
  for (std::size_t left = message.count(); left != 0; --left) {
    const std::uint64_t seed = message.number();
    batch.segments.push_back({seed, take_gates(message, labels)});
  }
  message.require_end();
  return batch;
}

std::string SegmentAnswer::message(const LabelsOfGates& labels) const {
  MessageWriter message;
  for (const auto count : kCounts) message.number(counts.*count);
  message.number(pairs.size());
  for (const UsedPair& pair : pairs) {
    message.text(as_text(pair.window));
    message.text(as_text(pair.replacement));
    message.number(static_cast<unsigned>(pair.phase & 15));
  }
  SegmentHistoryWriter histories(message, labels);
  message.number(found.size());
  for (const auto& descent : found) {
    message.flag(descent.has_value());
    if (descent) put_descent(message, histories, *descent);
  }
  return std::move(message).take();
}

SegmentAnswer SegmentAnswer::from_message(std::string_view bytes, const AnnealingLabels& labels) {
  MessageReader message(bytes);
  SegmentAnswer answer;
  for (const auto count : kCounts) answer.counts.*count = message.number();
  for (std::size_t left = message.count(); left != 0; --left) {
    UsedPair& pair = answer.pairs.emplace_back();
    pair.window = as_letters(message.text());
    pair.replacement = as_letters(message.text());
    pair.phase = static_cast<int>(message.number<unsigned>() & 15U);
  }
  SegmentHistoryReader histories(message, labels);
  for (std::size_t left = message.count(); left != 0; --left) {
    answer.found.emplace_back();
    if (message.flag()) answer.found.back() = take_descent(message, histories, labels);
  }
  message.require_end();
  return answer;
}

}  // namespace quartz::optimizer
