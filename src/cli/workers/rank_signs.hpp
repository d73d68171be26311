#pragma once

#include <chrono>

/// How often ranks that work together show that they are alive.
namespace quartz::cli {

/// How often a rank that waits for work looks for messages.
inline constexpr std::chrono::milliseconds kBetweenPolls{1};
inline constexpr std::chrono::seconds kBetweenSigns{1};
/// A rank that is silent for longer is taken for dead.
inline constexpr std::chrono::seconds kSilence{10};

}  // namespace quartz::cli
