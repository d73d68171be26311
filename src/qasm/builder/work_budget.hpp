#pragma once

#include <cstddef>
#include <cstdint>
#include <stop_token>
#include <string_view>
#include <utility>

#include "base/fuzzing.hpp"
#include "qasm/text/source.hpp"

namespace quartz::qasm {

/// Number of characters that are charged as one operation when they are read again; also an
/// estimate for the memory to reserve.
inline constexpr std::size_t kCharactersPerOperation = 16;
/// An iteration of a loop is charged as this many operations, plus the characters of its body.
inline constexpr std::size_t kOperationsPerIteration = 8;

/// Limits the work for a file: throws InputError if a small file would make an extremely large
/// circuit, or take extremely long to expand.
class WorkBudget {
 public:
  /// Limit for the sum of all charges. An operation is one unit, or more with many operands or
  /// parameters, and so is a step in the expansion of a definition or a loop. The limit corresponds
  /// to about 4 GiB of circuit.
  static constexpr std::uint64_t kMaxWork = std::uint64_t{1} << (kIsFuzzingBuild ? 14U : 25U);

  explicit WorkBudget(const Source& source, std::stop_token stop = {})
      : source_(source), stop_(std::move(stop)) {}

  /// Adds to the work; `place` is the source text that causes it. Throws Stopped, checked from time
  /// to time, once a stop is requested.
  void charge(std::uint64_t work, std::string_view place);
  void check_stop() const;

 private:
  const Source& source_;
  std::stop_token stop_;
  std::uint64_t work_ = 0;
  std::uint64_t next_check_ = 0;  ///< the work at which the stop token is checked next
};

}  // namespace quartz::qasm
