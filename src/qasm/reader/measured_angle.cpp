// Angles whose bits are outcomes of measurements, as in iterative phase estimation.
#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "qasm/reader/executor.hpp"
#include "quartz/base/errors.hpp"

namespace quartz::qasm {
namespace {

/// Limit for the bits of an angle, of which each may be a gate of its own.
constexpr std::uint64_t kMaxAngleBits = 62;

/// Returns the angle that is the bit with this index of an angle of `width` bits.
Angle angle_of_bit(std::uint32_t index, std::uint32_t width) {
  return Angle::pi_times(Rational(1, std::int64_t{1} << (width - 1 - index)));
}

/// Returns the bits of an angle[width], as a number; nullopt for an angle that it cannot hold.
std::optional<std::int64_t> bits_of_angle(const Value& value, std::uint64_t width) {
  const Rational part = value.angle.pi_part();
  const std::int64_t half_turn = std::int64_t{1} << (width - 1);
  if (value.measured != nullptr || value.angle != Angle::pi_times(part) ||
      half_turn % part.denominator() != 0) {
    return std::nullopt;
  }
  // A turn is 2 * denominator parts, each of as many bits as fit a half turn.
  const std::int64_t parts = 2 * part.denominator();
  return (part.numerator() % parts + parts) % parts * (half_turn / part.denominator());
}

/// Returns whether a gate with the sum of two angles is the product of the gates with each of them,
/// and does not change if its angle does by 2*pi, except for a global phase.
bool is_additive(const Callable& callee, bool has_controls) {
  if (callee.kind != Callable::Kind::table_gate || callee.parameters != 1) return false;
  constexpr std::array<std::string_view, 4> kPhases{"p", "u1", "cp", "cu1"};
  constexpr std::array<std::string_view, 6> kRotations{"rx", "ry", "rz", "rxx", "ryy", "rzz"};
  const std::string_view name = gate(callee.gate).name;
  return std::ranges::find(kPhases, name) != kPhases.end() ||
         (!has_controls && std::ranges::find(kRotations, name) != kRotations.end());
}

}  // namespace

/// Makes a variable of type angle[n], to a bit of which the program assigns an outcome, a register
/// of n bits. Does nothing for any other name.
void Executor::use_bits_of_angle(std::string_view name) {
  const NamedValue* const found = names_.find_value(name);
  if (found == nullptr || found->kind != NamedValue::Kind::variable ||
      found->type != CastType::angle) {
    return;
  }
  const auto refuse = [&](std::string_view reason) {
    source_.fail(name, fmt::format("the bits of the angle {} are not supported: {}",
                                   in_quotes(name), reason));
  };
  if (found->width == 0 || found->width > kMaxAngleBits) {
    refuse(fmt::format("expected a type of 1 to {} bits", kMaxAngleBits));
  }
  if (found->depth != 0 || !execution_.branches.empty() || execution_.kept_loops != 0) {
    refuse("the first of them is assigned under a condition, or the angle is declared in a block");
  }
  const std::uint64_t width = found->width;
  const auto bits = bits_of_angle(*known_value(name, false), width);
  if (!bits) refuse("its value before is not one of the type");
  const std::uint32_t size = checked_size(width, name);
  execution_.has_local_registers = true;
  DeclaredRegister declared{.is_angle = true};
  declared.index = static_cast<std::uint32_t>(circuit_.bit_registers.size());
  circuit_.bit_registers.push_back({unique_register_name(name, name), circuit_.bit_count(), size});
  names_.values.erase(name);
  names_.registers.insert_or_assign(name, declared);
  if (*bits == 0) return;
  assign_bits(whole_register(declared, name), {Angle::radians(*bits), true}, name);
}

/// Appends a call whose angle depends on measured bits: a call with the angle of each bit, under
/// the condition that the bit is 1.
void Executor::append_measured_call(std::span<const Modifier> modifiers, const Token& name,
                                    const Callable& callee) {
  const bool has_fraction = std::ranges::any_of(
      modifiers, [](const Modifier& modifier) { return modifier.fraction.has_value(); });
  if (has_fraction || !is_additive(callee, control_count(modifiers) != 0)) {
    source_.fail(name.text, fmt::format("an angle of the gate {} that depends on a measurement is "
                                        "not supported, expected 'p', 'cp' or a rotation without "
                                        "controls",
                                        in_quotes(name.text)));
  }
  const Value value = scratch_.values.front();
  const BitExpression& bits = *value.measured;
  for (std::uint32_t i = 0; i < bits.width; ++i) {
    const BranchConditions condition = conditions_of(circuit_, bits_expression({bits.bits[i]}));
    const Angle angle = angle_of_bit(i, bits.width);
    scratch_.values.front() = {value.angle_sign < 0 ? -angle : angle, false};
    builder_.begin_conditions(condition.then.front(), name.text);
    append_broadcast(modifiers, name, callee);
    (void)builder_.end_conditions();
  }
  scratch_.values.front() = value;
}

}  // namespace quartz::qasm
