#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "fingerprint/huge_page_array.hpp"
#include "fingerprint/level_key.hpp"
#include "fingerprint/level_key_lines.hpp"
#include "fingerprint/level_keys.hpp"
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
/// small, 8 bytes a slot, as it is memory that it waits for, and mostly one line: a line is filled
/// from its first slot on, and a key whose line is full stands in the next one that is not. What
/// the table needs to grow is written in order, 16 bytes a key. Of several sets that share the keys
/// (share_of) it is one.
class LevelKeySet {
 public:
  /// Keys that come one after another: so many of their lines are to be on the way from memory.
  static constexpr std::size_t kLookAhead = 32;

  explicit LevelKeySet(unsigned threads, std::uint64_t shares = 1, std::uint64_t own_share = 0)
      : shares_(shares), own_share_(own_share), logs_(threads), lines_(kFewestLines) {}

  /// Not while others insert.
  [[nodiscard]] std::size_t size() const {
    std::size_t size = 0;
    for (const Log& log : logs_) size += log.keys.size() + log.unwritten;
    return size;
  }
  /// Likewise; so many bytes where the table has room for so many keys.
  [[nodiscard]] std::size_t bytes_with_room_for(std::size_t keys) const {
    // Growing needs the old lines as well as the new ones.
    const std::size_t lines = lines_for(keys);
    std::size_t bytes = lines * sizeof(KeyLine);
    if (lines != lines_.size()) bytes += lines_.bytes();
    for (const Log& log : logs_) bytes += log.keys.bytes();
    return bytes + (writing_down_ ? (keys - std::min(keys, size())) * sizeof(LevelKey) : 0);
  }
  /// Keys that may be inserted before the table has to grow. Not while others insert.
  [[nodiscard]] std::size_t room() const {
    const auto keys = static_cast<std::size_t>(kKeysPerLine * static_cast<double>(lines_.size()));
    return keys - std::min(keys, size());
  }
  /// Whether keys that come from now on are written down, so that the table can grow and keep them:
  /// as long as they are it takes 16 bytes more for each. Not while others insert.
  void write_down(bool writing_down) { writing_down_ = writing_down; }
  /// Makes room for so many keys in all. If it has to grow it forgets the keys that were not
  /// written down; whether there were none. Not while others insert.
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

  /// Until the table grows.
  [[nodiscard]] LevelKeyLines lines() const {
    return {lines_.data(), lines_.size(), shares_, own_share_};
  }
  /// Whether the key is new. `worker` says which thread it is.
  bool insert(unsigned worker, const LevelKey& key, std::uint64_t& comparisons) {
    if (!claim(key, comparisons)) return false;
    record(worker, key);
    return true;
  }
  /// The two halves of it: one for many keys, then the other. Where several threads insert, a claim
  /// waits until all that was written before it has reached the cache.
  bool claim(const LevelKey& key, std::uint64_t& comparisons) {
    return alone() ? claim_slot<false>(key, comparisons) : claim_slot<true>(key, comparisons);
  }
  /// Likewise, by what sifting found of the key: with a slot that is still empty there is nothing
  /// to search.
  bool claim(const LevelKey& key, std::uint64_t slot, std::uint64_t& comparisons) {
    if (slot != SiftedKeys::kNoSlot) {
      std::uint64_t& tag = lines_[slot / KeyLine::kTags].tags[slot % KeyLine::kTags];
      if (alone() ? put<false>(tag, key.tag) : put<true>(tag, key.tag)) return true;
    }
    return claim(key, comparisons);
  }
  void record(unsigned worker, const LevelKey& key) {
    if (writing_down_) {
      logs_[worker].keys.append(key);
    } else {
      ++logs_[worker].unwritten;
    }
  }

 private:
  static constexpr std::size_t kFewestLines = std::size_t{1} << 9U;
  static constexpr double kKeysPerLine = 0.65 * KeyLine::kTags;

  /// No two threads write into one cache line.
  struct alignas(64) Log {
    LevelKeyLog keys;
    std::size_t unwritten = 0;
  };

  /// As many as there are, or a good many more.
  [[nodiscard]] std::size_t lines_for(std::size_t keys) const {
    const auto lines = static_cast<std::size_t>(static_cast<double>(keys) / kKeysPerLine) + 1;
    return lines <= lines_.size() ? lines_.size() : std::max(lines, lines_.size() / 2 * 3);
  }
  [[nodiscard]] bool alone() const { return logs_.size() == 1; }
  /// Into an empty slot. Whether it was still empty.
  template <bool several_threads>
  static bool put(std::uint64_t& slot, std::uint64_t tag) {
    const std::atomic_ref<std::uint64_t> there(slot);
    std::uint64_t empty = 0;
    // For one thread an exchange would take as long as all the rest.
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

}  // namespace quartz
