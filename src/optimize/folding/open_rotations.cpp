#include "optimize/folding/open_rotations.hpp"

#include <algorithm>
#include <bit>

namespace quartz::optimizer {
namespace {

constexpr std::size_t kMaxOpenRotations = 4096;

std::uint64_t hash_of(PauliRows::ConstRow bits) {
  std::uint64_t hash = 0;
  for (const std::uint64_t word : bits) {
    hash = (hash ^ word) * 0x9e3779b97f4a7c15ULL;
    hash ^= hash >> 29U;
  }
  return hash;
}

std::uint64_t bit_of_slot(std::uint32_t slot) { return std::uint64_t{1} << (slot % 64); }

}  // namespace

OpenRotations::OpenRotations(const PauliRows& paulis, std::uint32_t qubits)
    : paulis_(paulis), columns_(2 * std::size_t{qubits}), is_open_(column_words_) {
  fill_places();
  clear_closed();
}

// --- by operator ---

PauliRows::ConstRow OpenRotations::bits_of(Slot slot) const {
  return std::span(bits_).subspan(slot * paulis_.bit_words(), paulis_.bit_words());
}

OpenRotations::Place OpenRotations::find_place(PauliRows::ConstRow bits, std::uint64_t hash) const {
  Place place = home(hash);
  for (; places_[place] != 0; place = next(place)) {
    const Slot slot = places_[place] - 1;
    if (hashes_[slot] == hash && std::ranges::equal(bits_of(slot), bits)) break;
  }
  return place;
}

std::optional<std::uint32_t> OpenRotations::find(PauliRows::ConstRow bits) const {
  const Place place = find_place(bits, hash_of(bits));
  if (places_[place] == 0) return std::nullopt;
  return numbers_[places_[place] - 1];
}

/// Resizes the table of operators to the number of slots, and inserts the open rotations.
void OpenRotations::fill_places() {
  bits_.resize(slots() * paulis_.bit_words());
  hashes_.resize(slots());
  numbers_.resize(slots());
  places_.assign(4 * slots(), 0);
  for (Slot slot = 0; slot < slots(); ++slot) {
    if ((is_open_[slot / 64] & bit_of_slot(slot)) == 0) continue;
    Place place = home(hashes_[slot]);
    while (places_[place] != 0) place = next(place);
    places_[place] = slot + 1;
  }
}

/// Removes the entry from the table so that probe sequences have no gaps.
void OpenRotations::close(Slot slot) {
  Place hole = home(hashes_[slot]);
  while (places_[hole] != slot + 1) hole = next(hole);
  const std::size_t mask = places_.size() - 1;
  for (Place place = next(hole); places_[place] != 0; place = next(place)) {
    const Place wanted = home(hashes_[places_[place] - 1]);
    if (((place - wanted) & mask) < ((place - hole) & mask)) continue;
    places_[hole] = places_[place];
    hole = place;
  }
  places_[hole] = 0;
  is_open_[slot / 64] &= ~bit_of_slot(slot);
  --open_count_;
}

// --- slots ---

/// Clears the bits of closed rotations in the columns, which frees their slots.
void OpenRotations::clear_closed() {
  for (std::size_t index = 0; index < columns_.size() / column_words_; ++index) {
    const Column bits = column(index);
    for (std::size_t i = 0; i < column_words_; ++i) bits[i] &= is_open_[i];
  }
  for (Slot slot = static_cast<Slot>(slots()); slot-- > 0;) {
    if ((is_open_[slot / 64] & bit_of_slot(slot)) == 0) free_slots_.push_back(slot);
  }
}

void OpenRotations::double_slots() {
  std::vector<std::uint64_t> wider(2 * columns_.size());
  for (std::size_t index = 0; index < columns_.size() / column_words_; ++index) {
    std::ranges::copy(column(index),
                      wider.begin() + static_cast<std::ptrdiff_t>(2 * index * column_words_));
  }
  columns_ = std::move(wider);
  column_words_ *= 2;
  is_open_.resize(column_words_);
  fill_places();
}

OpenRotations::Slot OpenRotations::take_slot() {
  if (free_slots_.empty()) {
    // At least half of the slots are free after clearing, which pays for the pass over all columns.
    if (2 * open_count_ > slots()) double_slots();
    clear_closed();
  }
  const Slot slot = free_slots_.back();
  free_slots_.pop_back();
  return slot;
}

// --- rotations and gates ---

void OpenRotations::open(const LocalPauli& axis, std::span<const Qubit> qubits,
                         PauliRows::ConstRow bits, std::uint32_t number) {
  const std::uint64_t hash = hash_of(bits);
  if (const Place place = find_place(bits, hash); places_[place] != 0) {
    numbers_[places_[place] - 1] = number;
    return;
  }
  const Slot slot = take_slot();
  std::ranges::copy(bits, bits_.begin() + static_cast<std::ptrdiff_t>(slot * paulis_.bit_words()));
  hashes_[slot] = hash;
  numbers_[slot] = number;
  places_[find_place(bits, hash)] = slot + 1;
  is_open_[slot / 64] |= bit_of_slot(slot);
  ++open_count_;
  for (std::size_t j = 0; j < qubits.size(); ++j) {
    if (((axis.x >> j) & 1U) != 0) operand_column(2 * j, qubits)[slot / 64] |= bit_of_slot(slot);
    if (((axis.z >> j) & 1U) != 0)
      operand_column(2 * j + 1, qubits)[slot / 64] |= bit_of_slot(slot);
  }
  if (open_count_ > kMaxOpenRotations) close_oldest(number);
}

void OpenRotations::close_oldest(std::uint32_t number) {
  for (Slot slot = 0; slot < slots(); ++slot) {
    const bool is_open = (is_open_[slot / 64] & bit_of_slot(slot)) != 0;
    if (is_open && numbers_[slot] + kMaxOpenRotations / 2 <= number) close(slot);
  }
}

void OpenRotations::close_anticommuting(const LocalPauli& axis, std::span<const Qubit> qubits) {
  for (std::size_t i = 0; i < column_words_; ++i) {
    // A rotation anticommutes if it has an X where the axis has a Z, or vice versa, at an odd
    // number of places.
    std::uint64_t anticommuting = 0;
    for (std::size_t j = 0; j < qubits.size(); ++j) {
      if (((axis.z >> j) & 1U) != 0) anticommuting ^= operand_column(2 * j, qubits)[i];
      if (((axis.x >> j) & 1U) != 0) anticommuting ^= operand_column(2 * j + 1, qubits)[i];
    }
    for (std::uint64_t left = anticommuting & is_open_[i]; left != 0; left &= left - 1) {
      close(static_cast<Slot>(64 * i) + static_cast<Slot>(std::countr_zero(left)));
    }
  }
}

void OpenRotations::append(const PauliAction& action, std::span<const Qubit> qubits) {
  const auto add = [&](Column sum, std::size_t row) {
    const Column bits = operand_column(row, qubits);
    for (std::size_t i = 0; i < column_words_; ++i) sum[i] ^= bits[i];
  };
  if (action.in_place) {
    for (const PauliAction::Update& update : action.updates) {
      const Column target = operand_column(update.target, qubits);
      for (std::size_t i = 1; i < update.factor_count; ++i) add(target, update.factors[i]);
    }
    return;
  }
  if (action.is_swap) {
    std::ranges::swap_ranges(operand_column(action.updates[0].target, qubits),
                             operand_column(action.updates[1].target, qubits));
    return;
  }
  images_.assign(action.updates.size() * column_words_, 0);
  const auto image = [&](std::size_t i) {
    return std::span(images_).subspan(i * column_words_, column_words_);
  };
  for (std::size_t i = 0; i < action.updates.size(); ++i) {
    const PauliAction::Update& update = action.updates[i];
    for (std::size_t k = 0; k < update.factor_count; ++k) add(image(i), update.factors[k]);
  }
  for (std::size_t i = 0; i < action.updates.size(); ++i) {
    std::ranges::copy(image(i), operand_column(action.updates[i].target, qubits).begin());
  }
}

}  // namespace quartz::optimizer
