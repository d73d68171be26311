#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "fingerprint/huge_page_array.hpp"
#include "fingerprint/level_key.hpp"
#include "fingerprint/parallel_for.hpp"
#include "quartz/errors.hpp"

namespace quartz {

/// The keys of all classes found so far, 16 bytes a slot; several threads insert at once, and say
/// afterwards how many keys were new.
class LevelKeySet {
 public:
  LevelKeySet() : slots_(std::size_t{1} << 12U) {}

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::size_t bytes() const { return slots_.bytes(); }
  /// Keys that may be inserted before the table has to grow.
  [[nodiscard]] std::size_t room() const {
    const auto keys = static_cast<std::size_t>(kLargestLoad * static_cast<double>(slots_.size()));
    return keys - std::min(keys, size_);
  }
  /// Slots that hold so many keys: as many as there are, or a good many more.
  [[nodiscard]] std::size_t slots_for(std::size_t keys) const {
    const auto slots = static_cast<std::size_t>(static_cast<double>(keys) / kLargestLoad) + 1;
    return slots <= slots_.size() ? slots_.size() : std::max(slots, slots_.size() / 2 * 3);
  }
  [[nodiscard]] static std::size_t bytes_of(std::size_t slots) { return slots * sizeof(Slot); }

  /// Makes room for so many keys in all. Not while others insert. A key's place in the table
  /// follows its place among all, so the old slots are read and the new ones written nearly in
  /// order, by each thread in a part of its own.
  void reserve(std::size_t keys, unsigned threads) {
    const std::size_t slots = slots_for(keys);
    if (slots == slots_.size()) return;
    const HugePageArray<Slot> before = std::move(slots_);
    slots_ = HugePageArray<Slot>(slots);
    parallel_for(threads, before.size(), kGrain, [&](unsigned, std::size_t begin, std::size_t end) {
      std::uint64_t comparisons = 0;
      for (std::size_t i = begin; i < end; ++i) {
        const Slot& slot = before[i];
        if (slot.tag == 0) continue;
        ensure(insert({slot.tag, slot.place}, comparisons), "the keys of a set are all different");
      }
    });
  }
  void add_to_size(std::size_t inserted) { size_ += inserted; }

  void prefetch(std::uint64_t place) const {
    __builtin_prefetch(&slots_[home_slot(place, slots_.size())], 1);
  }
  /// Whether the key is new.
  bool insert(const LevelKey& key, std::uint64_t& comparisons) {
    std::size_t slot = home_slot(key.place, slots_.size());
    for (;; slot = slot + 1 == slots_.size() ? 0 : slot + 1) {
      const std::atomic_ref<std::uint64_t> tag(slots_[slot].tag);
      std::uint64_t there = tag.load(std::memory_order_relaxed);
      if (there == 0 && tag.compare_exchange_strong(there, key.tag, std::memory_order_relaxed)) {
        slots_[slot].place = key.place;
        return true;
      }
      ++comparisons;
      if (there == key.tag) return false;
    }
  }

 private:
  static constexpr double kLargestLoad = 0.65;
  static constexpr std::size_t kGrain = std::size_t{1} << 16U;

  struct Slot {
    std::uint64_t tag = 0;
    std::uint64_t place = 0;  ///< read only when the table grows
  };
  HugePageArray<Slot> slots_;
  std::size_t size_ = 0;
};

}  // namespace quartz
