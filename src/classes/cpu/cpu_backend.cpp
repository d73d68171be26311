#include "classes/cpu/cpu_backend.hpp"

#include <array>
#include <utility>

#include "classes/backend/extension_key.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/base/parallel_for.hpp"

namespace quartz::classes {
namespace {

/// Number of extensions that share one field inversion.
constexpr std::size_t kBlockSize = 512;
/// Number of extensions given to a thread at a time.
constexpr std::size_t kGrain = 16 * kBlockSize;

template <std::size_t Dimension>
void block_keys(const fingerprint::FingerprintTables& tables, std::span<const Goldilocks> states,
                std::span<const Extension> extensions,
                std::span<fingerprint::FingerprintKey> keys) {
  const std::size_t dimension = tables.dimension();
  std::array<Goldilocks, kBlockSize> numerators;
  std::array<Goldilocks, kBlockSize> inverses;
  std::array<Goldilocks, kBlockSize> products;
  for (std::size_t i = 0; i < extensions.size(); ++i) {
    const KeyQuotient quotient = extension_quotient<Dimension>(
        states.data() + extensions[i].state * dimension,
        tables.functionals.data() + extensions[i].letter * 2 * dimension, dimension);
    numerators[i] = quotient.numerator;
    inverses[i] = quotient.denominator;
  }
  algebra::invert_all(std::span(inverses).first(extensions.size()), products);
  for (std::size_t i = 0; i < extensions.size(); ++i) {
    keys[i] =
        inverses[i].is_zero() ? fingerprint::kInfiniteKey : (numerators[i] * inverses[i]).value();
  }
}

using BlockKeys = void (*)(const fingerprint::FingerprintTables&, std::span<const Goldilocks>,
                           std::span<const Extension>, std::span<fingerprint::FingerprintKey>);

/// Returns the inner loop for a number of qubits, unrolled for up to 4 qubits.
BlockKeys block_keys_for(unsigned qubits) {
  switch (qubits) {
    case 1:
      return &block_keys<2>;
    case 2:
      return &block_keys<4>;
    case 3:
      return &block_keys<8>;
    case 4:
      return &block_keys<16>;
    default:
      return &block_keys<0>;
  }
}

class CpuFingerprintBackend final : public FingerprintBackend {
 public:
  CpuFingerprintBackend(fingerprint::FingerprintTables tables, unsigned threads)
      : tables_(std::move(tables)),
        threads_(thread_count(threads)),
        block_keys_(block_keys_for(tables_.qubits)) {}

  [[nodiscard]] std::string_view name() const override { return "cpu"; }

  void extension_keys(std::span<const Goldilocks> states, std::span<const Extension> extensions,
                      std::span<fingerprint::FingerprintKey> keys) override {
    ensure(keys.size() == extensions.size(), "one key for each extension");
    parallel_for(
        threads_, extensions.size(), kGrain, [&](unsigned, std::size_t begin, std::size_t end) {
          for (std::size_t i = begin; i < end; i += kBlockSize) {
            const std::size_t size = std::min(kBlockSize, end - i);
            block_keys_(tables_, states, extensions.subspan(i, size), keys.subspan(i, size));
          }
        });
  }

  void extend(std::span<const Goldilocks> states, std::span<const Extension> extensions,
              std::span<Goldilocks> extended) override {
    const std::size_t dimension = tables_.dimension();
    ensure(extended.size() == extensions.size() * dimension, "one state for each extension");
    parallel_for(threads_, extensions.size(), kGrain,
                 [&](unsigned, std::size_t begin, std::size_t end) {
                   for (std::size_t i = begin; i < end; ++i) {
                     fingerprint::apply(tables_.letters[extensions[i].letter],
                                        states.subspan(extensions[i].state * dimension, dimension),
                                        extended.subspan(i * dimension, dimension));
                   }
                 });
  }

 private:
  fingerprint::FingerprintTables tables_;
  unsigned threads_;
  BlockKeys block_keys_;
};

}  // namespace

std::unique_ptr<FingerprintBackend> make_cpu_fingerprint_backend(
    fingerprint::FingerprintTables tables, unsigned threads) {
  return std::make_unique<CpuFingerprintBackend>(std::move(tables), threads);
}

}  // namespace quartz::classes
