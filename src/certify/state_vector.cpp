#include "certify/state_vector.hpp"

#include <algorithm>
#include <array>
#include <map>

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

template <typename Real>
BasicKernel<Real>::BasicKernel(std::span<const Amplitude> matrix, std::span<const Wire> wires)
    : sorted_wires_(wires.begin(), wires.end()) {
  std::sort(sorted_wires_.begin(), sorted_wires_.end());
  const std::size_t dimension = std::size_t{1} << wires.size();
  std::vector<std::size_t> changed;
  diagonal_ = true;
  for (std::size_t i = 0; i < dimension; ++i) {
    bool is_identity = matrix[i * dimension + i] == Amplitude(1);
    for (std::size_t j = 0; j < dimension; ++j) {
      if (j == i || (matrix[i * dimension + j] == Amplitude(0) &&
                     matrix[j * dimension + i] == Amplitude(0))) {
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

template <typename Real>
void BasicKernel<Real>::apply(std::span<Amplitude> state) const {
  const std::size_t blocks = state.size() >> sorted_wires_.size();
  const std::size_t size = offsets_.size();
  if (diagonal_) {
    for (std::size_t block = 0; block < blocks; ++block) {
      const std::size_t base = insert_zeros(block, sorted_wires_);
      for (std::size_t i = 0; i < size; ++i) {
        Amplitude& amplitude = state[base | offsets_[i]];
        amplitude = times(matrix_[i], amplitude);
      }
    }
    return;
  }
  if (size == 2) {
    for (std::size_t block = 0; block < blocks; ++block) {
      const std::size_t base = insert_zeros(block, sorted_wires_);
      Amplitude& first = state[base | offsets_[0]];
      Amplitude& second = state[base | offsets_[1]];
      const Amplitude a = first;
      const Amplitude b = second;
      first = times(matrix_[0], a) + times(matrix_[1], b);
      second = times(matrix_[2], a) + times(matrix_[3], b);
    }
    return;
  }
  std::vector<Amplitude> before(size);
  for (std::size_t block = 0; block < blocks; ++block) {
    const std::size_t base = insert_zeros(block, sorted_wires_);
    for (std::size_t i = 0; i < size; ++i) before[i] = state[base | offsets_[i]];
    for (std::size_t i = 0; i < size; ++i) {
      Amplitude sum = 0;
      for (std::size_t j = 0; j < size; ++j) sum += times(matrix_[i * size + j], before[j]);
      state[base | offsets_[i]] = sum;
    }
  }
}

template <typename Real>
std::vector<BasicKernel<Real>> make_basic_kernels(const std::vector<Step>& steps,
                                                  const Instance& instance) {
  using Amplitude = std::complex<Real>;
  using Matrix2 = std::array<Amplitude, 4>;
  std::vector<BasicKernel<Real>> kernels;
  std::map<Wire, Matrix2> pending;  // products of steps on one wire that are not among the kernels
  const auto flush = [&](Wire wire) {
    const auto found = pending.find(wire);
    if (found == pending.end()) return;
    kernels.emplace_back(found->second, std::span(&wire, 1));
    pending.erase(found);
  };
  for (const Step& step : steps) {
    if (step.condition.has_value() && !instance.truth[*step.condition]) continue;
    const std::vector<Complex> rounded =
        matrix_of(step.operation, instance.bindings, instance.opaque_seed);
    const std::vector<Amplitude> matrix(rounded.begin(), rounded.end());
    const std::span<const Wire> wires(step.operation.qubits.data(), step.operation.qubits.size());
    if (wires.size() != 1) {
      for (const Wire wire : wires) flush(wire);
      kernels.emplace_back(matrix, wires);
      continue;
    }
    const auto [found, is_new] = pending.try_emplace(wires[0], Matrix2{1, 0, 0, 1});
    const Matrix2 before = found->second;
    for (std::size_t row = 0; row < 2; ++row) {
      for (std::size_t column = 0; column < 2; ++column) {
        found->second[2 * row + column] =
            times(matrix[2 * row], before[column]) + times(matrix[2 * row + 1], before[2 + column]);
      }
    }
  }
  while (!pending.empty()) flush(pending.begin()->first);
  return kernels;
}

template class BasicKernel<double>;
template class BasicKernel<long double>;
template std::vector<Kernel> make_basic_kernels<double>(const std::vector<Step>&, const Instance&);
template std::vector<BasicKernel<long double>> make_basic_kernels<long double>(
    const std::vector<Step>&, const Instance&);

}  // namespace quartz::certify
