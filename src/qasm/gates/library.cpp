#include "qasm/gates/library.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "quartz/base/errors.hpp"
#include "quartz/circuit/custom_gate.hpp"

namespace quartz::qasm {
namespace {

using enum GateKind;

constexpr std::array kQelib1{u3,   u2,  u1,  cx,    id,   u,   p,       x,   y,    z,   h,
                             s,    sdg, t,   tdg,   rx,   ry,  rz,      sx,  sxdg, cz,  cy,
                             swap, ch,  ccx, cswap, crx,  cry, crz,     cu1, cp,   cu3, csx,
                             cu,   rxx, rzz, rccx,  rc3x, c3x, c3sqrtx, c4x};

constexpr std::array kStdgates{p,  x,  y,   z,   h,   s,  sdg,  t,   tdg,   sx, rx, ry, rz, cx, cy,
                               cz, cp, crx, cry, crz, ch, swap, ccx, cswap, cu, id, u1, u2, u3, u};

/// Returns e^{i phase} U(theta, phi, lambda).
Decomposition by_u(const Angle& theta, const Angle& phi, const Angle& lambda,
                   const Angle& phase = {}) {
  return {{make_operation(u, {0}, {theta, phi, lambda})}, phase, {}};
}

/// Returns definitions in U, with the parameter names that the gates have in the gate table.
std::map<GateKind, Decomposition> definitions_in_built_in_gates() {
  const auto pi = [](std::int64_t numerator, std::int64_t denominator = 1) {
    return Angle::pi_times(Rational(numerator, denominator));
  };
  const Angle zero;
  const Angle theta = Angle::symbol("theta");
  const Angle phi = Angle::symbol("phi");
  const Angle lambda = Angle::symbol("lambda");
  return {{x, by_u(pi(1), zero, pi(1))},
          {y, by_u(pi(1), pi(1, 2), pi(1, 2))},
          {z, by_u(zero, zero, pi(1))},
          {h, by_u(pi(1, 2), zero, pi(1))},
          {s, by_u(zero, zero, pi(1, 2))},
          {sdg, by_u(zero, zero, pi(-1, 2))},
          {t, by_u(zero, zero, pi(1, 4))},
          {tdg, by_u(zero, zero, pi(-1, 4))},
          {sx, by_u(pi(1, 2), pi(-1, 2), pi(1, 2), pi(1, 4))},
          {sxdg, by_u(pi(1, 2), pi(1, 2), pi(-1, 2), pi(-1, 4))},
          {rx, by_u(theta, pi(-1, 2), pi(1, 2))},
          {ry, by_u(theta, zero, zero)},
          {rz, by_u(zero, zero, theta, theta * Rational(-1, 2))},
          {p, by_u(zero, zero, lambda)},
          {u1, by_u(zero, zero, lambda)},
          {u2, by_u(pi(1, 2), phi, lambda)},
          {u3, by_u(theta, phi, lambda)},
          {cx, {}}};
}

/// Returns definitions without a phase that are shorter than those that any gate can have.
std::map<GateKind, Decomposition> short_definitions_without_phase() {
  const Angle zero;
  const Angle half = Angle::pi_times(Rational(1, 2));
  const Angle half_turn = Angle::pi_times(1);
  const Angle theta = Angle::symbol("theta");
  const Operation flip = make_operation(u, {0}, {half_turn, zero, half_turn});
  return {
      {ecr,
       {{make_operation(s, {0}), make_operation(rx, {1}, {half}), make_operation(cx, {0, 1}),
         make_operation(x, {0})},
        {},
        {}}},
      {rz,
       {{make_operation(u, {0}, {zero, zero, theta * Rational(1, 2)}), flip,
         make_operation(u, {0}, {zero, zero, theta * Rational(-1, 2)}), flip},
        {},
        {}}},
      {sx, {{make_operation(h, {0}), make_operation(s, {0}), make_operation(h, {0})}, {}, {}}},
      {sxdg, {{make_operation(h, {0}), make_operation(sdg, {0}), make_operation(h, {0})}, {}, {}}}};
}

/// Returns the gates with their definitions, in the order of their vendors' documentation.
std::vector<VendorGate> make_vendor_gates() {
  const auto on = [](GateKind kind, std::initializer_list<Qubit> qubits, AngleList angles = {}) {
    return make_operation(kind, qubits, std::move(angles));
  };
  const auto as = [](std::vector<Operation> operations, const Angle& phase = {}) {
    return Decomposition{std::move(operations), phase, {}};
  };
  const Angle a = Angle::symbol("alpha");
  const Angle b = Angle::symbol("beta");
  const Angle c = Angle::symbol("gamma");
  const Rational half(1, 2);
  const Angle quarter_turn = Angle::pi_times(half);
  return {
      // Amazon Braket (braket.circuits.gates)
      {"i", {}, 1, as({on(id, {0})})},
      {"si", {}, 1, as({on(sdg, {0})})},
      {"ti", {}, 1, as({on(tdg, {0})})},
      {"vi", {}, 1, as({on(sxdg, {0})})},
      {"cv", {}, 2, as({on(csx, {0, 1})})},
      {"ccnot", {}, 3, as({on(ccx, {0, 1, 2})})},
      {"phaseshift", {"alpha"}, 1, as({on(p, {0}, {a})})},
      {"cphaseshift", {"alpha"}, 2, as({on(cp, {0, 1}, {a})})},
      {"cphaseshift00",
       {"alpha"},
       2,
       as({on(x, {0}), on(x, {1}), on(cp, {0, 1}, {a}), on(x, {0}), on(x, {1})})},
      {"cphaseshift01", {"alpha"}, 2, as({on(x, {0}), on(cp, {0, 1}, {a}), on(x, {0})})},
      {"cphaseshift10", {"alpha"}, 2, as({on(x, {1}), on(cp, {0, 1}, {a}), on(x, {1})})},
      {"pswap", {"alpha"}, 2, as({on(swap, {0, 1}), on(rzz, {0, 1}, {a})}, a * half)},
      {"xx", {"alpha"}, 2, as({on(rxx, {0, 1}, {a})})},
      {"yy", {"alpha"}, 2, as({on(ryy, {0, 1}, {a})})},
      {"zz", {"alpha"}, 2, as({on(rzz, {0, 1}, {a})})},
      {"xy", {"alpha"}, 2, as({on(rxx, {0, 1}, {a * -half}), on(ryy, {0, 1}, {a * -half})})},
      // Quantinuum (pytket/qasm/includes/hqslib1.inc)
      {"U1q", {"alpha", "beta"}, 1, as({on(r, {0}, {a, b})})},
      {"Rz", {"alpha"}, 1, as({on(rz, {0}, {a})})},
      {"ZZ", {}, 2, as({on(rzz, {0, 1}, {quarter_turn})})},
      {"RZZ", {"alpha"}, 2, as({on(rzz, {0, 1}, {a})})},
      {"Rxxyyzz",
       {"alpha", "beta", "gamma"},
       2,
       as({on(rxx, {0, 1}, {a}), on(ryy, {0, 1}, {b}), on(rzz, {0, 1}, {c})})},
      // BQSKit (bqskit.ir.gates)
      {"sqisw", {}, 2, as({on(sqrtiswap, {0, 1})})},
  };
}

}  // namespace

std::span<const VendorGate> vendor_gates() {
  static const std::vector<VendorGate> gates = make_vendor_gates();
  return gates;
}

bool is_library_gate(GateKind kind, unsigned language_version) {
  if (language_version >= 3) {
    return std::find(kStdgates.begin(), kStdgates.end(), kind) != kStdgates.end();
  }
  return std::find(kQelib1.begin(), kQelib1.end(), kind) != kQelib1.end();
}

bool is_library_name(std::string_view name, unsigned language_version) {
  // The include files declare these names, but the gate table does not contain them.
  const std::vector<std::string_view> further =
      language_version >= 3 ? std::vector<std::string_view>{"CX", "phase", "cphase"}
                            : std::vector<std::string_view>{"u0"};
  if (std::find(further.begin(), further.end(), name) != further.end()) return true;
  const Gate* const row = find_gate(name);
  return row != nullptr && row->name == name && is_library_gate(row->kind, language_version);
}

bool is_built_in_gate(GateKind kind, unsigned language_version) {
  return kind == u || (kind == cx && language_version < 3);
}

const Decomposition* definition_of(GateKind kind) {
  const Decomposition* const found = general_decomposition(gate(kind));
  ensure(found != nullptr || is_custom(kind),
         "a gate outside of the standard include files has a decomposition");
  return found;
}

Decomposition without_phase(GateKind kind, const Decomposition& definition) {
  if (definition.phase.is_zero()) return definition;
  static const std::map<GateKind, Decomposition> short_definitions =
      short_definitions_without_phase();
  if (const auto found = short_definitions.find(kind); found != short_definitions.end()) {
    return found->second;
  }
  Decomposition result{definition.operations, {}, {}};
  for (int i = 0; i < 2; ++i) {  // the phase for the state |0> and for the state |1>
    result.operations.push_back(make_operation(u1, {0}, {definition.phase}));
    result.operations.push_back(make_operation(x, {0}));
  }
  return result;
}

const Decomposition* definition_without_library(GateKind kind) {
  static const std::map<GateKind, Decomposition> definitions = definitions_in_built_in_gates();
  const auto found = definitions.find(kind);
  return found != definitions.end() ? &found->second : definition_of(kind);
}

}  // namespace quartz::qasm
