#include "optimize/product_layers/layer_coordinates.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "quartz/base/errors.hpp"

namespace quartz::optimizer {
namespace {

/// Returns the x and z bits of an operator on many qubits.
LinearForm bits_of(const PauliRows& paulis, PauliRows::ConstRow row) {
  const PauliRows::ConstRow bits = paulis.bits(row);
  return {bits.begin(), bits.end()};
}

/// Returns the number of qubits on which an operator is Y.
unsigned count_ys(const PauliRows& paulis, PauliRows::ConstRow row) {
  const std::size_t words = paulis.bit_words() / 2;
  unsigned count = 0;
  for (std::size_t word = 0; word < words; ++word) {
    count += static_cast<unsigned>(__builtin_popcountll(row[word] & row[words + word]));
  }
  return count;
}

}  // namespace

LayerCoordinates::LayerCoordinates(const PulledRotations& circuit, const RotationLayer& layer)
    : paulis_(circuit.paulis), qubits_(circuit.qubits) {
  is_local_ = find_local_operators(circuit, layer);
  if (!is_local_) use_axes(circuit, layer);
}

std::size_t LayerCoordinates::dimension() const {
  return is_local_ ? qubits_ : coordinates_.dimension();
}

bool LayerCoordinates::find_local_operators(const PulledRotations& circuit,
                                            const RotationLayer& layer) {
  const std::size_t words = paulis_.bit_words() / 2;
  const std::size_t row_words = paulis_.row_words();
  operators_.assign(qubits_ * row_words, 0);
  // The x and z bits of all qubits where some axis has them.
  std::vector<std::uint64_t> x(words);
  std::vector<std::uint64_t> z(words);
  std::vector<std::uint64_t> used(words);
  for (const std::uint32_t rotation : layer.basis) {
    const PauliRows::ConstRow axis = circuit.axis(rotation);
    for (std::size_t word = 0; word < words; ++word) {
      const std::uint64_t support = axis[word] | axis[words + word];
      const std::uint64_t both = support & used[word];
      if (((axis[word] ^ x[word]) & both) != 0 || ((axis[words + word] ^ z[word]) & both) != 0) {
        return false;
      }
      used[word] |= support;
      x[word] |= axis[word];
      z[word] |= axis[words + word];
    }
  }
  for (std::uint32_t qubit = 0; qubit < qubits_; ++qubit) {
    const PauliRows::Row row = std::span(operators_).subspan(qubit * row_words, row_words);
    const bool has_x = has_bit(x, qubit);
    const bool has_z = has_bit(z, qubit);
    if (has_x) paulis_.set_x(row, qubit);
    if (has_z || !has_x) paulis_.set_z(row, qubit);
    if (has_x && has_z) paulis_.phase(row) = 1;  // Y = i X Z
  }
  return true;
}

void LayerCoordinates::use_axes(const PulledRotations& circuit, const RotationLayer& layer) {
  operators_.clear();
  for (const std::uint32_t rotation : layer.basis) {
    const PauliRows::ConstRow axis = circuit.axis(rotation);
    if (!coordinates_.extend(bits_of(paulis_, axis))) continue;
    operators_.insert(operators_.end(), axis.begin(), axis.end());
  }
}

bool LayerCoordinates::contains(PauliRows::ConstRow axis) const {
  ensure(is_local_, "only local operators are compared qubit by qubit");
  for (std::uint32_t qubit = 0; qubit < qubits_; ++qubit) {
    const std::size_t z = 32 * paulis_.bit_words() + qubit;
    const bool has_x = has_bit(axis, qubit);
    const bool has_z = has_bit(axis, z);
    if (!has_x && !has_z) continue;
    if (has_x != has_bit(row_of(qubit), qubit) || has_z != has_bit(row_of(qubit), z)) return false;
  }
  return true;
}

SignedForm LayerCoordinates::form_of(PauliRows::ConstRow axis) const {
  SignedForm result;
  if (is_local_) {
    result.form.resize(qubits_);
    for (std::size_t word = 0; word < paulis_.bit_words() / 2; ++word) {
      std::uint64_t support = axis[word] | axis[paulis_.bit_words() / 2 + word];
      for (; support != 0; support &= support - 1) {
        result.form.set(64 * word + static_cast<std::size_t>(std::countr_zero(support)));
      }
    }
    // The product of the operators has one factor i for each Y.
    result.is_negative = (paulis_.phase(axis) + 4 - count_ys(paulis_, axis) % 4) % 4 == 2;
    return result;
  }
  std::optional<LinearForm> form = coordinates_.of(bits_of(paulis_, axis));
  ensure(form.has_value(), "the axes of a layer are products of its basis");
  result.form = *std::move(form);
  const std::vector<std::uint64_t> product = axis_of(result.form);
  result.is_negative = paulis_.phase(PauliRows::ConstRow(product)) != paulis_.phase(axis);
  return result;
}

std::vector<std::uint64_t> LayerCoordinates::axis_of(const LinearForm& form) const {
  std::vector<std::uint64_t> product(paulis_.row_words());
  for (std::size_t i = form.find_first(); i != LinearForm::npos; i = form.find_next(i)) {
    paulis_.multiply(product, row_of(i));
  }
  return product;
}

std::vector<CliffordGate> LayerCoordinates::gates_to_z() const {
  ensure(is_local_, "gates on single qubits diagonalize local operators");
  std::vector<CliffordGate> gates;
  for (std::uint32_t qubit = 0; qubit < qubits_; ++qubit) {
    const PauliRows::ConstRow row = row_of(qubit);
    if (!has_bit(row, qubit)) continue;
    // S^dagger Y S = X, and H maps that to Z.
    if (paulis_.phase(row) == 1) gates.push_back({CliffordKind::s, qubit, 0, 3});
    gates.push_back({CliffordKind::h, qubit});
  }
  return gates;
}

}  // namespace quartz::optimizer
