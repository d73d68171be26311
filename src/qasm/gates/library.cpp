#include "qasm/gates/library.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <vector>

#include "quartz/base/errors.hpp"
#include "quartz/circuit/custom_gate.hpp"

namespace quartz::qasm {
namespace {

using enum GateKind;

constexpr std::array qelib1{u3,   u2,  u1,  cx,    id,   u,   p,       x,   y,    z,   h,
                            s,    sdg, t,   tdg,   rx,   ry,  rz,      sx,  sxdg, cz,  cy,
                            swap, ch,  ccx, cswap, crx,  cry, crz,     cu1, cp,   cu3, csx,
                            cu,   rxx, rzz, rccx,  rc3x, c3x, c3sqrtx, c4x};

constexpr std::array stdgates{p,  x,  y,   z,   h,   s,  sdg,  t,   tdg,   sx, rx, ry, rz, cx, cy,
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

}  // namespace

bool is_library_gate(GateKind kind, unsigned language_version) {
  if (language_version >= 3) {
    return std::find(stdgates.begin(), stdgates.end(), kind) != stdgates.end();
  }
  return std::find(qelib1.begin(), qelib1.end(), kind) != qelib1.end();
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

const Decomposition* definition_without_library(GateKind kind) {
  static const std::map<GateKind, Decomposition> definitions = definitions_in_built_in_gates();
  const auto found = definitions.find(kind);
  return found != definitions.end() ? &found->second : definition_of(kind);
}

}  // namespace quartz::qasm
