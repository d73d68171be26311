#include "workflow/certificate/prepared_replay.hpp"

#include <utility>

namespace quartz::workflow {

PreparedReplay::PreparedReplay(const FirstCircuits& circuits, const ReplayOptions& options)
    : replay_(*circuits.first, *circuits.input, without_time_limit(options, stop_.get_token()),
              [after_block = after_block_] { (*after_block)(); }) {}

std::shared_ptr<HistoryReplay> PreparedReplay::taken(
    const std::shared_ptr<PreparedReplay>& prepared, std::function<void()> after_block) {
  *prepared->after_block_ = std::move(after_block);
  return {prepared, &prepared->replay_};
}

ReplayOptions without_time_limit(const ReplayOptions& options, std::stop_token stop) {
  constexpr double kNoLimit = 1e9;
  ReplayOptions result = options;
  result.seconds = kNoLimit;
  result.stop = std::move(stop);
  return result;
}

}  // namespace quartz::workflow
