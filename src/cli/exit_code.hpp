#pragma once

#include <array>
#include <string>
#include <string_view>

/// What the commands tell the shell: THE one list of exit codes.
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
    ExitCodeMeaning{ExitCode::stopped, "stopped without an answer (a signal, or out of memory)"},
    ExitCodeMeaning{ExitCode::not_equal,
                    "quartz-check: not equal; quartz-gen prove: an equality is wrong"},
    ExitCodeMeaning{ExitCode::undecided,
                    "quartz-check: undecided; quartz-gen prove: an equality is not proved"},
    // Not `undecided`: a script that runs quartz-opt and then quartz-check must be able to tell
    // whose answer it has.
    ExitCodeMeaning{ExitCode::unverified,
                    "quartz-opt: the result could not be verified; it is written all the same, "
                    "unless --require-checked is given"},
};

/// The list as a section of --help.
[[nodiscard]] std::string exit_code_help();

}  // namespace quartz::cli
