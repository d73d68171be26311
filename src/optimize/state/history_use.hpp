#pragma once

#include <cstdint>

namespace quartz::optimizer {

/// What the recorded histories of a search are used for, which decides how much time the search
/// spends on them.
enum class HistoryUse : std::uint8_t {
  unlikely,  ///< circuits are certified without histories, which are recorded as quickly as possible
  possible,  ///< histories leave out the gates of windows that stay, so that they are replayed sooner
  /// A certificate replays the histories of one thread while the search goes on. They also leave
  /// out changes that undo each other.
  replayed,
};

}  // namespace quartz::optimizer
