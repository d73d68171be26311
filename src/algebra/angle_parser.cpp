#include <cctype>
#include <optional>
#include <string>

#include "algebra/exact_radians.hpp"
#include "algebra/literal.hpp"
#include "quartz/algebra/angle.hpp"
#include "quartz/base/errors.hpp"

// sum     = ["+" | "-"] product { ("+" | "-") product }
// product = factor { ("*" | "/") factor }
// factor  = { "+" | "-" } ( number | "pi" | "π" | identifier | "(" sum ")" )

namespace quartz {
namespace {

/// Limit for nested parentheses, which protects the stack; no realistic angle is nested this
/// deeply.
constexpr int kDeepest = 200;

/// Limit for the parameters of an angle, because each operation takes time for all of them. Rule
/// sets have up to as many.
constexpr std::size_t kMaxParameters = 1000;

/// Returns whether the angle is a plain number, without pi, parameters or digits beyond a Rational.
bool is_number(const Angle& angle) { return angle.pi_part().is_zero() && angle.terms().empty(); }

/// Returns the product of a number with more digits than a Rational holds, or a multiple of one,
/// and pi.
std::optional<Angle> literal_times_pi(const Angle& number, const Angle& pi) {
  if (pi != Angle::pi_times(1) || number.terms().size() != 1) return std::nullopt;
  const Angle::Term& term = number.terms().front();
  if (!algebra::is_literal(term.symbol)) return std::nullopt;
  const Angle unit = Angle::decimal(term.symbol);
  if (number != unit * term.coefficient) return std::nullopt;
  return Angle::pi_literal(term.symbol) * term.coefficient;
}

class AngleParser {
 public:
  explicit AngleParser(std::string_view text) : text_(text) {}

  Angle parse() {
    Angle result = sum();
    skip_blanks();
    if (at_ != text_.size()) fail_expecting("an operator or the end");
    if (!result.in_range()) fail(0, "the number is out of range");
    return result;
  }

 private:
  Angle sum() {
    Angle total = product();
    for (;;) {
      skip_blanks();
      const std::size_t operator_at = at_;
      if (take('+')) {
        const Angle right = product();
        total = exactly(operator_at, [&] { return algebra::exact_sum(total, right); });
      } else if (take('-')) {
        const Angle right = product();
        total = exactly(operator_at, [&] { return algebra::exact_sum(total, -right); });
      } else {
        return total;
      }
      if (total.terms().size() > kMaxParameters) {
        fail(operator_at, "found more than " + std::to_string(kMaxParameters) + " parameters");
      }
    }
  }

  Angle product() {
    Angle total = factor();
    for (;;) {
      skip_blanks();
      const std::size_t operator_at = at_;
      if (take('*')) {
        const Angle right = factor();
        if (const auto product = literal_times_pi(total, right)) {
          total = *product;
          continue;
        }
        if (!is_number(total) && !is_number(right)) {
          fail(operator_at, "one side of '*' must be a plain number");
        }
        total = exactly(operator_at, [&] {
          return is_number(total) ? right * total.radian_part() : total * right.radian_part();
        });
      } else if (take('/')) {
        const Angle right = factor();
        if (!is_number(right)) fail(operator_at, "the right side of '/' must be a plain number");
        if (right.is_zero()) fail(operator_at, "division by zero");
        total = exactly(operator_at, [&] { return total * (Rational(1) / right.radian_part()); });
      } else {
        return total;
      }
    }
  }

  Angle factor() {
    bool negative = false;
    for (;;) {
      skip_blanks();
      if (take('-')) {
        negative = !negative;
      } else if (!take('+')) {
        break;
      }
    }
    const Angle result = primary();
    return negative ? -result : result;
  }

  Angle primary() {
    const std::size_t start = at_;
    if (take('(')) {
      if (++depth_ > kDeepest) fail(start, "parentheses are nested too deeply");
      Angle inner = sum();
      skip_blanks();
      if (!take(')')) fail_expecting("')'");
      --depth_;
      return inner;
    }
    if (is_digit(at_) || (peek(at_) == '.' && is_digit(at_ + 1))) return number();
    while (is_identifier_character(at_)) ++at_;
    const std::string_view name = text_.substr(start, at_ - start);
    if (name.empty()) fail_expecting("a number, 'pi', a parameter or '('");
    return name == "pi" || name == "π" ? Angle::pi_times(1) : Angle::symbol(std::string(name));
  }

  Angle number() {
    const std::size_t start = at_;
    while (is_digit(at_)) ++at_;
    if (take('.')) {
      while (is_digit(at_)) ++at_;
    }
    if (peek(at_) == 'e' || peek(at_) == 'E') {
      const std::size_t sign = peek(at_ + 1) == '+' || peek(at_ + 1) == '-' ? 1 : 0;
      if (is_digit(at_ + 1 + sign)) {
        at_ += 1 + sign;
        while (is_digit(at_)) ++at_;
      }
    }
    try {
      return Angle::decimal(text_.substr(start, at_ - start));
    } catch (const InputError&) {
      fail(start, "the number is out of range");
    }
  }

  /// Runs exact arithmetic; an overflow becomes an error at the position of the operator.
  template <typename Arithmetic>
  Angle exactly(std::size_t operator_at, Arithmetic arithmetic) {
    try {
      return arithmetic();
    } catch (const OverflowError&) {
      fail(operator_at, "the exact result needs fractions of more than 64 bits");
    }
  }

  [[nodiscard]] char peek(std::size_t at) const { return at < text_.size() ? text_[at] : '\0'; }
  [[nodiscard]] bool is_digit(std::size_t at) const {
    return std::isdigit(static_cast<unsigned char>(peek(at))) != 0;
  }
  /// Digits count, because an identifier that starts with a digit has already been read as a
  /// number.
  [[nodiscard]] bool is_identifier_character(std::size_t at) const {
    const auto c = static_cast<unsigned char>(peek(at));
    return std::isalnum(c) != 0 || c == '_' || c > 127;
  }
  void skip_blanks() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
  }
  bool take(char wanted) {
    if (peek(at_) != wanted || at_ >= text_.size()) return false;
    ++at_;
    return true;
  }

  [[noreturn]] void fail(std::size_t at, const std::string& what) const {
    throw InputError("in the angle '" + std::string(text_) + "', column " + std::to_string(at + 1) +
                     ": " + what);
  }
  [[noreturn]] void fail_expecting(const std::string& expected) const {
    // A character of UTF-8 consists of several bytes, all but the first of which begin with the
    // bits 10.
    std::size_t size = 1;
    while ((static_cast<unsigned char>(peek(at_ + size)) & 0xC0U) == 0x80) ++size;
    const std::string found =
        at_ < text_.size() ? "'" + std::string(text_.substr(at_, size)) + "'" : "the end";
    fail(at_, "found " + found + ", expected " + expected);
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace

Angle parse_angle(std::string_view text) { return AngleParser(text).parse(); }

}  // namespace quartz
