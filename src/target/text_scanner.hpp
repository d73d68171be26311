#pragma once

#include <fmt/core.h>

#include <cctype>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "target/json_node.hpp"

namespace quartz::target {

/// Reads a string of a JSON file character by character; errors have their location in the string.
class TextScanner {
 protected:
  TextScanner(const JsonNode& node, std::string text) : node_(node), text_(std::move(text)) {}

  /// Returns the character at an index; 0 beyond the end.
  [[nodiscard]] char peek(std::size_t at) const { return at < text_.size() ? text_[at] : '\0'; }
  [[nodiscard]] bool is_digit(std::size_t at) const {
    return std::isdigit(static_cast<unsigned char>(peek(at))) != 0;
  }
  void skip_blanks() {
    while (std::isspace(static_cast<unsigned char>(peek(at_))) != 0) ++at_;
  }
  /// Skips blanks and consumes the next character if it is the wanted one; returns whether it was.
  bool take(char wanted) {
    skip_blanks();
    if (at_ >= text_.size() || text_[at_] != wanted) return false;
    ++at_;
    return true;
  }
  /// Consumes letters, digits and underscores; the result may be empty.
  std::string word() {
    const std::size_t start = at_;
    while (std::isalnum(static_cast<unsigned char>(peek(at_))) != 0 || peek(at_) == '_') ++at_;
    return text_.substr(start, at_ - start);
  }
  [[noreturn]] void fail_expecting(std::string_view expected) const {
    const std::string found =
        at_ < text_.size() ? fmt::format("'{}'", text_[at_]) : std::string("the end");
    node_.fail_inside(at_, fmt::format("found {}, expected {}", found, expected));
  }

  const JsonNode& node_;
  std::string text_;
  std::size_t at_ = 0;
};

}  // namespace quartz::target
