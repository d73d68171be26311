#include "optimize/product_layers/affine_frame.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "optimize/pauli/pauli_rows.hpp"
#include "optimize/pauli_network/clifford_phase.hpp"
#include "quartz/base/errors.hpp"

namespace quartz::optimizer {
namespace {

/// Pauli operators on single qubits.
enum class FrameAxis : std::uint8_t { z, x, y };

/// Appends the gates that turn an axis of a qubit into Z.
void append_to_z(FrameAxis axis, std::uint32_t qubit, std::vector<CliffordGate>& gates) {
  if (axis == FrameAxis::z) return;
  if (axis == FrameAxis::y) gates.push_back({CliffordKind::s, qubit, 0, 3});
  gates.push_back({CliffordKind::h, qubit});
}

/// Appends the inverse of gates; returns whether that is -1 times the inverse.
bool append_inverse(std::span<const CliffordGate> gates, std::vector<CliffordGate>& result) {
  bool is_negated = false;
  for (auto gate = gates.rbegin(); gate != gates.rend(); ++gate) {
    result.push_back(*gate);
    if (gate->kind != CliffordKind::s) continue;
    // The inverse of rz by k quarters is that by 4 - k, times -1.
    result.back().quarters = 4 - gate->quarters;
    is_negated = !is_negated;
  }
  return is_negated;
}

class FrameFinder {
 public:
  FrameFinder(const PulledRotations& circuit, const LayerCoordinates& coordinates)
      : circuit_(circuit),
        coordinates_(coordinates),
        frame_{.before = coordinates.gates_to_z(),
               .diagonal = QuadraticPhase(circuit.qubits),
               .outputs = {},
               .after = {}} {}

  [[nodiscard]] std::optional<AffineFrame> run() {
    for (std::uint32_t qubit = 0; qubit < circuit_.qubits; ++qubit) {
      if (!find_output(qubit)) return std::nullopt;
    }
    find_diagonal();
    find_gates_after();
    return std::move(frame_);
  }

 private:
  using Row = std::vector<std::uint64_t>;

  /// Returns C^dagger P C for an axis P of a qubit.
  [[nodiscard]] Row image_of(FrameAxis axis, std::uint32_t qubit) const {
    const PauliRows::ConstRow x = circuit_.image_of_x(qubit);
    const PauliRows::ConstRow z = circuit_.image_of_z(qubit);
    if (axis == FrameAxis::z) return {z.begin(), z.end()};
    Row row(x.begin(), x.end());
    if (axis == FrameAxis::y) {  // Y = i X Z
      circuit_.paulis.multiply(row, z);
      circuit_.paulis.phase(PauliRows::Row(row)) += 1;
      circuit_.paulis.phase(PauliRows::Row(row)) %= 4;
    }
    return row;
  }

  /// Finds the axis of a qubit that is a parity of the bits.
  [[nodiscard]] bool find_output(std::uint32_t qubit) {
    for (const FrameAxis axis : {FrameAxis::z, FrameAxis::x, FrameAxis::y}) {
      const Row row = image_of(axis, qubit);
      if (!coordinates_.contains(row)) continue;
      SignedForm form = coordinates_.form_of(row);
      axes_.push_back(axis);
      frame_.outputs.push_back(std::move(form.form));
      is_flipped_.push_back(form.is_negative);
      return true;
    }
    return false;
  }

  /// Replaces P by B P B^dagger, for B the gates before.
  void push_through_gates_before(Row& row) const {
    const std::size_t words = circuit_.paulis.bit_words() / 2;
    std::uint64_t& phase = circuit_.paulis.phase(PauliRows::Row(row));
    for (const CliffordGate& gate : frame_.before) {
      const std::uint64_t bit = std::uint64_t{1} << (gate.first % 64);
      std::uint64_t& x = row[gate.first / 64];
      std::uint64_t& z = row[words + gate.first / 64];
      if ((x & bit) == 0 && (z & bit) == 0) continue;
      // The operator on this qubit commutes with those on others, but for its factors of i.
      const PauliString before{(x & bit) != 0 ? 1U : 0U, (z & bit) != 0 ? 1U : 0U, 0};
      CliffordGate local = gate;
      local.first = 0;
      const PauliString after = pushed(before, local);
      x = after.x != 0 ? x | bit : x & ~bit;
      z = after.z != 0 ? z | bit : z & ~bit;
      phase = (phase + after.phase) % 4;
    }
  }

  /// Finds D from D^dagger X_i D = i^p X_i Z^z, which is the product of the images of the X of
  /// those outputs that contain bit i.
  void find_diagonal() {
    std::vector<Row> images;
    for (std::uint32_t qubit = 0; qubit < circuit_.qubits; ++qubit) {
      // The gates after turn this axis into X.
      images.push_back(image_of(axes_[qubit] == FrameAxis::z ? FrameAxis::x : FrameAxis::z, qubit));
      push_through_gates_before(images.back());
    }
    const std::size_t words = circuit_.paulis.bit_words() / 2;
    for (std::uint32_t bit = 0; bit < circuit_.qubits; ++bit) {
      Row product(circuit_.paulis.row_words());
      for (std::uint32_t output = 0; output < circuit_.qubits; ++output) {
        if (frame_.outputs[output].test(bit)) circuit_.paulis.multiply(product, images[output]);
      }
      ensure(has_bit(product, bit), "the linear map is undone by its inverse");
      const auto power = static_cast<unsigned>(circuit_.paulis.phase(PauliRows::Row(product)));
      frame_.diagonal.add_bit(bit, (4 - power) % 4);
      for (std::uint32_t other = bit + 1; other < circuit_.qubits; ++other) {
        if (has_bit(std::span(product).subspan(words), other)) frame_.diagonal.add_pair(bit, other);
      }
    }
  }

  void find_gates_after() {
    std::vector<CliffordGate> to_z;
    for (std::uint32_t qubit = 0; qubit < circuit_.qubits; ++qubit) {
      append_to_z(axes_[qubit], qubit, to_z);
    }
    std::vector<CliffordGate> flips;
    for (std::uint32_t qubit = 0; qubit < circuit_.qubits; ++qubit) {
      if (is_flipped_[qubit]) flips.push_back({CliffordKind::x, qubit});
    }
    // What the gates between B and W do, whose phase is found on |0...0>.
    std::vector<CliffordGate> middle;
    bool is_negated = append_inverse(frame_.before, middle);
    middle.insert(middle.end(), circuit_.clifford.begin(), circuit_.clifford.end());
    middle.insert(middle.end(), to_z.begin(), to_z.end());
    middle.insert(middle.end(), flips.begin(), flips.end());
    const std::optional<unsigned> eighths = phase_on_zero_state(middle, circuit_.qubits);
    ensure(eighths.has_value(), "a linear map keeps the state in which all bits are 0");
    frame_.after = std::move(flips);
    if (append_inverse(to_z, frame_.after)) is_negated = !is_negated;
    frame_.eighths = (*eighths + (is_negated ? 4 : 0)) % 8;
  }

  const PulledRotations& circuit_;
  const LayerCoordinates& coordinates_;
  AffineFrame frame_;
  std::vector<FrameAxis> axes_;   ///< for each qubit, the one that W^dagger turns into Z
  std::vector<bool> is_flipped_;  ///< whether its output is the complement of a parity
};

}  // namespace

std::optional<AffineFrame> affine_frame(const PulledRotations& circuit,
                                        const LayerCoordinates& coordinates) {
  return FrameFinder(circuit, coordinates).run();
}

}  // namespace quartz::optimizer
