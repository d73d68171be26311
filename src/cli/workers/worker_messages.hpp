#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "quartz/optimize/search_workers.hpp"

/// The messages between the first rank, on which a search runs, and its workers. The first byte
/// says what a message is.
namespace quartz::cli::worker_message {

// All ranks send these.
inline constexpr char kSignOfLife = 'l';
// The first rank sends these.
inline constexpr char kJob = 'j';     ///< number of the job, and the job
inline constexpr char kTask = 't';    ///< number of the job and of the task, and the task
inline constexpr char kEndJob = 'd';  ///< tasks of the job need no answer
inline constexpr char kEnd = 'e';     ///< the search has ended
inline constexpr char kPart = 'p';    ///< the same, and some ranks are dead
// Workers send these.
inline constexpr char kThreads = 'r';  ///< its number of threads: it is ready for a job
inline constexpr char kAnswer = 'a';   ///< number of the job and of the task, and the answer
inline constexpr char kFailed = 'f';   ///< number of the job, and why it cannot be done
inline constexpr char kStopped = 's';  ///< it was asked to stop, and does no tasks any more
inline constexpr char kBye = 'b';      ///< its last message

/// Returns a message without a number.
[[nodiscard]] std::string plain(char kind);
/// Returns a message with a number and a text.
[[nodiscard]] std::string with_number(char kind, std::uint64_t number, std::string_view text = {});
/// Returns a message with a task or an answer.
[[nodiscard]] std::string with_task(char kind, std::uint64_t job, const SearchTask& task);

/// Splits the number off a message, whose text remains. Throws Error if there is none.
[[nodiscard]] std::uint64_t take_number(std::string_view& message);

}  // namespace quartz::cli::worker_message
