#include "workflow/certificate/history_replay.hpp"

#include <utility>

namespace quartz::workflow {

int HistoryReplay::Blocks::sync() {
  has_failed_ = !replay_.replay(view());
  str(std::string());
  after_block_();
  return 0;
}

HistoryReplay::HistoryReplay(const Circuit& first, const Circuit& input,
                             const ReplayOptions& options, std::function<void()> after_block)
    : blocks_(input, options, std::move(after_block)), stream_(&blocks_), journal_(stream_, first) {
  // What ends the replay passes through the stream.
  stream_.exceptions(std::ios::badbit);
}

HistoryReplay::HistoryReplay(const HistoryReplay& other)
    : blocks_(other.blocks_), stream_(&blocks_), journal_(other.journal_, stream_) {
  stream_.exceptions(std::ios::badbit);
}

void HistoryReplay::continue_to(const circuit::HistoryPointer& history) {
  journal_.continue_to(history);
  stream_.flush();  // a journal without steps has a header that is replayed, too
}

}  // namespace quartz::workflow
