#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "quartz/circuit/operation.hpp"
#include "quartz/qasm/include_path.hpp"

/// X with many controls up to a relative phase: a diagonal factor, which is undone where the gate
/// is (Maslov, arXiv:1508.03273). It may borrow qubits in any state, which are restored (Barenco et
/// al., quant-ph/9503016). Costs are numbers of cx, of which cp and ccx have 2 and 6.
namespace quartz::qasm {

constexpr std::uint64_t kImpossible = std::numeric_limits<std::uint32_t>::max();

[[nodiscard]] std::vector<Qubit> joined(std::span<const Qubit> a, std::span<const Qubit> b);
void append_all(std::span<const Operation> some, std::vector<Operation>& gates);
/// Appends the inverse of gates, all of whose inverses have no phase.
void append_inverse(std::span<const Operation> some, std::vector<Operation>& gates);
void append_hadamard(Qubit target, std::vector<Operation>& gates);

/// Returns the limit for controls whose parities are taken one by one. For x with two, all
/// rotations are T gates; with three, this saves 6 of 14 cx. With four, it would save 4 of 20 cx
/// for 16 rotations that are no T gates.
[[nodiscard]] constexpr std::size_t most_controls_by_parities(ControlExpansion expansion) {
  return expansion == ControlExpansion::few_rotations ? 2 : 3;
}

/// Appends rz(angle) with m controls as rotations of the target by angle / 2^m, in the order of a
/// Gray code, with 2^m cx (Moettoenen et al., quant-ph/0404089). `kind` is rz, or p: the angles of
/// the rotations add up to 0, so their phases do too.
void append_by_parities(std::span<const Qubit> controls, Qubit target, const Angle& angle,
                        GateKind kind, std::vector<Operation>& gates);

/// Returns the number of qubits that a chain of three or more controls borrows.
[[nodiscard]] constexpr std::size_t chain_length(std::size_t controls) {
  return controls == 3 ? 1 : controls - 3;
}
/// Returns gates that map the last of the borrowed qubits to its sum with the product of all
/// controls but the last one, up to a relative phase, and change the others. The first three
/// controls are those of rc3x, or two those of rccx; each further one costs 4 cx (Iten et al.,
/// arXiv:1501.06911, lemma 8).
[[nodiscard]] std::vector<Operation> chain(std::span<const Qubit> controls,
                                           std::span<const Qubit> borrowed);

/// Appends x with three or more controls: the last control and the end of the chain flip the target
/// before and after the chain. `append_flip` appends x with these two controls; if it has a
/// relative phase, the whole has one.
template <typename AppendFlip>
void append_x_by_chain(std::span<const Qubit> controls, std::span<const Qubit> borrowed,
                       AppendFlip append_flip, std::vector<Operation>& gates) {
  const std::vector<Operation> links = chain(controls, borrowed);
  const std::array<Qubit, 2> top{controls.back(), borrowed[chain_length(controls.size()) - 1]};
  append_flip(top);
  append_all(links, gates);
  append_flip(top);
  append_inverse(links, gates);
}

/// Returns the cost of append_x_up_to_phase; kImpossible if it needs more borrowed qubits.
[[nodiscard]] std::uint64_t cost_of_x_up_to_phase(std::size_t controls, std::size_t borrowed,
                                                  ControlExpansion expansion);
/// Appends x on the target with one or more controls and a factor that is diagonal on the controls
/// and the borrowed qubits.
void append_x_up_to_phase(std::span<const Qubit> controls, Qubit target,
                          std::span<const Qubit> borrowed, ControlExpansion expansion,
                          std::vector<Operation>& gates);

}  // namespace quartz::qasm
