#include "optimize/product_reduction/shared_forms.hpp"

#include <bit>

namespace quartz::optimizer {

namespace {

std::size_t slot_hash(std::uint64_t value) { return (value * 0x9e3779b97f4a7c15ULL) >> 32U; }

}  // namespace

SharedForms::SharedForms(std::size_t entries)
    : values_(entries),
      next_(entries, kNone),
      previous_(entries, kNone),
      position_(entries, kNone),
      table_(std::bit_ceil(4 * entries + 1), kNone) {}

void SharedForms::set(Entry entry, std::uint64_t value) {
  if (values_[entry] == value) return;
  if (values_[entry] != 0) unlink(entry);
  values_[entry] = value;
  if (value != 0) link(entry);
}

std::size_t SharedForms::slot_of(std::uint64_t value) const {
  const std::size_t mask = table_.size() - 1;
  std::size_t slot = slot_hash(value) & mask;
  while (table_[slot] != kNone && values_[table_[slot]] != value) slot = (slot + 1) & mask;
  return slot;
}

void SharedForms::erase_slot(std::size_t slot) {
  // Later entries of the same run move up, so that no search for them ends at the gap.
  const std::size_t mask = table_.size() - 1;
  std::size_t gap = slot;
  for (std::size_t i = (slot + 1) & mask; table_[i] != kNone; i = (i + 1) & mask) {
    const std::size_t home = slot_hash(values_[table_[i]]) & mask;
    if (((i - home) & mask) < ((i - gap) & mask)) continue;
    table_[gap] = table_[i];
    gap = i;
  }
  table_[gap] = kNone;
}

void SharedForms::link(Entry entry) {
  const std::size_t slot = slot_of(values_[entry]);
  const Entry head = table_[slot];
  if (head == kNone) {
    table_[slot] = next_[entry] = previous_[entry] = entry;
    return;
  }
  if (next_[head] == head) add_shared(head);
  next_[entry] = next_[head];
  previous_[entry] = head;
  previous_[next_[head]] = entry;
  next_[head] = entry;
  add_shared(entry);
}

void SharedForms::unlink(Entry entry) {
  const std::size_t slot = slot_of(values_[entry]);
  const Entry other = next_[entry];
  if (other == entry) {
    erase_slot(slot);
    return;
  }
  next_[previous_[entry]] = other;
  previous_[other] = previous_[entry];
  table_[slot] = other;
  remove_shared(entry);
  if (next_[other] == other) remove_shared(other);
}

void SharedForms::add_shared(Entry entry) {
  position_[entry] = static_cast<std::uint32_t>(shared_.size());
  shared_.push_back(entry);
}

void SharedForms::remove_shared(Entry entry) {
  const std::uint32_t position = position_[entry];
  shared_[position] = shared_.back();
  position_[shared_[position]] = position;
  shared_.pop_back();
}

}  // namespace quartz::optimizer
