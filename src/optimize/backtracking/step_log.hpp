#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "circuit/history.hpp"
#include "rewrite/packed_circuit.hpp"
#include "rewrite/rule_index.hpp"

namespace quartz::optimizer {

/// The rewrites by which a search derived circuits from each other: about 50 bytes for each. A
/// circuit is known by the number of the step that led to it plus 1; 0 is the first circuit.
class StepLog {
 public:
  void clear();
  [[nodiscard]] std::size_t size() const { return steps_.size(); }
  /// Appends a step: the gates from placement.first to placement.last become placement.before, the
  /// replacement and placement.after.
  void append(std::uint32_t from, const rewrite::Placement& placement,
              std::span<const rewrite::PackedGate> replacement);
  /// Returns the history that leads from the first circuit, which has `size` gates, to another one.
  [[nodiscard]] circuit::HistoryPointer history_of(std::uint32_t circuit, std::size_t size,
                                                   const rewrite::LabelTable& labels) const;

 private:
  /// Replaces gates in a list of their numbers, and records that.
  void apply(std::size_t step, std::vector<circuit::GateNumber>& list,
             circuit::HistoryRecorder& recorder, const rewrite::LabelTable& labels) const;

  struct Step {
    std::uint32_t from = 0;
    std::int32_t first = 0;
    std::int32_t last = 0;
    std::uint32_t before = 0;  ///< number of positions before the replacement
    std::size_t first_position = 0;
    std::size_t first_gate = 0;
  };

  std::vector<Step> steps_;
  std::vector<std::int32_t> positions_;
  std::vector<rewrite::PackedGate> gates_;
};

}  // namespace quartz::optimizer
