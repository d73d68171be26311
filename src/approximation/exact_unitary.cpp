#include "approximation/exact_unitary.hpp"

#include <algorithm>
#include <utility>

#include "quartz/base/errors.hpp"

namespace quartz::approximation {
namespace {

/// Multiplies a matrix by a gate from the left.
void apply(GateKind gate, ExactUnitary& unitary) {
  auto& entries = unitary.entries;
  const auto turn_lower_row = [&](unsigned power) {
    entries[2] = turned(entries[2], power);
    entries[3] = turned(entries[3], power);
  };
  switch (gate) {
    case GateKind::t:
      return turn_lower_row(1);
    case GateKind::s:
      return turn_lower_row(2);
    case GateKind::z:
      return turn_lower_row(4);
    case GateKind::sdg:
      return turn_lower_row(6);
    case GateKind::x:
      std::swap(entries[0], entries[2]);
      std::swap(entries[1], entries[3]);
      return;
    case GateKind::h:
      for (unsigned column = 0; column < 2; ++column) {
        const CyclotomicInteger upper = entries[column];
        entries[column] = upper + entries[2 + column];
        entries[2 + column] = upper - entries[2 + column];
      }
      ++unitary.exponent;
      return;
    default:
      throw InternalError("a gate outside of Clifford+T in an approximation");
  }
}

}  // namespace

ExactUnitary product(std::span<const GateKind> gates) {
  ExactUnitary unitary;
  unitary.entries[0].c[0] = 1;
  unitary.entries[3].c[0] = 1;
  return followed_by(std::move(unitary), gates);
}

ExactUnitary followed_by(ExactUnitary unitary, std::span<const GateKind> gates) {
  for (const GateKind gate : gates) apply(gate, unitary);
  return unitary;
}

std::size_t t_count(std::span<const GateKind> gates) {
  return static_cast<std::size_t>(std::count(gates.begin(), gates.end(), GateKind::t));
}

std::optional<unsigned> phase_between(const ExactUnitary& a, const ExactUnitary& b) {
  ExactUnitary scaled_a = a;
  ExactUnitary scaled_b = b;
  const unsigned exponent = std::max(a.exponent, b.exponent);
  for (CyclotomicInteger& each : scaled_a.entries)
    each = times_root_two(each, exponent - a.exponent);
  for (CyclotomicInteger& each : scaled_b.entries)
    each = times_root_two(each, exponent - b.exponent);
  for (unsigned power = 0; power < 8; ++power) {
    const bool is_equal =
        std::equal(scaled_a.entries.begin(), scaled_a.entries.end(), scaled_b.entries.begin(),
                   [&](const auto& x, const auto& y) { return turned(x, power) == y; });
    if (is_equal) return power;
  }
  return std::nullopt;
}

}  // namespace quartz::approximation
