#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "fingerprint/huge_page_array.hpp"
#include "fingerprint/level_key.hpp"
#include "quartz/errors.hpp"
#include "quartz/parallel_for.hpp"

namespace quartz {

/// Keys in the order in which they came, in blocks that never move.
class LevelKeyLog {
 public:
  static constexpr std::size_t kBlock = std::size_t{1} << 14U;

  void append(const LevelKey& key) {
    if (size_ == kBlock * blocks_.size()) {
      blocks_.push_back(std::make_unique_for_overwrite<LevelKey[]>(kBlock));
    }
    blocks_[size_ / kBlock][size_ % kBlock] = key;
    ++size_;
  }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::size_t bytes() const { return blocks_.size() * kBlock * sizeof(LevelKey); }
  [[nodiscard]] std::size_t blocks() const { return blocks_.size(); }
  [[nodiscard]] std::span<const LevelKey> block(std::size_t index) const {
    return {blocks_[index].get(), std::min(kBlock, size_ - index * kBlock)};
  }

 private:
  std::vector<std::unique_ptr<LevelKey[]>> blocks_;
  std::size_t size_ = 0;
};

/// The keys of all classes found so far; several threads insert at once. What a search reads is
/// small, 8 bytes a slot, as it is memory that it waits for; what the table needs to grow is
/// written in order, 16 bytes a key. Of several sets that share the keys (share_of) it is one.
class LevelKeySet {
 public:
  explicit LevelKeySet(unsigned threads, std::uint64_t shares = 1)
      : shares_(shares), logs_(threads), slots_(kFewestSlots) {}

  /// Not while others insert.
  [[nodiscard]] std::size_t size() const {
    std::size_t size = 0;
    for (const Log& log : logs_) size += log.keys.size();
    return size;
  }
  /// Likewise; so many bytes where the table has room for so many keys.
  [[nodiscard]] std::size_t bytes_with_room_for(std::size_t keys) const {
    // Growing needs the old slots as well as the new ones.
    const std::size_t slots = slots_for(keys);
    std::size_t bytes = slots * sizeof(std::uint64_t);
    if (slots != slots_.size()) bytes += slots_.bytes();
    for (const Log& log : logs_) bytes += log.keys.bytes();
    return bytes + (keys - std::min(keys, size())) * sizeof(LevelKey);
  }
  /// Keys that may be inserted before the table has to grow. Not while others insert.
  [[nodiscard]] std::size_t room() const {
    const auto keys = static_cast<std::size_t>(kLargestLoad * static_cast<double>(slots_.size()));
    return keys - std::min(keys, size());
  }
  /// Makes room for so many keys in all. Not while others insert.
  void reserve(std::size_t keys) {
    const std::size_t slots = slots_for(keys);
    if (slots == slots_.size()) return;
    slots_ = HugePageArray<std::uint64_t>(slots);
    struct Part {
      const LevelKeyLog* log;
      std::size_t block;
    };
    std::vector<Part> parts;
    for (const Log& log : logs_) {
      for (std::size_t i = 0; i < log.keys.blocks(); ++i) parts.push_back({&log.keys, i});
    }
    parallel_for(static_cast<unsigned>(logs_.size()), parts.size(), 1,
                 [&](unsigned, std::size_t begin, std::size_t end) {
                   for (std::size_t i = begin; i < end; ++i) {
                     insert_again(parts[i].log->block(parts[i].block));
                   }
                 });
  }

  void prefetch(std::uint64_t place) const { __builtin_prefetch(&slots_[home(place)], 1); }
  /// Whether the key is new. `worker` says which thread it is.
  bool insert(unsigned worker, const LevelKey& key, std::uint64_t& comparisons) {
    if (!insert_into_slots(key, comparisons)) return false;
    logs_[worker].keys.append(key);
    return true;
  }

 private:
  static constexpr std::size_t kFewestSlots = std::size_t{1} << 12U;
  static constexpr double kLargestLoad = 0.65;
  static constexpr std::size_t kLookAhead = 32;

  /// No two threads write into one cache line.
  struct alignas(64) Log {
    LevelKeyLog keys;
  };

  [[nodiscard]] std::size_t home(std::uint64_t place) const {
    return home_slot(share_of(place, shares_).place, slots_.size());
  }
  /// As many as there are, or a good many more.
  [[nodiscard]] std::size_t slots_for(std::size_t keys) const {
    const auto slots = static_cast<std::size_t>(static_cast<double>(keys) / kLargestLoad) + 1;
    return slots <= slots_.size() ? slots_.size() : std::max(slots, slots_.size() / 2 * 3);
  }
  bool insert_into_slots(const LevelKey& key, std::uint64_t& comparisons) {
    std::size_t slot = home(key.place);
    for (;; slot = slot + 1 == slots_.size() ? 0 : slot + 1) {
      const std::atomic_ref<std::uint64_t> tag(slots_[slot]);
      std::uint64_t there = tag.load(std::memory_order_relaxed);
      if (there == 0 && tag.compare_exchange_strong(there, key.tag, std::memory_order_relaxed)) {
        return true;
      }
      ++comparisons;
      if (there == key.tag) return false;
    }
  }
  void insert_again(std::span<const LevelKey> keys) {
    std::uint64_t comparisons = 0;
    for (std::size_t i = 0; i < keys.size(); ++i) {
      if (i + kLookAhead < keys.size()) prefetch(keys[i + kLookAhead].place);
      ensure(insert_into_slots(keys[i], comparisons), "the keys of a set are all different");
    }
  }

  std::uint64_t shares_;
  std::vector<Log> logs_;
  HugePageArray<std::uint64_t> slots_;
};

}  // namespace quartz
