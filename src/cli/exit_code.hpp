#pragma once

#include <array>
#include <string>
#include <string_view>

/// The exit codes of the commands: the one list.
namespace quartz::cli {

enum class ExitCode : int {
  done = 0,
  internal_error = 1,
  usage_error = 2,
  bad_input = 3,
  stopped = 4,
  not_equal = 10,
  undecided = 11,
  unverified = 12,
};

struct ExitCodeMeaning {
  ExitCode code;
  std::string_view meaning;
};

inline constexpr std::array exit_codes{
    ExitCodeMeaning{ExitCode::done, "done (quartz-check: equal, or equal up to global phase)"},
    ExitCodeMeaning{ExitCode::internal_error, "internal error: a bug, please report it"},
    ExitCodeMeaning{ExitCode::usage_error, "wrong usage: an unknown option or a bad option value"},
    ExitCodeMeaning{ExitCode::bad_input, "bad input: a file is missing, broken or not writable"},
    ExitCodeMeaning{ExitCode::stopped, "stopped without a result (a signal, or out of memory)"},
    ExitCodeMeaning{ExitCode::not_equal,
                    "quartz-check: not equal; quartz-gen prove: an equality is wrong"},
    ExitCodeMeaning{ExitCode::undecided,
                    "quartz-check: undecided; quartz-gen prove: an equality is not proved"},
    // This differs from `undecided` so that a script that runs quartz-opt and then quartz-check can
    // tell which command reported it.
    ExitCodeMeaning{ExitCode::unverified,
                    "quartz-opt: the result could not be verified; it is written unless "
                    "--require-checked is given"},
};

/// Returns the worse of two codes, by which a command that does several things ends: an internal
/// error is worse than a stop, then follow bad input, wrong usage, and what could not be verified.
[[nodiscard]] ExitCode worse(ExitCode a, ExitCode b);

}  // namespace quartz::cli
