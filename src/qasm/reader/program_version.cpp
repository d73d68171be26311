#include "qasm/reader/program_version.hpp"

#include <string_view>
#include <unordered_set>
#include <vector>

#include "qasm/text/lexer.hpp"
#include "qasm/text/names.hpp"

namespace quartz::qasm {
namespace {

/// Looks through the statements of a program for one that only OpenQASM 3 has.
class Evidence {
 public:
  explicit Evidence(Lexer& lexer) : lexer_(lexer) {}

  [[nodiscard]] bool is_version_3() {
    bool is_start = true;
    while (!lexer_.at(TokenKind::end)) {
      const Token token = lexer_.take();
      if (token.kind == TokenKind::string && names_library_of_3(token.text)) return true;
      if (is_start && begins_statement_of_3(token)) return true;
      is_start = token.kind == TokenKind::semicolon || token.kind == TokenKind::left_brace ||
                 token.kind == TokenKind::right_brace;
    }
    return false;
  }

 private:
  static bool names_library_of_3(std::string_view quoted_name) {
    return quoted_name.substr(1, quoted_name.size() - 2) == "stdgates.inc";
  }

  bool begins_statement_of_3(const Token& token) {
    if (token.kind == TokenKind::other) return token.text == "#" || token.text == "@";
    if (token.kind != TokenKind::identifier) return false;
    if (token.text == "gate" || token.text == "opaque") {
      declared_.insert(lexer_.current().text);
      return false;
    }
    const bool is_word_of_3 = find_keyword(token.text, 2) == Keyword::none &&
                              find_keyword(token.text, 3) != Keyword::none;
    // A program of version 2 may give a gate such a name.
    if (is_word_of_3) return !declared_.contains(token.text);
    return lexer_.at(TokenKind::other) && lexer_.current().text == "$";
  }

  Lexer& lexer_;
  std::unordered_set<std::string_view> declared_;
};

}  // namespace

ProgramVersion find_program_version(const Source& source) {
  try {
    std::vector<std::string_view> comments;
    Lexer lexer(source, comments, 3);
    if (lexer.current().text == "OPENQASM") {
      lexer.advance();
      return {lexer.current().text.starts_with('3') ? 3U : 2U, true};
    }
    lexer.stop_recording_comments();
    if (Evidence(lexer).is_version_3()) return {3, false};
  } catch (const InputError&) {
    // What precedes the error decides.
  }
  return {2, false};
}

}  // namespace quartz::qasm
