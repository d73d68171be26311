#pragma once

#include <cstdint>
#include <string_view>

#include "qasm/source.hpp"

namespace quartz::qasm {

/// Stops with an InputError where a small file would make an absurdly large circuit, or take
/// absurdly long to expand.
class WorkBudget {
 public:
  /// The most that charge() adds up to; an operation is one unit, more with many operands or
  /// parameters, and so is a step of expanding a definition or a loop. About 4 GiB of circuit.
  static constexpr std::uint64_t largest_work = std::uint64_t{1} << 25U;

  explicit WorkBudget(const Source& source) : source_(source) {}

  /// `place` is what takes the work.
  void charge(std::uint64_t work, std::string_view place);

 private:
  const Source& source_;
  std::uint64_t work_ = 0;
};

}  // namespace quartz::qasm
