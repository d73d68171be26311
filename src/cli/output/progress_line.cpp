#include "cli/output/progress_line.hpp"

#include <unistd.h>

#include <ostream>

#include "cli/terminal_width.hpp"

namespace quartz::cli {
namespace {

/// Control sequence that returns to the first column and erases the line (ECMA-48).
constexpr std::string_view kEraseLine = "\r\x1b[K";

}  // namespace

ProgressLine::ProgressLine(std::ostream& err, bool terminal, Clock::duration interval)
    : err_(err), terminal_(terminal), interval_(interval) {}

bool ProgressLine::due() const { return terminal_ && (!shown_ || Clock::now() >= next_); }

void ProgressLine::show(std::string_view text) {
  if (!due()) return;
  err_ << kEraseLine << text.substr(0, terminal_width(STDERR_FILENO) - 1) << std::flush;
  next_ = Clock::now() + interval_;
  shown_ = true;
}

void ProgressLine::clear() {
  if (!shown_) return;
  err_ << kEraseLine << std::flush;
  shown_ = false;
}

}  // namespace quartz::cli
