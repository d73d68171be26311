#include "qasm/library.hpp"

#include <algorithm>
#include <array>

#include "quartz/circuit/custom_gate.hpp"
#include "quartz/errors.hpp"

namespace quartz::qasm {
namespace {

using enum GateKind;

constexpr std::array qelib1{u3,   u2,  u1,  cx,    id,   u,   p,       x,   y,    z,   h,
                            s,    sdg, t,   tdg,   rx,   ry,  rz,      sx,  sxdg, cz,  cy,
                            swap, ch,  ccx, cswap, crx,  cry, crz,     cu1, cp,   cu3, csx,
                            cu,   rxx, rzz, rccx,  rc3x, c3x, c3sqrtx, c4x};

constexpr std::array stdgates{p,  x,  y,   z,   h,   s,  sdg,  t,   tdg,   sx, rx, ry, rz, cx, cy,
                              cz, cp, crx, cry, crz, ch, swap, ccx, cswap, cu, id, u1, u2, u3, u};

}  // namespace

bool is_library_gate(GateKind kind, unsigned language_version) {
  if (language_version >= 3) {
    return std::find(stdgates.begin(), stdgates.end(), kind) != stdgates.end();
  }
  return std::find(qelib1.begin(), qelib1.end(), kind) != qelib1.end();
}

std::string_view written_name(GateKind kind, unsigned language_version) {
  if (kind == u && language_version >= 3) return "U";
  return gate(kind).name;
}

const Decomposition* definition_of(GateKind kind) {
  const Decomposition* const found = general_decomposition(gate(kind));
  ensure(found != nullptr || is_custom(kind),
         "a gate outside of the standard include files has a decomposition");
  return found;
}

}  // namespace quartz::qasm
