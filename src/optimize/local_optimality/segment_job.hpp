#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "classes/table/class_table.hpp"
#include "optimize/annealing/annealing_labels.hpp"
#include "optimize/local_optimality/segment_search.hpp"
#include "quartz/circuit/coupling.hpp"
#include "quartz/circuit/custom_gate.hpp"
#include "quartz/circuit/operation.hpp"
#include "rewrite/wire_lists.hpp"

namespace quartz::optimizer {

/// What all segments of a search have in common, so that another process can search them. The class
/// table is not part of it, only what it is.
struct SegmentJob {
  /// A gate or a black box with its contributions to the cost, which another process need not know.
  struct Label {
    Operation operation;  ///< on its own operands; a black box has none
    std::uint64_t value = 0;
    std::uint64_t length = 0;
  };

  std::string table_digest;  ///< class_table_digest() of the gate set and the options
  ClassTableOptions table;   ///< without limits
  std::uint32_t wires = 0;
  std::uint64_t moves_per_gate = 0;
  bool record_pairs = false;
  bool record_history = false;
  std::optional<CouplingMap> coupling;
  std::vector<Label> labels;  ///< those of an AnnealingLabels, by number
  /// The labels in the order in which the circuit has them first: gates that are interned in this
  /// order get the same numbers.
  std::vector<rewrite::Label> order;
  bool has_path = false;  ///< whether the cost has a critical path
  std::uint64_t value_per_length = 0;
  bool is_path_first = false;

  /// Returns the job of a search, of which `gates` are all gates, with the labels that they have.
  [[nodiscard]] static SegmentJob of(const ClassTable& table, const AnnealingLabels& labels,
                                     std::span<const rewrite::PlainGate> gates, std::uint32_t wires,
                                     const SegmentSearchOptions& options);
  /// Returns the job of a message. Throws Error if it is damaged, or has a gate that is neither
  /// built in nor among the custom gates.
  [[nodiscard]] static SegmentJob from_message(std::string_view message,
                                               const CustomGates& custom_gates);
  [[nodiscard]] std::string message() const;

  [[nodiscard]] SegmentSearchOptions search_options() const;
  /// Numbers the gates as the process does that wrote the job. The alphabet must outlive the
  /// labels. Throws Error if that is not possible.
  [[nodiscard]] std::unique_ptr<const AnnealingLabels> make_labels(
      const classes::TableAlphabet& alphabet) const;
};

}  // namespace quartz::optimizer
