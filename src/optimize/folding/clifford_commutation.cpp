#include "optimize/folding/clifford_commutation.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <limits>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "optimize/folding/pauli_propagation.hpp"
#include "optimize/folding/pauli_writer.hpp"
#include "optimize/pauli/one_qubit_clifford.hpp"
#include "optimize/pauli/passing_axes.hpp"
#include "optimize/state/group_rewriting.hpp"
#include "optimize/state/segments.hpp"
#include "optimize/windows/replaced_gates.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/circuit/gate.hpp"

namespace quartz::optimizer {
namespace {

constexpr std::uint32_t kUnreachable = std::numeric_limits<std::uint32_t>::max() / 4;

/// The shortest products of a set's one-qubit Clifford gates, one for each map of the axes.
class CliffordWords {
 public:
  struct Word {
    std::vector<Operation> gates;  ///< on qubit 0
    OneQubitClifford product;
  };

  explicit CliffordWords(const GateSet& set) {
    std::vector<Word> letters;
    for (const GateSetEntry& entry : set.entries) add_letters(entry, letters);
    words_[AxisMap().code()] = Word{};
    std::vector<Word> last{Word{}};
    while (!last.empty()) {
      std::vector<Word> next;
      for (const Word& word : last) {
        for (const Word& letter : letters) {
          Word longer = word;
          longer.gates.push_back(letter.gates.front());
          longer.product = letter.product * word.product;
          std::optional<Word>& known = words_[longer.product.axes().code()];
          if (known) continue;
          known = longer;
          next.push_back(std::move(longer));
        }
      }
      last = std::move(next);
    }
  }

  /// Returns the number of gates of a word, or kUnreachable if there is none.
  [[nodiscard]] std::uint32_t size_of(const AxisMap& map) const {
    const std::optional<Word>& word = words_[map.code()];
    return word ? static_cast<std::uint32_t>(word->gates.size()) : kUnreachable;
  }
  [[nodiscard]] const Word& word_of(const AxisMap& map) const { return *words_[map.code()]; }

 private:
  /// Adds the gates of an entry that are Clifford gates on one qubit.
  static void add_letters(const GateSetEntry& entry, std::vector<Word>& letters) {
    const Gate& row = gate(entry.gate);
    if (row.qubits != 1 || row.parameters.size() > 1) return;
    std::vector<AngleList> choices = entry.angles;
    if (row.parameters.empty()) choices = {{}};
    if (entry.takes_any_angle()) {
      for (const int quarters : {1, -1}) choices.push_back({Angle::pi_times({quarters, 2})});
    }
    for (AngleList& angles : choices) {
      const Operation letter = on_own_operands(row, std::move(angles));
      const std::optional<OneQubitClifford> product = OneQubitClifford::of(letter);
      if (product && product->axes() != AxisMap()) letters.push_back({{letter}, *product});
    }
  }

  std::array<std::optional<Word>, AxisMap::kCodes> words_;
};

/// What is known about a kind of gate on one of its operands.
struct Role {
  std::optional<OneQubitClifford> clifford = {};  ///< a Clifford gate on one qubit
  AxisMap axes = {};                              ///< its map
  /// The axis of the quarter turns that pass the gate, or of the rotation that it is.
  std::optional<PauliAxis> axis = {};
  bool is_rotation = false;  ///< on one qubit; quarter turns may become part of it
  /// More gates for the rotation by a quarter turn more or less, up to a Pauli operator, than for
  /// the rotation as it is.
  std::uint32_t more_if_turned = 0;
};

/// A gate on a wire.
struct WireGate {
  ReplacedGates::Place place = 0;
  const Role* role = nullptr;
};

/// Whether a quarter turn is taken out of the Clifford gates before a gate, and whether one is put
/// before those behind it.
struct Choice {
  bool before = false;
  bool behind = false;
};

/// Returns how many gates one list has more than another.
std::uint32_t more_gates(const circuit::PhasedGates& a, const circuit::PhasedGates& b) {
  return static_cast<std::uint32_t>(a.gates.size() - std::min(a.gates.size(), b.gates.size()));
}

class Commutation {
 public:
  Commutation(std::span<const Operation> gates, std::uint32_t qubits, PauliWriter& paulis,
              const CliffordWords& words)
      : gates_(gates),
        qubits_(qubits),
        paulis_(paulis),
        words_(words),
        wires_(qubits),
        replaced_(gates) {}

  [[nodiscard]] circuit::DerivedGates run() && {
    for (ReplacedGates::Place i = 0; i < gates_.size(); ++i) {
      const Operation& operation = gates_[i];
      for (std::size_t operand = 0; operand < operation.qubits.size(); ++operand) {
        wires_[operation.qubits[operand]].push_back({i, &role_of(operation, operand)});
      }
    }
    for (Qubit qubit = 0; qubit < qubits_; ++qubit) {
      // Nothing moves past the end of a wire: it is treated as a gate without a passing axis.
      static const Role end;
      wires_[qubit].push_back({static_cast<ReplacedGates::Place>(gates_.size()), &end});
      rewrite_wire(qubit);
      wires_[qubit] = {};
    }
    return std::move(replaced_).finish(phase_, qubits_);
  }

 private:
  static constexpr std::size_t kKinds = 2;  ///< without and with a quarter turn

  [[nodiscard]] const Role& role_of(const Operation& operation, std::size_t operand) {
    static const Role box;
    if (is_black_box(operation)) return box;
    // Rotations by free angles that are no multiples of pi/2 are alike.
    const std::uint64_t key = key_of_quarter_turns(operation) * kMaxOperands + operand;
    const auto [entry, is_new] = roles_.try_emplace(key);
    if (is_new) entry->second = make_role(operation, operand);
    return entry->second;
  }
  static constexpr std::uint64_t kMaxOperands = 64;

  [[nodiscard]] Role make_role(const Operation& operation, std::size_t operand) {
    Role role;
    if (operation.qubits.size() == 1) {
      role.clifford = OneQubitClifford::of(operation);
      if (role.clifford) {
        role.axes = role.clifford->axes();
        return role;
      }
      const std::optional<PauliRotation> rotation = as_pauli_rotation(operation);
      if (rotation && paulis_.rotations().writable(operation)) {
        role.axis = axis_on(rotation->axis, 0);
        role.is_rotation = true;
        const std::optional<Turned> own = best_turn(operation, *rotation, false);
        const std::optional<Turned> turned = best_turn(operation, *rotation, true);
        role.more_if_turned = kUnreachable;
        if (own && turned) role.more_if_turned = more_gates(turned->gates, own->gates);
        return role;
      }
    }
    role.axis = passing_axis(operation.gate, operand);
    return role;
  }

  /// A rotation that took up some quarter turns.
  struct Turned {
    int quarters = 0;
    circuit::PhasedGates gates;
  };
  /// Returns the shortest way to write a rotation that takes up an odd number of quarter turns, or
  /// an even one; nothing if the set has none. Signs of the turns are free: they are Pauli
  /// operators.
  [[nodiscard]] std::optional<Turned> best_turn(const Operation& operation,
                                                const PauliRotation& rotation, bool is_odd) {
    std::optional<Turned> best;
    for (const int quarters : is_odd ? std::array{1, -1} : std::array{0, 2}) {
      std::optional<circuit::PhasedGates> written = paulis_.rotations().write(
          operation, rotation.axis, rotation.angle + Angle::pi_times(Rational(quarters, 2)));
      if (!written || (best && best->gates.gates.size() <= written->gates.size())) continue;
      best = {quarters, *std::move(written)};
    }
    return best;
  }

  [[nodiscard]] static AxisMap turn_of(const Role& role, bool turns) {
    return turns ? AxisMap::of_quarter_turn(*role.axis) : AxisMap();
  }

  /// Finds the cheapest choices for a wire and applies them.
  void rewrite_wire(Qubit qubit) {
    // The cheapest choice before each gate that is not a Clifford gate, for both values of whether
    // a turn is put behind the gate. Choice::before says whether a turn is put before this gate,
    // and Choice::behind whether one is put behind the preceding one.
    std::vector<std::array<Choice, kKinds>> from;
    std::array<std::uint32_t, kKinds> costs{0, kUnreachable};
    const Role* last = nullptr;
    AxisMap between;
    std::uint32_t turning_gates = 0;
    for (const WireGate& each : wires_[qubit]) {
      const Role& role = *each.role;
      if (role.clifford) {
        between = role.axes * between;
        turning_gates += is_turning(role) ? 1 : 0;
        continue;
      }
      std::array<std::uint32_t, kKinds> next{kUnreachable, kUnreachable};
      std::array<Choice, kKinds> chosen;
      for (const bool carried : {false, true}) {
        if (carried && costs[1] >= kUnreachable) break;
        const AxisMap content = carried ? between * turn_of(*last, true) : between;
        for (const bool before : {false, true}) {
          if (before && !role.axis) break;
          std::uint32_t cost = words_.size_of(turn_of(role, before) * content);
          if (!carried && !before) cost = std::min(cost, turning_gates);
          cost += costs[carried];
          for (const bool behind : {false, true}) {
            if (before != behind && !role.is_rotation) continue;
            const std::uint32_t total = cost + (before != behind ? role.more_if_turned : 0);
            if (total >= next[behind]) continue;
            next[behind] = total;
            chosen[behind] = {before, carried};
          }
        }
      }
      from.push_back(chosen);
      costs = next;
      last = &role;
      between = AxisMap();
      turning_gates = 0;
    }
    apply(qubit, choices_of(from));
  }

  /// Returns whether a Clifford gate is no Pauli operator.
  [[nodiscard]] static bool is_turning(const Role& role) { return role.axes != AxisMap(); }

  /// Returns the choice for each gate, whose turns are those before and behind this gate.
  [[nodiscard]] static std::vector<Choice> choices_of(
      std::span<const std::array<Choice, kKinds>> from) {
    std::vector<Choice> choices(from.size());
    bool behind = false;
    for (std::size_t i = from.size(); i-- > 0;) {
      const Choice& origin = from[i][behind];
      choices[i] = {origin.before, behind};
      behind = origin.behind;
    }
    return choices;
  }

  /// The Clifford gates between two others, and what passed the first of these.
  struct Slot {
    std::vector<ReplacedGates::Place> places = {};
    std::uint32_t turning_gates = 0;  ///< those of them that are no Pauli operators
    OneQubitClifford content = {};
    bool is_carried = false;  ///< whether the content begins with a turn that passed a gate
  };

  void apply(Qubit qubit, std::span<const Choice> choices) {
    Slot slot;
    auto choice = choices.begin();
    for (const WireGate& each : wires_[qubit]) {
      const Role& role = *each.role;
      if (role.clifford) {
        slot.content = *role.clifford * slot.content;
        slot.places.push_back(each.place);
        slot.turning_gates += is_turning(role) ? 1 : 0;
        continue;
      }
      apply_before(qubit, each, *choice, std::move(slot));
      slot = {};
      slot.is_carried = choice->behind;
      if (choice->behind) slot.content = OneQubitClifford::quarter_turn(*role.axis);
      ++choice;
    }
  }

  /// Writes a slot, and the gate behind it if that is a rotation that takes up a turn.
  void apply_before(Qubit qubit, const WireGate& next, const Choice& choice, Slot slot) {
    const Role& role = *next.role;
    std::optional<Turned> turned;
    int taken = choice.before ? 1 : 0;  // number of turns that leave the slot
    if (choice.before != choice.behind) {
      const PauliRotation rotation = *as_pauli_rotation(gates_[next.place]);
      turned = best_turn(gates_[next.place], rotation, true);
      ensure(turned.has_value(), "a rotation takes up a turn if the set can express that");
      taken = turned->quarters + (choice.behind ? 1 : 0);
      phase_.add_phase(rotation.phase);
      phase_.add_phase(turned->gates.phase);
    }
    if (taken != 0) {
      const OneQubitClifford back = OneQubitClifford::quarter_turn(*role.axis).adjoint();
      // Eight quarter turns are the identity; four of them are its negative.
      for (int i = 0; i < (taken + 8) % 8; ++i) slot.content = back * slot.content;
    }
    const bool is_free = !slot.is_carried && taken == 0;
    if (!is_free || words_.size_of(slot.content.axes()) < slot.turning_gates) {
      rewrite_slot(qubit, slot, next.place);
    }
    if (turned) replaced_.replace(next.place, std::move(turned->gates.gates));
  }

  /// Writes the content of a slot as a word and a Pauli operator before a gate.
  void rewrite_slot(Qubit qubit, const Slot& slot, ReplacedGates::Place next) {
    const CliffordWords::Word& word = words_.word_of(slot.content.axes());
    const std::optional<OneQubitClifford::PhasedPauli> rest =
        (slot.content * word.product.adjoint()).as_pauli();
    ensure(rest.has_value(), "Clifford gates with the same axes differ by a Pauli operator");
    std::vector<Operation> written;
    for (Operation gate : word.gates) {
      gate.qubits[0] = qubit;
      written.push_back(std::move(gate));
    }
    circuit::PhasedGates paulis = paulis_.write(rest->pauli, qubit);
    std::ranges::move(paulis.gates, std::back_inserter(written));
    phase_.add_phase(rest->phase);
    phase_.add_phase(paulis.phase);
    for (const ReplacedGates::Place place : slot.places) replaced_.remove(place);
    if (!written.empty()) replaced_.insert_before(next, std::move(written));
  }

  std::span<const Operation> gates_;
  std::uint32_t qubits_;
  PauliWriter& paulis_;
  const CliffordWords& words_;
  std::vector<std::vector<WireGate>> wires_;
  std::unordered_map<std::uint64_t, Role> roles_;
  ReplacedGates replaced_;
  Angle phase_;
};

}  // namespace

circuit::DerivedGates commute_cliffords(std::span<const Operation> gates, std::uint32_t qubits,
                                        const GateSet& set) {
  PauliWriter paulis(set);
  ensure(paulis.has_both(), "the gate set has Pauli gates");
  const CliffordWords words(set);
  circuit::DerivedGates moved = rewrite_on_used_qubits(
      gates, qubits, [&](std::span<const Operation> used, std::uint32_t count) {
        return Commutation(used, count, paulis, words).run();
      });
  circuit::DerivedGates result = propagate_paulis(moved.gates, qubits, set);
  result.phase.add_phase(moved.phase);
  result.derivation = moved.derivation.then(std::move(result.derivation));
  return result;
}

}  // namespace quartz::optimizer
