#include "cli/workers/rank_workers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <thread>
#include <utility>

#include "cli/workers/rank_signs.hpp"
#include "cli/workers/worker_messages.hpp"
#include "quartz/base/errors.hpp"

namespace quartz::cli {

namespace message = worker_message;

RankWorkers::RankWorkers(Ranks& ranks, std::function<void(std::string_view)> warn)
    : ranks_(ranks), warn_(std::move(warn)), workers_(ranks.size()) {}

bool RankWorkers::begin(std::string job, SearchTasks& tasks) {
  const std::lock_guard lock(mutex_);
  if (tasks_ != nullptr) return false;
  tasks_ = &tasks;
  job_ = std::move(job);
  ++job_number_;
  return true;
}

void RankWorkers::end() {
  const std::lock_guard lock(mutex_);
  tasks_ = nullptr;
  job_.clear();
}

void RankWorkers::communicate() {
  receive();
  {
    const std::lock_guard lock(mutex_);
    hand_out();
  }
  send_signs();
  find_lost();
}

void RankWorkers::receive() {
  while (const std::optional<Ranks::Letter> letter = ranks_.receive()) {
    Worker& worker = workers_.at(letter->sender);
    worker.heard = Clock::now();
    // A rank that was only slow goes on as one that begins.
    if (std::exchange(worker.is_lost, false)) {
      ranks_.post(letter->sender, message::plain(message::kEndJob));
      count_threads();
    }
    if (letter->content.empty()) continue;
    try {
      take(letter->sender, letter->content);
    } catch (const Error& error) {
      warn_(fmt::format("rank {} is not used any more: {}", letter->sender, error.what()));
      take_back_from(worker);
    }
  }
}

void RankWorkers::take(unsigned rank, std::string_view letter) {
  Worker& worker = workers_[rank];
  const char kind = letter.front();
  letter.remove_prefix(1);
  switch (kind) {
    case message::kThreads:
      worker.threads = static_cast<unsigned>(message::take_number(letter));
      count_threads();
      break;
    case message::kAnswer:
      take_answer(rank, letter);
      break;
    case message::kFailed: {
      const std::uint64_t job = message::take_number(letter);
      if (job != worker.job) break;
      throw Error(std::string(letter));
    }
    case message::kStopped:
      take_back_from(worker);
      break;
    case message::kBye:
      worker.has_left = true;
      break;
    default:
      break;
  }
}

void RankWorkers::take_answer(unsigned rank, std::string_view letter) {
  Worker& worker = workers_[rank];
  const std::uint64_t job = message::take_number(letter);
  const std::uint64_t task = message::take_number(letter);
  const std::lock_guard lock(mutex_);
  if (job != worker.job || job != job_number_) return;
  if (std::erase(worker.tasks, task) == 0 || tasks_ == nullptr) return;
  try {
    tasks_->finish({task, std::string(letter)});
  } catch (const Error&) {
    tasks_->take_back(task);
    throw;
  }
}

void RankWorkers::hand_out() {
  for (unsigned rank = 1; rank < workers_.size(); ++rank) {
    Worker& worker = workers_[rank];
    if (worker.job != 0 && (tasks_ == nullptr || worker.job != job_number_)) {
      worker.job = 0;
      worker.tasks.clear();
      ranks_.post(rank, message::plain(message::kEndJob));
    }
    if (tasks_ == nullptr || worker.is_lost || worker.threads == 0) continue;
    if (worker.job == 0) {
      worker.job = job_number_;
      ranks_.post(rank, message::with_number(message::kJob, job_number_, job_));
    }
    while (worker.tasks.size() <= worker.threads) {
      const std::optional<SearchTask> task = tasks_->begin_next();
      if (!task) return;
      worker.tasks.push_back(task->number);
      ranks_.post(rank, message::with_task(message::kTask, job_number_, *task));
    }
  }
}

void RankWorkers::send_signs() {
  if (Clock::now() < next_sign_) return;
  next_sign_ = Clock::now() + kBetweenSigns;
  for (unsigned rank = 1; rank < workers_.size(); ++rank) {
    if (!workers_[rank].is_lost) ranks_.post(rank, message::plain(message::kSignOfLife));
  }
}

void RankWorkers::find_lost() {
  for (unsigned rank = 1; rank < workers_.size(); ++rank) {
    const Worker& worker = workers_[rank];
    if (!worker.is_lost && Clock::now() - worker.heard > kSilence) lose(rank);
  }
}

void RankWorkers::lose(unsigned rank) {
  workers_[rank].is_lost = true;
  warn_(fmt::format("rank {} does not answer any more", rank));
  const unsigned threads = workers_[rank].threads;
  take_back_from(workers_[rank]);
  workers_[rank].threads = threads;  // if it was only slow
  count_threads();
}

void RankWorkers::take_back_from(Worker& worker) {
  const std::lock_guard lock(mutex_);
  if (tasks_ != nullptr && worker.job == job_number_) {
    for (const std::uint64_t task : worker.tasks) tasks_->take_back(task);
  }
  worker.job = 0;
  worker.tasks.clear();
  worker.threads = 0;
  count_threads();
}

void RankWorkers::count_threads() {
  unsigned threads = 0;
  for (const Worker& worker : workers_) threads += worker.is_lost ? 0 : worker.threads;
  threads_ = threads;
}

void RankWorkers::dismiss() {
  const auto is_lost = [](const Worker& worker) { return worker.is_lost; };
  const bool is_complete = std::ranges::none_of(workers_, is_lost);
  // Also to a rank that seems to be dead, which may only be slow.
  for (unsigned rank = 1; rank < workers_.size(); ++rank) {
    ranks_.post(rank, message::plain(is_complete ? message::kEnd : message::kPart));
  }
  // What a rank has sent must be received before it can leave.
  const auto is_away = [](const Worker& worker) { return worker.is_lost || worker.has_left; };
  while (!std::all_of(workers_.begin() + 1, workers_.end(), is_away)) {
    receive();
    send_signs();
    find_lost();
    std::this_thread::sleep_for(kBetweenPolls);
  }
  if (!is_complete || std::ranges::any_of(workers_, is_lost)) ranks_.part_without_farewell();
}

}  // namespace quartz::cli
