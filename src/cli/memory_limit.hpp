#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <thread>

namespace quartz::cli {

/// Keeps the private memory of the process below a limit while an object exists. When it is nearly
/// full, a stop is requested, so that a search can end with its best result. The system refuses
/// memory beyond the limit; an allocation then throws std::bad_alloc. Programs that are built with
/// AddressSanitizer, which needs much more, only get the request to stop.
///
/// Files that are mapped, such as class tables of the cache, do not count: the system can take
/// their pages back at any time and read them again.
class MemoryLimit {
 public:
  /// The least limit, in bytes: less does not suffice for the threads and a small circuit.
  static constexpr double kMinBytes = 128 * 1024.0 * 1024.0;
  /// The part of the limit for building a class table.
  static constexpr double kTableShare = 0.4;

  /// A limit of 0 bytes is none. Throws UsageError for another one below kMinBytes. `stop` is
  /// passed on by token().
  MemoryLimit(double bytes, const std::stop_token& stop);
  MemoryLimit(const MemoryLimit&) = delete;
  MemoryLimit& operator=(const MemoryLimit&) = delete;
  ~MemoryLimit();

  /// Returns a token that asks to stop if `stop` does, or once the memory is nearly full.
  [[nodiscard]] std::stop_token token() const { return source_.get_token(); }
  /// Ends the limit, so that a result can be written for which there is no memory otherwise.
  void lift();
  /// Returns whether the memory was nearly full.
  [[nodiscard]] bool was_reached() const { return was_reached_; }
  /// Returns the smaller of `bytes` and a part of the limit.
  [[nodiscard]] double at_most(double bytes, double part) const;

 private:
  struct PassStop {
    std::stop_source& source;
    void operator()() const { source.request_stop(); }
  };
  void watch(const std::stop_token& ended);

  std::uint64_t bytes_;
  std::stop_source source_;
  std::stop_callback<PassStop> pass_stop_;
  std::atomic<bool> was_reached_ = false;
  std::optional<std::uint64_t> limit_before_;
  std::jthread watcher_;  ///< the last member, because it uses the others
};

}  // namespace quartz::cli
