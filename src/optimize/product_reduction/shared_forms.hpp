#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/random.hpp"

namespace quartz::optimizer {

/// Which entries of a table of nonzero words are equal. Changing an entry and drawing two equal
/// entries take constant time.
class SharedForms {
 public:
  using Entry = std::uint32_t;
  static constexpr Entry kNone = ~Entry{0};

  /// Creates a table of entries that have no value yet.
  explicit SharedForms(std::size_t entries);

  [[nodiscard]] std::uint64_t value(Entry entry) const { return values_[entry]; }
  /// Gives an entry a value, or none if the value is zero.
  void set(Entry entry, std::uint64_t value);
  /// Returns the number of entries whose value another entry has as well.
  [[nodiscard]] std::size_t shared() const { return shared_.size(); }
  /// Returns a random one of these; there is one.
  [[nodiscard]] Entry random_shared(FastRandom& random) const {
    return shared_[random.below(static_cast<std::uint32_t>(shared_.size()))];
  }
  /// Returns another entry with the same value; after all others, the entry itself follows.
  [[nodiscard]] Entry next(Entry entry) const { return next_[entry]; }

 private:
  /// Returns the slot of the hash table where a value is, or the empty one where it belongs.
  [[nodiscard]] std::size_t slot_of(std::uint64_t value) const;
  void erase_slot(std::size_t slot);
  void link(Entry entry);
  void unlink(Entry entry);
  void add_shared(Entry entry);
  void remove_shared(Entry entry);

  std::vector<std::uint64_t> values_;
  std::vector<Entry> next_;  ///< the entries of equal values form a ring
  std::vector<Entry> previous_;
  std::vector<Entry> shared_;
  std::vector<std::uint32_t> position_;  ///< where a shared entry is in shared_
  std::vector<Entry> table_;             ///< hash table by value, of one entry for each value
};

}  // namespace quartz::optimizer
