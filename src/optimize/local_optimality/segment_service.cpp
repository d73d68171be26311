#include "optimize/local_optimality/segment_service.hpp"

#include <algorithm>
#include <exception>
#include <limits>
#include <system_error>
#include <utility>

#include "base/budget.hpp"
#include "optimize/local_optimality/segment_messages.hpp"
#include "optimize/local_optimality/segment_search.hpp"
#include "quartz/base/errors.hpp"

namespace quartz::optimizer {
namespace {

Budget budget_of(std::optional<double> seconds, const std::stop_token& stop) {
  return Budget::of_seconds(seconds.value_or(std::numeric_limits<double>::infinity()), stop);
}

AnnealingCounts difference(AnnealingCounts after, const AnnealingCounts& before) {
  after.moves -= before.moves;
  after.unknown -= before.unknown;
  after.replaced -= before.replaced;
  after.blocks -= before.blocks;
  after.rejected -= before.rejected;
  after.strayed -= before.strayed;
  after.refuted -= before.refuted;
  return after;
}

}  // namespace

SegmentService::SegmentService(std::string job, const GateSet& set, unsigned threads,
                               FindTable find_table, std::uint64_t table_memory)
    : set_(set),
      threads_(std::max(threads, 1U)),
      find_table_(std::move(find_table)),
      table_memory_(table_memory) {
  thread_ = std::jthread([this, job = std::move(job)] { run(job); });
}

SegmentService::~SegmentService() {
  {
    const std::lock_guard lock(mutex_);
    stop_.request_stop();
  }
  changed_.notify_all();
}

void SegmentService::add(SearchTask task) {
  {
    const std::lock_guard lock(mutex_);
    tasks_.push_back(std::move(task));
  }
  changed_.notify_one();
}

std::optional<SearchTask> SegmentService::take_answer() {
  const std::lock_guard lock(mutex_);
  if (failure_) throw Error(*failure_);
  if (answers_.empty()) return std::nullopt;
  SearchTask answer = std::move(answers_.front());
  answers_.pop_front();
  return answer;
}

void SegmentService::run(const std::string& job) {
  try {
    open(job);
    std::vector<std::jthread> others;
    try {
      while (others.size() + 1 < threads_) others.emplace_back([this] { do_tasks(); });
    } catch (const std::system_error&) {
      // The system has no memory for more threads.
    }
    do_tasks();
  } catch (const Stopped&) {
    // The object is being destroyed.
  } catch (const std::exception& error) {
    fail(error.what());
  }
}

void SegmentService::open(std::string_view job) {
  job_ = SegmentJob::from_message(job, set_.custom_gates());
  job_.table.threads = threads_;
  job_.table.memory = table_memory_;
  job_.table.stop = stop_.get_token();
  table_ = obtain_table();
  labels_ = job_.make_labels(table_->alphabet());
  labels_of_gates_.emplace(*labels_);
}

std::shared_ptr<const ClassTable> SegmentService::obtain_table() const {
  if (class_table_digest(set_, job_.table) != job_.table_digest) {
    throw Error("this process does not have the gate set of the search");
  }
  std::shared_ptr<const ClassTable> table = find_table_(job_.table);
  if (table == nullptr) table = build_class_table(set_, job_.table);
  if (table->contents().digest != job_.table_digest) {
    throw Error("this process has no memory for the class table of the search");
  }
  return table;
}

void SegmentService::do_tasks() {
  try {
    SegmentSearch search(*table_, *labels_, job_.wires, job_.search_options());
    while (const std::optional<SearchTask> task = wait_for_task()) {
      std::string content = answer_to(*task, search);
      const std::lock_guard lock(mutex_);
      // What was found after a request to stop depends on the time of that.
      if (stop_.stop_requested()) return;
      answers_.push_back({task->number, std::move(content)});
    }
  } catch (const std::exception& error) {
    fail(error.what());
  }
}

std::optional<SearchTask> SegmentService::wait_for_task() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return stop_.stop_requested() || !tasks_.empty(); });
  if (stop_.stop_requested()) return std::nullopt;
  SearchTask task = std::move(tasks_.front());
  tasks_.pop_front();
  return task;
}

std::string SegmentService::answer_to(const SearchTask& task, SegmentSearch& search) const {
  const SegmentBatch batch = SegmentBatch::from_message(task.content, *labels_);
  const Budget to_begin = budget_of(batch.seconds_to_begin, stop_.get_token());
  const Budget budget = budget_of(batch.seconds, stop_.get_token());
  const AnnealingCounts before = search.counts();
  const std::size_t known = search.used_pairs() == nullptr ? 0 : search.used_pairs()->size();
  SegmentAnswer answer;
  for (const SegmentBatch::Segment& segment : batch.segments) {
    answer.found.emplace_back();
    if (to_begin.spent()) continue;
    answer.found.back() = search.search(batch.step, segment.gates, segment.seed, budget);
  }
  answer.counts = difference(search.counts(), before);
  if (search.used_pairs() != nullptr) {
    for (std::size_t i = known; i < search.used_pairs()->size(); ++i) {
      answer.pairs.push_back((*search.used_pairs())[i]);
    }
  }
  return answer.message(*labels_of_gates_);
}

void SegmentService::fail(std::string why) {
  const std::lock_guard lock(mutex_);
  if (!failure_) failure_ = std::move(why);
}

}  // namespace quartz::optimizer
