#include "cli/workers/search_tasks.hpp"

#include <chrono>
#include <cstdint>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "cli/memory_limit.hpp"
#include "cli/workers/rank_signs.hpp"
#include "cli/workers/worker_messages.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/base/parallel_for.hpp"
#include "quartz/workflow/search_job.hpp"

namespace quartz::cli {
namespace {

namespace message = worker_message;
using Clock = std::chrono::steady_clock;

/// One of the other ranks.
class TaskRank {
 public:
  TaskRank(const SuperoptimizeOptions& options, double memory, const GateSet& set,
           const CommandContext& context)
      : options_(options), set_(set), ranks_(*context.ranks), memory_(memory, context.stop) {
    options_.table_memory = static_cast<std::uint64_t>(
        memory_.at_most(static_cast<double>(options_.table_memory), MemoryLimit::kTableShare));
  }

  void run() {
    post(message::with_number(message::kThreads, thread_count(options_.threads)));
    while (!has_ended_ || !ending_.empty()) {
      receive();
      send_answers();
      if (has_ended_) end_job();
      if (memory_.token().stop_requested()) stop();
      forget_ended();
      send_sign();
      if (Clock::now() - heard_ > kSilence) throw Error("rank 0 does not answer any more");
      std::this_thread::sleep_for(kBetweenPolls);
    }
    post(message::plain(message::kBye));
  }

 private:
  void post(std::string content) { ranks_.post(0, std::move(content)); }

  void receive() {
    while (const std::optional<Ranks::Letter> letter = ranks_.receive()) {
      heard_ = Clock::now();
      if (!letter->content.empty()) take(letter->content);
    }
  }

  void take(std::string_view letter) {
    const char kind = letter.front();
    letter.remove_prefix(1);
    switch (kind) {
      case message::kJob:
        end_job();
        job_number_ = message::take_number(letter);
        if (!has_stopped_) job_ = std::make_unique<SearchJob>(std::string(letter), set_, options_);
        break;
      case message::kTask:
        if (message::take_number(letter) == job_number_ && job_) {
          const std::uint64_t task = message::take_number(letter);
          job_->add({task, std::string(letter)});
        }
        break;
      case message::kEndJob:
        end_job();
        break;
      case message::kPart:
        ranks_.part_without_farewell();
        has_ended_ = true;
        break;
      case message::kEnd:
        has_ended_ = true;
        break;
      default:
        break;
    }
  }

  void send_answers() {
    if (!job_) return;
    try {
      while (const std::optional<SearchTask> answer = job_->take_answer()) {
        post(message::with_task(message::kAnswer, job_number_, *answer));
      }
    } catch (const Error& error) {
      post(message::with_number(message::kFailed, job_number_, error.what()));
      end_job();
    }
  }

  void stop() {
    if (std::exchange(has_stopped_, true)) return;
    end_job();
    post(message::plain(message::kStopped));
  }

  /// Ends the job elsewhere: the threads finish their segments, which may take seconds.
  void end_job() {
    if (!job_) return;
    ending_.push_back(std::async(
        std::launch::async, [](std::unique_ptr<SearchJob> job) { job.reset(); }, std::move(job_)));
  }
  void forget_ended() {
    std::erase_if(ending_, [](const std::future<void>& end) {
      return end.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
    });
  }

  void send_sign() {
    if (Clock::now() < next_sign_) return;
    next_sign_ = Clock::now() + kBetweenSigns;
    post(message::plain(message::kSignOfLife));
  }

  SuperoptimizeOptions options_;
  const GateSet& set_;
  Ranks& ranks_;
  MemoryLimit memory_;
  std::unique_ptr<SearchJob> job_;
  std::vector<std::future<void>> ending_;
  std::uint64_t job_number_ = 0;
  bool has_stopped_ = false;
  bool has_ended_ = false;
  Clock::time_point heard_ = Clock::now();
  Clock::time_point next_sign_{};
};

}  // namespace

void do_search_tasks(const SuperoptimizeOptions& options, double memory, const GateSet& set,
                     const CommandContext& context) {
  TaskRank(options, memory, set, context).run();
}

}  // namespace quartz::cli
