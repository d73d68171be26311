#include "quartz/base/errors.hpp"
#include "quartz/optimize/optimize.hpp"

namespace quartz {

std::string_view to_string(RewriteKind kind) {
  switch (kind) {
    case RewriteKind::rule:
      return "rule";
    case RewriteKind::window:
      return "window";
    case RewriteKind::parity:
      return "parity";
    case RewriteKind::rotations:
      return "rotations";
    case RewriteKind::detours:
      return "detours";
  }
  throw InternalError("a kind of rewrite without a name");
}

std::string_view to_string(StopReason reason) {
  switch (reason) {
    case StopReason::exhausted:
      return "exhausted";
    case StopReason::converged:
      return "converged";
    case StopReason::time_limit:
      return "time limit";
    case StopReason::step_limit:
      return "step limit";
    case StopReason::memory_limit:
      return "memory limit";
    case StopReason::interrupted:
      return "interrupted";
  }
  throw InternalError("a stop reason without a name");
}

}  // namespace quartz
