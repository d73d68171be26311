#pragma once

#include <string>
#include <utility>

#include "quartz/base/errors.hpp"

namespace quartz {

/// Why something is wrong or impossible, in words for a message, or nothing if it is not. A fault
/// always has a reason, so that no empty text is mistaken for a success.
class [[nodiscard]] Fault {
 public:
  /// Nothing is wrong.
  Fault() = default;
  /// Throws InternalError for an empty reason.
  Fault(std::string reason) : reason_(std::move(reason)) {
    ensure(!reason_.empty(), "a fault has a reason");
  }
  Fault(const char* reason) : Fault(std::string(reason)) {}

  /// Returns whether something is wrong.
  [[nodiscard]] explicit operator bool() const noexcept { return !reason_.empty(); }
  /// Returns the reason; empty if nothing is wrong.
  [[nodiscard]] const std::string& reason() const noexcept { return reason_; }

 private:
  std::string reason_;
};

}  // namespace quartz
