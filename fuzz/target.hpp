#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "files.hpp"
#include "quartz/base/errors.hpp"

/// Targets for fuzzing: each takes any bytes, has a reader read them, and checks what must hold
/// afterwards. An exception that leaves a target is a finding, and so are a crash, a sanitizer
/// report, a hang and excessive memory.
namespace quartz::fuzz {

/// A property that does not hold.
class Finding : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

/// Throws a Finding unless the condition holds.
inline void require(bool condition, const std::string& property) {
  if (!condition) throw Finding("does not hold: " + property);
}

/// What messages call the input. Every error of a reader names its source.
inline const std::string input_name = "<fuzz>";

/// Runs a reader and returns its result, or nothing if the reader refuses the input by an
/// InputError, which is the only error that readers of files document. Checks that the error names
/// its source.
template <typename Read>
auto read(Read&& reader, const std::string& name = input_name)
    -> std::optional<decltype(reader())> {
  try {
    return std::forward<Read>(reader)();
  } catch (const InputError& error) {
    require(error.location().file == name,
            std::string("an error names its source: ") + error.what());
    return std::nullopt;
  }
}

/// Checks of a text that a reader accepts that it does not accept it with more text behind it. A
/// zero byte precedes that text, because libraries that read JSON take it for the end.
template <typename Parse>
void require_whole_text(std::string_view text, Parse&& parse) {
  const std::string longer = std::string(text).append("\0x", 2);
  require(!read([&] { return std::forward<Parse>(parse)(longer); }),
          "text behind the end of the document is refused");
}

/// One row of targets.inc.
struct Target {
  std::string_view name;
  std::string_view dictionary;
  std::size_t max_bytes = 0;
  std::string_view readers;
  void (*run)(std::string_view input) = nullptr;
  /// Returns inputs to start from.
  std::vector<std::string> (*seeds)() = nullptr;
};

/// Returns all targets in the order of targets.inc.
[[nodiscard]] std::span<const Target> targets();
/// Returns the target of this name, or null.
[[nodiscard]] const Target* find_target(std::string_view name);

}  // namespace quartz::fuzz
