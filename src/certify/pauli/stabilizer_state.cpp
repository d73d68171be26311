#include "certify/pauli/stabilizer_state.hpp"

#include <algorithm>
#include <bit>

namespace quartz::certify {
namespace {

std::uint64_t parity(std::uint64_t bits) {
  return static_cast<std::uint64_t>(__builtin_parityll(bits));
}

std::uint64_t bit_of(Wire wire) { return std::uint64_t{1} << (wire % 64); }

/// Returns 0 or 1.
std::uint64_t bit(const std::uint64_t* words, Wire wire) {
  return words[wire / 64] >> (wire % 64) & 1U;
}

void flip_if(std::uint64_t condition, std::uint64_t* words, Wire wire) {
  words[wire / 64] ^= condition << (wire % 64);
}

}  // namespace

StabilizerState::StabilizerState(std::size_t wires)
    : words_((wires + 63) / 64),
      rows_(wires * row_words(), 0),
      pending_(wires, false),
      v_(words_, 0),
      s_(words_, 0),
      t_(words_, 0),
      u_(words_, 0),
      difference_(words_, 0) {
  for (Wire wire = 0; wire < wires; ++wire) {
    const Row row = f(wire);
    flip_if(1, row, wire);
    flip_if(1, g(row), wire);
  }
}

double StabilizerState::bytes(std::size_t wires) {
  const auto words = static_cast<double>((wires + 63) / 64);
  return (static_cast<double>(wires) * (3 * words + 1) + 8 * words) * sizeof(std::uint64_t);
}

void StabilizerState::x(Wire wire) {
  if (!pending_[wire]) return apply_x(wire);
  // X H = H Z.
  gamma(f(wire)) = (gamma(f(wire)) + 2) % 4;
}

void StabilizerState::cx(Wire control, Wire target) {
  if (pending_[control] && !pending_[target]) apply_pending(control);
  if (pending_[control]) return apply_cx(target, control);
  if (pending_[target]) return apply_cz(control, target);
  apply_cx(control, target);
}

void StabilizerState::swap(Wire first, Wire second) {
  work_ += row_words();
  std::swap_ranges(f(first), f(first) + row_words(), f(second));
  std::vector<bool>::swap(pending_[first], pending_[second]);
}

void StabilizerState::apply_x(Wire wire) {
  // i^gamma X^f Z^m H^v |s> = i^gamma (-1)^beta H^v |u>, as in split().
  work_ += row_words();
  const Row row = f(wire);
  std::uint64_t beta = 0;
  for (std::size_t i = 0; i < words_; ++i) {
    const std::uint64_t f_word = row[i];
    const std::uint64_t m_word = m(row)[i];
    beta ^= (m_word & ~v_[i] & s_[i]) ^ (f_word & v_[i] & (m_word ^ s_[i]));
    s_[i] ^= (f_word & ~v_[i]) ^ (m_word & v_[i]);
  }
  turn(2 * gamma(row) + 4 * parity(beta));
}

void StabilizerState::apply_cx(Wire control, Wire target) {
  work_ += row_words();
  const Row a = f(control);
  const Row b = f(target);
  // X^f Z^m X^f' Z^m' = (-1)^(m . f') X^(f + f') Z^(m + m').
  std::uint64_t passed = 0;
  for (std::size_t i = 0; i < words_; ++i) {
    passed ^= m(a)[i] & b[i];
    a[i] ^= b[i];
    m(a)[i] ^= m(b)[i];
    g(b)[i] ^= g(a)[i];
  }
  gamma(a) = (gamma(a) + gamma(b) + 2 * parity(passed)) % 4;
}

void StabilizerState::apply_cz(Wire first, Wire second) {
  work_ += row_words();
  const Row a = f(first);
  const Row b = f(second);
  for (std::size_t i = 0; i < words_; ++i) {
    m(a)[i] ^= g(b)[i];
    m(b)[i] ^= g(a)[i];
  }
}

void StabilizerState::rotate_z(std::span<const Wire> wires, unsigned quarters) {
  // The rotation is e^{-i quarters pi/4} times a product of gates S, CZ and CX. It replaces X on
  // each of its wires by X (-i Z...Z)^quarters.
  work_ += row_words() * wires.size();
  for (const Wire wire : wires) apply_pending(wire);
  turn(std::uint64_t{8} - quarters % 8);
  std::ranges::fill(t_, 0);
  for (const Wire wire : wires) {
    const Row row = f(wire);
    for (std::size_t i = 0; i < words_; ++i) t_[i] ^= g(row)[i];
  }
  for (const Wire wire : wires) {
    const Row row = f(wire);
    gamma(row) = (gamma(row) + 4 - quarters % 4) % 4;
    if (quarters % 2 == 0) continue;
    for (std::size_t i = 0; i < words_; ++i) m(row)[i] ^= t_[i];
  }
}

StabilizerState::Sum StabilizerState::split(Wire wire) {
  const Row row = f(wire);
  std::uint64_t alpha = 0;
  std::uint64_t beta = 0;
  for (std::size_t i = 0; i < words_; ++i) {
    const std::uint64_t f_word = row[i];
    const std::uint64_t m_word = m(row)[i];
    const std::uint64_t g_word = g(row)[i];
    // A Hadamard gate exchanges X and Z, and X^f Z^m becomes Z^f X^m.
    t_[i] = s_[i] ^ (g_word & v_[i]);
    u_[i] = s_[i] ^ (f_word & ~v_[i]) ^ (m_word & v_[i]);
    difference_[i] = t_[i] ^ u_[i];
    alpha ^= g_word & ~v_[i] & s_[i];
    beta ^= (m_word & ~v_[i] & s_[i]) ^ (f_word & v_[i] & (m_word ^ s_[i]));
  }
  return {parity(alpha), (gamma(row) + 2 * (parity(alpha) + parity(beta))) % 4};
}

std::optional<Wire> StabilizerState::pivot() const {
  std::optional<Wire> found;
  for (std::size_t i = 0; i < words_; ++i) {
    const std::uint64_t outside = difference_[i] & ~v_[i];
    if (outside != 0) return static_cast<Wire>(64 * i + std::countr_zero(outside));
    if (difference_[i] == 0 || found.has_value()) continue;
    found = static_cast<Wire>(64 * i + std::countr_zero(difference_[i]));
  }
  return found;
}

StabilizerState::Words StabilizerState::changed_words() const {
  Words range{0, words_};
  while (range.begin < range.end && difference_[range.begin] == 0) ++range.begin;
  while (range.begin < range.end && difference_[range.end - 1] == 0) --range.end;
  return range;
}

void StabilizerState::apply_pending(Wire wire) {
  if (!pending_[wire]) return;
  pending_[wire] = false;
  work_ += row_words();
  auto [alpha, delta] = split(wire);
  turn(4 * alpha);
  const std::optional<Wire> different = pivot();
  if (!different.has_value()) {
    // 1 + i^delta is sqrt(2) e^{+-i pi/4}, since H keeps the norm.
    turn(delta == 1 ? 1 : 7);
    std::swap(s_, t_);
    return;
  }
  const Wire q = *different;
  difference_[q / 64] ^= bit_of(q);
  // The gates by which control_by() or target() multiply U take |t> and |u> to states that differ
  // in q only: to |0> + i^delta |1>, up to a phase, on q.
  if (bit(t_.data(), q) == 1) {
    std::swap(t_, u_);
    turn(2 * delta);
    delta = (4 - delta) % 4;
  }
  const bool phase_gate = delta % 2 == 1;
  if (bit(v_.data(), q) == 0) {
    // |0> + i^delta |1> = sqrt(2) S^phase_gate H |delta >= 2>
    control_by(q, phase_gate);
    std::swap(s_, t_);
    flip_if(delta / 2, s_.data(), q);
    flip_if(1, v_.data(), q);
    return;
  }
  target(q, phase_gate);
  std::swap(s_, t_);
  if (phase_gate) {
    // H (|0> + i |1>) / sqrt(2) = e^{i pi/4} S H |1>, and H (|0> - i |1>) / sqrt(2) = e^{-i pi/4} S
    // H |0>.
    turn(delta == 1 ? 1 : 7);
    flip_if(delta == 1 ? 1 : 0, s_.data(), q);
  } else {
    // H (|0> +- |1>) / sqrt(2) is |0> or |1>.
    flip_if(delta / 2, s_.data(), q);
    flip_if(1, v_.data(), q);
  }
}

void StabilizerState::control_by(Wire q, bool phase_gate) {
  const std::uint64_t turns = phase_gate ? 1 : 0;
  const Words changed = changed_words();
  if (turns == 0 && changed.begin == changed.end) return;
  // u_ is not needed any more.
  std::vector<std::uint64_t>& flips = difference_;
  std::vector<std::uint64_t>& signs = u_;
  for (std::size_t i = changed.begin; i < changed.end; ++i) {
    signs[i] = difference_[i] & v_[i];
    flips[i] = difference_[i] & ~v_[i];
  }
  work_ += pending_.size() * (3 * (changed.end - changed.begin) + 1);
  const Row end = rows_.data() + rows_.size();
  for (Row row = rows_.data(); row != end; row += row_words()) {
    const std::uint64_t controlled = bit(row, q);
    std::uint64_t m_sum = 0;
    std::uint64_t g_sum = 0;
    std::uint64_t f_sum = 0;
    for (std::size_t i = changed.begin; i < changed.end; ++i) {
      m_sum ^= m(row)[i] & flips[i];
      g_sum ^= g(row)[i] & flips[i];
      f_sum ^= row[i] & signs[i];
    }
    // X on both wires of a CZ becomes -X X Z Z. S turns X into -i X Z.
    const std::uint64_t sign = parity(f_sum);
    flip_if(parity(m_sum) ^ sign ^ (controlled & turns), m(row), q);
    flip_if(parity(g_sum), g(row), q);
    if (controlled == 0) continue;
    gamma(row) = (gamma(row) + 2 * sign + 4 - turns) % 4;
    for (std::size_t i = changed.begin; i < changed.end; ++i) {
      row[i] ^= flips[i];
      m(row)[i] ^= signs[i];
    }
  }
}

void StabilizerState::target(Wire q, bool phase_gate) {
  const std::uint64_t turns = phase_gate ? 1 : 0;
  const Words changed = changed_words();
  if (turns == 0 && changed.begin == changed.end) return;
  work_ += pending_.size() * (3 * (changed.end - changed.begin) + 1);
  const Row end = rows_.data() + rows_.size();
  for (Row row = rows_.data(); row != end; row += row_words()) {
    const std::uint64_t m_mask = -bit(m(row), q);
    const std::uint64_t g_mask = -bit(g(row), q);
    std::uint64_t f_sum = 0;
    for (std::size_t i = changed.begin; i < changed.end; ++i) {
      f_sum ^= row[i] & difference_[i];
      m(row)[i] ^= difference_[i] & m_mask;
      g(row)[i] ^= difference_[i] & g_mask;
    }
    flip_if(parity(f_sum), row, q);
    const std::uint64_t turned = bit(row, q) & turns;
    gamma(row) = (gamma(row) + 4 - turned) % 4;
    flip_if(turned, m(row), q);
  }
}

StabilizerState::Amplitude StabilizerState::amplitude(std::span<const std::uint64_t> basis_state) {
  for (Wire wire = 0; wire < pending_.size(); ++wire) apply_pending(wire);
  // <b| U = <0| U^dagger X^b U, since U keeps |0...0>. The product of the rows in b is
  // i^gamma X^x Z^z.
  std::vector<std::uint64_t> x_bits(words_, 0);
  std::vector<std::uint64_t> z_bits(words_, 0);
  std::uint64_t power = 0;
  for (std::size_t wire = 0; wire * row_words() < rows_.size(); ++wire) {
    if ((basis_state[wire / 64] >> (wire % 64) & 1U) == 0) continue;
    const std::uint64_t* const row = rows_.data() + wire * row_words();
    std::uint64_t passed = 0;
    for (std::size_t i = 0; i < words_; ++i) {
      passed ^= z_bits[i] & row[i];
      x_bits[i] ^= row[i];
      z_bits[i] ^= row[words_ + i];
    }
    power += row[3 * words_] + 2 * parity(passed);
  }
  // <0| X^x Z^z = (-1)^(x . z) <x|.
  Amplitude result;
  std::uint64_t sign = 0;
  for (std::size_t i = 0; i < words_; ++i) {
    if (((x_bits[i] ^ s_[i]) & ~v_[i]) != 0) return {.is_zero = true};
    sign ^= (x_bits[i] & z_bits[i]) ^ (x_bits[i] & s_[i] & v_[i]);
    result.roots += static_cast<std::size_t>(std::popcount(v_[i]));
  }
  result.eighths = static_cast<unsigned>((eighths_ + 2 * power + 4 * parity(sign)) % 8);
  return result;
}

}  // namespace quartz::certify
