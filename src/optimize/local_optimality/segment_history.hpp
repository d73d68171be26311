#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "circuit/history.hpp"
#include "optimize/annealing/annealing_labels.hpp"
#include "optimize/local_optimality/message.hpp"

namespace quartz::optimizer {

/// The labels of gates, by what histories record of them.
class LabelsOfGates {
 public:
  /// The labels must outlive the object.
  explicit LabelsOfGates(const AnnealingLabels& labels);

  [[nodiscard]] const AnnealingLabels& labels() const { return labels_; }
  [[nodiscard]] rewrite::Label label_of(const Operation& gate) const {
    return found_.at({gate.gate, gate.angles});
  }

 private:
  const AnnealingLabels& labels_;
  std::map<std::pair<GateKind, AngleList>, rewrite::Label> found_;
};

/// Writes the histories of segments, whose gates have labels.
class SegmentHistoryWriter {
 public:
  SegmentHistoryWriter(MessageWriter& message, const LabelsOfGates& labels)
      : message_(message), labels_(labels) {}
  /// Writes a history; it may be null. Histories of the same recorder share its gates.
  void put(const circuit::HistoryPointer& history);

 private:
  void put_content(const circuit::History::Rewrites& rewrites);
  void put_content(const circuit::History::Parts& parts);
  void put_gates(const circuit::RecordedGates* gates);
  void put_numbers(const circuit::NumberList& numbers);

  MessageWriter& message_;
  const LabelsOfGates& labels_;
  /// The gates that the message has, in their order, and how many of them.
  std::vector<std::pair<const circuit::RecordedGates*, std::size_t>> gates_;
};

/// Reads them. Throws Error if the message is damaged.
class SegmentHistoryReader {
 public:
  SegmentHistoryReader(MessageReader& message, const AnnealingLabels& labels)
      : message_(message), labels_(labels) {}
  [[nodiscard]] circuit::HistoryPointer take() { return take(0); }

 private:
  [[nodiscard]] circuit::HistoryPointer take(unsigned nesting);
  [[nodiscard]] circuit::History::Rewrites take_rewrites();
  [[nodiscard]] circuit::History::Parts take_parts(unsigned nesting);
  [[nodiscard]] std::shared_ptr<const circuit::RecordedGates> take_gates();
  [[nodiscard]] circuit::NumberList take_numbers();

  MessageReader& message_;
  const AnnealingLabels& labels_;
  std::vector<std::shared_ptr<circuit::RecordedGates>> gates_;
};

}  // namespace quartz::optimizer
