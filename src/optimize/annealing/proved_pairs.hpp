#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace quartz::optimizer {

/// Records which pairs of short circuits have been proved equal, so that a search need not repeat
/// the proof: a direct-mapped cache, in which a new pair overwrites an old one.
///
/// A pair is stored as a hash of 64 bits. A query for a pair that was not proved hits a stored hash
/// with a probability of about 2^-64; such a pair would also have to pass both fingerprints of the
/// table.
class ProvedPairs {
 public:
  /// Returns the hash of two circuits as letters and a phase in units of pi/8.
  [[nodiscard]] static std::uint64_t key(std::span<const std::uint8_t> left,
                                         std::span<const std::uint8_t> right, int phase) {
    std::uint64_t hash = 0x9e3779b97f4a7c15ULL;
    const auto take = [&](std::uint64_t value) {
      hash = (hash ^ value) * 0xff51afd7ed558ccdULL;
      hash ^= hash >> 32U;
    };
    take(left.size() << 16U | right.size() << 8U | static_cast<std::uint64_t>(phase & 15));
    // This hashes eight letters at a time.
    for (const std::span<const std::uint8_t> letters : {left, right}) {
      std::uint64_t word = 0;
      for (std::size_t i = 0; i < letters.size(); ++i) {
        word = word << 8U | letters[i];
        if (i % 8 == 7) take(word);
      }
      take(word);
    }
    return hash | 1U;  // never 0, which marks a free slot
  }

  [[nodiscard]] bool contains(std::uint64_t key) const { return slots_[slot(key)] == key; }
  void insert(std::uint64_t key) { slots_[slot(key)] = key; }

 private:
  /// The cache takes 512 KiB; a search at low temperature touches a small part of it.
  static constexpr unsigned kSlotBits = 16;
  [[nodiscard]] static std::size_t slot(std::uint64_t key) { return key >> (64U - kSlotBits); }

  std::vector<std::uint64_t> slots_ = std::vector<std::uint64_t>(std::size_t{1} << kSlotBits);
};

}  // namespace quartz::optimizer
