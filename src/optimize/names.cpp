#include <algorithm>
#include <string_view>

#include "quartz/base/errors.hpp"
#include "quartz/optimize/optimize.hpp"
#include "quartz/optimize/search_workers.hpp"

namespace quartz {
namespace {

/// The search that has tasks for other processes.
constexpr std::string_view kWithTasks = "local";

}  // namespace

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

bool has_tasks_for_workers(std::string_view searches) {
  while (!searches.empty()) {
    const std::size_t end = std::min(searches.find(','), searches.size());
    if (searches.substr(0, end) == kWithTasks) return true;
    searches.remove_prefix(std::min(end + 1, searches.size()));
  }
  return false;
}

}  // namespace quartz
