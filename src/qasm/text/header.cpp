#include "qasm/text/header.hpp"

#include "qasm/text/lexer.hpp"

namespace quartz::qasm {
namespace {

std::string_view without_line_end(std::string_view line) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

}  // namespace

std::vector<std::string> header_lines(std::span<const std::string_view> comments) {
  std::vector<std::string> lines;
  for (std::string_view comment : comments) {
    while (true) {
      // A carriage return within a line ends the line as well, so that the output has the same
      // lines for every reader.
      const std::size_t length = without_line_end(comment).find_first_of("\r\n");
      std::string_view line = without_line_end(comment).substr(0, length);
      if (line.starts_with(' ')) line.remove_prefix(1);
      lines.emplace_back(line);
      if (length == std::string_view::npos) break;
      comment.remove_prefix(length + (comment.substr(length).starts_with("\r\n") ? 2 : 1));
    }
  }
  return lines;
}

std::string_view find_comment(std::string_view comment, std::string_view text,
                              const char* end_of_statement, unsigned language_version) {
  text.remove_prefix(static_cast<std::size_t>(end_of_statement - text.data()));
  if (!text.starts_with('\r') && !text.starts_with('\n')) return {};
  text.remove_prefix(text.starts_with("\r\n") ? 2 : 1);
  if (!text.starts_with(comment)) return {};
  text.remove_prefix(comment.size());
  return without_line_end(text.substr(0, line_comment_length(text, language_version)));
}

}  // namespace quartz::qasm
