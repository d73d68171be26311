#include "cli/opt/shared_batch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <deque>
#include <functional>
#include <future>
#include <nlohmann/json.hpp>
#include <optional>
#include <ostream>
#include <sstream>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include "cli/output/progress_line.hpp"
#include "cli/workers/rank_signs.hpp"
#include "cli/workers/shared_call.hpp"
#include "quartz/base/errors.hpp"

namespace quartz::cli {
namespace {

using Clock = std::chrono::steady_clock;

/// An input during whose run this number of ranks died is not tried again: it may be the reason.
constexpr unsigned kMaxLosses = 2;

/// How often the first rank, which hands out inputs, and the others look for messages while they
/// optimize an input. Each look interrupts the search: once a millisecond, it takes a few percent
/// of the time.
constexpr std::chrono::milliseconds kBetweenPollsOfFirst{4};
constexpr std::chrono::milliseconds kBetweenPollsOfOthers{20};

/// The first byte of a message.
namespace kind {
constexpr char kSignOfLife = 'l';
constexpr char kReady = 'r';  ///< a worker has nothing to do
constexpr char row = 'o';     ///< what became of an input
constexpr char input = 'i';   ///< an input to optimize
constexpr char stop = 's';    ///< the first rank was asked to stop
constexpr char kEnd = 'e';    ///< there is nothing more to do
constexpr char kPart = 'p';   ///< the same, and some ranks are dead
}  // namespace kind

/// What became of an input, and what its run printed.
struct RunReply {
  std::size_t number = 0;  ///< that the input has
  BatchRow row;
  std::string messages;
};

/// An input to optimize.
struct RunRequest {
  std::size_t number = 0;
  BatchFile file;
};

/// The names of an input's files. Binary, because names may have any bytes.
std::string text_of(const RunRequest& request) {
  std::vector<std::string> names{request.file.files.input, request.file.files.checkpoint,
                                 request.file.files.finished, request.file.problem};
  for (const OutputOption& option : kOutputOptions) {
    names.push_back(request.file.files.*option.file);
  }
  const nlohmann::json json = {request.number, names};
  const std::vector<std::uint8_t> bytes = nlohmann::json::to_msgpack(json);
  return std::string(1, kind::input) + std::string(bytes.begin(), bytes.end());
}

RunRequest request_from(std::string_view text) {
  const nlohmann::json json = nlohmann::json::from_msgpack(text.begin() + 1, text.end());
  const auto names = json.at(1).get<std::vector<std::string>>();
  RunRequest request{json.at(0).get<std::size_t>(), {}};
  OptFiles& files = request.file.files;
  std::size_t next = 0;
  for (std::string* name :
       {&files.input, &files.checkpoint, &files.finished, &request.file.problem}) {
    *name = names.at(next++);
  }
  for (const OutputOption& option : kOutputOptions) files.*option.file = names.at(next++);
  return request;
}

std::string text_of(const RunReply& reply) {
  const nlohmann::json json = {reply.number, text_of(reply.row), reply.messages};
  const std::vector<std::uint8_t> bytes = nlohmann::json::to_msgpack(json);
  return std::string(1, kind::row) + std::string(bytes.begin(), bytes.end());
}

RunReply reply_from(std::string_view text, const std::vector<BatchFile>& files) {
  const nlohmann::json json = nlohmann::json::from_msgpack(text.begin() + 1, text.end());
  const auto number = json.at(0).get<std::size_t>();
  return {number, row_from_text(json.at(1).get<std::string>(), files.at(number).files),
          json.at(2).get<std::string>()};
}

/// The run of one input on a thread of its own.
class RunThread {
 public:
  RunThread(const OptOptions& options, const RunTarget& target, const CommandContext& context,
            std::chrono::milliseconds between_polls)
      : options_(options),
        target_(target),
        context_(context),
        between_polls_(between_polls),
        stopped_with_(context.stop, [this] { stop_.request_stop(); }) {}

  [[nodiscard]] bool is_running() const { return future_.valid(); }
  /// Makes this run, and all that follow, end with what it has found.
  void request_stop() { stop_.request_stop(); }
  void start(const RunRequest& request) {
    future_ = std::async(std::launch::async, [this, request] { return run(request); });
  }
  /// Waits for a short time. Returns what became of the input once its run has ended.
  [[nodiscard]] std::optional<RunReply> wait() {
    if (!is_running()) {
      std::this_thread::sleep_for(kBetweenPolls);
      return std::nullopt;
    }
    if (future_.wait_for(between_polls_) != std::future_status::ready) return std::nullopt;
    return future_.get();
  }

 private:
  [[nodiscard]] RunReply run(const RunRequest& request) const {
    std::ostringstream nothing;
    std::ostringstream messages;
    CommandContext context{nothing, messages, false, stop_.get_token()};
    context.colors_on_err = context_.colors_on_err;
    ProgressLine line(nothing, false);
    BatchRow row = context.stop.stop_requested()
                       ? stopped_row(request.file.files)
                       : run_input(options_, request.file, target_, {line, "", true}, context);
    return {request.number, std::move(row), messages.str()};
  }

  const OptOptions& options_;
  const RunTarget& target_;
  const CommandContext& context_;
  std::chrono::milliseconds between_polls_;
  std::stop_source stop_;
  std::stop_callback<std::function<void()>> stopped_with_;
  std::future<RunReply> future_;  // last: its destructor waits for the run
};

/// The first rank's knowledge of a rank.
struct Worker {
  Clock::time_point heard = Clock::now();
  std::optional<std::size_t> input;  ///< number of the input that it optimizes
  bool is_ready = false;             ///< waits for an input
  bool is_lost = false;
};

/// The first rank.
class Manager {
 public:
  Manager(const OptOptions& options, const std::vector<BatchFile>& files, const RunTarget& target,
          const CommandContext& context)
      : files_(files),
        context_(context),
        ranks_(*context.ranks),
        run_(options, target, context, kBetweenPollsOfFirst),
        line_(context.err, context.terminal),
        workers_(ranks_.size()),
        rows_(files.size()),
        losses_(files.size()) {
    for (std::size_t i = 0; i < files.size(); ++i) queue_.push_back(i);
  }

  std::vector<BatchRow> rows() {
    while (done_ < files_.size()) {
      if (context_.stop.stop_requested()) stop();
      hand_out();
      if (const std::optional<RunReply> reply = run_.wait()) {
        workers_.front().input.reset();
        add(*reply);
      }
      receive();
      send_signs();
      find_lost();
    }
    dismiss();
    line_.clear();
    std::vector<BatchRow> rows;
    for (std::optional<BatchRow>& row : rows_) rows.push_back(*std::move(row));
    return rows;
  }

 private:
  void hand_out() {
    if (!run_.is_running() && !queue_.empty()) {
      workers_.front().input = next_input();
      run_.start(request_of(*workers_.front().input));
      show();
    }
    for (unsigned rank = 1; rank < workers_.size() && !queue_.empty(); ++rank) {
      Worker& worker = workers_[rank];
      if (!worker.is_ready || worker.is_lost) continue;
      worker.is_ready = false;
      worker.input = next_input();
      send(rank, text_of(request_of(*worker.input)));
      show();
    }
  }
  [[nodiscard]] std::size_t next_input() {
    const std::size_t number = queue_.front();
    queue_.pop_front();
    return number;
  }
  [[nodiscard]] RunRequest request_of(std::size_t number) const { return {number, files_[number]}; }

  void receive() {
    while (const std::optional<Ranks::Letter> letter = ranks_.receive()) {
      Worker& worker = workers_.at(letter->sender);
      worker.heard = Clock::now();
      switch (letter->content.front()) {
        case kind::kReady:
          worker.is_ready = true;
          worker.is_lost = false;  // it was only slow
          break;
        case kind::row:
          worker.input.reset();
          add(reply_from(letter->content, files_));
          break;
        default:
          break;
      }
    }
  }

  /// Adds a row, unless another rank has sent one of the same input.
  void add(const RunReply& reply) {
    std::optional<BatchRow>& row = rows_[reply.number];
    if (row) return;
    row = reply.row;
    ++done_;
    line_.clear();
    context_.err << reply.messages;
    show();
  }

  /// Leaves out the inputs that nobody has begun, and makes the others end.
  void stop() {
    for (const std::size_t number : std::exchange(queue_, {})) {
      add({number, stopped_row(files_[number].files), ""});
    }
    if (std::exchange(has_stopped_, true)) return;
    send_to_all(kind::stop);
  }

  void send_signs() {
    if (Clock::now() < next_sign_) return;
    next_sign_ = Clock::now() + kBetweenSigns;
    send_to_all(kind::kSignOfLife);
  }

  void find_lost() {
    for (unsigned rank = 1; rank < workers_.size(); ++rank) {
      const Worker& worker = workers_[rank];
      if (!worker.is_lost && Clock::now() - worker.heard > kSilence) lose(rank);
    }
  }
  void lose(unsigned rank) {
    Worker& worker = workers_[rank];
    worker.is_lost = true;
    worker.is_ready = false;
    line_.clear();
    write_warning("quartz-opt", context_, fmt::format("rank {} does not answer any more", rank));
    if (const auto input = std::exchange(worker.input, std::nullopt)) take_back(*input);
  }
  /// Queues the input of a rank that died, or gives it up.
  void take_back(std::size_t number) {
    if (rows_[number]) return;
    if (++losses_[number] < kMaxLosses) return queue_.push_front(number);
    BatchRow row{files_[number].files, {}, 0, ExitCode::stopped, ""};
    row.error = fmt::format("{}: {} processes died while they optimized it",
                            files_[number].files.input, kMaxLosses);
    write_error("quartz-opt", context_, row.error);
    add({number, std::move(row), ""});
  }

  /// Ends the other ranks.
  void dismiss() {
    const bool is_complete =
        std::ranges::none_of(workers_, [](const Worker& worker) { return worker.is_lost; });
    // Also to a rank that seems to be dead, which may only be slow.
    for (unsigned rank = 1; rank < workers_.size(); ++rank) {
      send(rank, std::string(1, is_complete ? kind::kEnd : kind::kPart));
    }
    if (!is_complete) ranks_.part_without_farewell();
  }

  void send_to_all(char what) {
    for (unsigned rank = 1; rank < workers_.size(); ++rank) {
      if (!workers_[rank].is_lost) send(rank, std::string(1, what));
    }
  }
  void send(unsigned rank, std::string_view text) {
    try {
      ranks_.send(rank, text);
    } catch (const Error&) {
      if (!workers_[rank].is_lost) lose(rank);
    }
  }

  void show() {
    if (!context_.terminal || !line_.due()) return;
    std::string text = fmt::format("[{}/{}] optimizing", done_, files_.size());
    for (const Worker& worker : workers_) {
      if (worker.input) text += " " + files_[*worker.input].files.input;
    }
    line_.show(text);
  }

  const std::vector<BatchFile>& files_;
  const CommandContext& context_;
  Ranks& ranks_;
  RunThread run_;
  ProgressLine line_;
  std::vector<Worker> workers_;  ///< by rank; the first one is this rank
  std::deque<std::size_t> queue_;
  std::vector<std::optional<BatchRow>> rows_;
  std::vector<unsigned> losses_;  ///< the ranks that died while they optimized an input
  std::size_t done_ = 0;
  bool has_stopped_ = false;
  Clock::time_point next_sign_{};
};

}  // namespace

std::vector<BatchRow> run_on_all_ranks(const OptOptions& options,
                                       const std::vector<BatchFile>& files, const RunTarget& target,
                                       const CommandContext& context) {
  OptOptions own = options;
  own.library.threads = threads_of_rank(own.library.threads, *context.ranks);
  return Manager(own, files, target, context).rows();
}

void work_for_first_rank(const OptOptions& options, const RunTarget& target,
                         const CommandContext& context) {
  Ranks& ranks = *context.ranks;
  OptOptions own = options;
  own.library.threads = threads_of_rank(own.library.threads, ranks);
  RunThread run(own, target, context, kBetweenPollsOfOthers);
  ranks.send(0, std::string(1, kind::kReady));
  Clock::time_point heard = Clock::now();
  Clock::time_point next_sign{};
  while (true) {
    if (const std::optional<RunReply> reply = run.wait()) {
      ranks.send(0, text_of(*reply));
      if (!context.stop.stop_requested()) ranks.send(0, std::string(1, kind::kReady));
    }
    while (const std::optional<Ranks::Letter> letter = ranks.receive()) {
      heard = Clock::now();
      const char what = letter->content.front();
      if (what == kind::input) run.start(request_from(letter->content));
      if (what == kind::stop) run.request_stop();
      if (what == kind::kPart) ranks.part_without_farewell();
      if (what == kind::kPart || what == kind::kEnd) return;
    }
    if (Clock::now() - heard > kSilence) throw Error("rank 0 does not answer any more");
    if (Clock::now() < next_sign) continue;
    next_sign = Clock::now() + kBetweenSigns;
    ranks.send(0, std::string(1, kind::kSignOfLife));
  }
}

}  // namespace quartz::cli
