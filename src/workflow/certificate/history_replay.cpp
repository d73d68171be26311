#include "workflow/certificate/history_replay.hpp"

#include <utility>

namespace quartz::workflow {
namespace {

constexpr const char* kName = "the journal";

}  // namespace

int HistoryReplay::Blocks::sync() {
  has_failed_ = !replay_.replay(view());
  str(std::string());
  after_block_();
  return 0;
}

HistoryReplay::HistoryReplay(const Circuit& first, const Circuit& input,
                             const ReplayOptions& options, std::function<void()> after_block)
    : blocks_(RunningReplay(input, kName, options), std::move(after_block)),
      stream_(&blocks_),
      journal_(stream_, first) {
  // What ends the replay passes through the stream.
  stream_.exceptions(std::ios::badbit);
}

HistoryReplay::HistoryReplay(const circuit::DerivedCircuit& found, std::size_t first_size,
                             const CircuitOnTheWay& start, const ReplayOptions& options,
                             std::function<void()> after_block)
    : blocks_(RunningReplay(start, kName, options), std::move(after_block)),
      stream_(&blocks_),
      journal_(stream_, found.circuit, found.derivation.history(), first_size) {
  // What ends the replay passes through the stream.
  stream_.exceptions(std::ios::badbit);
}

ReplayReport HistoryReplay::continued_to(const circuit::HistoryPointer& history,
                                         const Circuit& output,
                                         const OutputPermutation& permutation) {
  journal_.continue_to(history);
  stream_.flush();  // a journal without steps has a header that is replayed, too
  return blocks_.report_for(output, permutation);
}

}  // namespace quartz::workflow
