#include "optimize/open_rotations.hpp"

#include <algorithm>

namespace quartz {
namespace {

constexpr std::size_t kMostOpen = 4096;
constexpr std::size_t kFewestPlaces = 64;

std::uint64_t hash_of(PauliRows::ConstRow bits) {
  std::uint64_t hash = 0;
  for (const std::uint64_t word : bits) {
    hash = (hash ^ word) * 0x9e3779b97f4a7c15ULL;
    hash ^= hash >> 29U;
  }
  return hash;
}

}  // namespace

OpenRotations::OpenRotations(const PauliRows& paulis)
    : paulis_(paulis), places_(kFewestPlaces), support_(paulis.bit_words()) {}

PauliRows::ConstRow OpenRotations::bits_of(std::size_t index) const {
  return std::span(bits_).subspan(index * paulis_.bit_words(), paulis_.bit_words());
}

OpenRotations::Place OpenRotations::find_place(PauliRows::ConstRow bits, std::uint64_t hash) const {
  Place place = home(hash);
  for (; places_[place] != 0; place = next(place)) {
    const std::size_t index = places_[place] - 1;
    if (hashes_[index] == hash && std::ranges::equal(bits_of(index), bits)) break;
  }
  return place;
}

OpenRotations::Place OpenRotations::place_of(std::size_t index) const {
  Place place = home(hashes_[index]);
  while (places_[place] != index + 1) place = next(place);
  return place;
}

std::optional<std::uint32_t> OpenRotations::find(PauliRows::ConstRow bits) const {
  const Place place = find_place(bits, hash_of(bits));
  if (places_[place] == 0) return std::nullopt;
  return numbers_[places_[place] - 1];
}

void OpenRotations::unite(PauliRows::ConstRow bits) {
  for (std::size_t i = 0; i < bits.size(); ++i) support_[i] |= bits[i];
}

void OpenRotations::grow() {
  places_.assign(2 * places_.size(), 0);
  for (std::size_t index = 0; index < size(); ++index) {
    Place place = home(hashes_[index]);
    while (places_[place] != 0) place = next(place);
    places_[place] = static_cast<std::uint32_t>(index) + 1;
  }
}

void OpenRotations::open(PauliRows::ConstRow bits, std::uint32_t number) {
  const std::uint64_t hash = hash_of(bits);
  const Place place = find_place(bits, hash);
  if (places_[place] != 0) {
    numbers_[places_[place] - 1] = number;
    return;
  }
  bits_.insert(bits_.end(), bits.begin(), bits.end());
  hashes_.push_back(hash);
  numbers_.push_back(number);
  places_[place] = static_cast<std::uint32_t>(size());
  unite(bits);
  if (2 * size() > places_.size()) grow();
  if (size() > kMostOpen) {
    close_if([&](std::size_t index) { return numbers_[index] + kMostOpen / 2 <= number; });
  }
}

/// Takes the place out of the table, so that every run of places stays without a gap; the last
/// rotation moves to where the closed one was.
void OpenRotations::close(std::size_t index) {
  Place hole = place_of(index);
  for (Place place = next(hole); places_[place] != 0; place = next(place)) {
    const std::size_t mask = places_.size() - 1;
    const Place wanted = home(hashes_[places_[place] - 1]);
    if (((place - wanted) & mask) < ((place - hole) & mask)) continue;
    places_[hole] = places_[place];
    hole = place;
  }
  places_[hole] = 0;

  const std::size_t last = size() - 1;
  if (index != last) {
    places_[place_of(last)] = static_cast<std::uint32_t>(index) + 1;
    const PauliRows::ConstRow moved = bits_of(last);
    std::copy(moved.begin(), moved.end(),
              bits_.begin() + static_cast<std::ptrdiff_t>(index * paulis_.bit_words()));
    hashes_[index] = hashes_[last];
    numbers_[index] = numbers_[last];
  }
  bits_.resize(last * paulis_.bit_words());
  hashes_.pop_back();
  numbers_.pop_back();
}

template <typename Predicate>
void OpenRotations::close_if(Predicate is_closed) {
  for (std::size_t index = 0; index < size();) {
    if (is_closed(index)) {
      close(index);
    } else {
      ++index;
    }
  }
}

void OpenRotations::close_anticommuting(PauliRows::ConstRow bits) {
  // In long stretches (cx and rotations only) all open rotations commute with all others: where
  // no X meets a Z there is nothing to look for.
  if (!paulis_.overlap(support_, bits)) return;
  const std::size_t before = size();
  close_if([&](std::size_t index) { return !paulis_.commute(bits_of(index), bits); });
  if (size() == before) return;
  std::fill(support_.begin(), support_.end(), 0);
  for (std::size_t index = 0; index < size(); ++index) unite(bits_of(index));
}

}  // namespace quartz
