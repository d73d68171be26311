#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "base/huge_page_array.hpp"
#include "classes/backend/level_key.hpp"
#include "classes/backend/level_key_lines.hpp"
#include "classes/cpu/level_keys.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/base/parallel_for.hpp"

namespace quartz::classes {

/// Keys in the order in which they were appended, in blocks that never move.
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

/// The keys of all classes found so far; several threads insert concurrently. A search reads little
/// memory, because memory latency dominates: 8 bytes for each slot and usually one cache line. A
/// line is filled from its first slot on, and a key whose line is full is stored in the next line
/// with a free slot. The keys that the table needs to grow are written sequentially, 16 bytes each.
/// The set holds one of several shares of the keys (share_of).
class LevelKeySet {
 public:
  /// Number of lines to prefetch in advance when keys are inserted one after another.
  static constexpr std::size_t kLookAhead = 32;

  explicit LevelKeySet(unsigned threads, std::uint64_t shares = 1, std::uint64_t own_share = 0)
      : shares_(shares), own_share_(own_share), logs_(threads), lines_(kMinLines) {}

  /// Must not be called while others insert.
  [[nodiscard]] std::size_t size() const {
    std::size_t size = 0;
    for (const Log& log : logs_) size += log.keys.size() + log.unwritten;
    return size;
  }
  /// Returns the number of bytes used if the table has room for this number of keys. Must not be
  /// called while others insert.
  [[nodiscard]] std::size_t bytes_with_room_for(std::size_t keys) const {
    // Growing needs the old lines as well as the new ones.
    const std::size_t lines = lines_for(keys);
    std::size_t bytes = lines * sizeof(KeyLine);
    if (lines != lines_.size()) bytes += lines_.bytes();
    for (const Log& log : logs_) bytes += log.keys.bytes();
    return bytes + (writing_down_ ? (keys - std::min(keys, size())) * sizeof(LevelKey) : 0);
  }
  /// Returns the number of keys that may be inserted before the table has to grow. Must not be
  /// called while others insert.
  [[nodiscard]] std::size_t room() const {
    const auto keys = static_cast<std::size_t>(kKeysPerLine * static_cast<double>(lines_.size()));
    return keys - std::min(keys, size());
  }
  /// Sets whether keys inserted from now on are logged, so that the table can grow without losing
  /// them. Logging takes 16 more bytes for each key. Must not be called while others insert.
  void write_down(bool writing_down) { writing_down_ = writing_down; }
  /// Makes room for this number of keys in total. If the table has to grow, it loses the keys that
  /// were not logged. Returns whether no key was lost. Must not be called while others insert.
  bool reserve(std::size_t keys) {
    const std::size_t lines = lines_for(keys);
    if (lines == lines_.size()) return true;
    bool complete = true;
    for (Log& log : logs_) complete &= std::exchange(log.unwritten, 0) == 0;
    lines_ = HugePageArray<KeyLine>(lines);
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
    return complete;
  }

  /// Returns the table's lines, valid until the table grows.
  [[nodiscard]] LevelKeyLines lines() const {
    return {lines_.data(), lines_.size(), shares_, own_share_};
  }
  /// Inserts a key and returns whether it is new. `worker` is the number of the calling thread.
  bool insert(unsigned worker, const LevelKey& key, std::uint64_t& comparisons) {
    if (!claim(key, comparisons)) return false;
    record(worker, key);
    return true;
  }
  /// First half of insert: claims a slot and returns whether the key is new. claim() can be called
  /// for many keys before record() is called for them. With several threads, a claim waits until
  /// all earlier writes have reached the cache.
  bool claim(const LevelKey& key, std::uint64_t& comparisons) {
    return alone() ? claim_slot<false>(key, comparisons) : claim_slot<true>(key, comparisons);
  }
  /// Like claim(key, comparisons), but first tries the slot that sift_level_keys found: if it is
  /// still empty, no search is needed.
  bool claim(const LevelKey& key, std::uint64_t slot, std::uint64_t& comparisons) {
    if (slot != SiftedKeys::kNoSlot) {
      std::uint64_t& tag = lines_[slot / KeyLine::kTags].tags[slot % KeyLine::kTags];
      if (alone() ? put<false>(tag, key.tag) : put<true>(tag, key.tag)) return true;
    }
    return claim(key, comparisons);
  }
  /// Second half of insert: logs or counts a key that claim() found to be new.
  void record(unsigned worker, const LevelKey& key) {
    if (writing_down_) {
      logs_[worker].keys.append(key);
    } else {
      ++logs_[worker].unwritten;
    }
  }

 private:
  static constexpr std::size_t kMinLines = std::size_t{1} << 9U;
  static constexpr double kKeysPerLine = 0.65 * KeyLine::kTags;

  /// Aligned so that no two threads write to one cache line.
  struct alignas(64) Log {
    LevelKeyLog keys;
    std::size_t unwritten = 0;
  };

  /// Returns the current number of lines if it suffices, otherwise at least 1.5 times as many.
  [[nodiscard]] std::size_t lines_for(std::size_t keys) const {
    const auto lines = static_cast<std::size_t>(static_cast<double>(keys) / kKeysPerLine) + 1;
    return lines <= lines_.size() ? lines_.size() : std::max(lines, lines_.size() / 2 * 3);
  }
  [[nodiscard]] bool alone() const { return logs_.size() == 1; }
  /// Stores a tag in a slot if the slot is still empty, and returns whether it was.
  template <bool several_threads>
  static bool put(std::uint64_t& slot, std::uint64_t tag) {
    const std::atomic_ref<std::uint64_t> there(slot);
    std::uint64_t empty = 0;
    // With a single thread, an atomic exchange would take as long as the rest of the insertion.
    if constexpr (several_threads) {
      return there.compare_exchange_strong(empty, tag, std::memory_order_relaxed);
    }
    if (there.load(std::memory_order_relaxed) != empty) return false;
    there.store(tag, std::memory_order_relaxed);
    return true;
  }
  template <bool several_threads>
  bool claim_slot(const LevelKey& key, std::uint64_t& comparisons) {
    std::size_t home = lines().home(key.place);
    for (;; home = home + 1 == lines_.size() ? 0 : home + 1) {
      KeyLine& line = lines_[home];
      for (std::uint64_t& slot : line.tags) {
        if (put<several_threads>(slot, key.tag)) return true;
        ++comparisons;
        if (std::atomic_ref<std::uint64_t>(slot).load(std::memory_order_relaxed) == key.tag) {
          return false;
        }
      }
    }
  }
  void insert_again(std::span<const LevelKey> keys) {
    std::uint64_t comparisons = 0;
    const LevelKeyLines ahead = lines();
    for (std::size_t i = 0; i < keys.size(); ++i) {
      if (i + kLookAhead < keys.size()) ahead.prefetch(keys[i + kLookAhead].place);
      ensure(claim(keys[i], comparisons), "the keys of a set are all different");
    }
  }

  std::uint64_t shares_;
  std::uint64_t own_share_;
  std::vector<Log> logs_;
  HugePageArray<KeyLine> lines_;
  bool writing_down_ = true;
};

}  // namespace quartz::classes
