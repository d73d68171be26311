#pragma once

#include <cstdint>

#include "window_chains/chain/chain_circuit.hpp"
#include "window_chains/chain/chain_tables.hpp"
#include "window_chains/chain/rotation_move.hpp"

namespace quartz::window_chains {

// The values of the moves of the host (optimize/annealing/moves/window_move.cpp).
inline constexpr std::uint32_t kLeastWindow = 2;
inline constexpr std::uint32_t kMostWindow = 16;
inline constexpr std::uint32_t kGatesBeyondTable = 6;
/// A move first tries a circuit with one more letter if 32 random bits are below this number: four
/// fifths of the moves.
inline constexpr std::uint32_t kUphillThreshold = 3'435'973'836U;
inline constexpr std::uint32_t kMostWalk = 40;

/// What a chain works with that all its lanes see: on the device in shared memory. The first lane
/// writes it while the others wait.
struct ChainScratch {
  // the circuit
  std::uint32_t places;  ///< places used so far, some of which are free
  std::uint32_t size;    ///< number of gates
  std::uint32_t free;    ///< number of free places that are listed
  std::uint64_t spacing;
  // the window
  std::uint64_t position_after[kMostWires];  // NOLINT
  std::uint64_t value;
  std::uint32_t cost;
  std::uint32_t gate_count;
  std::uint32_t wire_count;
  std::uint32_t symbol;
  Place gates[kMostWindow];        // NOLINT
  Place before[kMostWires];        // NOLINT: the gates around the window on each wire
  Place after[kMostWires];         // NOLINT
  std::uint8_t wires[kMostWires];  // NOLINT
  std::uint8_t operands[kMostWindow][kMostWires];  // NOLINT: local qubits
  std::uint8_t letters[kMostWindow];               // NOLINT
  // its replacement
  std::uint32_t walk_length;
  std::uint64_t value_after;
  std::uint32_t cost_after;
  std::uint64_t low;  ///< positions between which it lies
  std::uint64_t high;
  std::uint8_t walk[kMostWalk];  // NOLINT: its letters, the last one first
  Place inserted[kMostWalk];     // NOLINT
  RotationSums rotations;        ///< what the last rotation move changed
};

/// The memory of a chain for its circuit, for `capacity` gates.
struct ChainMemory {
  ChainGate* gates;
  Place* free;
  std::uint32_t capacity;
  RotationMemory rotations;
};

/// Observes nothing: on a device.
struct NoObserver {
  QUARTZ_HOST_DEVICE void replaced(const ChainScratch& /*now*/, int /*phase*/) const {}
  QUARTZ_HOST_DEVICE void rotation_removed(Place /*place*/) const {}
  QUARTZ_HOST_DEVICE void rotation_inserted(Place /*place*/, Place /*before*/,
                                            std::uint8_t /*wire*/, std::uint16_t /*label*/) const {}
  QUARTZ_HOST_DEVICE void rotations_moved(int /*phase*/) const {}
};

/// A chain of window moves (Kirkpatrick, Gelatt, Vecchi 1983): each takes a window of the circuit,
/// finds its class in the class table, and replaces it by a random cheapest circuit of the class,
/// or by one that costs more, as the Metropolis rule permits. At the beginning of each stage it
/// moves and merges rotations. These are the moves of annealing on the host, without proofs; all
/// numbers are integers, so that the chain depends on its start and its seed only, on every device.
///
/// `Lanes` are eight lanes that carry out the same calls. Each has one amplitude of a state, and
/// reads one word of a line of the table. `Observer` observes every replacement.
template <typename Lanes, typename Observer>
class WindowChain {
 public:
  QUARTZ_HOST_DEVICE WindowChain(const Lanes& lanes, Observer& observer, const ChainTables& tables,
                                 const ChainMemory& memory, ChainScratch& scratch,
                                 std::uint64_t seed)
      : lanes_(lanes),
        observer_(observer),
        tables_(tables),
        alphabet_(*tables.alphabet),
        memory_(memory),
        now_(scratch),
        random_(seed) {}

  /// Makes the moves of some stages, at most `most` of them, from a start on. The gates of the
  /// start are copied.
  QUARTZ_HOST_DEVICE ChainEnd run(const ChainGate* start_gates, const ChainStart& start,
                                  const ChainStage* stages, std::uint32_t stage_count,
                                  std::uint32_t most) {
    lanes_.for_each_below(start.gates, [&](std::uint32_t i) { memory_.gates[i] = start_gates[i]; });
    lanes_.leader([&] {
      now_.places = start.gates;
      now_.size = start.gates;
      now_.free = 0;
      now_.spacing = chain_spacing(start.gates);
    });
    lanes_.for_each_below(memory_.rotations.parity_count,
                          [&](std::uint32_t i) { memory_.rotations.parities[i].round = 0; });
    value_ = start.value;
    cost_ = start.cost;
    end_ = {start.value, start.cost, 0, 0, 0, 0, 0, 0};
    for (std::uint32_t stage = 0; stage < stage_count; ++stage) {
      if (end_.moves == most || now_.size == 0) return end_;
      renumber();
      if (tables_.moves_rotations) move_rotations(stage + 1);
      thresholds_ = stages[stage].thresholds;
      const std::uint32_t moves = stages[stage].moves_per_gate * start.gates;
      for (std::uint32_t i = 0; i < moves; ++i) {
        if (end_.moves == most || now_.size == 0) return end_;
        ++end_.moves;
        move();
      }
    }
    return end_;
  }

 private:
  using Amplitudes = typename Lanes::Amplitudes;

  /// A scalar sqrt(2)^root e^{i pi phase / 8}.
  struct Scalar {
    int root;
    int phase;
    QUARTZ_HOST_DEVICE void multiply(const LetterRows& rows) {
      root += rows.root;
      phase += rows.phase;
    }
  };
  /// The entry of a class in the table.
  struct Entry {
    std::uint32_t cost;  ///< kUnknownCost if there is none
    std::uint64_t last_letters;
  };
  static constexpr std::uint32_t kUnknownCost = 255;

  /// SplitMix64 (Steele, Lea, Flood 2014). Every lane draws the same numbers.
  QUARTZ_HOST_DEVICE std::uint32_t random() {
    random_ += 0x9e3779b97f4a7c15ULL;
    std::uint64_t value = random_;
    value = (value ^ (value >> 30U)) * 0xbf58476d1ce4e5b9ULL;
    value = (value ^ (value >> 27U)) * 0x94d049bb133111ebULL;
    return static_cast<std::uint32_t>((value ^ (value >> 31U)) >> 32U);
  }
  QUARTZ_HOST_DEVICE static std::uint32_t scaled(std::uint32_t bits, std::uint32_t bound) {
    return static_cast<std::uint32_t>(std::uint64_t{bits} * bound >> 32U);
  }
  QUARTZ_HOST_DEVICE std::uint32_t random_letter(std::uint64_t letters) {
    std::uint32_t skip = scaled(random(), number_of(letters));
    while (skip-- != 0) letters &= letters - 1;
    return first_letter(letters);
  }
  QUARTZ_HOST_DEVICE static std::uint32_t number_of(std::uint64_t letters) {
#ifdef __CUDA_ARCH__
    return static_cast<std::uint32_t>(__popcll(static_cast<long long>(letters)));
#else
    return static_cast<std::uint32_t>(__builtin_popcountll(letters));
#endif
  }
  QUARTZ_HOST_DEVICE static std::uint32_t first_letter(std::uint64_t letters) {
#ifdef __CUDA_ARCH__
    return static_cast<std::uint32_t>(__ffsll(static_cast<long long>(letters))) - 1;
#else
    return static_cast<std::uint32_t>(__builtin_ctzll(letters));
#endif
  }
  QUARTZ_HOST_DEVICE bool accepts(int change) {
    if (change <= 0) return true;
    if (change >= static_cast<int>(kChanges) || thresholds_[change] == 0) return false;
    return random() < thresholds_[change];
  }

  QUARTZ_HOST_DEVICE void move() {
    const std::uint32_t start = scaled(random(), now_.places);
    const std::uint32_t limit = tables_.classes.cost + kGatesBeyondTable;
    std::uint32_t size = kLeastWindow + scaled(random(), kMostWindow - kLeastWindow + 1);
    size = size < limit ? size : limit;
    lanes_.leader([&] { grow(start, size); });
    if (now_.gate_count < kLeastWindow) return;
    Amplitudes state = lanes_.load(alphabet_.start);
    Scalar scalar{0, 0};
    for (std::uint32_t i = 0; i < now_.gate_count; ++i) {
      const LetterRows& rows = alphabet_.letters[now_.letters[i]].forward;
      lanes_.apply(rows, state);
      scalar.multiply(rows);
    }
    if (!find_replacement(state, scalar) || is_unchanged()) return;
    replace();
  }

  // --- the window ---

  QUARTZ_HOST_DEVICE bool takes(const ChainGate& gate) {
    const ChainLabel& label = tables_.labels[gate.label];
    // Letters distinguish operands, so any pattern of distinct operands serves here.
    const std::uint32_t pattern = gate.size == 2 ? 4 : gate.size == 3 ? 36 : 0;
    if (label.letter[pattern] < 0) return false;
    if (label.symbol == 0) return true;
    if (now_.symbol != 0 && now_.symbol != label.symbol) return false;
    now_.symbol = label.symbol;
    return true;
  }
  /// Grows a window as optimize/annealing/window.hpp describes.
  QUARTZ_HOST_DEVICE void grow(std::uint32_t start, std::uint32_t size) {
    now_.gate_count = 0;
    now_.wire_count = 0;
    now_.symbol = 0;
    now_.cost = 0;
    now_.value = 0;
    now_.walk_length = 0;
    if (memory_.gates[start].size == 0) return;
    std::uint32_t closed = 0;
    bool passed_over = false;
    Place next = static_cast<Place>(start);
    for (;;) {
      const ChainGate gate = memory_.gates[next];
      std::uint8_t operands[kMostWires];
      std::uint32_t own = 0;
      std::uint32_t foreign = 0;
      for (std::uint32_t i = 0; i < kMostWires; ++i) {
        operands[i] = kMostWires;
        if (i >= gate.size) continue;
        for (std::uint32_t k = 0; k < now_.wire_count; ++k) {
          if (gate.wires[i] == now_.wires[k]) operands[i] = static_cast<std::uint8_t>(k);
        }
        if (operands[i] == kMostWires) {
          ++foreign;
        } else {
          own |= 1U << operands[i];
        }
      }
      const bool joins =
          foreign == 0 || (!passed_over && now_.wire_count + foreign <= alphabet_.wires);
      if ((own & closed) == 0 && joins && takes(gate)) {
        add(next, gate, operands);
        if (now_.gate_count == size) return;
      } else {
        if (now_.gate_count == 0) return;
        passed_over = true;
        closed |= own;
        for (std::uint32_t k = 0; k < now_.wire_count; ++k) {
          if ((own >> k & 1U) != 0) now_.position_after[k] = kNoPosition;
        }
      }
      std::uint32_t first = 0;
      for (std::uint32_t k = 1; k < now_.wire_count; ++k) {
        if (now_.position_after[k] < now_.position_after[first]) first = k;
      }
      if (now_.position_after[first] == kNoPosition) return;
      next = now_.after[first];
    }
  }
  QUARTZ_HOST_DEVICE void add(Place place, const ChainGate& gate, const std::uint8_t* operands) {
    std::uint32_t pattern = 0;
    for (std::uint32_t i = 0; i < gate.size; ++i) {
      std::uint32_t local = operands[i];
      if (local == kMostWires) {
        local = now_.wire_count++;
        now_.wires[local] = gate.wires[i];
        now_.before[local] = gate.previous[i];
      }
      now_.after[local] = gate.next[i];
      now_.position_after[local] =
          gate.next[i] == kNoPlace ? kNoPosition : memory_.gates[gate.next[i]].position;
      now_.operands[now_.gate_count][i] = static_cast<std::uint8_t>(local);
      pattern |= local << (2 * i);
    }
    const ChainLabel& label = tables_.labels[gate.label];
    const auto letter = static_cast<std::uint8_t>(label.letter[pattern]);
    now_.gates[now_.gate_count] = place;
    now_.letters[now_.gate_count] = letter;
    ++now_.gate_count;
    now_.cost += alphabet_.letters[letter].weight;
    now_.value += label.value;
  }

  // --- its class ---

  QUARTZ_HOST_DEVICE Goldilocks root(int exponent) const {
    return alphabet_.roots[exponent + kMostRoot];
  }
  QUARTZ_HOST_DEVICE Entry find(const Amplitudes& state, int root_exponent) const {
    Goldilocks value = lanes_.product(alphabet_.functional, state) * root(root_exponent);
    value *= value;
    value *= value;
    value *= value;
    value *= value;
    const std::uint64_t key = value.value();
    const ClassWords& classes = tables_.classes;
    const unsigned shift = 64 - classes.tag_bits;
    const std::uint64_t tag = key << classes.slot_bits >> shift;
    std::uint64_t line = Goldilocks::multiply(key, classes.lines).high;
    for (;;) {
      bool is_full = false;
      const std::uint64_t word =
          lanes_.find(classes.words + line * kWordsOfLine, tag, shift, is_full);
      if (word != 0) {
        return {static_cast<std::uint32_t>(word >> classes.letters & 31U) - 1,
                word & ((std::uint64_t{1} << classes.letters) - 1)};
      }
      if (!is_full) return {kUnknownCost, 0};
      if (++line == classes.lines) line = 0;
    }
  }

  // --- its replacement ---

  QUARTZ_HOST_DEVICE void push(std::uint32_t letter) {
    lanes_.leader([&] { now_.walk[now_.walk_length++] = static_cast<std::uint8_t>(letter); });
  }
  QUARTZ_HOST_DEVICE bool find_replacement(const Amplitudes& state, const Scalar& scalar) {
    std::uint64_t allowed = alphabet_.within[now_.wire_count];
    if (now_.symbol == 0) allowed &= ~alphabet_.symbolic;
    if (thresholds_[1] != 0 && random() < kUphillThreshold) {
      const std::uint32_t letter = random_letter(allowed);
      const ChainLetter& row = alphabet_.letters[letter];
      Amplitudes before = state;
      Scalar before_scalar = scalar;
      lanes_.apply(row.inverse, before);
      before_scalar.multiply(row.inverse);
      const Entry rest = find(before, before_scalar.root);
      if (rest.cost != kUnknownCost) {
        if (accepts(static_cast<int>(rest.cost + row.weight) - static_cast<int>(now_.cost))) {
          push(letter);
          return walk_down(before, before_scalar, rest, allowed);
        }
        ++end_.rejected;
      }
    }
    const Entry entry = find(state, scalar.root);
    if (entry.cost == kUnknownCost || entry.cost > now_.cost) {
      ++end_.unknown;
      return false;
    }
    return walk_down(state, scalar, entry, allowed);
  }
  QUARTZ_HOST_DEVICE bool walk_down(Amplitudes state, Scalar scalar, Entry entry,
                                    std::uint64_t allowed) {
    while (entry.cost != 0) {
      const std::uint64_t choice = entry.last_letters & allowed;
      if (choice == 0 || now_.walk_length == kMostWalk) return false;
      const std::uint32_t letter = random_letter(choice);
      const ChainLetter& row = alphabet_.letters[letter];
      lanes_.apply(row.inverse, state);
      scalar.multiply(row.inverse);
      push(letter);
      if (row.weight >= entry.cost) break;
      const Entry rest = find(state, scalar.root);
      if (rest.cost != entry.cost - row.weight) {
        ++end_.strayed;
        return false;
      }
      entry = rest;
    }
    // The state must be the start up to a phase: a second fingerprint, with more bits than a tag.
    const Goldilocks factor = lanes_.first(state) * alphabet_.first_inverse;
    int phase = -1;
    if (lanes_.is_multiple(state, factor, alphabet_.start)) {
      phase = lanes_.index_of(factor * root(scalar.root), alphabet_.phases);
    }
    if (phase < 0) {
      ++end_.strayed;
      return false;
    }
    phase_ = (scalar.phase + phase) & 15;
    return true;
  }
  /// Returns whether the replacement has the letters of the window.
  QUARTZ_HOST_DEVICE bool is_unchanged() const {
    if (now_.walk_length != now_.gate_count) return false;
    for (std::uint32_t i = 0; i < now_.gate_count; ++i) {
      if (now_.letters[i] != now_.walk[now_.walk_length - 1 - i]) return false;
    }
    return true;
  }

  QUARTZ_HOST_DEVICE void replace() {
    // The chain goes on without a replacement for which it has no places.
    if (now_.walk_length > now_.gate_count + now_.free + (memory_.capacity - now_.places)) return;
    lanes_.leader([&] { find_bounds(); });
    if (!has_room()) {
      renumber();
      lanes_.leader([&] { find_bounds(); });
      if (!has_room()) return;
    }
    lanes_.leader([&] { exchange(); });
    value_ = value_ - now_.value + now_.value_after;
    cost_ = cost_ - now_.cost + now_.cost_after;
    ++end_.replaced;
    observer_.replaced(now_, phase_);
    keep_best();
  }
  /// Counts as a move. `round` is different in each rotation move.
  QUARTZ_HOST_DEVICE void move_rotations(std::uint32_t round) {
    const std::uint64_t first_bits = random();
    const std::uint64_t seed = first_bits << 32U | random();
    lanes_.leader([&] {
      RotationMove<Observer> move(tables_, memory_.gates, memory_.free, memory_.rotations,
                                  observer_, round, seed);
      now_.rotations = move.run(now_.places, now_.size, now_.free);
      now_.size = now_.size + now_.rotations.inserted - now_.rotations.removed;
    });
    ++end_.moves;
    value_ = value_ - now_.rotations.value_before + now_.rotations.value_after;
    cost_ = cost_ - now_.rotations.cost_before + now_.rotations.cost_after;
    observer_.rotations_moved(now_.rotations.phase);
    keep_best();
  }
  QUARTZ_HOST_DEVICE void keep_best() {
    if (value_ > end_.best_value || (value_ == end_.best_value && cost_ > end_.best_cost)) return;
    end_.best_value = value_;
    end_.best_cost = cost_;
    end_.best_move = end_.moves;
  }
  QUARTZ_HOST_DEVICE void find_bounds() {
    std::uint64_t low = 0;
    std::uint64_t high = kNoPosition;
    for (std::uint32_t k = 0; k < now_.wire_count; ++k) {
      if (now_.before[k] != kNoPlace) {
        const std::uint64_t position = memory_.gates[now_.before[k]].position;
        low = position > low ? position : low;
      }
      if (now_.after[k] != kNoPlace) {
        const std::uint64_t position = memory_.gates[now_.after[k]].position;
        high = position < high ? position : high;
      }
    }
    const std::uint64_t steps = now_.walk_length + 1;
    const std::uint64_t most = (kNoPosition - low) / steps;
    const std::uint64_t end = low + (now_.spacing < most ? now_.spacing : most) * steps;
    now_.low = low;
    now_.high = high < end ? high : end;
  }
  QUARTZ_HOST_DEVICE bool has_room() const { return now_.high - now_.low > now_.walk_length; }

  QUARTZ_HOST_DEVICE void exchange() {
    for (std::uint32_t i = 0; i < now_.gate_count; ++i) {
      memory_.gates[now_.gates[i]].size = 0;
      memory_.free[now_.free++] = now_.gates[i];
    }
    const std::uint64_t step = (now_.high - now_.low) / (now_.walk_length + 1);
    std::uint64_t position = now_.low;
    Place last[kMostWires];
    for (std::uint32_t k = 0; k < kMostWires; ++k) last[k] = now_.before[k];
    now_.value_after = 0;
    now_.cost_after = 0;
    for (std::uint32_t i = 0; i < now_.walk_length; ++i) {
      const std::uint32_t letter = now_.walk[now_.walk_length - 1 - i];
      const ChainLetter& row = alphabet_.letters[letter];
      const Place place =
          now_.free != 0 ? memory_.free[--now_.free] : static_cast<Place>(now_.places++);
      now_.inserted[i] = place;
      position += step;
      ChainGate gate{};
      gate.position = position;
      gate.label = tables_.label_of[now_.symbol * alphabet_.letter_count + letter];
      gate.size = row.size;
      for (std::uint32_t k = 0; k < row.size; ++k) gate.wires[k] = now_.wires[row.wires[k]];
      memory_.gates[place] = gate;
      for (std::uint32_t k = 0; k < row.size; ++k) {
        const std::uint32_t local = row.wires[k];
        link(memory_.gates, now_.wires[local], last[local], place);
        last[local] = place;
      }
      now_.value_after += tables_.labels[gate.label].value;
      now_.cost_after += row.weight;
    }
    for (std::uint32_t k = 0; k < now_.wire_count; ++k)
      link(memory_.gates, now_.wires[k], last[k], now_.after[k]);
    now_.size = now_.size + now_.walk_length - now_.gate_count;
  }
  /// Gives all gates evenly spaced positions in the same order.
  QUARTZ_HOST_DEVICE void renumber() {
    lanes_.wait();
    lanes_.for_each_below(now_.places, [&](std::uint32_t i) {
      ChainGate& gate = memory_.gates[i];
      if (gate.size == 0) return;
      const std::uint64_t position = gate.position;
      std::uint32_t rank = 0;
      for (std::uint32_t k = 0; k < now_.places; ++k) {
        const ChainGate& other = memory_.gates[k];
        // Gates at equal positions share no wire.
        if (other.size != 0 &&
            (other.position < position || (other.position == position && k < i))) {
          ++rank;
        }
      }
      gate.rank = static_cast<Place>(rank);
    });
    lanes_.leader([&] { now_.spacing = chain_spacing(now_.size); });
    lanes_.for_each_below(now_.places, [&](std::uint32_t i) {
      memory_.gates[i].position = (std::uint64_t{memory_.gates[i].rank} + 1) * now_.spacing;
    });
    lanes_.wait();
  }

  static constexpr std::uint64_t kNoPosition = ~std::uint64_t{0};

  const Lanes lanes_;
  Observer& observer_;
  const ChainTables tables_;
  const ChainAlphabet& alphabet_;
  const ChainMemory memory_;
  ChainScratch& now_;
  std::uint64_t random_;
  const std::uint32_t* thresholds_ = nullptr;
  std::uint64_t value_ = 0;
  std::uint32_t cost_ = 0;
  int phase_ = 0;
  ChainEnd end_{};
};

}  // namespace quartz::window_chains
