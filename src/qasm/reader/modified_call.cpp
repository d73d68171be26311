// Gate calls under modifiers: `ctrl(2) @ inv @ pow(3) @ name ...`.
#include <fmt/core.h>

#include <limits>
#include <optional>
#include <variant>

#include "qasm/gates/gate_sequence.hpp"
#include "qasm/reader/executor.hpp"
#include "qasm/text/number.hpp"
#include "quartz/base/errors.hpp"

namespace quartz::qasm {
namespace {

/// Limit for modifiers, because each takes a pass over the gates of the expanded call.
constexpr std::size_t kMaxModifiers = 256;

Modifier::Kind kind_of(std::string_view word) {
  if (word == "ctrl") return Modifier::Kind::control;
  if (word == "negctrl") return Modifier::Kind::negative_control;
  if (word == "inv") return Modifier::Kind::inverse;
  ensure(word == "pow", "the word is a modifier");
  return Modifier::Kind::power;
}

/// Returns the value of `1/2` or `-1/2`. The standard file of OpenQASM 3 defines `sx` as
/// `pow(1/2) @ x`: such a quotient of two numbers is not truncated.
std::optional<Rational> literal_quotient(const syntax::Expression& exponent) {
  const std::vector<syntax::Term>& terms = exponent.terms;
  const auto integer_at = [&](std::size_t i) {
    const auto* const number = std::get_if<syntax::Number>(&terms[i].node);
    return number == nullptr ? std::nullopt : read_whole_number<std::uint32_t>(number->token.text);
  };
  if (terms.size() < 3 || terms.size() > 4) return std::nullopt;
  const bool is_negative = terms.size() == 4;
  const auto* const sign = std::get_if<syntax::Unary>(&terms[1].node);
  const bool has_sign = sign != nullptr && sign->sign.kind == TokenKind::minus;
  const auto* const operation = std::get_if<syntax::Binary>(&terms.back().node);
  const auto above = integer_at(0);
  const auto below = integer_at(terms.size() - 2);
  if (has_sign != is_negative || operation == nullptr || operation->sign.kind != TokenKind::slash ||
      !above || !below || *below == 0) {
    return std::nullopt;
  }
  const Rational quotient(*above, *below);
  return is_negative ? -quotient : quotient;
}

}  // namespace

std::vector<Modifier> Executor::modifiers_of(std::span<const syntax::Modifier> declared,
                                             const ExpressionScope& scope) {
  gate_uses_.note_modifiers();
  std::vector<Modifier> modifiers;
  std::size_t controls = 0;
  for (const syntax::Modifier& each : declared) {
    const std::string_view word = each.word.text;
    if (modifiers.size() == kMaxModifiers) {
      source_.fail(
          word, fmt::format("a gate with more than {} modifiers is not supported", kMaxModifiers));
    }
    Modifier modifier{kind_of(word), 1, {}, word};
    if (!each.argument.is_absent()) {
      const bool is_power = modifier.kind == Modifier::Kind::power;
      if (is_power) {
        set_exponent(modifier, each.argument, scope);
      } else {
        modifier.count = integer_in(scope, each.argument);
      }
      if (is_power ? modifier.count == std::numeric_limits<std::int64_t>::min()
                   : modifier.count < 1) {
        source_.fail(each.argument.first.text,
                     fmt::format("found {} for the modifier {}", modifier.count, in_quotes(word)));
      }
    }
    modifiers.push_back(modifier);
    controls += control_count(std::span(&modifier, 1));
    if (controls > kMaxControls) {
      source_.fail(word, fmt::format("more than {} controls are not supported", kMaxControls));
    }
  }
  return modifiers;
}

/// Sets the exponent of a power, which need not be an integer.
void Executor::set_exponent(Modifier& modifier, const syntax::Expression& exponent,
                            const ExpressionScope& scope) {
  std::optional<Rational> number = literal_quotient(exponent);
  if (!number) {
    Expression code;
    resolve_in(scope, exponent, code);
    if (!code.uses_parameters()) {
      const Value value = code.evaluate({}, source_);
      const Rational part = value.angle.radian_part();
      const bool is_number = value.measured == nullptr && value.angle == Angle::radians(part);
      if (is_number) number = part;
    }
  }
  if (!number) {
    modifier.count = integer_in(scope, exponent);
  } else if (number->is_integer()) {  // also 2.0
    modifier.count = number->numerator();
  } else {
    modifier.fraction = *number;
  }
}

Callable Executor::find_modified(const Token& name) {
  if (find_keyword(name.text, language_.number) == Keyword::global_phase)
    return global_phase_call();
  const Callable* callee = names_.find_gate(name.text);
  if (callee == nullptr) fail_unknown_gate(name);
  if (callee->kind == Callable::Kind::opaque) {
    source_.fail(name.text, fmt::format("modifiers of the opaque gate {} are not supported",
                                        in_quotes(name.text)));
  }
  return *callee;
}

void Executor::note_uses_from(std::size_t first_operation, const Token& name) {
  for (std::size_t i = first_operation; i < circuit_.operations.size(); ++i) {
    const Operation& operation = circuit_.operations[i];
    if (operation.kind == OperationKind::gate) note_use(operation.gate, name);
  }
}

}  // namespace quartz::qasm
