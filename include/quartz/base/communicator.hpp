#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>
#include <vector>

#include "quartz/base/errors.hpp"

namespace quartz {

/// Processes, perhaps on several machines, that work on one task together, each with its own
/// memory. The processes are numbered and called ranks. They communicate only by collective
/// exchanges of messages, so every rank must make the same calls in the same order, from one
/// thread.
///
/// The commands use MPI (src/cli/mpi_ranks.cpp); a program that uses the library may implement
/// another one.
class Communicator {
 public:
  /// The content of a message.
  using Bytes = std::span<const std::byte>;
  /// Messages, indexed by rank.
  using Messages = std::vector<std::vector<std::byte>>;

  virtual ~Communicator() = default;
  [[nodiscard]] virtual unsigned rank() const = 0;  ///< rank of this process, below size()
  [[nodiscard]] virtual unsigned size() const = 0;  ///< number of ranks
  /// Sends outgoing[i] to rank i, including this rank itself, and returns what each rank sent to
  /// this one. Throws Error if the exchange fails; then the work of all ranks is at an end.
  [[nodiscard]] virtual Messages exchange(std::span<const Bytes> outgoing) = 0;
};

/// Returns the number of ranks; null means a process that works alone.
[[nodiscard]] inline unsigned rank_count(const Communicator* ranks) {
  return ranks != nullptr ? ranks->size() : 1;
}
/// Returns the rank of this process; 0 if it works alone.
[[nodiscard]] inline unsigned own_rank(const Communicator* ranks) {
  return ranks != nullptr ? ranks->rank() : 0;
}

/// Sends values to each rank and returns the values received from each rank. All ranks must run on
/// machines of one architecture.
template <typename Value>
[[nodiscard]] std::vector<std::vector<Value>> exchange_values(
    Communicator& ranks, const std::vector<std::vector<Value>>& outgoing) {
  static_assert(std::is_trivially_copyable_v<Value>);
  std::vector<Communicator::Bytes> bytes;
  for (const std::vector<Value>& values : outgoing)
    bytes.push_back(std::as_bytes(std::span(values)));
  std::vector<std::vector<Value>> incoming;
  for (const std::vector<std::byte>& message : ranks.exchange(bytes)) {
    ensure(message.size() % sizeof(Value) == 0, "ranks exchange values of one kind");
    std::vector<Value>& values = incoming.emplace_back(message.size() / sizeof(Value));
    if (!values.empty()) std::memcpy(values.data(), message.data(), message.size());
  }
  return incoming;
}

/// Sends the same message to all ranks and returns the messages of all ranks, indexed by rank.
[[nodiscard]] inline Communicator::Messages gather_by_all(Communicator& ranks,
                                                          Communicator::Bytes message) {
  const std::vector<Communicator::Bytes> outgoing(ranks.size(), message);
  return ranks.exchange(outgoing);
}

/// Adds up each number over all ranks, modulo 2^64; every rank receives the sums.
inline void sum_over_ranks(Communicator& ranks, std::span<std::uint64_t> numbers) {
  const Communicator::Messages all = gather_by_all(ranks, std::as_bytes(numbers));
  std::fill(numbers.begin(), numbers.end(), 0);
  for (const std::vector<std::byte>& message : all) {
    ensure(message.size() == numbers.size_bytes(), "ranks add up the same numbers");
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      std::uint64_t number = 0;
      std::memcpy(&number, message.data() + i * sizeof(number), sizeof(number));
      numbers[i] += number;
    }
  }
}

/// Returns, on every rank, whether `here` is true on any rank.
[[nodiscard]] inline bool on_any_rank(Communicator& ranks, bool here) {
  std::uint64_t count = here ? 1 : 0;
  sum_over_ranks(ranks, {&count, 1});
  return count != 0;
}

}  // namespace quartz
