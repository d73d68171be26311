#include "certify/state_vector.hpp"

#include <algorithm>

#include "certify/numbers.hpp"

namespace quartz::certify {
namespace {

/// Spreads the bits of `index` so that the given positions, ascending, are 0.
std::size_t insert_zeros(std::size_t index, std::span<const unsigned> positions) {
  for (const unsigned position : positions) {
    const std::size_t low = (std::size_t{1} << position) - 1;
    index = ((index & ~low) << 1) | (index & low);
  }
  return index;
}

std::size_t offset_of(std::size_t local, std::span<const Wire> wires) {
  std::size_t offset = 0;
  for (std::size_t i = 0; i < wires.size(); ++i) {
    if (((local >> i) & 1U) != 0) offset |= std::size_t{1} << wires[i];
  }
  return offset;
}

}  // namespace

Kernel::Kernel(std::span<const Complex> matrix, std::span<const Wire> wires)
    : sorted_wires_(wires.begin(), wires.end()) {
  std::sort(sorted_wires_.begin(), sorted_wires_.end());
  const std::size_t dimension = std::size_t{1} << wires.size();
  std::vector<std::size_t> changed;
  diagonal_ = true;
  for (std::size_t i = 0; i < dimension; ++i) {
    bool is_identity = matrix[i * dimension + i] == Complex(1);
    for (std::size_t j = 0; j < dimension; ++j) {
      if (j == i ||
          (matrix[i * dimension + j] == Complex(0) && matrix[j * dimension + i] == Complex(0))) {
        continue;
      }
      is_identity = false;
      diagonal_ = false;
    }
    if (!is_identity) changed.push_back(i);
  }
  for (const std::size_t i : changed) {
    offsets_.push_back(offset_of(i, wires));
    for (const std::size_t j : changed) {
      if (!diagonal_ || i == j) matrix_.push_back(matrix[i * dimension + j]);
    }
  }
}

void Kernel::apply(std::span<Complex> state) const {
  const std::size_t blocks = state.size() >> sorted_wires_.size();
  const std::size_t size = offsets_.size();
  if (diagonal_) {
    for (std::size_t block = 0; block < blocks; ++block) {
      const std::size_t base = insert_zeros(block, sorted_wires_);
      for (std::size_t i = 0; i < size; ++i) {
        Complex& amplitude = state[base | offsets_[i]];
        amplitude = times(matrix_[i], amplitude);
      }
    }
    return;
  }
  if (size == 2) {
    for (std::size_t block = 0; block < blocks; ++block) {
      const std::size_t base = insert_zeros(block, sorted_wires_);
      Complex& first = state[base | offsets_[0]];
      Complex& second = state[base | offsets_[1]];
      const Complex a = first;
      const Complex b = second;
      first = times(matrix_[0], a) + times(matrix_[1], b);
      second = times(matrix_[2], a) + times(matrix_[3], b);
    }
    return;
  }
  std::vector<Complex> before(size);
  for (std::size_t block = 0; block < blocks; ++block) {
    const std::size_t base = insert_zeros(block, sorted_wires_);
    for (std::size_t i = 0; i < size; ++i) before[i] = state[base | offsets_[i]];
    for (std::size_t i = 0; i < size; ++i) {
      Complex sum = 0;
      for (std::size_t j = 0; j < size; ++j) sum += times(matrix_[i * size + j], before[j]);
      state[base | offsets_[i]] = sum;
    }
  }
}

std::vector<Kernel> make_kernels(const std::vector<Step>& steps, const Instance& instance) {
  std::vector<Kernel> kernels;
  for (const Step& step : steps) {
    if (step.condition.has_value() && !instance.truth[*step.condition]) continue;
    kernels.emplace_back(
        matrix_of(step.operation, instance.bindings, instance.opaque_seed),
        std::span<const Wire>(step.operation.qubits.data(), step.operation.qubits.size()));
  }
  return kernels;
}

Complex inner_product(std::span<const Complex> a, std::span<const Complex> b) {
  Complex sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += times(std::conj(a[i]), b[i]);
  return sum;
}

}  // namespace quartz::certify
