#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "optimize/annealing/annealing_labels.hpp"
#include "optimize/annealing/moves/move.hpp"
#include "optimize/local_optimality/segment_history.hpp"
#include "optimize/local_optimality/segment_search.hpp"
#include "optimize/state/used_rules.hpp"
#include "rewrite/wire_lists.hpp"

/// What processes that search the segments of one job (segment_job.hpp) tell each other.
namespace quartz::optimizer {

/// Segments to search.
struct SegmentBatch {
  struct Segment {
    std::uint64_t seed = 0;
    std::vector<rewrite::PlainGate> gates;
  };
  SegmentStep step{};
  /// The time in which a search may begin, and that in which it has to end; nothing: no limit.
  std::optional<double> seconds_to_begin = {};
  std::optional<double> seconds = {};
  std::vector<Segment> segments = {};

  [[nodiscard]] std::string message() const;
  /// Throws Error if a message is damaged.
  [[nodiscard]] static SegmentBatch from_message(std::string_view message,
                                                 const AnnealingLabels& labels);
};

/// What became of the segments of a batch.
struct SegmentAnswer {
  /// Nothing for those that were not searched, because the time was over.
  std::vector<std::optional<SegmentSearch::Descent>> found;
  AnnealingCounts counts;
  std::vector<UsedPair> pairs = {};  ///< that were proved, if they are recorded

  [[nodiscard]] std::string message(const LabelsOfGates& labels) const;
  /// Throws Error if a message is damaged.
  [[nodiscard]] static SegmentAnswer from_message(std::string_view message,
                                                  const AnnealingLabels& labels);
};

}  // namespace quartz::optimizer
