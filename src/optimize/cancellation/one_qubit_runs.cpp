#include "optimize/cancellation/one_qubit_runs.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "optimize/cancellation/adjacent_inverses.hpp"
#include "optimize/pauli/pauli_gate.hpp"
#include "optimize/state/segments.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/circuit/canonical.hpp"

namespace quartz::optimizer {
namespace {

using RunPlace = std::uint32_t;

constexpr RunPlace kNoGate = ~RunPlace{0};

/// The product of a run: e^{i (phase + eighths pi/4)} C R_n ... R_1, where R_1 comes first in time.
/// The neighbours of a rotation are about other axes, and no angle is a multiple of pi/2.
class RunProduct {
 public:
  void clear() {
    clifford_ = {};
    count_ = 0;
    weight_ = 0;
    phase_ = {};
  }

  /// Appends a gate that is a Clifford gate or a rotation. Returns false, and changes nothing, if
  /// there are too many rotations, or if a sum of angles is beyond exact arithmetic.
  [[nodiscard]] bool append(const Operation& gate, const RunGate& form) {
    if (form.kind == RunGate::Kind::rotation) {
      if (!append_rotation(gate, form)) return false;
    } else {
      clifford_ = OneQubitGroup::get().product(form.element, clifford_);
    }
    weight_ += form.weight;
    return true;
  }

  [[nodiscard]] bool is_identity() const { return clifford_.number == 0 && count_ == 0; }
  /// Returns the sum of the weights of the gates.
  [[nodiscard]] std::uint64_t weight() const { return weight_; }
  [[nodiscard]] const OneQubitGroup::Element& clifford() const { return clifford_; }
  [[nodiscard]] std::span<const PauliAxis> axes() const { return std::span(axes_).first(count_); }
  [[nodiscard]] const Angle& angle(std::size_t rotation) const { return angles_.at(rotation); }
  [[nodiscard]] const Angle& phase() const { return phase_; }

 private:
  [[nodiscard]] bool append_rotation(const Operation& gate, const RunGate& form) {
    // R_P(a) C = C R_Q(a) for Q = C^dagger P C.
    const OneQubitGroup::SignedAxis& passed =
        OneQubitGroup::get().before(clifford_.number, form.axis);
    const bool is_merged = count_ != 0 && axes_[count_ - 1] == passed.axis;
    if (!is_merged && count_ == RunWords::kMaxRotations) return false;
    try {
      Angle angle = form.angle_of(gate);
      if (passed.is_negative) angle = -angle;
      Angle sum = is_merged ? angles_[count_ - 1] + angle : std::move(angle);
      phase_.add_phase(form.phase_of(gate));
      if (!is_merged) axes_[count_++] = passed.axis;
      angles_[count_ - 1] = std::move(sum);
    } catch (const OverflowError&) {
      return false;
    }
    if (const std::optional<unsigned> turns = quarter_turns(angles_[count_ - 1])) {
      clifford_ = OneQubitGroup::get().product(
          clifford_, OneQubitGroup::get().quarter_turns(passed.axis, *turns));
      --count_;
    }
    return true;
  }

  OneQubitGroup::Element clifford_;
  std::size_t count_ = 0;
  std::array<PauliAxis, RunWords::kMaxRotations> axes_{};
  std::array<Angle, RunWords::kMaxRotations> angles_;
  std::uint64_t weight_ = 0;
  Angle phase_;
};

/// A run by its first and last gates; kNoGate if it has no gates.
struct WireRun {
  RunPlace first = kNoGate;
  RunPlace last = kNoGate;
  [[nodiscard]] bool is_empty() const { return first == kNoGate; }
};

class RunMerging {
 public:
  RunMerging(std::span<const Operation> gates, std::uint32_t qubits, RunWords& words,
             RunHistory history)
      : gates_(gates),
        words_(words),
        records_(history == RunHistory::recorded),
        wires_(qubits),
        roles_(gates.size(), Role::stays),
        next_(gates.size(), kNoGate),
        recorder_(gates.size()),
        codes_(words.letters().size()) {}

  [[nodiscard]] std::optional<circuit::DerivedGates> run() && {
    for (RunPlace place = 0; place < gates_.size(); ++place) {
      if (!join_run(place) && !cancel(place)) end_runs(place);
    }
    wires_ = {};
    write();
    if (!has_changed_) return std::nullopt;
    return circuit::DerivedGates{
        std::move(result_), phase_,
        records_ ? circuit::Derivation::by(std::move(recorder_).finish(std::move(order_)))
                 : circuit::Derivation::unrecorded()};
  }

 private:
  enum class Role : std::uint8_t { stays, begins_run, in_run, removed };

  /// What is on a wire so far: gates that are in no runs, each with the run before it, and the run
  /// behind the last one.
  struct Wire {
    struct Gate {
      RunPlace place = kNoGate;  ///< kNoGate between two runs next to each other
      WireRun before;
    };
    std::vector<Gate> gates;
    WireRun open;
    RunProduct product;  ///< that of `open`
  };

  [[nodiscard]] const RunGate& form_of(RunPlace place) { return words_.classified(gates_[place]); }

  /// Appends a gate to the run on its wire. Returns false if it is no gate of runs.
  bool join_run(RunPlace place) {
    const Operation& gate = gates_[place];
    if (is_black_box(gate) || gate.qubits.size() != 1) return false;
    const RunGate& form = form_of(place);
    if (form.kind == RunGate::Kind::other) return false;
    Wire& wire = wires_[gate.qubits[0]];
    if (!wire.product.append(gate, form)) {
      wire.gates.push_back({kNoGate, std::exchange(wire.open, {})});
      wire.product.clear();
      if (!wire.product.append(gate, form)) {
        wire.product.clear();
        return false;
      }
    }
    if (wire.open.is_empty()) {
      wire.open.first = place;
      roles_[place] = Role::begins_run;
    } else {
      next_[wire.open.last] = place;
      roles_[place] = Role::in_run;
    }
    wire.open.last = place;
    return true;
  }

  /// Removes a gate and the one before it if they are inverse and nothing is between them. Returns
  /// whether it did.
  bool cancel(RunPlace place) {
    const Operation& gate = gates_[place];
    if (is_black_box(gate) || gate.qubits.empty()) return false;
    const Wire& first = wires_[gate.qubits.front()];
    if (first.gates.empty() || first.gates.back().place == kNoGate) return false;
    const RunPlace before = first.gates.back().place;
    const Operation& other = gates_[before];
    if (is_black_box(other) || other.qubits.size() != gate.qubits.size()) return false;
    const bool is_adjacent = std::ranges::all_of(gate.qubits, [&](Qubit qubit) {
      const Wire& wire = wires_[qubit];
      return !wire.gates.empty() && wire.gates.back().place == before && wire.product.is_identity();
    });
    const std::optional<Angle> phase = is_adjacent ? phase_of_inverses(other, gate) : std::nullopt;
    if (!phase) return false;
    for (const Qubit qubit : gate.qubits) remove_identity(wires_[qubit]);
    phase_.add_phase(*phase);
    record(std::array{circuit::GateNumber{before}, circuit::GateNumber{place}}, {});
    roles_[before] = roles_[place] = Role::removed;
    for (const Qubit qubit : gate.qubits) reopen(wires_[qubit]);
    has_changed_ = true;
    return true;
  }

  /// Removes the gates of the open run, whose product is the identity.
  void remove_identity(const Wire& wire) {
    if (wire.open.is_empty()) return;
    add_phases(wire.product.phase(), wire.product.clifford().eighths);
    record(gates_of(wire.open), {});
    for (RunPlace place = wire.open.first; place != kNoGate; place = next_[place]) {
      roles_[place] = Role::removed;
    }
  }

  /// Continues the run before the last gate of a wire, which is removed.
  void reopen(Wire& wire) {
    wire.open = wire.gates.back().before;
    wire.gates.pop_back();
    compute(wire.open, wire.product);
  }

  void end_runs(RunPlace place) {
    for (const Qubit qubit : gates_[place].qubits) {
      Wire& wire = wires_[qubit];
      wire.gates.push_back({place, std::exchange(wire.open, {})});
      wire.product.clear();
    }
  }

  void compute(const WireRun& run, RunProduct& product) {
    product.clear();
    for (RunPlace place = run.first; place != kNoGate; place = next_[place]) {
      ensure(product.append(gates_[place], form_of(place)), "the run had this product before");
    }
  }

  /// Returns the numbers of the gates of a run, valid until the next call.
  [[nodiscard]] std::span<const circuit::GateNumber> gates_of(const WireRun& run) {
    numbers_.clear();
    for (RunPlace place = run.first; place != kNoGate; place = next_[place]) {
      numbers_.push_back(place);
    }
    return numbers_;
  }

  void record(std::span<const circuit::GateNumber> removed,
              std::span<const circuit::RecordedGate> inserted) {
    if (records_) recorder_.rewrite(removed, {}, inserted);
  }

  void add_phases(const Angle& phase, unsigned eighths) {
    if (!phase.is_zero()) phase_.add_phase(phase);
    eighths_ = (eighths_ + eighths) % 8;
  }

  /// Writes what is left, each run in the place of its first gate.
  void write() {
    result_.reserve(gates_.size());
    RunProduct product;
    for (RunPlace place = 0; place < gates_.size(); ++place) {
      switch (roles_[place]) {
        case Role::begins_run: {
          const WireRun run{place, kNoGate};
          compute(run, product);
          if (replace(run, product)) break;
          for (RunPlace each = place; each != kNoGate; each = next_[each]) {
            roles_[each] = Role::stays;
          }
          keep(place);
          break;
        }
        case Role::stays:
          keep(place);
          break;
        case Role::in_run:
        case Role::removed:
          break;
      }
    }
    phase_.add_phase(Angle::pi_times(Rational(eighths_, 4)));
  }

  void keep(RunPlace place) {
    result_.push_back(gates_[place]);
    if (records_) order_.push_back(place);
  }

  /// Writes the cheapest word in place of a run. Returns false, and changes nothing, if the run is
  /// as cheap, or if a sum of angles or phases is beyond exact arithmetic.
  bool replace(const WireRun& run, const RunProduct& product) {
    const RunWords::Word& word = words_.cheapest(product.axes(), product.clifford().number);
    if (word.weight >= product.weight()) return false;
    const std::size_t size = result_.size();
    Angle phase = product.phase();
    try {
      write(word, product, gates_[run.first].qubits[0], phase);
      add_phases(phase, product.clifford().eighths + 8U - word.eighths);
    } catch (const OverflowError&) {
      result_.resize(size);
      return false;
    }
    has_changed_ = true;
    if (!records_) return true;
    inserted_.clear();
    const circuit::GateNumber first = recorder_.next_number();
    for (std::size_t i = size; i < result_.size(); ++i) {
      const Operation& gate = result_[i];
      inserted_.push_back({code_of(word.steps[i - size].letter, gate), {gate.qubits[0]}});
      order_.push_back(first + static_cast<circuit::GateNumber>(i - size));
    }
    record(gates_of(run), inserted_);
    return true;
  }

  void write(const RunWords::Word& word, const RunProduct& product, Qubit qubit, Angle& phase) {
    std::size_t rotation = 0;
    for (const RunWords::Step& step : word.steps) {
      const RunWords::Letter& letter = words_.letters()[step.letter];
      Operation& gate = result_.emplace_back(letter.gate);
      gate.qubits[0] = qubit;
      if (letter.form.kind == RunGate::Kind::clifford) continue;
      Angle angle = product.angle(rotation++);
      if (step.is_negative) angle = -angle;
      if (letter.quarters != 0) angle += Angle::pi_times(Rational(letter.quarters, 2));
      if (letter.form.is_negative) angle = -angle;
      gate.angles[letter.form.parameter] = std::move(angle);
      phase.add_phase(-letter.form.phase_of(gate));
      phase.add_phase(normalize_angles(gate));
    }
  }

  /// Returns the code of a gate that a letter has become.
  [[nodiscard]] circuit::RecordedGates::Code code_of(std::uint32_t letter, const Operation& gate) {
    if (words_.letters()[letter].form.kind == RunGate::Kind::rotation) {
      return recorder_.gates().code_of(gate);
    }
    std::optional<circuit::RecordedGates::Code>& code = codes_[letter];
    if (!code) code = recorder_.gates().code_of(gate);
    return *code;
  }

  std::span<const Operation> gates_;
  RunWords& words_;
  const bool records_;
  std::vector<Wire> wires_;
  std::vector<Role> roles_;
  std::vector<RunPlace> next_;  ///< the next gate of the same run
  circuit::HistoryRecorder recorder_;
  std::vector<std::optional<circuit::RecordedGates::Code>> codes_;  ///< those of Clifford letters
  std::vector<circuit::GateNumber> numbers_;                        ///< room for gates_of()
  std::vector<circuit::RecordedGate> inserted_;                     ///< room for replace()
  std::vector<Operation> result_;
  circuit::NumberList order_;
  Angle phase_;
  unsigned eighths_ = 0;  ///< added to the phase, in units of pi/4
  bool has_changed_ = false;
};

}  // namespace

std::optional<circuit::DerivedGates> merge_one_qubit_runs(std::span<const Operation> gates,
                                                          std::uint32_t qubits, RunWords& words,
                                                          RunHistory history) {
  return RunMerging(gates, qubits, words, history).run();
}

}  // namespace quartz::optimizer
