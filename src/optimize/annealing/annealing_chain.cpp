#include "optimize/annealing/annealing_chain.hpp"

#include <cmath>
#include <utility>

#include "circuit/common_ends.hpp"
#include "optimize/annealing/rotation_placement.hpp"

namespace quartz {
namespace {

/// A bit of the mask, at random.
unsigned random_letter(LetterMask mask, FastRandom& random) {
  std::uint32_t skip = random.below(static_cast<std::uint32_t>(std::popcount(mask)));
  while (skip-- != 0) mask &= mask - 1;
  return static_cast<unsigned>(std::countr_zero(mask));
}

}  // namespace

AnnealingChain::AnnealingChain(const ClassTable& table, const AnnealingLabels& labels,
                               WireLists circuit, std::uint64_t seed)
    : table_(table),
      labels_(labels),
      prover_(table.alphabet().letters),
      symbolic_prover_(make_exact_prover()),
      circuit_(std::move(circuit)),
      random_(seed),
      value_(labels_.value_of(circuit_.gates())),
      gains_(value_, circuit_.size()),
      regions_(labels) {
  best_ = {circuit_.gates(), value_, phase_};
  const std::vector<Operation>& letters = table.alphabet().letters;
  for (std::size_t letter = 0; letter < letters.size(); ++letter) {
    if (has_direction(letters[letter].gate)) {
      letters_along_[3 * letters[letter].qubits[0] + letters[letter].qubits[1]] |= LetterMask{1}
                                                                                   << letter;
    }
    for (const Qubit high : letters[letter].qubits) {
      for (const Qubit low : letters[letter].qubits) {
        if (low < high) letters_across_[low + high - 1] |= LetterMask{1} << letter;
      }
    }
  }
}

void AnnealingChain::restart(const Best& from) {
  circuit_ = WireLists(from.gates, circuit_.wires());
  value_ = from.value;
  phase_ = from.phase;
  gains_.go_back_to(0);
}

void AnnealingChain::restore(Snapshot from) {
  circuit_ = std::move(from.circuit);
  value_ = from.value;
  phase_ = from.phase;
  is_focused_ = false;
  gains_.go_back_to(from.open_records);
}

void AnnealingChain::unfocus() {
  if (!is_focused_) return;
  for (const GateIndex index : focus_) circuit_.mark(index, false);
  is_focused_ = false;
}

void AnnealingChain::focus(std::size_t gates) {
  unfocus();
  is_focused_ = gates < circuit_.size();
  if (!is_focused_) return;
  // Breadth first along the wires.
  focus_.clear();
  while (focus_.empty()) {
    const GateIndex start = random_.below(static_cast<std::uint32_t>(circuit_.places()));
    if (circuit_[start].size != 0) focus_.push_back(start);
  }
  circuit_.mark(focus_[0], true);
  for (std::size_t i = 0; i < focus_.size() && focus_.size() < gates; ++i) {
    const WiredGate gate = circuit_[focus_[i]];
    for (unsigned k = 0; k < gate.size; ++k) {
      for (const GateIndex next : {gate.previous[k], gate.next[k]}) {
        if (next == kNoGate || circuit_[next].marked) continue;
        circuit_.mark(next, true);
        focus_.push_back(next);
      }
    }
  }
  in_focus_.assign(circuit_.places(), 0);
  for (const GateIndex index : focus_) in_focus_[index] = 1;
}

void AnnealingChain::list_focused() {
  focus_.clear();
  in_focus_.assign(circuit_.places(), 0);
  for (GateIndex i = 0; i < circuit_.places(); ++i) {
    if (circuit_[i].size == 0 || !circuit_[i].marked) continue;
    focus_.push_back(i);
    in_focus_[i] = 1;
  }
}

GateIndex AnnealingChain::random_gate() {
  if (!is_focused_) {
    const GateIndex gate = random_.below(static_cast<std::uint32_t>(circuit_.places()));
    return circuit_[gate].size == 0 ? kNoGate : gate;
  }
  while (!focus_.empty()) {
    const std::uint32_t place = random_.below(static_cast<std::uint32_t>(focus_.size()));
    const GateIndex gate = focus_[place];
    if (circuit_[gate].size != 0 && circuit_[gate].marked) return gate;
    in_focus_[gate] = 0;
    focus_[place] = focus_.back();
    focus_.pop_back();
  }
  return kNoGate;
}

void AnnealingChain::move_focus(std::size_t focused, std::size_t gates) {
  if (!is_focused_) return;
  for (const GateIndex index : circuit_.replaced()) {
    // So that the focus neither grows nor shrinks by much.
    if (random_.below(static_cast<std::uint32_t>(gates)) >= focused) continue;
    circuit_.mark(index, true);
    if (in_focus_.size() <= index) in_focus_.resize(index + 1);
    if (in_focus_[index] != 0) continue;
    in_focus_[index] = 1;
    focus_.push_back(index);
  }
}

void AnnealingChain::keep_best() {
  if (value_ >= best_.value) return;
  best_ = {circuit_.gates(), value_, phase_};
  gains_.keep(value_, best_.gates.size());
  // Marks are of the focus now; a restart has none.
  for (PlainGate& gate : best_.gates) gate.marked = false;
  moves_since_best_ = 0;
}

const AnnealingChain::Best& AnnealingChain::best() {
  keep_best();
  return best_;
}

void AnnealingChain::run(std::uint64_t moves, double temperature) {
  temperature_ = temperature;
  for (std::uint64_t i = 0; i < moves && circuit_.size() != 0; ++i) {
    if (moves_to_placement_ == 0) {
      if (settings.moves_a_gate != 0) place();
      moves_to_placement_ = circuit_.size() * settings.moves_a_gate + 1;
      if (circuit_.size() == 0) return;  // the last rotations met and cancelled
    }
    --moves_to_placement_;
    if (regions_.is_possible() && random_.unit() < settings.regions) {
      rewrite_region();
    } else {
      move();
    }
  }
}

void AnnealingChain::place() {
  keep_best();
  PlacedRotations placed =
      place_rotations(circuit_.gates(), circuit_.wires(), labels_, settings.placed, random_);
  value_ = labels_.value_of(placed.gates);
  circuit_ = WireLists(placed.gates, circuit_.wires());
  phase_ = (phase_ + placed.phase) & 15;
  if (is_focused_) list_focused();
  note_gain(RewriteKind::rotations);
}

void AnnealingChain::note_gain(RewriteKind kind) {
  if (!gains_.is_record(value_)) return;
  UsedPair pair;
  if (kind == RewriteKind::window) {
    std::span<const std::uint8_t> window(letters_.data(), letters_.size());
    std::span<const std::uint8_t> replacement(replacement_letters_.data(),
                                              replacement_letters_.size());
    strip_common_ends(window, replacement);
    pair = {{window.begin(), window.end()}, {replacement.begin(), replacement.end()}, walk_phase_};
  }
  gains_.add({kind, std::move(pair)}, value_, circuit_.size());
}

bool AnnealingChain::walk_down(FieldState state, UnitScalar scalar, unsigned cost,
                               LetterMask last_letters, LetterMask allowed) {
  const TableAlphabet& alphabet = table_.alphabet();
  while (cost != 0) {
    const LetterMask choice = last_letters & allowed;
    if (choice == 0 || walk_.size() == walk_.capacity()) return false;
    const unsigned letter = random_letter(choice, random_);
    const LetterOperator& inverse = alphabet.inverses[letter];
    inverse.apply(state);
    scalar *= inverse.scalar();
    walk_.push_back(static_cast<std::uint8_t>(letter));
    const unsigned weight = alphabet.weights[letter];
    if (weight >= cost) break;
    const ClassEntry entry = table_.find(table_.probe().key(state, scalar.root));
    if (entry.cost != cost - weight) {
      ++counts_.strayed;
      return false;
    }
    cost = entry.cost;
    last_letters = entry.last_letters;
  }
  // The whole walk undone: eight amplitudes must be the start's, up to one phase. That is a second
  // fingerprint, with seven times the bits of the key, that no error in the table gets past.
  const int phase = table_.probe().phase_at_start(state, -scalar.root);
  if (phase < 0) {
    ++counts_.strayed;
    return false;
  }
  walk_phase_ = (scalar.phase + phase) & 15;
  return true;
}

bool AnnealingChain::proved(bool symbolic) {
  std::span<const std::uint8_t> window(letters_.data(), letters_.size());
  std::span<const std::uint8_t> replacement(replacement_letters_.data(),
                                            replacement_letters_.size());
  strip_common_ends(window, replacement);
  const std::uint64_t pair = ProvedPairs::key(window, replacement, walk_phase_);
  if (proved_pairs_.contains(pair)) return true;
  if (!prove(window, replacement, symbolic)) return false;
  proved_pairs_.insert(pair);
  if (used_pairs_) used_pairs_->add(pair, window, replacement, walk_phase_);
  return true;
}

bool AnnealingChain::prove(std::span<const std::uint8_t> window,
                           std::span<const std::uint8_t> replacement, bool symbolic) const {
  if (!symbolic) return prover_.equal(window, replacement, walk_phase_);
  const auto spelled = [&](std::span<const std::uint8_t> letters) {
    std::vector<Operation> circuit;
    for (const std::uint8_t letter : letters) circuit.push_back(table_.alphabet().letters[letter]);
    return circuit;
  };
  const std::vector<Operation> left = spelled(replacement);
  const std::vector<Operation> right = spelled(window);
  const Claim claim{left, right, kTableQubits, Angle::pi_times(Rational(walk_phase_, 8))};
  return symbolic_prover_->prove(claim).verdict == ProofVerdict::proved;
}

void AnnealingChain::rewrite_region() {
  ++counts_.moves;
  ++moves_since_best_;
  const GateIndex start = random_gate();
  if (start == kNoGate) return;
  const auto size =
      settings.smallest_region +
      random_.below(static_cast<std::uint32_t>(kRegionGates - settings.smallest_region + 1));
  grow_window(
      circuit_, start, size,
      [&](const WiredGate& gate) { return fits_region(labels_[gate.label]); }, region_);
  const RegionSynthesis::Replacement* replacement =
      regions_.rewrite(circuit_, region_, coupling, random_);
  if (replacement == nullptr) return;
  if (!regions_.is_confirmed(circuit_, region_, *replacement)) {
    ++counts_.refuted;
    return;
  }
  int change = 0;
  std::uint64_t value = 0;
  std::uint64_t new_value = 0;
  for (const GateIndex index : region_.gates) {
    const AnnealingLabel& label = labels_[circuit_[index].label];
    change -= static_cast<int>(label.cost);
    value += label.value;
  }
  for (const PlainGate& gate : replacement->gates) {
    change += static_cast<int>(labels_[gate.label].cost);
    new_value += labels_[gate.label].value;
  }
  // What the search makes small may be another cost than the table's.
  if (change > 0 && new_value >= value &&
      (temperature_ <= 0 || random_.unit() >= std::exp(-change / temperature_))) {
    ++counts_.rejected;
    return;
  }
  replace({region_.gates.data(), region_.gates.size()},
          {region_.wires.data(), region_.wires.size()}, replacement->gates,
          {value, new_value, replacement->phase});
  ++counts_.regions;
  note_gain(RewriteKind::region);
}

void AnnealingChain::replace(std::span<const GateIndex> gates,
                             std::span<const WireLists::Gap> wires,
                             std::span<const PlainGate> replacement, const Exchange& exchange) {
  // What may be the best is kept before a change for the worse, now and then.
  if (exchange.new_value > exchange.value && value_ < best_.value &&
      moves_since_best_ * 8 > circuit_.size()) {
    keep_best();
  }
  const auto focused = std::count_if(gates.begin(), gates.end(),
                                     [&](GateIndex index) { return circuit_[index].marked; });
  circuit_.replace(gates, wires, replacement);
  move_focus(static_cast<std::size_t>(focused), gates.size());
  value_ = value_ + exchange.new_value - exchange.value;
  phase_ = (phase_ + exchange.phase) & 15;
}

LetterMask AnnealingChain::uncoupled_letters() const {
  LetterMask letters = 0;
  for (std::size_t j = 1; j < window_.wires.size(); ++j) {
    for (std::size_t i = 0; i < j; ++i) {
      if (!coupling->contains(window_.wires[i].wire, window_.wires[j].wire)) {
        letters |= letters_across_[i + j - 1];
      }
      if (!coupling->directed()) continue;
      for (const auto& [first, second] : {std::pair(i, j), std::pair(j, i)}) {
        if (!coupling->allows(window_.wires[first].wire, window_.wires[second].wire)) {
          letters |= letters_along_[3 * first + second];
        }
      }
    }
  }
  return letters;
}

void AnnealingChain::move() {
  ++counts_.moves;
  ++moves_since_best_;
  const GateIndex start = random_gate();
  if (start == kNoGate) return;
  const auto size =
      settings.smallest_window + random_.below(static_cast<std::uint32_t>(
                                     settings.largest_window - settings.smallest_window + 1));
  // Of longer windows the table knows none; of those a little shorter few, but they gain most.
  const std::size_t most = table_.cost() + settings.beyond_table;
  const TableAlphabet& alphabet = table_.alphabet();
  unsigned symbol = 0;
  grow_window(
      circuit_, start, std::min(size, most),
      [&](const WiredGate& gate) {
        const AnnealingLabel& label = labels_[gate.label];
        // Operands are told apart, so any pattern of distinct ones will do.
        static constexpr std::array<std::size_t, 4> patterns{0, 0, 0 + 4 * 1, 0 + 4 * 1 + 16 * 2};
        if (label.letter[patterns[gate.size]] < 0) return false;
        if (label.symbol == 0) return true;
        if (symbol != 0 && symbol != label.symbol) return false;
        symbol = label.symbol;
        return true;
      },
      window_);
  if (window_.gates.size() < 2) return;

  FieldState state = table_.probe().start();
  UnitScalar scalar;
  unsigned cost = 0;
  std::uint64_t value = 0;
  letters_.clear();
  for (std::size_t place = 0; place < window_.gates.size(); ++place) {
    const WiredGate& gate = circuit_[window_.gates[place]];
    std::size_t pattern = 0;
    for (unsigned i = 0; i < gate.size; ++i) {
      pattern |= std::size_t{window_.operands[place][i]} << (2 * i);
    }
    const auto letter = static_cast<std::size_t>(labels_[gate.label].letter[pattern]);
    alphabet.operators[letter].apply(state);
    scalar *= alphabet.operators[letter].scalar();
    cost += alphabet.weights[letter];
    value += labels_[gate.label].value;
    letters_.push_back(static_cast<std::uint8_t>(letter));
  }
  const std::uint64_t key = table_.probe().key(state, scalar.root);
  table_.prefetch(key);
  LetterMask allowed = alphabet.within[window_.wires.size()];
  if (symbol == 0) allowed &= ~alphabet.symbolic;
  if (coupling != nullptr) allowed &= ~uncoupled_letters();

  walk_.clear();
  bool found = false;
  if (temperature_ > 0 && random_.unit() < settings.uphill) {
    const unsigned letter = random_letter(allowed, random_);
    FieldState before = state;
    alphabet.inverses[letter].apply(before);
    UnitScalar before_scalar = scalar;
    before_scalar *= alphabet.inverses[letter].scalar();
    const ClassEntry rest = table_.find(table_.probe().key(before, before_scalar.root));
    if (rest.cost != ClassEntry::kUnknown) {
      const int change =
          static_cast<int>(rest.cost + alphabet.weights[letter]) - static_cast<int>(cost);
      if (change <= 0 || random_.unit() < std::exp(-change / temperature_)) {
        walk_.push_back(static_cast<std::uint8_t>(letter));
        found = walk_down(before, before_scalar, rest.cost, rest.last_letters, allowed);
        if (!found) return;
      } else {
        ++counts_.rejected;
      }
    }
  }
  if (!found) {
    const ClassEntry entry = table_.find(key);
    if (entry.cost == ClassEntry::kUnknown || entry.cost > cost) {
      ++counts_.unknown;
      return;
    }
    if (!walk_down(state, scalar, entry.cost, entry.last_letters, allowed)) return;
  }

  replacement_letters_.assign(walk_.rbegin(), walk_.rend());
  if (std::ranges::equal(letters_, replacement_letters_)) return;
  if (!proved(symbol != 0)) {
    ++counts_.refuted;
    return;
  }
  boost::container::static_vector<PlainGate, 40> replacement;
  std::uint64_t new_value = 0;
  for (std::size_t i = walk_.size(); i-- > 0;) {
    const Operation& letter = alphabet.letters[walk_[i]];
    PlainGate gate;
    gate.label = labels_.label_of(walk_[i], symbol);
    gate.size = static_cast<std::uint8_t>(letter.qubits.size());
    for (std::size_t k = 0; k < letter.qubits.size(); ++k) {
      gate.wires[k] = window_.wires[letter.qubits[k]].wire;
    }
    new_value += labels_[gate.label].value;
    replacement.push_back(gate);
  }
  replace({window_.gates.data(), window_.gates.size()},
          {window_.wires.data(), window_.wires.size()}, {replacement.data(), replacement.size()},
          {value, new_value, walk_phase_});
  ++counts_.replaced;
  note_gain(RewriteKind::window);
}

}  // namespace quartz
