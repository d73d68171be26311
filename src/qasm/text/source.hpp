#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "quartz/base/errors.hpp"

namespace quartz::qasm {

/// The source text, and those of the files that it includes. A place is any view into one of them;
/// lines and columns are counted only when an error message needs them.
class Source {
 public:
  Source(std::string_view text, std::string name) : main_{text, std::move(name)} {}

  /// Returns the text of the program, without the files that it includes.
  [[nodiscard]] std::string_view text() const noexcept { return main_.text; }
  /// Adds the text of an included file, and returns it as one whose places are known.
  std::string_view add_file(std::string text, std::string name);
  [[nodiscard]] bool has_included_files() const noexcept { return !included_.empty(); }
  /// Returns the text of the file in which the place is.
  [[nodiscard]] std::string_view text_around(const char* place) const {
    return file_of(place).text;
  }
  /// Returns the name of the program in messages.
  [[nodiscard]] const std::string& name() const noexcept { return main_.name; }
  /// Lines end with a line feed, a carriage return, or both. Columns count characters, not bytes.
  [[nodiscard]] SourceLocation location_of(std::string_view place) const;
  /// Returns the line of a place for a message: "line 3", or "line 3 of gates.inc" if there are
  /// several files.
  [[nodiscard]] std::string line_text(std::string_view place) const;
  [[noreturn]] void fail(std::string_view place, const std::string& message) const;

 private:
  struct File {
    std::string_view text;
    std::string name;
  };

  [[nodiscard]] const File& file_of(const char* place) const;

  File main_;
  std::deque<std::string> texts_;  ///< the included files
  std::vector<File> included_;
};

/// Returns text of the input for a message: in single quotes, shortened, with control characters as
/// \xNN.
[[nodiscard]] std::string in_quotes(std::string_view text);

}  // namespace quartz::qasm
