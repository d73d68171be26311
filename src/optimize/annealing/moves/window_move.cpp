#include "optimize/annealing/moves/window_move.hpp"

#include <algorithm>
#include <bit>
#include <utility>
#include <vector>

#include "circuit/common_ends.hpp"

// Inlining the functions of the hot path into propose gives about 10% more moves per second.
#define QUARTZ_HOT [[gnu::always_inline]] inline

namespace quartz::optimizer {
namespace {

// These values gave the best results on the Nam circuits.
constexpr std::size_t kMinWindow = 2;
constexpr std::size_t kMaxWindow = 16;
/// The table is complete for windows up to its cost bound. It contains few of the slightly longer
/// windows, but those yield the largest gains.
constexpr std::size_t kGatesBeyondTable = 6;
/// Fraction of the moves that first try a circuit with one more letter.
constexpr double kUphillShare = 0.8;

/// Returns a random letter of the mask.
unsigned random_letter(classes::LetterMask mask, FastRandom& random) {
  std::uint32_t skip = random.below(static_cast<std::uint32_t>(std::popcount(mask)));
  while (skip-- != 0) mask &= mask - 1;
  return static_cast<unsigned>(std::countr_zero(mask));
}

}  // namespace

WindowMove::WindowMove(const ClassTable& table, const AnnealingLabels& labels,
                       std::shared_ptr<WindowProofs> proofs)
    : table_(table),
      labels_(labels),
      proofs_(proofs != nullptr ? std::move(proofs)
                                : std::make_shared<WindowProofs>(table.alphabet().letters)) {
  const std::vector<Operation>& letters = table.alphabet().letters;
  for (std::size_t i = 0; i < letters.size(); ++i) {
    const classes::LetterMask letter = classes::LetterMask{1} << i;
    for (const Qubit qubit : letters[i].qubits) wires_ = std::max<std::size_t>(wires_, qubit + 1);
    if (has_direction(letters[i].gate)) {
      letters_along_[3 * letters[i].qubits[0] + letters[i].qubits[1]] |= letter;
    }
    for (const Qubit high : letters[i].qubits) {
      for (const Qubit low : letters[i].qubits) {
        if (low < high) letters_across_[low + high - 1] |= letter;
      }
    }
  }
}

QUARTZ_HOT void WindowMove::grow_to(const rewrite::WireLists& circuit, rewrite::GateIndex start,
                                    std::size_t size) {
  unsigned symbol = 0;
  grow_window(
      circuit, start, size,
      [&](const rewrite::WiredGate& gate) {
        const AnnealingLabel& label = labels_[gate.label];
        // Letters distinguish operands, so any pattern of distinct operands serves here.
        static constexpr std::array<std::size_t, 4> kPatterns{0, 0, 0 + 4 * 1, 0 + 4 * 1 + 16 * 2};
        if (label.letter[kPatterns[gate.size]] < 0) return false;
        if (label.symbol == 0) return true;
        if (symbol != 0 && symbol != label.symbol) return false;
        symbol = label.symbol;
        return true;
      },
      now_.window, wires_);
  now_.symbol = symbol;
}

std::size_t WindowMove::max_size() const {
  return std::min(kMaxWindow, table_.cost() + kGatesBeyondTable);
}

QUARTZ_HOT bool WindowMove::grow(const MoveContext& context, rewrite::GateIndex start) {
  const std::size_t size =
      kMinWindow + context.random.below(static_cast<std::uint32_t>(kMaxWindow - kMinWindow + 1));
  grow_to(context.circuit, start, std::min(size, table_.cost() + kGatesBeyondTable));
  return now_.window.gates.size() >= 2;
}

QUARTZ_HOT WindowMove::WindowClass WindowMove::class_of_window(const rewrite::WireLists& circuit) {
  const classes::TableAlphabet& alphabet = table_.alphabet();
  WindowClass result{table_.probe().start(), {}, 0, 0};
  now_.letters.clear();
  for (std::size_t place = 0; place < now_.window.gates.size(); ++place) {
    const rewrite::WiredGate& gate = circuit[now_.window.gates[place]];
    std::size_t pattern = 0;
    for (unsigned i = 0; i < gate.size; ++i) {
      pattern |= std::size_t{now_.window.operands[place][i]} << (2 * i);
    }
    const AnnealingLabel& label = labels_[gate.label];
    const auto letter = static_cast<std::size_t>(label.letter[pattern]);
    alphabet.operators[letter].apply(result.state);
    result.scalar *= alphabet.operators[letter].scalar();
    result.cost += alphabet.weights[letter];
    result.value += label.value;
    now_.letters.push_back(static_cast<std::uint8_t>(letter));
  }
  return result;
}

classes::LetterMask WindowMove::uncoupled_letters(const CouplingMap& coupling) const {
  classes::LetterMask letters = 0;
  const auto& wires = now_.window.wires;
  for (std::size_t j = 1; j < wires.size(); ++j) {
    for (std::size_t i = 0; i < j; ++i) {
      if (!coupling.contains(wires[i].wire, wires[j].wire)) letters |= letters_across_[i + j - 1];
      if (!coupling.directed()) continue;
      for (const auto& [first, second] : {std::pair(i, j), std::pair(j, i)}) {
        if (!coupling.allows(wires[first].wire, wires[second].wire)) {
          letters |= letters_along_[3 * first + second];
        }
      }
    }
  }
  return letters;
}

QUARTZ_HOT classes::LetterMask WindowMove::allowed_letters(const MoveContext& context) const {
  const classes::TableAlphabet& alphabet = table_.alphabet();
  classes::LetterMask allowed = alphabet.within[now_.window.wires.size()];
  if (now_.symbol == 0) allowed &= ~alphabet.symbolic;
  if (context.coupling != nullptr) allowed &= ~uncoupled_letters(*context.coupling);
  return allowed;
}

bool WindowMove::walk_down(const MoveContext& context, classes::FieldState state,
                           classes::UnitScalar scalar, unsigned cost,
                           classes::LetterMask last_letters, classes::LetterMask allowed) {
  const classes::TableAlphabet& alphabet = table_.alphabet();
  while (cost != 0) {
    const classes::LetterMask choice = last_letters & allowed;
    if (choice == 0 || now_.walk.size() == now_.walk.capacity()) return false;
    const unsigned letter = random_letter(choice, context.random);
    const classes::LetterOperator& inverse = alphabet.inverses[letter];
    inverse.apply(state);
    scalar *= inverse.scalar();
    now_.walk.push_back(static_cast<std::uint8_t>(letter));
    const unsigned weight = alphabet.weights[letter];
    if (weight >= cost) break;
    const classes::ClassEntry entry = table_.find(table_.probe().key(state, scalar.root));
    if (entry.cost != cost - weight) {
      ++context.counts.strayed;
      return false;
    }
    cost = entry.cost;
    last_letters = entry.last_letters;
  }
  // At the end of the walk, eight amplitudes must equal those of the start up to one common phase.
  // They are a second fingerprint with seven times the bits of the key, which reveals every error
  // of the table.
  const int phase = table_.probe().phase_at_start(state, -scalar.root);
  if (phase < 0) {
    ++context.counts.strayed;
    return false;
  }
  now_.phase = (scalar.phase + phase) & 15;
  return true;
}

QUARTZ_HOT std::optional<bool> WindowMove::walk_uphill(const MoveContext& context,
                                                       const WindowClass& window,
                                                       classes::LetterMask allowed) {
  const classes::TableAlphabet& alphabet = table_.alphabet();
  const unsigned letter = random_letter(allowed, context.random);
  classes::FieldState before = window.state;
  alphabet.inverses[letter].apply(before);
  classes::UnitScalar before_scalar = window.scalar;
  before_scalar *= alphabet.inverses[letter].scalar();
  const classes::ClassEntry rest = table_.find(table_.probe().key(before, before_scalar.root));
  if (rest.cost == classes::ClassEntry::kUnknown) return std::nullopt;
  const int change =
      static_cast<int>(rest.cost + alphabet.weights[letter]) - static_cast<int>(window.cost);
  if (!context.accepts(change)) {
    ++context.counts.rejected;
    return std::nullopt;
  }
  now_.walk.push_back(static_cast<std::uint8_t>(letter));
  return walk_down(context, before, before_scalar, rest.cost, rest.last_letters, allowed);
}

QUARTZ_HOT bool WindowMove::find_replacement(const MoveContext& context,
                                             const WindowClass& window) {
  const std::uint64_t key = table_.probe().key(window.state, window.scalar.root);
  table_.prefetch(key);
  const classes::LetterMask allowed = allowed_letters(context);
  now_.walk.clear();
  if (context.temperature > 0 && context.random.unit() < kUphillShare) {
    if (const auto found = walk_uphill(context, window, allowed)) return *found;
  }
  const classes::ClassEntry entry = table_.find(key);
  if (entry.cost == classes::ClassEntry::kUnknown || entry.cost > window.cost) {
    ++context.counts.unknown;
    return false;
  }
  return walk_down(context, window.state, window.scalar, entry.cost, entry.last_letters, allowed);
}

WindowMove::Sides WindowMove::sides() const {
  Sides sides{{now_.letters.data(), now_.letters.size()},
              {now_.replacement_letters.data(), now_.replacement_letters.size()}};
  circuit::strip_common_ends(sides.window, sides.replacement);
  return sides;
}

bool WindowMove::is_proved() {
  const Sides pair = sides();
  return proofs_->is_proved(pair.window, pair.replacement, now_.phase);
}

QUARTZ_HOT void WindowMove::fill_exchange(const WindowClass& window) {
  const classes::TableAlphabet& alphabet = table_.alphabet();
  Totals after{0, 0, now_.phase};
  now_.gates.clear();
  for (const std::uint8_t index : now_.replacement_letters) {
    const Operation& letter = alphabet.letters[index];
    rewrite::PlainGate gate;
    gate.label = labels_.label_of(index, now_.symbol);
    gate.size = static_cast<std::uint8_t>(letter.qubits.size());
    for (std::size_t k = 0; k < letter.qubits.size(); ++k) {
      gate.wires[k] = now_.window.wires[letter.qubits[k]].wire;
    }
    after.value += labels_[gate.label].value;
    after.table_cost += alphabet.weights[index];
    now_.gates.push_back(gate);
  }
  now_.exchange = {RewriteKind::window,
                   {now_.window.gates.data(), now_.window.gates.size()},
                   {now_.window.wires.data(), now_.window.wires.size()},
                   {now_.gates.data(), now_.gates.size()},
                   {window.value, window.cost, 0},
                   after};
}

const Exchange* WindowMove::propose(const MoveContext& context, rewrite::GateIndex start) {
  if (!grow(context, start)) return nullptr;
  const WindowClass window = class_of_window(context.circuit);
  if (!find_replacement(context, window)) return nullptr;
  now_.replacement_letters.assign(now_.walk.rbegin(), now_.walk.rend());
  if (std::ranges::equal(now_.letters, now_.replacement_letters)) return nullptr;
  if (!is_proved()) {
    ++context.counts.refuted;
    return nullptr;
  }
  fill_exchange(window);
  return &now_.exchange;
}

WindowMove::CheaperWindow WindowMove::propose_cheaper(const MoveContext& context,
                                                      rewrite::GateIndex start, std::size_t size) {
  grow_to(context.circuit, start, size);
  CheaperWindow result;
  result.gates = now_.window.gates.size();
  result.reaches_end = std::ranges::any_of(
      now_.window.wires, [](const auto& wire) { return wire.after == rewrite::kNoGate; });
  if (result.gates < kMinWindow) return result;
  const WindowClass window = class_of_window(context.circuit);
  const classes::ClassEntry entry =
      table_.find(table_.probe().key(window.state, window.scalar.root));
  // The cost of an unknown class is above all others.
  if (entry.cost >= window.cost) return result;
  now_.walk.clear();
  if (!walk_down(context, window.state, window.scalar, entry.cost, entry.last_letters,
                 allowed_letters(context))) {
    return result;
  }
  now_.replacement_letters.assign(now_.walk.rbegin(), now_.walk.rend());
  if (!is_proved()) {
    ++context.counts.refuted;
    return result;
  }
  fill_exchange(window);
  const bool is_worse = now_.exchange.after.value > now_.exchange.before.value;
  if (!is_worse) result.exchange = &now_.exchange;
  return result;
}

UsedPair WindowMove::last_pair() const {
  const Sides pair = sides();
  return {{pair.window.begin(), pair.window.end()},
          {pair.replacement.begin(), pair.replacement.end()},
          now_.phase};
}

}  // namespace quartz::optimizer
