#pragma once

#include <cstdint>

#include "window_chains/chain/chain_circuit.hpp"
#include "window_chains/chain/chain_tables.hpp"

namespace quartz::window_chains {

/// A parity of path variables that a wire carries (optimize/annealing/moves/rotation_move.hpp),
/// represented by the exclusive or of their random numbers, and the rotations about it.
struct ChainParity {
  std::uint64_t number;
  std::uint32_t round;   ///< number of the rotation move that uses the entry; others are free
  std::uint16_t places;  ///< number of places that carry the parity or its complement
  std::uint16_t rotations;
  Place before;        ///< gate before one of the places, a random one; kNoPlace: the wire's start
  std::int16_t turns;  ///< sum of the rotations, in units of pi/4
  std::uint8_t wire;   ///< wire of the place
  std::uint8_t phase;  ///< phase of the rotations, in units of pi/8
  bool is_complement;  ///< whether the place carries the complement
  bool moves;          ///< whether the rotations move to the place
};

/// What a wire carries during a rotation move.
struct ChainWire {
  std::uint64_t number;
  Place first;  ///< first gate
  bool is_complement;
};

/// The memory of a chain for rotation moves.
struct RotationMemory {
  Place* order;                ///< room for all places
  ChainWire* wires;            ///< kMostChainWires
  ChainParity* parities;       ///< a hash table with open addressing
  std::uint32_t parity_count;  ///< its size, a power of two
};

/// Returns the size of the hash table of parities for a chain with this number of places.
[[nodiscard]] QUARTZ_HOST_DEVICE inline std::uint32_t chain_parities(std::uint32_t capacity) {
  std::uint32_t size = 64;
  while (size < 2 * capacity) size *= 2;
  return size;
}

/// What a rotation move changed.
struct RotationSums {
  std::uint64_t value_before;
  std::uint64_t value_after;
  std::uint32_t cost_before;
  std::uint32_t cost_after;
  std::uint32_t removed;
  std::uint32_t inserted;
  int phase;  ///< the circuit before equals e^{i pi phase / 8} times the circuit after
};

/// Merges Z rotations by multiples of pi/4 on equal parities, and moves half of the others to
/// random places that carry the parity or its complement. Inserts at most as many gates as it
/// removes. Carried out by one lane, over all gates.
template <typename Observer>
class RotationMove {
 public:
  /// `round` is different in each move of a chain, and not 0.
  QUARTZ_HOST_DEVICE RotationMove(const ChainTables& tables, ChainGate* gates, Place* free,
                                  const RotationMemory& memory, Observer& observer,
                                  std::uint32_t round, std::uint64_t seed)
      : tables_(tables),
        gates_(gates),
        free_(free),
        memory_(memory),
        observer_(observer),
        round_(round),
        random_(seed) {}

  /// The ranks of the gates must be those of their positions, which are evenly spaced. Updates the
  /// number of free places.
  QUARTZ_HOST_DEVICE RotationSums run(std::uint32_t places, std::uint32_t size,
                                      std::uint32_t& free_places) {
    for (std::uint32_t i = 0; i < places; ++i) {
      if (gates_[i].size != 0) memory_.order[gates_[i].rank] = static_cast<Place>(i);
    }
    size_ = size;
    free_count_ = free_places;
    follow_parities();
    remove_rotations();
    insert_rotations();
    free_places = free_count_;
    return sums_;
  }

 private:
  static constexpr std::uint16_t kNoParity = 0xffff;

  QUARTZ_HOST_DEVICE std::uint64_t random() {
    random_ += 0x9e3779b97f4a7c15ULL;
    std::uint64_t value = random_;
    value = (value ^ (value >> 30U)) * 0xbf58476d1ce4e5b9ULL;
    value = (value ^ (value >> 27U)) * 0x94d049bb133111ebULL;
    return value ^ (value >> 31U);
  }

  /// Returns the entry of a parity, a new one if it has none; kNoParity if there is no room.
  QUARTZ_HOST_DEVICE std::uint16_t find(std::uint64_t number) {
    const std::uint32_t mask = memory_.parity_count - 1;
    std::uint32_t slot = static_cast<std::uint32_t>(number >> 40U) & mask;
    for (;;) {
      ChainParity& parity = memory_.parities[slot];
      if (parity.round != round_) {
        if (known_ >= memory_.parity_count / 4 * 3) return kNoParity;
        ++known_;
        parity = {};
        parity.number = number;
        parity.round = round_;
        return static_cast<std::uint16_t>(slot);
      }
      if (parity.number == number) return static_cast<std::uint16_t>(slot);
      slot = (slot + 1) & mask;
    }
  }
  QUARTZ_HOST_DEVICE void add_place(Place before, std::uint8_t wire) {
    const std::uint16_t index = find(memory_.wires[wire].number);
    if (index == kNoParity) return;
    ChainParity& parity = memory_.parities[index];
    ++parity.places;
    if ((random() >> 32U) * parity.places >> 32U != 0) return;
    parity.before = before;
    parity.wire = wire;
    parity.is_complement = memory_.wires[wire].is_complement;
  }

  QUARTZ_HOST_DEVICE void follow_parities() {
    for (std::uint32_t i = 0; i < size_; ++i) {
      const ChainGate& gate = gates_[memory_.order[i]];
      for (std::uint32_t k = 0; k < gate.size; ++k) {
        if (gate.previous[k] != kNoPlace) continue;
        memory_.wires[gate.wires[k]] = {random(), memory_.order[i], false};
        add_place(kNoPlace, gate.wires[k]);
      }
      const ChainLabel& label = tables_.labels[gate.label];
      if (label.turns != 0) {
        add_rotation(gates_[memory_.order[i]], label);
      } else if (!label.is_diagonal) {
        follow(memory_.order[i], gate, label);
      }
    }
  }
  QUARTZ_HOST_DEVICE void add_rotation(ChainGate& gate, const ChainLabel& label) {
    const ChainWire& wire = memory_.wires[gate.wires[0]];
    gate.rank = find(wire.number);
    if (gate.rank == kNoParity) return;
    ChainParity& parity = memory_.parities[gate.rank];
    ++parity.rotations;
    parity.turns =
        static_cast<std::int16_t>(parity.turns + (wire.is_complement ? -label.turns : label.turns));
    parity.phase = static_cast<std::uint8_t>((parity.phase + label.phase) & 15);
    parity.moves = parity.rotations > 1 || (random() & 1U) != 0;
  }
  QUARTZ_HOST_DEVICE void follow(Place place, const ChainGate& gate, const ChainLabel& label) {
    std::uint64_t numbers[kMostWires];  // NOLINT
    bool complements[kMostWires];       // NOLINT
    for (std::uint32_t i = 0; i < gate.size; ++i) {
      numbers[i] = 0;
      complements[i] = label.complement[i];
      if (label.terms[i] == 0) {
        numbers[i] = random();
        complements[i] = false;
      }
      for (std::uint32_t k = 0; k < gate.size; ++k) {
        if ((label.terms[i] >> k & 1U) == 0) continue;
        const ChainWire& wire = memory_.wires[gate.wires[k]];
        numbers[i] ^= wire.number;
        complements[i] = complements[i] != wire.is_complement;
      }
    }
    for (std::uint32_t i = 0; i < gate.size; ++i) {
      ChainWire& wire = memory_.wires[gate.wires[i]];
      if (wire.number == numbers[i] && wire.is_complement == complements[i]) continue;
      wire.number = numbers[i];
      wire.is_complement = complements[i];
      add_place(place, gate.wires[i]);
    }
  }

  QUARTZ_HOST_DEVICE void remove_rotations() {
    std::uint32_t kept = 0;
    for (std::uint32_t i = 0; i < size_; ++i) {
      const Place place = memory_.order[i];
      ChainGate& gate = gates_[place];
      const ChainLabel& label = tables_.labels[gate.label];
      if (label.turns == 0 || gate.rank == kNoParity) continue;
      const ChainParity& parity = memory_.parities[gate.rank];
      if (!parity.moves || (parity.rotations == 1 && parity.places == 1)) continue;
      memory_.order[kept++] = gate.rank;  // the place of a gate that was read already
      const std::uint8_t wire = gate.wires[0];
      if (gate.previous[0] == kNoPlace) {
        memory_.wires[wire].first = gate.next[0];
      }
      link(gates_, wire, gate.previous[0], gate.next[0]);
      gate.size = 0;
      free_[free_count_++] = place;
      ++sums_.removed;
      sums_.value_before += label.value;
      sums_.cost_before += label.cost;
      observer_.rotation_removed(place);
    }
    moved_ = kept;
  }
  QUARTZ_HOST_DEVICE void insert_rotations() {
    for (std::uint32_t i = 0; i < moved_; ++i) {
      ChainParity& parity = memory_.parities[memory_.order[i]];
      if (!parity.moves) continue;  // done for an earlier rotation about it
      parity.moves = false;
      const int turns = parity.is_complement ? -parity.turns : parity.turns;
      const ChainTurns& gates = tables_.turns[turns & 7];
      sums_.phase += parity.phase - gates.phase;
      // rz(2 pi) is -1.
      if (((turns - gates.turns) / 8) % 2 != 0) sums_.phase += 8;
      for (std::uint32_t k = 0; k < gates.count; ++k) insert(parity, gates.labels[k]);
    }
    sums_.phase &= 15;
  }
  QUARTZ_HOST_DEVICE void insert(const ChainParity& parity, std::uint16_t label) {
    const Place place = free_[--free_count_];
    const std::uint8_t wire = parity.wire;
    Place after = memory_.wires[wire].first;
    std::uint64_t low = 0;
    if (parity.before != kNoPlace) {
      const ChainGate& before = gates_[parity.before];
      after = before.next[operand_of(before, wire)];
      low = before.position;
    }
    const std::uint64_t high =
        after == kNoPlace ? low + chain_spacing(size_) : gates_[after].position;
    ChainGate gate{};
    gate.position = low + (high - low) / 2;
    gate.label = label;
    gate.size = 1;
    gate.wires[0] = wire;
    gates_[place] = gate;
    link(gates_, wire, parity.before, place);
    link(gates_, wire, place, after);
    if (parity.before == kNoPlace) memory_.wires[wire].first = place;
    ++sums_.inserted;
    sums_.value_after += tables_.labels[label].value;
    sums_.cost_after += tables_.labels[label].cost;
    observer_.rotation_inserted(place, parity.before, wire, label);
  }

  const ChainTables& tables_;
  ChainGate* gates_;
  Place* free_;
  const RotationMemory memory_;
  Observer& observer_;
  const std::uint32_t round_;
  std::uint64_t random_;
  std::uint32_t size_ = 0;
  std::uint32_t free_count_ = 0;
  std::uint32_t known_ = 0;  ///< parities
  std::uint32_t moved_ = 0;
  RotationSums sums_{};
};

}  // namespace quartz::window_chains
