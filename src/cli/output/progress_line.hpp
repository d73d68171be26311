#pragma once

#include <chrono>
#include <iosfwd>
#include <string_view>

namespace quartz::cli {

/// One line on a terminal that is overwritten repeatedly and erased at the end. Does nothing
/// without a terminal. An object must be used by one thread at a time.
class ProgressLine {
 public:
  using Clock = std::chrono::steady_clock;

  /// `terminal` is as in CommandContext. Texts that come earlier than `interval` after the last one
  /// shown are skipped.
  ProgressLine(std::ostream& err, bool terminal,
               Clock::duration interval = std::chrono::milliseconds(100));
  ~ProgressLine() { clear(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  /// Returns whether the line is ever shown.
  [[nodiscard]] bool is_shown_on_terminal() const { return terminal_; }
  /// Returns whether show() would write now, so that a caller need not create a text that is
  /// skipped.
  [[nodiscard]] bool due() const;
  /// Shows the text, cut to the terminal's width.
  void show(std::string_view text);
  /// Erases the line.
  void clear();

 private:
  std::ostream& err_;
  bool terminal_;
  Clock::duration interval_;
  Clock::time_point next_{};
  bool shown_ = false;
};

}  // namespace quartz::cli
