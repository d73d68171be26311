#pragma once

namespace quartz {

/// Returns the processor time that the calling thread has used, in seconds.
[[nodiscard]] double thread_seconds();
/// Returns the processor time that all threads of the process have used, in seconds.
[[nodiscard]] double process_seconds();

}  // namespace quartz
