#include <catch2/catch.hpp>
#include <cmath>
#include <complex>
#include <numbers>
#include <stop_token>
#include <vector>

#include "certify/pauli/clifford_log.hpp"
#include "certify/pauli/stabilizer_state.hpp"
#include "random_circuits.hpp"

using namespace quartz;
using namespace quartz::certify;
using namespace quartz::test;

namespace {

using Complex = std::complex<double>;
using Kind = CliffordLog::Kind;

/// A Clifford gate in the way in which StabilizerState takes it.
struct CliffordGate {
  Kind kind = Kind::x;
  std::vector<Wire> wires;
  unsigned quarters = 0;
};

/// Returns `size` different numbers below `bound`.
std::vector<Wire> different_wires(Random& random, unsigned size, unsigned bound) {
  std::vector<Wire> wires;
  while (wires.size() < size) {
    const Wire wire = below(random, bound);
    if (std::ranges::find(wires, wire) == wires.end()) wires.push_back(wire);
  }
  return wires;
}

CliffordGate random_clifford_gate(Random& random, unsigned wires) {
  switch (below(random, wires > 1 ? 7 : 3)) {
    case 0:
      return {Kind::x, different_wires(random, 1, wires)};
    case 1:
    case 2:
      return below(random, 2) == 0 ? CliffordGate{Kind::hadamard, different_wires(random, 1, wires)}
                                   : CliffordGate{Kind::rotate_z, different_wires(random, 1, wires),
                                                  1 + below(random, 3)};
    case 3:
      return {Kind::swap, different_wires(random, 2, wires)};
    case 4:
      return {Kind::hadamard, different_wires(random, 1, wires)};
    case 5:
      return {Kind::rotate_z, different_wires(random, 1 + below(random, wires), wires),
              1 + below(random, 3)};
    default:
      return {Kind::cx, different_wires(random, 2, wires)};
  }
}

std::vector<CliffordGate> random_gates(Random& random, unsigned wires, std::size_t size) {
  std::vector<CliffordGate> gates;
  while (gates.size() < size) gates.push_back(random_clifford_gate(random, wires));
  return gates;
}

/// Applies a gate whose wire i is wire names[i] of the state.
void apply(StabilizerState& state, CliffordGate gate, const std::vector<Wire>& names) {
  for (Wire& wire : gate.wires) wire = names[wire];
  switch (gate.kind) {
    case Kind::hadamard:
      return state.hadamard(gate.wires[0]);
    case Kind::x:
      return state.x(gate.wires[0]);
    case Kind::cx:
      return state.cx(gate.wires[0], gate.wires[1]);
    case Kind::swap:
      return state.swap(gate.wires[0], gate.wires[1]);
    default:
      return state.rotate_z(gate.wires, gate.quarters);
  }
}

void log_gate(CliffordLog& log, const CliffordGate& gate) {
  for (std::size_t i = 0; i + 1 < gate.wires.size(); ++i) log.add(Kind::operand, gate.wires[i]);
  log.add(gate.kind, gate.wires.back(), gate.quarters);
}

/// Applies a gate to all amplitudes by the definition of the gate.
std::vector<Complex> applied(const CliffordGate& gate, const std::vector<Complex>& state) {
  std::vector<Complex> result(state.size(), 0);
  for (std::size_t b = 0; b < state.size(); ++b) {
    const auto bit = [&](std::size_t i) { return b >> gate.wires[i] & 1U; };
    const auto mask = [&](std::size_t i) { return std::size_t{1} << gate.wires[i]; };
    std::size_t parity = 0;
    for (std::size_t i = 0; i < gate.wires.size(); ++i) parity ^= bit(i);
    switch (gate.kind) {
      case Kind::hadamard:
        result[b & ~mask(0)] += state[b] / std::numbers::sqrt2;
        result[b | mask(0)] += (bit(0) == 1 ? -state[b] : state[b]) / std::numbers::sqrt2;
        break;
      case Kind::x:
        result[b ^ mask(0)] = state[b];
        break;
      case Kind::cx:
        result[bit(0) == 1 ? b ^ mask(1) : b] = state[b];
        break;
      case Kind::swap:
        result[bit(0) == bit(1) ? b : b ^ mask(0) ^ mask(1)] = state[b];
        break;
      default:
        result[b] = state[b] * std::polar(1.0, (parity == 1 ? 1 : -1) * (gate.quarters * 0.25) *
                                                   std::numbers::pi);
    }
  }
  return result;
}

std::vector<Complex> dense_state(const std::vector<CliffordGate>& gates, unsigned wires) {
  std::vector<Complex> state(std::size_t{1} << wires, 0);
  state[0] = 1;
  for (const CliffordGate& gate : gates) state = applied(gate, state);
  return state;
}

Complex value(const StabilizerState::Amplitude& amplitude) {
  if (amplitude.is_zero) return 0;
  return std::polar(std::exp2(-0.5 * static_cast<double>(amplitude.roots)),
                    amplitude.eighths * std::numbers::pi / 4);
}

/// Returns the largest error of an amplitude. Wire i of the dense state is wire names[i].
double error(StabilizerState& state, const std::vector<Complex>& dense,
             const std::vector<Wire>& names, std::size_t words) {
  double largest = 0;
  for (std::size_t b = 0; b < dense.size(); ++b) {
    std::vector<std::uint64_t> basis(words, 0);
    for (std::size_t i = 0; i < names.size(); ++i) {
      basis[names[i] / 64] |= (b >> i & 1U) << (names[i] % 64);
    }
    largest = std::max(largest, std::abs(value(state.amplitude(basis)) - dense[b]));
  }
  return largest;
}

/// Returns the inverse of the gate, up to a factor of -1 that is counted in `signs`.
CliffordGate inverse(CliffordGate gate, unsigned& signs) {
  if (gate.kind == Kind::rotate_z) {
    gate.quarters = 4 - gate.quarters;  // four quarter turns are -1
    ++signs;
  }
  return gate;
}

}  // namespace

TEST_CASE("Stabilizer states have the amplitudes of dense states", "[stabilizer state]") {
  Random random(71);
  std::vector<int> seen(8, 0);
  for (int round = 0; round < 400; ++round) {
    INFO("seed 71, round " << round);
    const unsigned wires = 1 + below(random, 6);
    const std::vector<CliffordGate> gates = random_gates(random, wires, 1 + below(random, 60));
    StabilizerState state(wires);
    const std::vector<Wire> names{0, 1, 2, 3, 4, 5};
    for (const CliffordGate& gate : gates) apply(state, gate, names);
    const std::vector<Wire> used(names.begin(), names.begin() + wires);
    REQUIRE(error(state, dense_state(gates, wires), used, 1) < 1e-9);
    const StabilizerState::Amplitude first = state.amplitude(std::vector<std::uint64_t>{0});
    if (!first.is_zero) ++seen[first.eighths];
  }
  for (const int count : seen) CHECK(count > 0);
}

TEST_CASE("Stabilizer states across the boundaries of words", "[stabilizer state]") {
  Random random(72);
  constexpr unsigned wires = 131;
  std::vector<Wire> all;
  for (Wire wire = 0; wire < wires; ++wire) all.push_back(wire);
  for (int round = 0; round < 12; ++round) {
    INFO("seed 72, round " << round);
    StabilizerState state(wires);
    // A circuit on all wires and its inverse leave a sign, but U and its rows have been changed.
    unsigned signs = 0;
    const std::vector<CliffordGate> scrambling = random_gates(random, wires, 600);
    for (const CliffordGate& gate : scrambling) apply(state, gate, all);
    for (auto gate = scrambling.rbegin(); gate != scrambling.rend(); ++gate) {
      apply(state, inverse(*gate, signs), all);
    }
    const StabilizerState::Amplitude back = state.amplitude(std::vector<std::uint64_t>(3, 0));
    REQUIRE(!back.is_zero);
    CHECK(back.roots == 0);
    CHECK(back.eighths == 4 * (signs % 2));
    const std::vector<Wire> names{0, 63, 64, 127, 128, 130};
    const std::vector<CliffordGate> gates = random_gates(random, 6, 60);
    for (const CliffordGate& gate : gates) apply(state, gate, names);
    std::vector<Complex> dense = dense_state(gates, 6);
    for (Complex& amplitude : dense) amplitude *= signs % 2 == 0 ? 1 : -1;
    CHECK(error(state, dense, names, 3) < 1e-9);
  }
}

TEST_CASE("A log of Clifford gates gives the phase of a multiple of the identity",
          "[stabilizer state]") {
  Random random(73);
  for (unsigned eighths = 0; eighths < 8; ++eighths) {
    CliffordLog log(1e6);
    unsigned signs = 0;
    const std::vector<CliffordGate> gates = random_gates(random, 70, 300);
    for (const CliffordGate& gate : gates) log_gate(log, gate);
    // (S H)^3 = e^{i pi/4}, where S is a quarter turn and e^{i pi/4}. The quarter turns alone give
    // e^{-i pi/2} = e^{i 6 pi/4}.
    for (unsigned i = 0; i < eighths; ++i) {
      for (int j = 0; j < 3; ++j) {
        log_gate(log, {Kind::rotate_z, {66}, 1});
        log_gate(log, {Kind::hadamard, {66}});
      }
    }
    for (auto gate = gates.rbegin(); gate != gates.rend(); ++gate) {
      log_gate(log, inverse(*gate, signs));
    }
    INFO("seed 73, " << eighths);
    CHECK(log.phase_of_identity(70, {}) == (6 * eighths + 4 * signs) % 8);
  }
}

TEST_CASE("A log of Clifford gates keeps its limits", "[stabilizer state]") {
  CliffordLog log(40);
  for (int i = 0; i < 10; ++i) log.add(Kind::x, 0);
  CHECK(log.phase_of_identity(1, {}) == 0U);
  Budget little_memory;
  little_memory.memory_bytes = 50;
  CHECK(!log.phase_of_identity(1, little_memory).has_value());
  for (int i = 0; i < 2; ++i) log.add(Kind::x, 0);
  CHECK(!log.phase_of_identity(1, {}).has_value());

  CliffordLog long_log(1e6);
  // Two quarter turns are -i Z, and (Z H)^4 is -1, so that four pairs are -1.
  for (int i = 0; i < 4000; ++i) {
    long_log.add(Kind::rotate_z, 0, 2);
    long_log.add(Kind::hadamard, 0);
  }
  CHECK(long_log.phase_of_identity(1000, {}) == 0U);
  std::stop_source stop;
  stop.request_stop();
  CHECK(!long_log.phase_of_identity(1000, Budget::of_seconds(60, stop.get_token())).has_value());
}
