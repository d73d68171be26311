#pragma once

#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <span>
#include <thread>
#include <vector>

#include "quartz/base/communicator.hpp"
#include "quartz/base/errors.hpp"

namespace quartz::test {

/// Exchanges messages between the threads that act as ranks.
class MeetingPlace {
 public:
  explicit MeetingPlace(unsigned ranks) : messages_(ranks, Communicator::Messages(ranks)) {}

  [[nodiscard]] unsigned size() const { return static_cast<unsigned>(messages_.size()); }

  [[nodiscard]] Communicator::Messages exchange(unsigned rank,
                                                std::span<const Communicator::Bytes> outgoing) {
    ensure(outgoing.size() == messages_.size(), "there is a message for each rank");
    for (std::size_t to = 0; to < messages_.size(); ++to) {
      messages_[to][rank].assign(outgoing[to].begin(), outgoing[to].end());
    }
    meet();
    Communicator::Messages received = messages_[rank];
    meet();  // no rank writes before all have read
    return received;
  }
  /// Called by a rank that fails, so that the others do not wait for it.
  void give_up() {
    const std::lock_guard lock(mutex_);
    given_up_ = true;
    changed_.notify_all();
  }

 private:
  void meet() {
    std::unique_lock lock(mutex_);
    const std::size_t round = round_;
    if (++here_ == messages_.size()) {
      here_ = 0;
      ++round_;
      changed_.notify_all();
    }
    changed_.wait(lock, [&] { return given_up_ || round_ != round; });
    if (given_up_) throw Error("another rank failed");
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t here_ = 0;
  std::size_t round_ = 0;
  bool given_up_ = false;
  std::vector<Communicator::Messages> messages_;  ///< indexed by receiver, then by sender
};

class ThreadRank final : public Communicator {
 public:
  ThreadRank(MeetingPlace& place, unsigned rank) : place_(place), rank_(rank) {}
  [[nodiscard]] unsigned rank() const override { return rank_; }
  [[nodiscard]] unsigned size() const override { return place_.size(); }
  [[nodiscard]] Messages exchange(std::span<const Bytes> outgoing) override {
    return place_.exchange(rank_, outgoing);
  }

 private:
  MeetingPlace& place_;
  unsigned rank_;
};

/// Runs `work` on this number of ranks, which are threads of this process. Rethrows the exception
/// of the first rank that failed. The assertions of Catch2 are not thread-safe, so results of the
/// ranks must be checked afterwards.
inline void run_on_ranks(unsigned ranks, const std::function<void(Communicator&)>& work) {
  MeetingPlace place(ranks);
  std::mutex mutex;
  std::exception_ptr failure;
  {
    std::vector<std::jthread> threads;
    for (unsigned rank = 0; rank < ranks; ++rank) {
      threads.emplace_back([&, rank] {
        try {
          ThreadRank own(place, rank);
          work(own);
        } catch (...) {
          const std::lock_guard lock(mutex);
          if (!failure) failure = std::current_exception();
          place.give_up();
        }
      });
    }
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace quartz::test
