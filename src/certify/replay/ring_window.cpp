#include "certify/replay/ring_window.hpp"

#include <algorithm>
#include <map>

#include "quartz/base/errors.hpp"
#include "quartz/circuit/gate.hpp"

namespace quartz::certify {
namespace {

using WindowEntry = std::array<std::int64_t, 4>;

constexpr WindowEntry kSqrt2{0, 1, 0, -1};

WindowEntry product(const WindowEntry& a, const WindowEntry& b) {
  WindowEntry result{};
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t j = 0; j < 4; ++j) {
      const std::int64_t term = a[i] * b[j];
      result[(i + j) % 4] += i + j < 4 ? term : -term;
    }
  }
  return result;
}

/// Returns w^exponent a.
WindowEntry turned(const WindowEntry& a, unsigned exponent) {
  WindowEntry result;
  for (std::size_t i = 0; i < 4; ++i) {
    const std::size_t place = i + exponent;
    result[place % 4] = (place / 4) % 2 == 0 ? a[i] : -a[i];
  }
  return result;
}

void add(WindowEntry& sum, const WindowEntry& term) {
  for (std::size_t i = 0; i < 4; ++i) sum[i] += term[i];
}

/// Returns e with value = w^e, or -1.
std::int8_t exponent_of(const WindowEntry& value) {
  for (unsigned e = 0; e < 8; ++e) {
    if (value == turned({1, 0, 0, 0}, e)) return static_cast<std::int8_t>(e);
  }
  return -1;
}

/// Returns angle / (pi/4) modulo 8 if that is an integer.
std::optional<unsigned> eighths_of(const Angle& angle) {
  const Rational multiple = angle.pi_part() * Rational(4);
  if (!angle.is_pi_multiple() || !multiple.is_integer()) return std::nullopt;
  return static_cast<unsigned>(((multiple.numerator() % 8) + 8) % 8);
}

}  // namespace

RingWindow::RingGate RingWindow::ring_gate(const Operation& operation) {
  const Gate& row = gate(operation.gate);
  const std::map<std::string, Angle> angles = angles_by_name(row, operation.angles);
  RingGate result;
  result.phase = row.matrix.front().terms.front().exponent.substitute(angles);
  for (const MatrixEntry& entry : row.matrix) {
    for (const PhaseTerm& term : entry.terms) {
      result.power = std::max(result.power, static_cast<unsigned>(term.sqrt2_power));
    }
  }
  for (const MatrixEntry& entry : row.matrix) {
    WindowEntry sum{};
    for (const PhaseTerm& term : entry.terms) {
      const auto eighths = eighths_of(term.exponent.substitute(angles) - result.phase);
      if (!eighths) return {};
      WindowEntry value = turned({term.coefficient, 0, 0, 0}, *eighths);
      for (auto i = static_cast<unsigned>(term.sqrt2_power); i < result.power; ++i) {
        value = product(value, kSqrt2);
      }
      add(sum, value);
    }
    if (sum == WindowEntry{}) continue;
    result.entries.push_back({static_cast<std::uint8_t>(entry.row),
                              static_cast<std::uint8_t>(entry.column), sum, exponent_of(sum)});
  }
  result.is_supported = true;
  return result;
}

const RingWindow::RingGate& RingWindow::gate_of(OperationCode code) {
  if (gates_.size() <= code) gates_.resize(std::size_t{code} + 1);
  std::optional<RingGate>& known = gates_[code];
  if (!known) {
    try {
      known = ring_gate(table_[code]);
    } catch (const OverflowError&) {
      known.emplace();
    }
  }
  return *known;
}

void RingWindow::apply(const RingGate& gate, std::span<const std::uint8_t> operands,
                       std::vector<WindowEntry>& entries) {
  std::size_t mask = 0;
  std::array<std::size_t, std::size_t{1} << kMaxWires> offsets{};
  const std::size_t size = std::size_t{1} << operands.size();
  for (std::size_t local = 0; local < size; ++local) {
    for (std::size_t i = 0; i < operands.size(); ++i) {
      if (((local >> i) & 1U) != 0) offsets[local] |= std::size_t{1} << operands[i];
    }
    mask |= offsets[local];
  }
  std::array<WindowEntry, std::size_t{1} << kMaxWires> before;
  for (std::size_t base = 0; base < entries.size(); ++base) {
    if ((base & mask) != 0) continue;
    for (std::size_t local = 0; local < size; ++local) {
      WindowEntry& entry = entries[base | offsets[local]];
      before[local] = entry;
      entry = WindowEntry{};
    }
    for (const Entry& entry : gate.entries) {
      const WindowEntry& factor = before[entry.column];
      if (factor == WindowEntry{}) continue;
      add(entries[base | offsets[entry.row]],
          entry.exponent >= 0 ? turned(factor, static_cast<unsigned>(entry.exponent))
                              : product(entry.value, factor));
    }
  }
}

bool RingWindow::multiply(std::size_t wires, Gates gates, Matrix& matrix) {
  const std::size_t dimension = std::size_t{1} << wires;
  matrix.entries.assign(dimension * dimension, WindowEntry{});
  matrix.power = 0;
  matrix.phase = Angle();
  for (std::size_t i = 0; i < dimension; ++i) matrix.entries[i * dimension + i] = {1, 0, 0, 0};
  for (const ReplayedCircuit::WindowOperation& operation : gates) {
    const RingGate& gate = gate_of(operation.code);
    if (!gate.is_supported || matrix.power + gate.power > kMaxPower) return false;
    apply(gate, operation.operands, matrix.entries);
    matrix.power += gate.power;
    matrix.phase.add_phase(gate.phase);
  }
  return true;
}

WindowAnswer RingWindow::compare(std::size_t wires, Gates left, Gates right) {
  if (wires > kMaxWires) return {};
  try {
    if (!multiply(wires, left, left_) || !multiply(wires, right, right_)) return {};
  } catch (const OverflowError&) {
    return {};
  }
  Matrix& shorter = left_.power < right_.power ? left_ : right_;
  const unsigned power = std::max(left_.power, right_.power);
  for (; shorter.power < power; ++shorter.power) {
    for (WindowEntry& entry : shorter.entries) entry = product(entry, kSqrt2);
  }
  for (unsigned exponent = 0; exponent < 8; ++exponent) {
    const bool is_equal = std::ranges::equal(
        left_.entries, right_.entries,
        [&](const WindowEntry& a, const WindowEntry& b) { return a == turned(b, exponent); });
    if (!is_equal) continue;
    Angle phase = Angle::pi_times(Rational(exponent, 4));
    phase.add_phase(left_.phase);
    phase.add_phase(-right_.phase);
    return {WindowAnswer::Kind::equal, std::move(phase)};
  }
  // The phases of the two sides may still differ by an angle that is not a multiple of pi/4, but
  // then the matrices over Z[w] are proportional by a number of modulus 1, which is a power of w.
  return {WindowAnswer::Kind::different, {}};
}

}  // namespace quartz::certify
