#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "qasm/text/source.hpp"

namespace quartz::qasm {

enum class TokenKind : std::uint8_t {
  identifier,
  integer,
  real,
  duration,  ///< 100ns
  string,    ///< the text includes the quotes
  semicolon,
  comma,
  left_parenthesis,
  right_parenthesis,
  left_bracket,
  right_bracket,
  left_brace,
  right_brace,
  plus,
  minus,
  star,
  slash,
  caret,
  double_star,
  arrow,
  assign,
  equal,
  not_equal,
  exclamation,
  logical_and,
  logical_or,
  percent,
  tilde,
  ampersand,
  bar,
  less,
  less_equal,
  greater,
  greater_equal,
  left_shift,
  right_shift,
  compound_assign,  ///< += and the like
  other,            ///< a character that occurs only in constructs that are not supported
  end,
};

struct Token {
  TokenKind kind = TokenKind::end;
  std::string_view text;  ///< a view into the source, which is also the token's location
};

/// Returns the name of the token in messages: its text in quotes, or "end of file".
[[nodiscard]] std::string describe(const Token& token);
/// Returns the name of an expected kind of token in messages: "';'", "a name".
[[nodiscard]] std::string_view describe(TokenKind kind);

/// Returns whether the text is a unit of time of OpenQASM 3; "dt" is the device's own unit.
[[nodiscard]] bool is_unit_of_time(std::string_view text);

/// Returns the length of the `//` comment at the beginning of `text`. In OpenQASM 3 a carriage
/// return ends it as well as a line feed (LineComment of its grammar); in OpenQASM 2 only a line
/// feed does, as in Qiskit.
[[nodiscard]] std::size_t line_comment_length(std::string_view text, unsigned language_version);

/// Splits the text into tokens with a lookahead of one: `current` is the next token that is not
/// consumed yet. Comments and white space are skipped. Throws InputError for text that cannot start
/// a token.
class Lexer {
 public:
  /// Comments are appended to `comments` (text after the slashes, or inside of a block comment)
  /// until stop_recording_comments.
  Lexer(const Source& source, std::vector<std::string_view>& comments, unsigned language_version);

  [[nodiscard]] const Token& current() const noexcept { return current_; }
  [[nodiscard]] bool at(TokenKind kind) const noexcept { return current_.kind == kind; }
  void advance();
  /// Consumes and returns the current token.
  Token take();
  /// Consumes the current token if it is of this kind.
  bool accept(TokenKind kind);
  /// Consumes and returns the current token, which must be of this kind.
  Token expect(TokenKind kind);
  /// Consumes `[3]`, of which the '[' is current, if it has no blanks, and returns the number;
  /// empty for anything else. Indices are most tokens of large files.
  std::string_view accept_index();
  /// Returns the text from the current token to the next semicolon, if that is near and in the only
  /// file of the program; else nothing.
  [[nodiscard]] std::string_view text_to_semicolon() const;
  /// Continues at `place`, a position in the text or in that of an included file: the token there
  /// becomes the current one.
  void skip_to(const char* place);
  /// Continues at the beginning of the text, which is that of a file of the source.
  void begin(std::string_view text);
  void stop_recording_comments() noexcept { comments_ = nullptr; }

  [[nodiscard]] const Source& source() const noexcept { return *source_; }
  [[nodiscard]] unsigned language_version() const noexcept { return language_version_; }
  [[nodiscard]] const char* text_end() const noexcept { return end_; }
  /// Throws an InputError at the current token: "found X, expected `expected`".
  [[noreturn]] void fail_expecting(std::string_view expected) const;

 private:
  void skip_blanks();
  void skip_comments();
  void skip_block_comment();
  void lex_identifier();
  void lex_number();
  void lex_string();
  void lex_symbol();
  void lex_radix_number();
  /// Skips digits; in OpenQASM 3 one underscore may be between two of them.
  void skip_digits();
  [[nodiscard]] bool next_is(char c) const noexcept { return at_ + 1 < end_ && at_[1] == c; }
  [[nodiscard]] const char* utf8_character_end(const char* first) const;
  void set_current(TokenKind kind, const char* first) noexcept {
    current_ = {kind, {first, static_cast<std::size_t>(at_ - first)}};
  }

  const Source* source_;
  std::vector<std::string_view>* comments_;
  unsigned language_version_;
  const char* at_ = nullptr;
  const char* end_ = nullptr;
  Token current_;
};

}  // namespace quartz::qasm
