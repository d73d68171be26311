#pragma once

#include <string>
#include <string_view>

#include "quartz/base/errors.hpp"

namespace quartz::qasm {

/// The source text. A place in it is any view into it; lines and columns are counted only when an
/// error message needs them.
class Source {
 public:
  Source(std::string_view text, std::string name) : text_(text), name_(std::move(name)) {}

  [[nodiscard]] std::string_view text() const noexcept { return text_; }
  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  /// Lines end with a line feed, a carriage return, or both. Columns count characters, not bytes.
  [[nodiscard]] SourceLocation location_of(std::string_view place) const;
  [[nodiscard]] std::size_t line_of(std::string_view place) const;
  [[noreturn]] void fail(std::string_view place, const std::string& message) const;

 private:
  std::string_view text_;
  std::string name_;
};

/// Returns text of the input for a message: in single quotes, shortened, with control characters as
/// \xNN.
[[nodiscard]] std::string in_quotes(std::string_view text);

}  // namespace quartz::qasm
