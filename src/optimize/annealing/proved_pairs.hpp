#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace quartz {

/// Which pairs of short circuits have been proved equal, so that a search that meets a pair again
/// need not prove it again: a direct-mapped cache, in which a new pair takes the place of an old
/// one.
///
/// A pair is kept as a hash of 64 bits. That two of the pairs that a search proves and asks for
/// share one has a probability of about 2^-64 for each question; and the pair asked for would also
/// have to be one that both fingerprints of the table let through.
class ProvedPairs {
 public:
  /// Of circuits as letters, and of the phase in units of pi/8.
  [[nodiscard]] static std::uint64_t key(std::span<const std::uint8_t> left,
                                         std::span<const std::uint8_t> right, int phase) {
    std::uint64_t hash = 0x9e3779b97f4a7c15ULL;
    const auto take = [&](std::uint64_t value) {
      hash = (hash ^ value) * 0xff51afd7ed558ccdULL;
      hash ^= hash >> 32U;
    };
    take(left.size() << 16U | right.size() << 8U | static_cast<std::uint64_t>(phase & 15));
    for (const std::uint8_t letter : left) take(letter);
    for (const std::uint8_t letter : right) take(letter);
    return hash | 1U;  // never 0, which marks a free slot
  }

  [[nodiscard]] bool contains(std::uint64_t key) const { return slots_[slot(key)] == key; }
  void insert(std::uint64_t key) { slots_[slot(key)] = key; }

 private:
  /// 512 KiB, of which a search at low temperature uses a small part.
  static constexpr unsigned kSlotBits = 16;
  [[nodiscard]] static std::size_t slot(std::uint64_t key) { return key >> (64U - kSlotBits); }

  std::vector<std::uint64_t> slots_ = std::vector<std::uint64_t>(std::size_t{1} << kSlotBits);
};

}  // namespace quartz
