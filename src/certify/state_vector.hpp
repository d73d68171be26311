#pragma once

#include <span>
#include <vector>

#include "certify/instance.hpp"

/// State vectors in double precision: 2^n amplitudes, wire 0 the least significant bit.
namespace quartz::certify {

/// A gate made ready to be applied many times.
class Kernel {
 public:
  /// `matrix` is row-major on the wires, the first one the least significant bit.
  Kernel(std::span<const Complex> matrix, std::span<const Wire> wires);

  void apply(std::span<Complex> state) const;

 private:
  std::vector<unsigned> sorted_wires_;
  /// Index offsets of the local basis states that the gate changes; of cx these are two of four.
  std::vector<std::size_t> offsets_;
  std::vector<Complex> matrix_;  ///< on those, row-major; of a diagonal gate the diagonal only
  bool diagonal_ = false;
};

/// The steps whose conditions hold, in order.
[[nodiscard]] std::vector<Kernel> make_kernels(const std::vector<Step>& steps,
                                               const Instance& instance);

inline void run(std::span<const Kernel> kernels, std::span<Complex> state) {
  for (const Kernel& kernel : kernels) kernel.apply(state);
}

/// <a|b>.
[[nodiscard]] Complex inner_product(std::span<const Complex> a, std::span<const Complex> b);

}  // namespace quartz::certify
