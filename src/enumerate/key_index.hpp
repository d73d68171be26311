#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "fingerprint/fingerprint.hpp"

namespace quartz::enumerate {

/// Maps keys to classes: a hash table with open addressing and linear probing. Keys are uniformly
/// distributed, so their top bits serve as the hash. It takes 12 bytes for each slot, which is 17
/// to 34 bytes for each class.
class KeyIndex {
 public:
  KeyIndex() { resize(kFirstBits); }

  /// Returns the class of a key. A new key gets the class `fresh`.
  std::uint32_t find_or_insert(fingerprint::FingerprintKey key, std::uint32_t fresh) {
    if (size_ * 10 >= keys_.size() * 7) resize(bits_ + 1);
    const std::size_t slot = slot_of(key);
    if (keys_[slot] == key) return classes_[slot];
    keys_[slot] = key;
    classes_[slot] = fresh;
    ++size_;
    return fresh;
  }
  /// Prefetches the slot of a key: most look-ups wait for memory.
  void prefetch(fingerprint::FingerprintKey key) const {
    __builtin_prefetch(&keys_[home(key)], 1);
    __builtin_prefetch(&classes_[home(key)], 1);
  }

 private:
  static constexpr unsigned kFirstBits = 10;

  [[nodiscard]] std::size_t home(fingerprint::FingerprintKey key) const {
    return key >> (64 - bits_);
  }
  /// Returns the slot that contains the key, or the empty one where it belongs.
  [[nodiscard]] std::size_t slot_of(fingerprint::FingerprintKey key) const {
    const std::size_t mask = keys_.size() - 1;
    std::size_t slot = home(key);
    while (keys_[slot] != fingerprint::kNoKey && keys_[slot] != key) slot = (slot + 1) & mask;
    return slot;
  }
  void resize(unsigned bits) {
    const std::vector<fingerprint::FingerprintKey> keys = std::move(keys_);
    const std::vector<std::uint32_t> classes = std::move(classes_);
    bits_ = bits;
    keys_.assign(std::size_t{1} << bits, fingerprint::kNoKey);
    classes_.assign(std::size_t{1} << bits, 0);
    for (std::size_t i = 0; i < keys.size(); ++i) {
      if (keys[i] == fingerprint::kNoKey) continue;
      const std::size_t slot = slot_of(keys[i]);
      keys_[slot] = keys[i];
      classes_[slot] = classes[i];
    }
  }

  unsigned bits_ = 0;
  std::size_t size_ = 0;
  std::vector<fingerprint::FingerprintKey> keys_;
  std::vector<std::uint32_t> classes_;
};

}  // namespace quartz::enumerate
