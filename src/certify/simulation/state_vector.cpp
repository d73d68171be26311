#include "certify/simulation/state_vector.hpp"

#include <algorithm>
#include <type_traits>

#include "certify/problem/numbers.hpp"
#include "certify/problem/wire_index.hpp"

namespace quartz::certify {

template <typename Real>
BasicKernel<Real>::BasicKernel(std::span<const Amplitude> matrix, std::span<const Wire> wires)
    : sorted_wires_(wires.begin(), wires.end()) {
  std::sort(sorted_wires_.begin(), sorted_wires_.end());
  const std::size_t dimension = std::size_t{1} << wires.size();
  const auto [changed, diagonal] = changed_states(matrix, dimension, Amplitude(1));
  diagonal_ = diagonal;
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
  std::vector<BasicKernel<Real>> kernels;
  emit_fused(
      steps, instance.truth,
      [&](const Operation& operation) {
        if constexpr (std::is_same_v<Real, long double>) {
          if (has_extended_matrix(operation)) return extended_matrix_of(operation);
        }
        const std::vector<Complex> rounded =
            matrix_of(operation, instance.bindings, instance.opaque_seed);
        return std::vector<Amplitude>(rounded.begin(), rounded.end());
      },
      [](const Amplitude& a, const Amplitude& b, const Amplitude& c, const Amplitude& d) {
        return times(a, b) + times(c, d);
      },
      [&](const std::vector<Amplitude>& matrix, std::span<const Wire> wires) {
        kernels.emplace_back(matrix, wires);
      });
  return kernels;
}

template class BasicKernel<double>;
template class BasicKernel<long double>;
template std::vector<Kernel> make_basic_kernels<double>(const std::vector<Step>&, const Instance&);
template std::vector<BasicKernel<long double>> make_basic_kernels<long double>(
    const std::vector<Step>&, const Instance&);

}  // namespace quartz::certify
