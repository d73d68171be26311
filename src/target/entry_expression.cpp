#include "target/entry_expression.hpp"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

#include "quartz/base/errors.hpp"
#include "target/text_scanner.hpp"

// sum     = product { ("+" | "-") product }
// product = factor { ("*" | "/") factor }
// factor  = { "+" | "-" } primary
// primary = number | "i" | "sqrt" "(" "2" ")" | ("cos" | "sin" | "exp") "(" argument ")"
//         | "(" sum ")"
// An argument has the same grammar, with decimals, pi and parameters, but without functions.

namespace quartz::target {
namespace {

constexpr int kDeepest = 100;

/// The reason that error messages give for refusing a number.
constexpr const char* kWhatEntriesAre =
    "entries are sums of e^(i*angle) with integer coefficients, over powers of sqrt(2)";

/// The argument of exp: real + i imaginary, both linear in the parameters.
struct Argument {
  Angle real;
  Angle imaginary;
};

bool is_number(const Angle& angle) { return angle.pi_part().is_zero() && angle.terms().empty(); }

class EntryParser : private TextScanner {
 public:
  EntryParser(const JsonNode& node, const std::vector<std::string>& parameters)
      : TextScanner(node, node.text_or_number()), parameters_(parameters) {}

  circuit::ExactSum parse() {
    try {
      circuit::ExactSum result = sum();
      skip_blanks();
      if (at_ != text_.size()) fail_expecting("an operator or the end");
      return result;
    } catch (const OverflowError& error) {
      node_.fail(error.what());
    }
  }

 private:
  // --- the entry ---

  circuit::ExactSum sum() {
    circuit::ExactSum total = product();
    for (;;) {
      if (take('+')) {
        total += product();
      } else if (take('-')) {
        total += -product();
      } else {
        return total;
      }
    }
  }

  circuit::ExactSum product() {
    circuit::ExactSum total = factor();
    for (;;) {
      if (take('*')) {
        total = total * factor();
      } else if (take('/')) {
        skip_blanks();
        const std::size_t divisor_at = at_;
        const circuit::ExactSum divisor = factor();
        const std::string divisor_text = text_.substr(divisor_at, at_ - divisor_at);
        if (divisor.is_zero()) node_.fail_inside(divisor_at, "division by zero");
        const std::optional<circuit::ExactSum> inverse = divisor.inverse();
        if (!inverse) {
          node_.fail_inside(divisor_at,
                            fmt::format("cannot divide by {}: {}", divisor_text, kWhatEntriesAre));
        }
        total = total * *inverse;
      } else {
        return total;
      }
    }
  }

  circuit::ExactSum factor() {
    const bool negative = signs();
    const circuit::ExactSum result = primary();
    return negative ? -result : result;
  }

  circuit::ExactSum primary() {
    skip_blanks();
    const std::size_t start = at_;
    if (take('(')) {
      enter(start);
      circuit::ExactSum inner = sum();
      leave();
      return inner;
    }
    if (is_digit(at_) || peek(at_) == '.') return circuit::ExactSum::integer(whole_number());
    const std::string name = word();
    if (name.empty()) fail_expecting("a number, i, sqrt(2), cos(), sin(), exp() or '('");
    if (name == "i") return circuit::ExactSum::phase(Angle::pi_times(Rational(1, 2)));
    if (name == "sqrt") return square_root(start);
    if (name == "cos" || name == "sin" || name == "exp") return function(name, start);
    if (name == "pi" || is_parameter(name)) {
      node_.fail_inside(start, fmt::format("'{}' is allowed only in cos(), sin() and exp()", name));
    }
    node_.fail_inside(
        start, fmt::format("unknown '{}'; the gate has the parameters {}", name,
                           parameters_.empty() ? "(none)"
                                               : fmt::format("{}", fmt::join(parameters_, ", "))));
  }

  std::int64_t whole_number() {
    const std::size_t start = at_;
    const Rational value = decimal();
    if (!value.is_integer()) {
      node_.fail_inside(start, "expected a whole number, as in 1/2 and 1/sqrt(2)");
    }
    return value.numerator();
  }

  circuit::ExactSum square_root(std::size_t start) {
    if (!take('(')) fail_expecting("'('");
    skip_blanks();
    std::int64_t value = is_digit(at_) ? whole_number() : 0;
    if (!take(')') || value < 1 || (value & (value - 1)) != 0) {
      node_.fail_inside(
          start, fmt::format("expected the square root of a power of 2: {}", kWhatEntriesAre));
    }
    // Uses sqrt(2) = 2 / sqrt(2).
    const std::vector<PhaseTerm> root{{2, 1, Angle()}};
    circuit::ExactSum result = circuit::ExactSum::integer(1);
    for (; value > 1; value /= 2) result = result * circuit::ExactSum(root);
    return result;
  }

  circuit::ExactSum function(const std::string& name, std::size_t start) {
    if (!take('(')) fail_expecting("'('");
    enter(start);
    const Argument argument = argument_sum();
    leave();
    if (name == "exp") {
      if (!argument.real.is_zero()) {
        node_.fail_inside(start,
                          "the argument of exp() must be i times an angle, as in exp(i*theta/2)");
      }
      return circuit::ExactSum::phase(argument.imaginary);
    }
    if (!argument.imaginary.is_zero()) {
      node_.fail_inside(start, fmt::format("the argument of {}() must be a real angle", name));
    }
    // Uses cos v = (e^{iv} + e^{-iv}) / 2 and sin v = -i (e^{iv} - e^{-iv}) / 2.
    const bool is_sine = name == "sin";
    const Angle turn = Angle::pi_times(is_sine ? Rational(-1, 2) : Rational(0));
    const std::vector<PhaseTerm> terms{{1, 2, argument.real + turn},
                                       {is_sine ? -1 : 1, 2, turn - argument.real}};
    return circuit::ExactSum(terms);
  }

  // --- arguments ---

  Argument argument_sum() {
    Argument total = argument_product();
    for (;;) {
      const bool minus = peek_after_blanks() == '-';
      if (!take('+') && !take('-')) return total;
      const Argument right = argument_product();
      total.real += minus ? -right.real : right.real;
      total.imaginary += minus ? -right.imaginary : right.imaginary;
    }
  }

  Argument argument_product() {
    Argument total = argument_factor();
    for (;;) {
      skip_blanks();
      const std::size_t operator_at = at_;
      if (take('*')) {
        total = times(total, argument_factor(), operator_at);
      } else if (take('/')) {
        const Argument right = argument_factor();
        if (!is_number(right.real) || !right.imaginary.is_zero() || right.real.is_zero()) {
          node_.fail_inside(operator_at, "the right side of '/' must be a number that is not 0");
        }
        const Rational factor = Rational(1) / right.real.radian_part();
        total = {total.real * factor, total.imaginary * factor};
      } else {
        return total;
      }
    }
  }

  Argument times(const Argument& a, const Argument& b, std::size_t place) const {
    const auto plain = [](const Argument& c) {
      return is_number(c.real) && is_number(c.imaginary);
    };
    if (!plain(a) && !plain(b)) {
      node_.fail_inside(
          place, "angles must be linear in the parameters: one side of '*' must be a number");
    }
    const Argument& number = plain(a) ? a : b;
    const Argument& other = plain(a) ? b : a;
    const Rational real = number.real.radian_part();
    const Rational imaginary = number.imaginary.radian_part();
    return {other.real * real - other.imaginary * imaginary,
            other.imaginary * real + other.real * imaginary};
  }

  Argument argument_factor() {
    const bool negative = signs();
    const Argument result = argument_primary();
    return negative ? Argument{-result.real, -result.imaginary} : result;
  }

  Argument argument_primary() {
    skip_blanks();
    const std::size_t start = at_;
    if (take('(')) {
      enter(start);
      Argument inner = argument_sum();
      leave();
      return inner;
    }
    if (is_digit(at_) || peek(at_) == '.') return {Angle::radians(decimal()), Angle()};
    const std::string name = word();
    if (name.empty()) fail_expecting("a number, pi, i, a parameter or '('");
    if (name == "i") return {Angle(), Angle::radians(1)};
    if (name == "pi") return {Angle::pi_times(1), Angle()};
    if (!is_parameter(name)) {
      node_.fail_inside(start, fmt::format("unknown parameter '{}'; the gate has {}", name,
                                           parameters_.empty()
                                               ? "none"
                                               : fmt::format("{}", fmt::join(parameters_, ", "))));
    }
    return {Angle::symbol(name), Angle()};
  }

  // --- words ---

  Rational decimal() {
    const std::size_t start = at_;
    while (is_digit(at_) || peek(at_) == '.') ++at_;
    try {
      const Angle value = Angle::decimal(std::string_view(text_).substr(start, at_ - start));
      if (value.terms().empty()) return value.radian_part();
    } catch (const InputError&) {
      node_.fail_inside(start, "the number is malformed");
    }
    node_.fail_inside(start, "the number is out of range");
  }

  bool signs() {
    bool negative = false;
    for (;;) {
      if (take('-')) {
        negative = !negative;
      } else if (!take('+')) {
        return negative;
      }
    }
  }

  [[nodiscard]] bool is_parameter(const std::string& name) const {
    return std::find(parameters_.begin(), parameters_.end(), name) != parameters_.end();
  }

  void enter(std::size_t place) {
    if (++depth_ > kDeepest) node_.fail_inside(place, "parentheses are nested too deeply");
  }
  void leave() {
    if (!take(')')) fail_expecting("')'");
    --depth_;
  }

  [[nodiscard]] char peek_after_blanks() {
    skip_blanks();
    return peek(at_);
  }

  const std::vector<std::string>& parameters_;
  int depth_ = 0;
};

}  // namespace

circuit::ExactSum parse_entry(const JsonNode& node, const std::vector<std::string>& parameters) {
  return EntryParser(node, parameters).parse();
}

}  // namespace quartz::target
