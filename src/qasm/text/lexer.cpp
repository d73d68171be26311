#include "qasm/text/lexer.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>

namespace quartz::qasm {
namespace {

enum class CharacterClass : std::uint8_t {
  invalid,
  blank,
  letter,
  digit,
  quote,
  punctuation,  ///< a token of its own, whatever follows
  symbol
};

constexpr std::array<CharacterClass, 256> make_classes() {
  std::array<CharacterClass, 256> classes{};
  for (unsigned c = '!'; c <= '~'; ++c) classes[c] = CharacterClass::symbol;
  for (unsigned c = 'a'; c <= 'z'; ++c) classes[c] = CharacterClass::letter;
  for (unsigned c = 'A'; c <= 'Z'; ++c) classes[c] = CharacterClass::letter;
  classes['_'] = CharacterClass::letter;
  for (unsigned c = 0x80; c <= 0xFF; ++c) classes[c] = CharacterClass::letter;  // UTF-8: θ, π
  for (unsigned c = '0'; c <= '9'; ++c) classes[c] = CharacterClass::digit;
  for (const char c : {' ', '\t', '\n', '\r', '\f', '\v'}) {
    classes[static_cast<unsigned char>(c)] = CharacterClass::blank;
  }
  for (const char c : {';', ',', '(', ')', '[', ']', '{', '}'}) {
    classes[static_cast<unsigned char>(c)] = CharacterClass::punctuation;
  }
  classes['"'] = CharacterClass::quote;
  classes['\''] = CharacterClass::quote;
  return classes;
}

constexpr std::array<CharacterClass, 256> kCharacterClasses = make_classes();

CharacterClass class_of(char c) noexcept {
  return kCharacterClasses[static_cast<unsigned char>(c)];
}

bool is_digit(char c) noexcept { return class_of(c) == CharacterClass::digit; }

bool is_identifier_part(char c) noexcept {
  return class_of(c) == CharacterClass::letter || class_of(c) == CharacterClass::digit;
}

TokenKind symbol_kind(char c) noexcept {
  switch (c) {
    case ';':
      return TokenKind::semicolon;
    case ',':
      return TokenKind::comma;
    case '(':
      return TokenKind::left_parenthesis;
    case ')':
      return TokenKind::right_parenthesis;
    case '[':
      return TokenKind::left_bracket;
    case ']':
      return TokenKind::right_bracket;
    case '{':
      return TokenKind::left_brace;
    case '}':
      return TokenKind::right_brace;
    case '+':
      return TokenKind::plus;
    case '-':
      return TokenKind::minus;
    case '*':
      return TokenKind::star;
    case '/':
      return TokenKind::slash;
    case '^':
      return TokenKind::caret;
    case '=':
      return TokenKind::assign;
    case '!':
      return TokenKind::exclamation;
    case '%':
      return TokenKind::percent;
    case '~':
      return TokenKind::tilde;
    case '&':
      return TokenKind::ampersand;
    case '|':
      return TokenKind::bar;
    case '<':
      return TokenKind::less;
    case '>':
      return TokenKind::greater;
    default:
      return TokenKind::other;
  }
}

struct Sign {
  std::string_view text;
  TokenKind kind;
};

/// Signs of several characters, a longer one before its beginning.
constexpr std::array kSigns{
    Sign{"**=", TokenKind::compound_assign},
    Sign{"<<=", TokenKind::compound_assign},
    Sign{">>=", TokenKind::compound_assign},
    Sign{"->", TokenKind::arrow},
    Sign{"==", TokenKind::equal},
    Sign{"!=", TokenKind::not_equal},
    Sign{"**", TokenKind::double_star},
    Sign{"&&", TokenKind::logical_and},
    Sign{"||", TokenKind::logical_or},
    Sign{"<<", TokenKind::left_shift},
    Sign{">>", TokenKind::right_shift},
    Sign{"<=", TokenKind::less_equal},
    Sign{">=", TokenKind::greater_equal},
    Sign{"+=", TokenKind::compound_assign},
    Sign{"-=", TokenKind::compound_assign},
    Sign{"*=", TokenKind::compound_assign},
    Sign{"/=", TokenKind::compound_assign},
    Sign{"%=", TokenKind::compound_assign},
    Sign{"&=", TokenKind::compound_assign},
    Sign{"|=", TokenKind::compound_assign},
    Sign{"^=", TokenKind::compound_assign},
};

struct TokenName {
  TokenKind kind;
  std::string_view name;
};

/// The names of the kinds of tokens in messages, in the order of TokenKind.
constexpr std::array kTokenNames{
    TokenName{TokenKind::identifier, "a name"},
    TokenName{TokenKind::integer, "an integer"},
    TokenName{TokenKind::real, "a number"},
    TokenName{TokenKind::duration, "a duration such as '100ns'"},
    TokenName{TokenKind::string, "a string in quotes"},
    TokenName{TokenKind::semicolon, "';'"},
    TokenName{TokenKind::comma, "','"},
    TokenName{TokenKind::left_parenthesis, "'('"},
    TokenName{TokenKind::right_parenthesis, "')'"},
    TokenName{TokenKind::left_bracket, "'['"},
    TokenName{TokenKind::right_bracket, "']'"},
    TokenName{TokenKind::left_brace, "'{'"},
    TokenName{TokenKind::right_brace, "'}'"},
    TokenName{TokenKind::plus, "'+'"},
    TokenName{TokenKind::minus, "'-'"},
    TokenName{TokenKind::star, "'*'"},
    TokenName{TokenKind::slash, "'/'"},
    TokenName{TokenKind::caret, "'^'"},
    TokenName{TokenKind::double_star, "'**'"},
    TokenName{TokenKind::arrow, "'->'"},
    TokenName{TokenKind::assign, "'='"},
    TokenName{TokenKind::equal, "'=='"},
    TokenName{TokenKind::not_equal, "'!='"},
    TokenName{TokenKind::exclamation, "'!'"},
    TokenName{TokenKind::logical_and, "'&&'"},
    TokenName{TokenKind::logical_or, "'||'"},
    TokenName{TokenKind::percent, "'%'"},
    TokenName{TokenKind::tilde, "'~'"},
    TokenName{TokenKind::ampersand, "'&'"},
    TokenName{TokenKind::bar, "'|'"},
    TokenName{TokenKind::less, "'<'"},
    TokenName{TokenKind::less_equal, "'<='"},
    TokenName{TokenKind::greater, "'>'"},
    TokenName{TokenKind::greater_equal, "'>='"},
    TokenName{TokenKind::left_shift, "'<<'"},
    TokenName{TokenKind::right_shift, "'>>'"},
    TokenName{TokenKind::compound_assign, "an assignment such as '+='"},
    TokenName{TokenKind::other, "a symbol"},
    TokenName{TokenKind::end, "end of file"},
};

constexpr bool has_row_for_each_kind() {
  for (std::size_t i = 0; i < kTokenNames.size(); ++i) {
    if (kTokenNames[i].kind != static_cast<TokenKind>(i)) return false;
  }
  return kTokenNames.size() == static_cast<std::size_t>(TokenKind::end) + 1;
}
static_assert(has_row_for_each_kind());

}  // namespace

std::string describe(const Token& token) {
  return token.kind == TokenKind::end ? "end of file" : in_quotes(token.text);
}

std::string_view describe(TokenKind kind) {
  return kTokenNames[static_cast<std::size_t>(kind)].name;
}

bool is_unit_of_time(std::string_view text) {
  constexpr std::array<std::string_view, 7> kUnits{"ns", "us", "µs", "μs", "ms", "s", "dt"};
  return std::find(kUnits.begin(), kUnits.end(), text) != kUnits.end();
}

std::size_t line_comment_length(std::string_view text, unsigned language_version) {
  return std::min(text.find_first_of(language_version >= 3 ? "\r\n" : "\n"), text.size());
}

Lexer::Lexer(const Source& source, std::vector<std::string_view>& comments,
             unsigned language_version)
    : source_(&source), comments_(&comments), language_version_(language_version) {
  begin(source.text());
}

void Lexer::begin(std::string_view text) {
  at_ = text.data();
  end_ = text.data() + text.size();
  if (const std::size_t zero = text.find('\0'); zero != std::string_view::npos) {
    source_->fail(text.substr(zero), "found a zero byte, expected OpenQASM text");
  }
  if (text.starts_with("\xEF\xBB\xBF")) at_ += 3;  // skip the byte order mark
  advance();
}

void Lexer::advance() {
  skip_blanks();
  if (at_ == end_) {
    set_current(TokenKind::end, at_);
    return;
  }
  switch (class_of(*at_)) {
    case CharacterClass::letter:
      return lex_identifier();
    case CharacterClass::digit:
      return lex_number();
    case CharacterClass::quote:
      return lex_string();
    case CharacterClass::punctuation:
      ++at_;
      return set_current(symbol_kind(at_[-1]), at_ - 1);
    case CharacterClass::symbol:
      if (*at_ == '.' && at_ + 1 < end_ && is_digit(at_[1])) return lex_number();
      return lex_symbol();
    case CharacterClass::blank:
    case CharacterClass::invalid:
      break;
  }
  source_->fail({at_, 1}, fmt::format("found the byte 0x{:02x}, expected OpenQASM text",
                                      static_cast<unsigned char>(*at_)));
}

Token Lexer::take() {
  const Token taken = current_;
  advance();
  return taken;
}

bool Lexer::accept(TokenKind kind) {
  if (current_.kind != kind) return false;
  advance();
  return true;
}

Token Lexer::expect(TokenKind kind) {
  if (current_.kind != kind) fail_expecting(describe(kind));
  return take();
}

std::string_view Lexer::accept_index() {
  const char* last = at_;
  while (last != end_ && is_digit(*last)) ++last;
  if (last == at_ || last == end_ || *last != ']') return {};
  const std::string_view number(at_, static_cast<std::size_t>(last - at_));
  at_ = last + 1;
  advance();
  return number;
}

std::string_view Lexer::text_to_semicolon() const {
  constexpr std::size_t kNear = 64;
  if (source_->has_included_files()) return {};
  const char* const begin = current_.text.data();
  const std::string_view near(begin, std::min(kNear, static_cast<std::size_t>(end_ - begin)));
  const std::size_t semicolon = near.find(';');
  return semicolon == std::string_view::npos ? std::string_view() : near.substr(0, semicolon + 1);
}

void Lexer::skip_to(const char* place) {
  if (source_->has_included_files()) {
    const std::string_view text = source_->text_around(place);
    end_ = text.data() + text.size();
  }
  at_ = place;
  advance();
}

void Lexer::fail_expecting(std::string_view expected) const {
  source_->fail(current_.text, fmt::format("found {}, expected {}", describe(current_), expected));
}

void Lexer::skip_blanks() {
  while (at_ != end_ && class_of(*at_) == CharacterClass::blank) ++at_;
  if (at_ != end_ && *at_ == '/') skip_comments();
}

void Lexer::skip_comments() {
  while (at_ != end_) {
    if (class_of(*at_) == CharacterClass::blank) {
      ++at_;
    } else if (*at_ == '/' && next_is('/')) {
      const char* const first = at_ + 2;
      const std::string_view rest(first, static_cast<std::size_t>(end_ - first));
      const std::size_t length = line_comment_length(rest, language_version_);
      if (comments_ != nullptr) comments_->push_back(rest.substr(0, length));
      at_ = first + length;
    } else if (*at_ == '/' && next_is('*')) {
      skip_block_comment();
    } else {
      return;
    }
  }
}

void Lexer::skip_block_comment() {
  const char* const first = at_ + 2;
  const std::string_view rest(first, static_cast<std::size_t>(end_ - first));
  const std::size_t length = rest.find("*/");
  if (length == std::string_view::npos) {
    source_->fail({at_, 2}, "the comment that starts here with '/*' has no '*/'");
  }
  if (comments_ != nullptr) comments_->push_back(rest.substr(0, length));
  at_ = first + length + 2;
}

/// Returns the end of the character that starts at `first`, a byte of 0x80 or more.
const char* Lexer::utf8_character_end(const char* first) const {
  const auto lead = static_cast<unsigned char>(*first);
  const int length = lead >= 0xF5 ? 0 : lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC2 ? 2 : 0;
  bool valid = length != 0 && end_ - first >= length;
  for (int i = 1; valid && i < length; ++i) {
    valid = (static_cast<unsigned char>(first[i]) & 0xC0U) == 0x80U;
  }
  if (!valid) {
    source_->fail({first, 1},
                  fmt::format("found the byte 0x{:02x}, which is not valid UTF-8", lead));
  }
  return first + length;
}

void Lexer::lex_identifier() {
  const char* const first = at_;
  while (at_ != end_ && is_identifier_part(*at_)) {
    at_ = (static_cast<unsigned char>(*at_) & 0x80U) != 0 ? utf8_character_end(at_) : at_ + 1;
  }
  set_current(TokenKind::identifier, first);
}

/// Lexes a number such as 0x1f, 0b11 or 0o17.
void Lexer::lex_radix_number() {
  const char* const first = at_;
  while (at_ != end_ && is_identifier_part(*at_)) ++at_;
  set_current(TokenKind::integer, first);
}

void Lexer::lex_number() {
  const char* const first = at_;
  constexpr std::string_view kRadixLetters = "xXbBo";
  if (language_version_ >= 3 && *at_ == '0' && at_ + 1 < end_ &&
      kRadixLetters.find(at_[1]) != std::string_view::npos) {
    return lex_radix_number();
  }
  TokenKind kind = TokenKind::integer;
  skip_digits();
  if (at_ != end_ && *at_ == '.') {
    kind = TokenKind::real;
    ++at_;
    skip_digits();
  }
  if (at_ != end_ && (*at_ == 'e' || *at_ == 'E')) {
    const char* digits = at_ + 1;
    if (digits != end_ && (*digits == '+' || *digits == '-')) ++digits;
    if (digits != end_ && is_digit(*digits)) {
      kind = TokenKind::real;
      at_ = digits;
      skip_digits();
    }
  }
  if (at_ != end_ && is_identifier_part(*at_)) {
    const char* const unit = at_;
    while (at_ != end_ && is_identifier_part(*at_)) ++at_;
    const std::string_view text(first, static_cast<std::size_t>(at_ - first));
    if (!is_unit_of_time({unit, static_cast<std::size_t>(at_ - unit)})) {
      source_->fail(text,
                    fmt::format("found {}, which is neither a number nor a name", in_quotes(text)));
    }
    kind = TokenKind::duration;
  }
  set_current(kind, first);
}

void Lexer::skip_digits() {
  while (at_ != end_ && is_digit(*at_)) {
    ++at_;
    if (language_version_ >= 3 && at_ + 1 < end_ && *at_ == '_' && is_digit(at_[1])) ++at_;
  }
}

void Lexer::lex_string() {
  const char* const first = at_;
  const char quote = *at_++;
  while (at_ != end_ && *at_ != quote && *at_ != '\n' && *at_ != '\r') ++at_;
  if (at_ == end_ || *at_ != quote) {
    source_->fail({first, 1}, "the string that starts here has no closing quote in its line");
  }
  ++at_;
  set_current(TokenKind::string, first);
}

void Lexer::lex_symbol() {
  const char* const first = at_;
  const std::string_view rest(at_, static_cast<std::size_t>(end_ - at_));
  constexpr std::string_view kSecondCharacters = "*<>=&|";
  const bool may_be_long =
      rest.size() > 1 && kSecondCharacters.find(rest[1]) != std::string_view::npos;
  for (const Sign& sign : kSigns) {
    if (!may_be_long) break;
    if (!rest.starts_with(sign.text)) continue;
    at_ += sign.text.size();
    return set_current(sign.kind, first);
  }
  const TokenKind kind = symbol_kind(*at_);
  ++at_;
  set_current(kind, first);
}

}  // namespace quartz::qasm
