#include "optimize/annealing/moves/rotation_move.hpp"

#include <algorithm>
#include <utility>

namespace quartz::optimizer {
namespace {

/// Places that are compared for a rotation if chains of gates are to become shorter.
constexpr int kComparedPlaces = 4;

/// A parity of path variables, represented by the exclusive or of their random numbers and by a
/// separate flag for the complement. Two different parities of a circuit of n gates have the same
/// number with probability below n^2 / 2^128.
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

/// Place where a wire begins to carry a parity.
struct Place {
  Parity parity;
  std::uint32_t after = 0;  ///< index of the preceding gate plus 1; 0: the start of the circuit
  rewrite::Wire wire = 0;
};

struct PlacedRotation {
  Parity parity;
  std::uint32_t index = 0;
};

template <typename T>
bool by_parity(const T& a, const T& b) {
  if (a.parity.low != b.parity.low) return a.parity.low < b.parity.low;
  return a.parity.high < b.parity.high;
}

class Placement {
 public:
  Placement(const rewrite::WireLists& circuit, const AnnealingLabels& labels, double moved_share,
            FastRandom& random, const PathLevels* levels)
      : circuit_(circuit),
        order_(circuit.order()),
        labels_(labels),
        moved_share_(moved_share),
        random_(random),
        levels_(levels),
        parities_(circuit.wires()) {}

  RotationExchange run();

 private:
  void follow_parities();
  void follow(const rewrite::WiredGate& gate, std::uint32_t index);
  /// Adds a place after a gate that leaves the parity of its wire as it is, where a rotation may be
  /// on shorter chains than at the first place of the parity.
  void add_later_place(rewrite::Wire wire, std::uint32_t index);
  void place_group(std::span<const PlacedRotation> rotations, std::span<const Place> places);
  void place_constants(std::span<const PlacedRotation> rotations, std::span<const Place> places);
  void place_symbol(const PlacedRotation& rotation, std::span<const Place> places);
  /// Returns a place for rotations; null if they stay where they are.
  [[nodiscard]] const Place* place_for(std::span<const PlacedRotation> rotations,
                                       std::span<const Place> places);
  /// Returns the length of the longest chain through a place.
  [[nodiscard]] PathLevels::Length through(const Place& place) const;
  void insert(const Place& place, rewrite::Label label);
  [[nodiscard]] const rewrite::WiredGate& gate_of(const PlacedRotation& rotation) const {
    return circuit_[order_[rotation.index]];
  }
  [[nodiscard]] Parity fresh() { return {random_(), random_(), false}; }

  const rewrite::WireLists& circuit_;
  const std::vector<rewrite::GateIndex> order_;
  const AnnealingLabels& labels_;
  const double moved_share_;
  FastRandom& random_;
  const PathLevels* levels_;      ///< null if chains of gates do not matter
  std::vector<Parity> parities_;  ///< by wire
  std::vector<Place> places_;
  std::vector<PlacedRotation> rotations_;
  RotationExchange exchange_;
};

void Placement::add_later_place(rewrite::Wire wire, std::uint32_t index) {
  if (levels_ != nullptr) places_.push_back({parities_[wire], index + 1, wire});
}

void Placement::follow(const rewrite::WiredGate& gate, std::uint32_t index) {
  const ParityAction& action = labels_[gate.label].parity_action;
  if (action.diagonal) {
    for (unsigned i = 0; i < gate.size; ++i) add_later_place(gate.wires[i], index);
    return;
  }
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
    if (parity.same_variables(after[i]) && parity.complement == after[i].complement) {
      add_later_place(gate.wires[i], index);
      continue;
    }
    parity = after[i];
    places_.push_back({parity, index + 1, gate.wires[i]});
  }
}

void Placement::follow_parities() {
  for (std::size_t wire = 0; wire < parities_.size(); ++wire) {
    parities_[wire] = fresh();
    places_.push_back({parities_[wire], 0, static_cast<rewrite::Wire>(wire)});
  }
  for (std::uint32_t i = 0; i < order_.size(); ++i) {
    const rewrite::WiredGate& gate = circuit_[order_[i]];
    if (labels_[gate.label].rotation.is_rotation) {
      rotations_.push_back({parities_[gate.wires[0]], i});
    } else {
      follow(gate, i);
    }
  }
}

PathLevels::Length Placement::through(const Place& place) const {
  if (place.after == 0) return levels_->from(circuit_.first_on(place.wire));
  const rewrite::GateIndex before = order_[place.after - 1];
  const rewrite::WiredGate& gate = circuit_[before];
  return levels_->to(before) + levels_->from(gate.next[gate.operand_of(place.wire)]);
}

const Place* Placement::place_for(std::span<const PlacedRotation> rotations,
                                  std::span<const Place> places) {
  const bool may_stay = rotations.size() == 1;
  if (may_stay && (places.size() == 1 || random_.unit() >= moved_share_)) return nullptr;
  const auto random_place = [&] {
    return &places[random_.below(static_cast<std::uint32_t>(places.size()))];
  };
  const Place* place = random_place();
  if (levels_ == nullptr) return place;
  PathLevels::Length least = through(*place);
  for (int i = 1; i < kComparedPlaces; ++i) {
    const Place* const other = random_place();
    const PathLevels::Length length = through(*other);
    if (length >= least) continue;
    place = other;
    least = length;
  }
  const rewrite::GateIndex rotation = order_[rotations.front().index];
  const PathLevels::Length own = levels_->length_of(circuit_[rotation].label);
  return may_stay && least + own > levels_->through(circuit_, rotation) ? nullptr : place;
}

void Placement::place_constants(std::span<const PlacedRotation> rotations,
                                std::span<const Place> places) {
  const Place* const chosen = place_for(rotations, places);
  if (chosen == nullptr) return;
  const Place& place = *chosen;
  int eighths = 0;
  for (const PlacedRotation& rotation : rotations) {
    const ZRotation& turn = labels_[gate_of(rotation).label].rotation;
    // A rotation that depends on the complement of a bit equals one on the bit by the negative
    // angle.
    const bool negative = rotation.parity.complement != place.parity.complement;
    eighths += negative ? -turn.eighths : turn.eighths;
    exchange_.phase += turn.phase;
    exchange_.removed.push_back(order_[rotation.index]);
  }
  const ZRotationDecomposition& decomposition = labels_.decomposition(eighths);
  exchange_.phase -= decomposition.phase;
  // rz(2 pi) is -1.
  if (((eighths - decomposition.eighths) / 8) % 2 != 0) exchange_.phase += 8;
  for (const rewrite::Label label : decomposition.labels) insert(place, label);
}

void Placement::insert(const Place& place, rewrite::Label label) {
  RotationInsertion& insertion = exchange_.inserted.emplace_back();
  insertion.gate = {{place.wire, 0, 0}, 1, false, label};
  if (place.after == 0) return;
  insertion.before = order_[place.after - 1];
  insertion.gate.marked = circuit_[insertion.before].marked;
}

void Placement::place_symbol(const PlacedRotation& rotation, std::span<const Place> places) {
  const Place* const chosen = place_for({&rotation, 1}, places);
  if (chosen == nullptr) return;
  const Place& place = *chosen;
  const rewrite::Label label = gate_of(rotation).label;
  const bool negative = rotation.parity.complement != place.parity.complement;
  exchange_.removed.push_back(order_[rotation.index]);
  insert(place, negative ? labels_[label].rotation.opposite : label);
}

void Placement::place_group(std::span<const PlacedRotation> rotations,
                            std::span<const Place> places) {
  std::vector<PlacedRotation> constants;
  for (const PlacedRotation& rotation : rotations) {
    if (labels_[gate_of(rotation).label].symbol == 0) {
      constants.push_back(rotation);
    } else {
      place_symbol(rotation, places);
    }
  }
  if (!constants.empty()) place_constants(constants, places);
}

RotationExchange Placement::run() {
  follow_parities();
  std::stable_sort(places_.begin(), places_.end(), by_parity<Place>);
  std::stable_sort(rotations_.begin(), rotations_.end(), by_parity<PlacedRotation>);
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
  exchange_.phase &= 15;
  return std::move(exchange_);
}

}  // namespace

RotationExchange propose_rotations(const rewrite::WireLists& circuit, const AnnealingLabels& labels,
                                   double moved_share, FastRandom& random,
                                   const PathLevels* levels) {
  return Placement(circuit, labels, moved_share, random, levels).run();
}

}  // namespace quartz::optimizer
