#include "cli/workers/worker_messages.hpp"

#include <array>
#include <cstring>

#include "quartz/base/errors.hpp"

namespace quartz::cli::worker_message {
namespace {

/// Numbers have the byte order of the machine: all ranks run on machines of one architecture.
void append(std::string& message, std::uint64_t number) {
  std::array<char, sizeof number> bytes{};
  std::memcpy(bytes.data(), &number, sizeof number);
  message.append(bytes.data(), bytes.size());
}

}  // namespace

std::string plain(char kind) { return {kind}; }

std::string with_number(char kind, std::uint64_t number, std::string_view text) {
  std::string message(1, kind);
  append(message, number);
  message += text;
  return message;
}

std::string with_task(char kind, std::uint64_t job, const SearchTask& task) {
  std::string message(1, kind);
  message.reserve(1 + 2 * sizeof(std::uint64_t) + task.content.size());
  append(message, job);
  append(message, task.number);
  message += task.content;
  return message;
}

std::uint64_t take_number(std::string_view& message) {
  std::uint64_t number = 0;
  if (message.size() < sizeof number) throw Error("a message of another rank is damaged");
  std::memcpy(&number, message.data(), sizeof number);
  message.remove_prefix(sizeof number);
  return number;
}

}  // namespace quartz::cli::worker_message
