#pragma once

#include <chrono>
#include <iosfwd>
#include <string_view>

namespace quartz::cli {

/// One line on a terminal that is written over and over, and gone at the end. Does nothing where
/// there is no terminal. Not for several threads at once.
class ProgressLine {
 public:
  using Clock = std::chrono::steady_clock;

  /// `terminal` as in CommandContext. Texts that come sooner than `interval` after the last one
  /// shown are left out.
  ProgressLine(std::ostream& err, bool terminal,
               Clock::duration interval = std::chrono::milliseconds(100));
  ~ProgressLine() { clear(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  /// Whether show() would write now: saves making a text that is left out.
  [[nodiscard]] bool due() const;
  /// Shows the text, cut to the terminal's width.
  void show(std::string_view text);
  /// Wipes the line; the next text starts anew.
  void clear();

 private:
  std::ostream& err_;
  bool terminal_;
  Clock::duration interval_;
  Clock::time_point next_{};
  bool shown_ = false;
};

}  // namespace quartz::cli
