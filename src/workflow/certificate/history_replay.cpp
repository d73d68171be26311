#include "workflow/certificate/history_replay.hpp"

#include <system_error>
#include <utility>

namespace quartz::workflow {

int HistoryReplay::Blocks::sync() {
  if (thread_) {
    thread_->add(std::move(*this).str());
  } else {
    has_failed_ = !replay_.replay(view());
    str(std::string());
  }
  after_block_();
  return 0;
}

void HistoryReplay::Blocks::begin_thread() {
  try {
    thread_.emplace(replay_);
  } catch (const std::system_error&) {
    // There is no memory for the stack of a thread.
  }
}

void HistoryReplay::Blocks::end_thread() {
  if (!thread_) return;
  const ReplayThread::Outcome outcome = thread_->finish();
  thread_.reset();
  seconds_of_others_ += outcome.seconds;
  if (outcome.is_proved) return;
  has_failed_ = true;
  // A replay that was interrupted has not failed, which only the caller knows.
  after_block_();
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

void HistoryReplay::continue_to(const circuit::HistoryPointer& history, ReplayThreads threads) {
  if (threads == ReplayThreads::two) blocks_.begin_thread();
  journal_.continue_to(history);
  stream_.flush();  // a journal without steps has a header that is replayed, too
  blocks_.end_thread();
}

}  // namespace quartz::workflow
