#pragma once

#include <cstdint>
#include <stop_token>
#include <string_view>
#include <utility>

#include "qasm/source.hpp"

namespace quartz::qasm {

/// Stops with an InputError where a small file would make an absurdly large circuit, or take
/// absurdly long to expand.
class WorkBudget {
 public:
  /// The most that charge() adds up to; an operation is one unit, more with many operands or
  /// parameters, and so is a step of expanding a definition or a loop. About 4 GiB of circuit.
  static constexpr std::uint64_t largest_work = std::uint64_t{1} << 25U;

  explicit WorkBudget(const Source& source, std::stop_token stop = {})
      : source_(source), stop_(std::move(stop)) {}

  /// `place` is what takes the work. Throws Stopped, now and then, once a stop is requested.
  void charge(std::uint64_t work, std::string_view place);
  void check_stop() const;

 private:
  const Source& source_;
  std::stop_token stop_;
  std::uint64_t work_ = 0;
  std::uint64_t next_look_ = 0;  ///< the work at which the stop token is looked at
};

}  // namespace quartz::qasm
