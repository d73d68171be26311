#include "classes/cpu/level_keys.hpp"

#include <bit>
#include <string>

#include "classes/cpu/form_level_keys.hpp"
#include "classes/cpu/level_keys_avx2.hpp"
#include "classes/cpu/level_keys_avx512.hpp"
#include "quartz/base/errors.hpp"

namespace quartz::classes {
namespace {

/// A single residue: the scalar counterpart of VectorResidues.
struct ScalarResidue {
  static constexpr std::size_t kLanes = 1;
  static constexpr std::size_t kChains = 4;
  static constexpr std::uint64_t kEpsilon = 0xffff'ffff;  // 2^64 modulo p

  std::uint64_t word = 0;

  static ScalarResidue all(std::uint64_t word) { return {word}; }
  static ScalarResidue load(const std::uint64_t* from) { return {*from}; }
  void store(std::uint64_t* to) const { *to = word; }

  [[nodiscard]] ScalarResidue canonical() const { return {Goldilocks(word).value()}; }
  [[nodiscard]] ScalarResidue one_where_zero() const { return {word == 0 ? 1 : word}; }
  [[nodiscard]] ScalarResidue plus_canonical(ScalarResidue other) const {
    const std::uint64_t sum = word + other.word;
    return {sum + epsilon_if(sum < other.word)};
  }
  [[nodiscard]] ScalarResidue minus_canonical(ScalarResidue other) const {
    return {word - other.word - epsilon_if(word < other.word)};
  }
  friend ScalarResidue operator*(ScalarResidue a, ScalarResidue b) {
    const Goldilocks::Product product = Goldilocks::multiply(a.word, b.word);
    return {Goldilocks::reduce_loosely(product.low, product.high >> 32U, product.high & kEpsilon)};
  }

  [[nodiscard]] static std::uint64_t epsilon_if(bool carry) {
    return kEpsilon & (0 - static_cast<std::uint64_t>(carry));
  }

  static unsigned equal_tags(const std::uint64_t* tags, std::uint64_t tag) {
    unsigned bits = 0;
    for (std::size_t i = 0; i < KeyLine::kTags; ++i) {
      bits |= static_cast<unsigned>(tags[i] == tag) << i;
    }
    return bits;
  }

  struct Summand {
    static constexpr std::size_t kWords = 1;
    std::uint64_t word;

    static Summand product(ScalarResidue a, ScalarResidue b) { return {(a * b).word}; }
    static Summand load(const std::uint64_t* from) { return {*from}; }
    void store(std::uint64_t* to) const { *to = word; }
  };
  class Sum {
   public:
    void add(Summand summand) { sum_ += summand.word; }
    [[nodiscard]] ScalarResidue value() const {
      const auto low = static_cast<std::uint64_t>(sum_);
      return {Goldilocks::reduce(low, static_cast<std::uint64_t>(sum_ >> 64U)).value()};
    }

   private:
    __extension__ typedef unsigned __int128 Wide;
    Wide sum_ = 0;
  };
};

}  // namespace

LevelKeys::LevelKeys(const ExtensionPlan& plan)
    : tags(kMaxKeys + kMaxKeysTogether),
      places(kMaxKeys + kMaxKeysTogether),
      products(2 * plan.products.size() * kStatesTogether),
      values((plan.sums.size() + plan.multiples.size()) * kStatesTogether),
      numerators(plan.letters.size() * kStatesTogether),
      denominators(plan.letters.size() * kStatesTogether) {}

std::span<const InstructionSet> instruction_sets() {
  static constexpr InstructionSet kSets[] = {
#ifdef __x86_64__
      {"avx512", &avx512::available, &avx512::form_level_keys, &avx512::sift_level_keys},
      {"avx2", &avx2::available, &avx2::form_level_keys, &avx2::sift_level_keys},
#endif
      {"scalar", [] { return true; }, &form_level_keys<ScalarResidue>,
       &sift_level_keys<ScalarResidue>},
  };
  return kSets;
}

const InstructionSet& instruction_set(std::string_view name) {
  std::string known;
  for (const InstructionSet& set : instruction_sets()) {
    known += (known.empty() ? "" : ", ") + std::string(set.name);
    if (!name.empty() && set.name != name) continue;
    if (set.available()) return set;
    if (!name.empty()) {
      throw UsageError("this machine does not support the instruction set " + std::string(name));
    }
  }
  throw UsageError("unknown instruction set " + std::string(name) + "; known: " + known);
}

}  // namespace quartz::classes
