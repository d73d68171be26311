#pragma once

#include <stop_token>
#include <utility>

namespace quartz {

/// A request to stop that two others pass on.
class EitherStop {
 public:
  EitherStop(std::stop_token first, std::stop_token second)
      : pass_first_(std::move(first), Pass{source_}),
        pass_second_(std::move(second), Pass{source_}) {}
  [[nodiscard]] std::stop_token token() const { return source_.get_token(); }

 private:
  struct Pass {
    std::stop_source& source;
    void operator()() const { source.request_stop(); }
  };
  std::stop_source source_;
  std::stop_callback<Pass> pass_first_;
  std::stop_callback<Pass> pass_second_;
};

}  // namespace quartz
