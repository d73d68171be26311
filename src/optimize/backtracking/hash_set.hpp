#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace quartz::optimizer {

/// A set of hashes with open addressing. Treats the hash 0 as 1, because 0 marks an empty slot.
class HashSet {
 public:
  /// Returns whether the hash was not in the set yet.
  bool insert(std::uint64_t hash) {
    hash |= hash == 0 ? 1 : 0;
    if (2 * (used_ + 1) > slots_.size()) grow();
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t i = hash & mask;; i = (i + 1) & mask) {
      if (slots_[i] == hash) return false;
      if (slots_[i] == 0) {
        slots_[i] = hash;
        ++used_;
        return true;
      }
    }
  }

  [[nodiscard]] bool contains(std::uint64_t hash) const {
    hash |= hash == 0 ? 1 : 0;
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t i = hash & mask;; i = (i + 1) & mask) {
      if (slots_[i] == 0) return false;
      if (slots_[i] == hash) return true;
    }
  }

  void clear() {
    if (used_ == 0) return;
    if (slots_.size() > kMaxKeptSlots) slots_.assign(kMinSlots, 0);
    std::fill(slots_.begin(), slots_.end(), 0);
    used_ = 0;
  }

 private:
  static constexpr std::size_t kMinSlots = 1024;
  /// A larger table is given up by clear().
  static constexpr std::size_t kMaxKeptSlots = 4096;

  void grow() {
    std::vector<std::uint64_t> old(slots_.size() * 2, 0);
    old.swap(slots_);
    used_ = 0;
    for (const std::uint64_t hash : old) {
      if (hash != 0) insert(hash);
    }
  }

  std::vector<std::uint64_t> slots_ = std::vector<std::uint64_t>(kMinSlots, 0);
  std::size_t used_ = 0;
};

}  // namespace quartz::optimizer
