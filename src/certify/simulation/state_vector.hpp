#pragma once

#include <complex>
#include <span>
#include <vector>

#include "certify/problem/instance.hpp"
#include "certify/problem/numbers.hpp"

/// State vectors in double or extended precision: 2^n amplitudes, wire 0 the least significant bit.
namespace quartz::certify {

/// A gate prepared for repeated application to amplitudes of type std::complex<Real>.
template <typename Real>
class BasicKernel {
 public:
  using Amplitude = std::complex<Real>;

  /// `matrix` is row-major on the wires; the first wire is the least significant bit.
  BasicKernel(std::span<const Amplitude> matrix, std::span<const Wire> wires);

  void apply(std::span<Amplitude> state) const;

 private:
  std::vector<unsigned> sorted_wires_;
  /// Index offsets of the local basis states that the gate changes; for cx, two of the four.
  std::vector<std::size_t> offsets_;
  std::vector<Amplitude> matrix_;  ///< on these states, row-major; only the diagonal if diagonal_
  bool diagonal_ = false;
};

using Kernel = BasicKernel<double>;

/// Returns kernels for the steps whose conditions hold, in order. Adjacent steps on one wire are
/// fused.
template <typename Real>
[[nodiscard]] std::vector<BasicKernel<Real>> make_basic_kernels(const std::vector<Step>& steps,
                                                                const Instance& instance);
[[nodiscard]] inline std::vector<Kernel> make_kernels(const std::vector<Step>& steps,
                                                      const Instance& instance) {
  return make_basic_kernels<double>(steps, instance);
}

inline void run(std::span<const Kernel> kernels, std::span<Complex> state) {
  for (const Kernel& kernel : kernels) kernel.apply(state);
}

/// Returns <a|b>.
template <typename Real>
[[nodiscard]] std::complex<Real> inner_product(const std::vector<std::complex<Real>>& a,
                                               const std::vector<std::complex<Real>>& b) {
  std::complex<Real> sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += times(std::conj(a[i]), b[i]);
  return sum;
}

}  // namespace quartz::certify
