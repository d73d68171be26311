#include "optimize/annealing/rotation_placement.hpp"

#include <algorithm>
#include <compare>

namespace quartz {
namespace {

/// A parity of path variables as the exclusive or of their random numbers; the complement is kept
/// apart. Two different parities of a circuit of n gates share a number with probability below
/// n^2 / 2^128.
struct Parity {
  std::uint64_t low = 0;
  std::uint64_t high = 0;
  bool complement = false;

  Parity& operator^=(const Parity& other) {
    low ^= other.low;
    high ^= other.high;
    complement = complement != other.complement;
    return *this;
  }
  [[nodiscard]] bool same_variables(const Parity& other) const {
    return low == other.low && high == other.high;
  }
};

/// Where a wire begins to carry a parity.
struct Place {
  Parity parity;
  std::uint32_t after = 0;  ///< index of the gate plus 1; 0: the start of the circuit
  Wire wire = 0;
};

struct Rotation {
  Parity parity;
  std::uint32_t index = 0;
};

template <typename T>
bool by_parity(const T& a, const T& b) {
  if (a.parity.low != b.parity.low) return a.parity.low < b.parity.low;
  return a.parity.high < b.parity.high;
}

/// A rotation on its way to its place.
struct Insertion {
  std::uint32_t after = 0;
  PlainGate gate;
};

class Placement {
 public:
  Placement(std::span<const PlainGate> gates, std::uint32_t wires, const AnnealingLabels& labels,
            double moved, FastRandom& random)
      : gates_(gates), labels_(labels), moved_(moved), random_(random), parities_(wires) {}

  PlacedRotations run();

 private:
  void follow_parities();
  void follow(const PlainGate& gate, std::uint32_t index);
  void place_group(std::span<const Rotation> rotations, std::span<const Place> places);
  void place_constants(std::span<const Rotation> rotations, std::span<const Place> places);
  void place_symbol(const Rotation& rotation, std::span<const Place> places);
  [[nodiscard]] Parity fresh() { return {random_(), random_(), false}; }
  [[nodiscard]] std::vector<PlainGate> assembled();

  const std::span<const PlainGate> gates_;
  const AnnealingLabels& labels_;
  const double moved_;
  FastRandom& random_;
  std::vector<Parity> parities_;  ///< by wire
  std::vector<Place> places_;
  std::vector<Rotation> rotations_;
  std::vector<bool> taken_;  ///< gates that stand elsewhere now
  std::vector<Insertion> insertions_;
  int phase_ = 0;
};

void Placement::follow(const PlainGate& gate, std::uint32_t index) {
  const ParityAction& action = labels_[gate.label].parity_action;
  if (action.diagonal) return;
  std::array<Parity, 3> after;
  for (unsigned i = 0; i < gate.size; ++i) {
    if (!action.linear[i]) {
      after[i] = fresh();
      continue;
    }
    after[i].complement = action.complement[i];
    for (unsigned k = 0; k < gate.size; ++k) {
      if ((action.terms[i] >> k & 1U) != 0) after[i] ^= parities_[gate.wires[k]];
    }
  }
  for (unsigned i = 0; i < gate.size; ++i) {
    Parity& parity = parities_[gate.wires[i]];
    if (parity.same_variables(after[i]) && parity.complement == after[i].complement) continue;
    parity = after[i];
    places_.push_back({parity, index + 1, gate.wires[i]});
  }
}

void Placement::follow_parities() {
  for (std::size_t wire = 0; wire < parities_.size(); ++wire) {
    parities_[wire] = fresh();
    places_.push_back({parities_[wire], 0, static_cast<Wire>(wire)});
  }
  for (std::uint32_t i = 0; i < gates_.size(); ++i) {
    const PlainGate& gate = gates_[i];
    if (labels_[gate.label].rotation.is_rotation) {
      rotations_.push_back({parities_[gate.wires[0]], i});
    } else {
      follow(gate, i);
    }
  }
}

void Placement::place_constants(std::span<const Rotation> rotations,
                                std::span<const Place> places) {
  if (rotations.size() == 1 && (places.size() == 1 || random_.unit() >= moved_)) return;
  const Place& place = places[random_.below(static_cast<std::uint32_t>(places.size()))];
  int eighths = 0;
  for (const Rotation& rotation : rotations) {
    const ZRotation& turn = labels_[gates_[rotation.index].label].rotation;
    // A rotation of the complement of a bit is one of the bit by the negative angle.
    const bool negative = rotation.parity.complement != place.parity.complement;
    eighths += negative ? -turn.eighths : turn.eighths;
    phase_ += turn.phase;
    taken_[rotation.index] = true;
  }
  const ZRotationSpelling& spelling = labels_.spelling(eighths);
  phase_ -= spelling.phase;
  // rz(2 pi) is -1.
  if (((eighths - spelling.eighths) / 8) % 2 != 0) phase_ += 8;
  for (const std::uint16_t label : spelling.labels) {
    insertions_.push_back({place.after, {{place.wire, 0, 0}, label, 1}});
  }
}

void Placement::place_symbol(const Rotation& rotation, std::span<const Place> places) {
  if (places.size() == 1 || random_.unit() >= moved_) return;
  const Place& place = places[random_.below(static_cast<std::uint32_t>(places.size()))];
  const std::uint16_t label = gates_[rotation.index].label;
  const bool negative = rotation.parity.complement != place.parity.complement;
  taken_[rotation.index] = true;
  insertions_.push_back(
      {place.after, {{place.wire, 0, 0}, negative ? labels_[label].rotation.opposite : label, 1}});
}

void Placement::place_group(std::span<const Rotation> rotations, std::span<const Place> places) {
  std::vector<Rotation> constants;
  for (const Rotation& rotation : rotations) {
    if (labels_[gates_[rotation.index].label].symbol == 0) {
      constants.push_back(rotation);
    } else {
      place_symbol(rotation, places);
    }
  }
  if (!constants.empty()) place_constants(constants, places);
}

std::vector<PlainGate> Placement::assembled() {
  std::stable_sort(insertions_.begin(), insertions_.end(),
                   [](const Insertion& a, const Insertion& b) { return a.after < b.after; });
  std::vector<PlainGate> result;
  result.reserve(gates_.size());
  std::size_t next = 0;
  for (std::size_t i = 0; i <= gates_.size(); ++i) {
    for (; next < insertions_.size() && insertions_[next].after == i; ++next) {
      result.push_back(insertions_[next].gate);
      result.back().marked = i > 0 && gates_[i - 1].marked;
    }
    if (i < gates_.size() && !taken_[i]) result.push_back(gates_[i]);
  }
  return result;
}

PlacedRotations Placement::run() {
  follow_parities();
  taken_.resize(gates_.size());
  std::stable_sort(places_.begin(), places_.end(), by_parity<Place>);
  std::stable_sort(rotations_.begin(), rotations_.end(), by_parity<Rotation>);
  auto place = places_.begin();
  for (auto first = rotations_.begin(); first != rotations_.end();) {
    auto last = first;
    while (last != rotations_.end() && last->parity.same_variables(first->parity)) ++last;
    while (!place->parity.same_variables(first->parity)) ++place;
    auto end = place;
    while (end != places_.end() && end->parity.same_variables(first->parity)) ++end;
    place_group({first, last}, {place, end});
    place = end;
    first = last;
  }
  return {assembled(), phase_ & 15};
}

}  // namespace

PlacedRotations place_rotations(std::span<const PlainGate> gates, std::uint32_t wires,
                                const AnnealingLabels& labels, double moved, FastRandom& random) {
  return Placement(gates, wires, labels, moved, random).run();
}

}  // namespace quartz
