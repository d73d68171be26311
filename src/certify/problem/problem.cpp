#include "certify/problem/problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>

#include "certify/problem/bit_tests.hpp"
#include "certify/problem/delay_name.hpp"
#include "quartz/base/counted.hpp"
#include "quartz/base/errors.hpp"

namespace quartz::certify {
namespace {

/// The bits that a condition reads: first .. first + writes.size() - 1, each after the given number
/// of writes. Conditions with the same key exclude one another. Negated conditions do not, so each
/// of those has a key of its own.
struct ReadKey {
  std::uint32_t first_bit = 0;
  std::optional<std::uint64_t> other_than = {};  ///< the value excluded by a negated condition
  std::vector<std::uint32_t> writes;
  std::string expression = {};  ///< key of the expression of these bits; empty for a comparison
  friend auto operator<=>(const ReadKey&, const ReadKey&) = default;
};

/// The truth values, numbered in order of their first appearance in either circuit.
class Conditions {
 public:
  std::uint32_t index_of(const ReadKey& read, std::uint64_t value) {
    const auto [entry, is_new] = by_read_[read].try_emplace(value, count_);
    if (is_new) ++count_;
    return entry->second;
  }

  /// Returns the truth value that all of these hold: none for no condition, a new one for several.
  std::optional<std::uint32_t> index_of_all(std::vector<std::uint32_t> truths) {
    std::sort(truths.begin(), truths.end());
    truths.erase(std::unique(truths.begin(), truths.end()), truths.end());
    if (truths.empty()) return std::nullopt;
    if (truths.size() == 1) return truths.front();
    const auto [entry, is_new] = by_parts_.try_emplace(std::move(truths), count_);
    if (is_new) ++count_;
    return entry->second;
  }

  /// Records what a condition means, unless there are too many tests.
  void set_tests(std::uint32_t condition, const Circuit& circuit, const Operation& operation,
                 std::span<const std::uint32_t> writes) {
    if (tests.too_many()) return;
    if (condition >= tests_of_condition.size()) tests_of_condition.resize(condition + 1);
    tests_of_condition[condition] = tests.outcomes_of(circuit, operation, writes);
  }

  BitTests tests;
  std::vector<std::vector<TestOutcome>> tests_of_condition;

  [[nodiscard]] std::vector<std::vector<std::uint32_t>> groups() const {
    std::vector<std::vector<std::uint32_t>> result;
    for (const auto& [parts, index] : by_parts_) result.push_back({index});
    for (const auto& [read, by_value] : by_read_) {
      std::vector<std::uint32_t>& group = result.emplace_back();
      for (const auto& [value, index] : by_value) group.push_back(index);
    }
    return result;
  }

 private:
  std::map<ReadKey, std::map<std::uint64_t, std::uint32_t>> by_read_;
  std::map<std::vector<std::uint32_t>, std::uint32_t> by_parts_;
  std::uint32_t count_ = 0;
};

/// One write to a classical bit; `ordinal` counts the writes to this bit. A measurement whose
/// outcome is not kept writes to an extra bit of its qubit, which nothing reads; these bits are
/// numbered after the circuit's own bits.
struct Write {
  ClassicalBit bit = 0;
  std::uint32_t ordinal = 0;
  std::optional<std::uint32_t> condition;
  friend auto operator<=>(const Write&, const Write&) = default;
};

std::vector<std::uint32_t> resets_by_qubit(const Circuit& circuit) {
  std::vector<std::uint32_t> counts(circuit.qubit_count(), 0);
  for (const Operation& operation : circuit.operations) {
    if (operation.kind != OperationKind::reset) continue;
    for (const Qubit qubit : operation.qubits) ++counts[qubit];
  }
  return counts;
}

std::string qubit_name(const Circuit& circuit, Qubit qubit) {
  for (const Register& qubits : circuit.qubit_registers) {
    if (qubit >= qubits.first && qubit - qubits.first < qubits.size) {
      return fmt::format("{}[{}]", qubits.name, qubit - qubits.first);
    }
  }
  return fmt::format("qubit {}", qubit);
}

std::string bit_name(const Circuit& circuit, ClassicalBit bit) {
  for (const Register& bits : circuit.bit_registers) {
    if (bit >= bits.first && bit - bits.first < bits.size) {
      return fmt::format("{}[{}]", bits.name, bit - bits.first);
    }
  }
  const Qubit qubit = bit - circuit.bit_count();
  return fmt::format("the discarded outcome of {}", qubit_name(circuit, qubit));
}

/// Returns a prefix with which no parameter of the circuits begins.
std::string unused_prefix(const Circuit& left, const Circuit& right) {
  std::set<std::string> names;
  for (const Circuit* circuit : {&left, &right}) {
    for (const Operation& operation : circuit->operations) {
      for (const Angle& angle : operation.angles) {
        for (std::string& name : angle.symbols()) names.insert(std::move(name));
      }
    }
  }
  std::string prefix = "outcome_";
  while (std::any_of(names.begin(), names.end(),
                     [&](const std::string& name) { return name.starts_with(prefix); })) {
    prefix += "_";
  }
  return prefix;
}

/// The qubits and the bits that both circuits have; one circuit may have more, its ancillas.
struct CommonSize {
  std::uint32_t qubits = 0;
  std::uint32_t bits = 0;
};

/// Translates one circuit into steps.
class Lowering {
 public:
  /// `first_fresh_wire[q]` is the wire of the first reset of qubit q. Names of outcomes begin with
  /// `outcome_prefix`. Wires of ancillas are appended to `wires`.
  Lowering(const Circuit& circuit, const CommonSize& common,
           const std::vector<Wire>& first_fresh_wire, const std::string& outcome_prefix,
           Conditions& conditions, std::vector<WireInfo>& wires)
      : circuit_(circuit),
        common_(common),
        outcome_prefix_(outcome_prefix),
        conditions_(conditions),
        wires_(wires),
        next_fresh_wire_(first_fresh_wire),
        writes_of_bit_(common.bits + common.qubits, 0),
        wire_of_outcome_(circuit.bit_count() - common.bits) {
    wire_of_qubit.resize(circuit.qubit_count());
    std::iota(wire_of_qubit.begin(), wire_of_qubit.begin() + common.qubits, Wire{0});
    for (Qubit qubit = common.qubits; qubit < circuit.qubit_count(); ++qubit) {
      wire_of_qubit[qubit] = add_discarded(qubit_name(circuit, qubit));
    }
    steps.reserve(circuit.operations.size());
    for (const Operation& operation : circuit.operations) lower(operation);
    std::sort(writes.begin(), writes.end());
    wire_of_qubit.resize(common.qubits);
  }

  Fault fault;  ///< why the circuit cannot be translated

  std::vector<Step> steps;
  std::vector<Wire> wire_of_qubit;
  std::vector<Write> writes;
  std::set<std::string> outcome_symbols;

 private:
  void lower(const Operation& operation) {
    std::vector<std::uint32_t> truths;
    controls_.clear();
    for (const Condition& read : operation.conditions()) {
      const Register bits = tested_bits(circuit_, read);
      if (bits.first + bits.size > common_.bits) {
        if (!add_controls(bits, read)) return;
        continue;
      }
      if (read.expression != nullptr) {
        ReadKey key = read_key(bits);
        key.expression = (read.negated ? "!" : "") + key_of(*read.expression);
        truths.push_back(conditions_.index_of(key, 1));
        continue;
      }
      const bool is_no_value = bits.size < 64 && (read.value >> bits.size) != 0;
      if (is_no_value && !read.negated) return;  // never true
      ReadKey key = read_key(bits);
      if (read.negated) key.other_than = read.value;
      if (!is_no_value) truths.push_back(conditions_.index_of(key, read.value));
    }
    const std::optional<std::uint32_t> condition = conditions_.index_of_all(std::move(truths));
    const bool has_ancillas = circuit_.bit_count() > common_.bits;
    if (condition && !has_ancillas) {
      conditions_.set_tests(*condition, circuit_, operation, writes_of_bit_);
    }
    switch (operation.kind) {
      case OperationKind::gate:
        if (operation.gate != GateKind::id) add_unitary(operation, condition);
        break;
      case OperationKind::opaque:
        add_unitary(operation, condition);
        break;
      case OperationKind::measure:
        add_measurements(operation, condition);
        break;
      case OperationKind::reset:
        for (const Qubit qubit : operation.qubits) add_reset(qubit, condition);
        break;
      case OperationKind::barrier:
        break;
    }
  }

  [[nodiscard]] ReadKey read_key(const Register& bits) const {
    const auto first = writes_of_bit_.begin() + bits.first;
    return {bits.first, {}, {first, first + bits.size}, {}};
  }

  Wire add_discarded(std::string name) {
    wires_.push_back({std::move(name), true, true});
    return static_cast<Wire>(wires_.size() - 1);
  }

  /// Adds the controls that a condition on outcomes of ancillas means; returns false if it never
  /// holds or has none.
  bool add_controls(const Register& bits, const Condition& read) {
    const bool is_comparison = read.expression == nullptr && bits.first >= common_.bits;
    if (!is_comparison || (read.negated && bits.size != 1)) {
      fault = "a condition on the outcomes of ancillas is no comparison with a number";
      return false;
    }
    if (bits.size < 64 && (read.value >> bits.size) != 0) return read.negated;
    for (std::uint32_t i = 0; i < bits.size; ++i) {
      const bool is_one = i < 64 && (read.value >> i & 1U) != 0;
      const bool value = is_one != read.negated;
      const std::optional<Wire> wire = wire_of_outcome_[bits.first + i - common_.bits];
      if (!wire) {
        fault = "a condition reads a bit of ancillas before a measurement writes it";
        return false;
      }
      controls_.push_back({*wire, value});
    }
    return true;
  }

  /// Returns whether what happens does not depend on outcomes of ancillas.
  bool require_no_controls() {
    if (controls_.empty()) return true;
    fault = "a measurement or a reset depends on the outcomes of ancillas";
    return false;
  }

  void add_unitary(const Operation& operation, std::optional<std::uint32_t> condition) {
    Step step{operation, condition, controls_};
    for (Qubit& qubit : step.operation.qubits) qubit = wire_of_qubit[qubit];
    step.operation.classical = nullptr;
    if (operation.kind == OperationKind::opaque) {
      ClassicalPart name_only;
      if (operation.classical != nullptr) {
        name_only.opaque_name = comparable_name(*operation.classical);
        name_only.opaque_kind = operation.classical->opaque_kind;
      }
      step.operation.classical = std::make_shared<const ClassicalPart>(std::move(name_only));
    }
    steps.push_back(std::move(step));
  }

  void add_measurements(const Operation& operation, std::optional<std::uint32_t> condition) {
    ensure(operation.classical != nullptr, "a measurement has a classical part");
    const std::vector<ClassicalBit>& bits = operation.classical->bits;
    ensure(bits.empty() || bits.size() == operation.qubits.size(),
           "a measurement has one classical bit for each qubit, or none");
    for (std::size_t i = 0; i < operation.qubits.size(); ++i) {
      const Qubit qubit = operation.qubits[i];
      if (bits.empty() && qubit >= common_.qubits) {
        add_outcome(qubit, std::nullopt, condition);
      } else if (!bits.empty() && bits[i] >= common_.bits) {
        add_outcome(qubit, bits[i] - common_.bits, condition);
      } else if (require_no_controls()) {
        add_measurement(qubit, bits.empty() ? common_.bits + qubit : bits[i], condition);
      }
    }
  }

  /// Measures a qubit into a bit of ancillas, or into none.
  void add_outcome(Qubit qubit, std::optional<std::uint32_t> bit,
                   std::optional<std::uint32_t> condition) {
    if (condition || !require_no_controls()) {
      fault = "a measurement of an ancilla is under a condition";
      return;
    }
    const Wire outcome =
        add_discarded(fmt::format("an outcome of {}", qubit_name(circuit_, qubit)));
    Step copy{make_operation(GateKind::cx, {wire_of_qubit[qubit], outcome})};
    copy.is_outcome = true;
    steps.push_back(std::move(copy));
    if (bit) wire_of_outcome_[*bit] = outcome;
  }

  void add_measurement(Qubit qubit, ClassicalBit bit, std::optional<std::uint32_t> condition) {
    const std::uint32_t ordinal = writes_of_bit_[bit]++;
    writes.push_back({bit, ordinal, condition});
    const std::string symbol = fmt::format("{}{}_{}", outcome_prefix_, bit, ordinal);
    outcome_symbols.insert(symbol);
    steps.push_back(
        {make_operation(GateKind::p, {wire_of_qubit[qubit]}, {Angle::symbol(symbol)}), condition});
  }

  void add_reset(Qubit qubit, std::optional<std::uint32_t> condition) {
    if (!require_no_controls()) return;
    const Wire fresh =
        qubit < common_.qubits
            ? next_fresh_wire_[qubit]++
            : add_discarded(fmt::format("{} after a reset", qubit_name(circuit_, qubit)));
    if (condition.has_value()) {
      steps.push_back({make_operation(GateKind::swap, {wire_of_qubit[qubit], fresh}), condition});
    } else {
      wire_of_qubit[qubit] = fresh;
    }
  }

  const Circuit& circuit_;
  CommonSize common_;
  const std::string& outcome_prefix_;
  Conditions& conditions_;
  std::vector<WireInfo>& wires_;
  std::vector<Wire> next_fresh_wire_;
  std::vector<std::uint32_t> writes_of_bit_;
  /// The wires to which ancillas were measured last, by the number of their bit.
  std::vector<std::optional<Wire>> wire_of_outcome_;
  std::vector<Control> controls_;  ///< those of the current operation
};

std::string describe_write_difference(const Circuit& left, const std::vector<Write>& left_writes,
                                      const std::vector<Write>& right_writes) {
  std::vector<Write> only;
  std::set_symmetric_difference(left_writes.begin(), left_writes.end(), right_writes.begin(),
                                right_writes.end(), std::back_inserter(only));
  const Write& first = only.front();
  const auto count = [&](const std::vector<Write>& writes) {
    return std::count_if(writes.begin(), writes.end(),
                         [&](const Write& write) { return write.bit == first.bit; });
  };
  const auto in_left = count(left_writes);
  const auto in_right = count(right_writes);
  if (in_left == in_right) {
    return fmt::format("the circuits write {} under different conditions",
                       bit_name(left, first.bit));
  }
  return fmt::format("the left circuit measures into {} {}, the right one {}",
                     bit_name(left, first.bit), counted(in_left, "time"),
                     counted(in_right, "time"));
}

/// The steps on each wire in order, as positions in a list of steps.
class WireQueues {
 public:
  WireQueues(const std::vector<Step>& steps, std::size_t wires, bool from_the_end)
      : steps_(steps), end_(wires, 0) {
    for (const Step& step : steps) {
      for (const Wire wire : step.operation.qubits) ++end_[wire];
    }
    std::partial_sum(end_.begin(), end_.end(), end_.begin());
    front_.assign(1, 0);
    front_.insert(front_.end(), end_.begin(), end_.end());
    positions_.resize(front_.back());
    front_.pop_back();
    std::vector<std::size_t> next = front_;
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const std::size_t position = from_the_end ? steps.size() - 1 - i : i;
      for (const Wire wire : steps[position].operation.qubits) positions_[next[wire]++] = position;
    }
  }

  [[nodiscard]] bool empty(Wire wire) const { return front_[wire] == end_[wire]; }
  [[nodiscard]] std::size_t front(Wire wire) const { return positions_[front_[wire]]; }
  /// Returns whether the step is the next one on all its wires.
  [[nodiscard]] bool is_next(std::size_t position) const {
    const auto& wires = steps_[position].operation.qubits;
    return std::all_of(wires.begin(), wires.end(),
                       [&](Wire wire) { return !empty(wire) && front(wire) == position; });
  }
  void take(std::size_t position) {
    for (const Wire wire : steps_[position].operation.qubits) ++front_[wire];
  }

 private:
  const std::vector<Step>& steps_;
  std::vector<std::size_t> positions_;  ///< the queues, concatenated
  std::vector<std::size_t> front_;      ///< begin of each queue
  std::vector<std::size_t> end_;        ///< end of each queue
};

void erase_marked(std::vector<Step>& steps, const std::vector<bool>& marked) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (marked[i]) continue;
    if (kept != i) steps[kept] = std::move(steps[i]);
    ++kept;
  }
  steps.resize(kept);
}

/// Removes equal steps from one end. Steps at the beginning on wires that start in |0> are kept,
/// because the following steps would no longer start there.
void cancel_at_one_end(Problem& problem, bool at_the_end) {
  WireQueues left(problem.left, problem.wires.size(), at_the_end);
  WireQueues right(problem.right, problem.wires.size(), at_the_end);
  std::vector<bool> left_taken(problem.left.size(), false);
  std::vector<bool> right_taken(problem.right.size(), false);
  std::vector<Wire> to_look_at(problem.wires.size());
  std::iota(to_look_at.begin(), to_look_at.end(), Wire{0});
  while (!to_look_at.empty()) {
    const Wire wire = to_look_at.back();
    to_look_at.pop_back();
    if (left.empty(wire) || right.empty(wire)) continue;
    const std::size_t l = left.front(wire);
    const std::size_t r = right.front(wire);
    const Step& step = problem.left[l];
    if (!(step == problem.right[r]) || !left.is_next(l) || !right.is_next(r)) continue;
    const auto& wires = step.operation.qubits;
    if (!at_the_end && std::any_of(wires.begin(), wires.end(),
                                   [&](Wire w) { return problem.wires[w].starts_zero; })) {
      continue;
    }
    left.take(l);
    right.take(r);
    left_taken[l] = true;
    right_taken[r] = true;
    to_look_at.insert(to_look_at.end(), wires.begin(), wires.end());
  }
  erase_marked(problem.left, left_taken);
  erase_marked(problem.right, right_taken);
}

/// Returns the group of each condition.
std::vector<std::size_t> groups_by_condition(const Problem& problem) {
  std::vector<std::size_t> result;
  for (std::size_t i = 0; i < problem.condition_groups.size(); ++i) {
    for (const std::uint32_t condition : problem.condition_groups[i]) {
      if (condition >= result.size()) result.resize(condition + std::size_t{1}, 0);
      result[condition] = i;
    }
  }
  return result;
}

/// Gives a part the outcomes and conditions that its steps use, with renumbered conditions. A copy
/// of all of them for each part would take memory quadratic in the number of qubits.
void restrict_to_used(Problem& part, const Problem& whole,
                      const std::vector<std::size_t>& group_of_condition) {
  for (const std::string& symbol : part.symbols()) {
    if (whole.outcome_symbols.contains(symbol)) part.outcome_symbols.insert(symbol);
  }
  std::map<std::uint32_t, std::uint32_t> number;
  std::map<std::size_t, std::vector<std::uint32_t>> groups;
  for (const std::uint32_t condition : part.conditions()) {
    const auto own = static_cast<std::uint32_t>(number.size());
    number.emplace(condition, own);
    groups[group_of_condition[condition]].push_back(own);
  }
  for (auto& [group, conditions] : groups) part.condition_groups.push_back(std::move(conditions));
  for (const auto side : {&Problem::left, &Problem::right}) {
    for (Step& step : part.*side) {
      if (step.condition.has_value()) step.condition = number.at(*step.condition);
    }
  }
}

constexpr std::size_t kNoPart = ~std::size_t{0};

Wire find_root(std::vector<Wire>& parent, Wire wire) {
  while (parent[wire] != wire) {
    parent[wire] = parent[parent[wire]];
    wire = parent[wire];
  }
  return wire;
}

}  // namespace

bool Problem::has_zero_wires() const {
  return std::any_of(wires.begin(), wires.end(),
                     [](const WireInfo& wire) { return wire.starts_zero; });
}

bool Problem::has_parameters() const {
  return std::ranges::any_of(
      symbols(), [&](const std::string& symbol) { return !outcome_symbols.contains(symbol); });
}

bool Problem::has_opaque() const {
  const auto is_opaque = [](const Step& step) {
    return step.operation.kind == OperationKind::opaque;
  };
  return std::any_of(left.begin(), left.end(), is_opaque) ||
         std::any_of(right.begin(), right.end(), is_opaque);
}

std::set<std::string> Problem::symbols() const {
  std::set<std::string> names;
  for (const std::vector<Step>* steps : {&left, &right}) {
    for (const Step& step : *steps) {
      for (const Angle& angle : step.operation.angles) {
        for (std::string& name : angle.symbols()) names.insert(std::move(name));
      }
    }
  }
  return names;
}

bool Problem::depends_on_outcome(const Angle& angle) const {
  const std::vector<std::string> names = angle.symbols();
  return std::any_of(names.begin(), names.end(),
                     [this](const std::string& name) { return outcome_symbols.contains(name); });
}

std::set<std::uint32_t> Problem::conditions() const {
  std::set<std::uint32_t> used;
  for (const std::vector<Step>* steps : {&left, &right}) {
    for (const Step& step : *steps) {
      if (step.condition.has_value()) used.insert(*step.condition);
    }
  }
  return used;
}

std::variant<Problem, Fault> pose_problem_with_ancillas(const Circuit& left, const Circuit& right) {
  const CommonSize common{left.qubit_count(), left.bit_count()};
  const std::vector<std::uint32_t> resets = resets_by_qubit(left);
  const std::vector<std::uint32_t> right_resets = resets_by_qubit(right);
  Problem problem;
  for (Qubit q = 0; q < left.qubit_count(); ++q) {
    problem.wires.push_back({qubit_name(left, q), false});
    if (resets[q] != right_resets[q]) {
      return fmt::format("the left circuit resets {} {}, the right one {}", qubit_name(left, q),
                         counted(resets[q], "time"), counted(right_resets[q], "time"));
    }
  }
  std::vector<Wire> first_fresh_wire;
  for (Qubit q = 0; q < left.qubit_count(); ++q) {
    first_fresh_wire.push_back(static_cast<Wire>(problem.wires.size()));
    for (std::uint32_t i = 0; i < resets[q]; ++i) {
      problem.wires.push_back({fmt::format("{} after reset {}", qubit_name(left, q), i + 1), true});
    }
  }
  Conditions conditions;
  const std::string outcome_prefix = unused_prefix(left, right);
  Lowering left_side(left, common, first_fresh_wire, outcome_prefix, conditions, problem.wires);
  Lowering right_side(right, common, first_fresh_wire, outcome_prefix, conditions, problem.wires);
  if (right_side.fault) return right_side.fault;
  if (left_side.writes != right_side.writes) {
    return describe_write_difference(left, left_side.writes, right_side.writes);
  }
  if (left_side.wire_of_qubit != right_side.wire_of_qubit) {
    return "the circuits reset qubits under different conditions";
  }
  problem.left = std::move(left_side.steps);
  problem.right = std::move(right_side.steps);
  problem.phase = right.global_phase;
  problem.phase.add_phase(-left.global_phase);
  problem.condition_groups = conditions.groups();
  if (!conditions.tests.too_many()) {
    problem.tests = std::move(conditions.tests).all();
    problem.tests_of_condition = std::move(conditions.tests_of_condition);
  }
  problem.outcome_symbols = std::move(left_side.outcome_symbols);
  return problem;
}

std::variant<Problem, Fault> pose_problem(const Circuit& left, const Circuit& right) {
  ensure(left.qubit_count() == right.qubit_count() && left.bit_count() == right.bit_count(),
         "two circuits with the same numbers of qubits and bits");
  return pose_problem_with_ancillas(left, right);
}

void cancel_common_steps(Problem& problem) {
  cancel_at_one_end(problem, false);
  cancel_at_one_end(problem, true);
}

ProblemParts::ProblemParts(Problem problem)
    : whole_(std::move(problem)),
      new_number_(whole_.wires.size(), 0),
      group_of_condition_(groups_by_condition(whole_)) {
  const std::vector<std::size_t> part_of_wire = number_parts();
  const auto sort = [&](std::size_t count, const auto& part_of, std::size_t Part::*begin) {
    std::vector<std::size_t> next(parts_.size() + 1, 0);
    for (std::size_t i = 0; i < count; ++i) {
      if (const std::size_t part = part_of(i); part != kNoPart) ++next[part + 1];
    }
    std::partial_sum(next.begin(), next.end(), next.begin());
    for (std::size_t part = 0; part < parts_.size(); ++part) parts_[part].*begin = next[part];
    std::vector<std::size_t> order(next.back());
    for (std::size_t i = 0; i < count; ++i) {
      if (const std::size_t part = part_of(i); part != kNoPart) order[next[part]++] = i;
    }
    return order;
  };
  const auto part_of_step = [&](const std::vector<Step>& steps) {
    return [&](std::size_t i) { return part_of_wire[steps[i].operation.qubits[0]]; };
  };
  for (const std::size_t wire : sort(
           whole_.wires.size(), [&](std::size_t wire) { return part_of_wire[wire]; },
           &Part::wires)) {
    wires_.push_back(static_cast<Wire>(wire));
  }
  left_ = sort(whole_.left.size(), part_of_step(whole_.left), &Part::left);
  right_ = sort(whole_.right.size(), part_of_step(whole_.right), &Part::right);
  for (std::size_t part = 0; part < parts_.size(); ++part) {
    const std::size_t begin = parts_[part].wires;
    const std::size_t end = part + 1 < parts_.size() ? parts_[part + 1].wires : wires_.size();
    for (std::size_t i = begin; i < end; ++i) new_number_[wires_[i]] = static_cast<Wire>(i - begin);
  }
}

std::vector<std::size_t> ProblemParts::number_parts() {
  std::vector<Wire> parent(whole_.wires.size());
  std::iota(parent.begin(), parent.end(), Wire{0});
  std::vector<bool> used(whole_.wires.size(), false);
  for (const std::vector<Step>* steps : {&whole_.left, &whole_.right}) {
    for (const Step& step : *steps) {
      for (const Wire wire : step.operation.qubits) {
        used[wire] = true;
        parent[find_root(parent, wire)] = find_root(parent, step.operation.qubits[0]);
      }
    }
  }
  std::vector<std::size_t> part_of_root(whole_.wires.size(), kNoPart);
  std::vector<std::size_t> part_of_wire(whole_.wires.size(), kNoPart);
  for (Wire wire = 0; wire < whole_.wires.size(); ++wire) {
    if (!used[wire]) continue;
    std::size_t& part = part_of_root[find_root(parent, wire)];
    if (part == kNoPart) {
      part = parts_.size();
      parts_.emplace_back();
    }
    part_of_wire[wire] = part;
  }
  return part_of_wire;
}

void ProblemParts::move_steps(Problem& part, std::vector<Step>& steps,
                              const std::vector<std::size_t>& order, std::size_t begin,
                              std::size_t end) const {
  std::vector<Step>& own = &steps == &whole_.left ? part.left : part.right;
  own.reserve(end - begin);
  for (std::size_t i = begin; i < end; ++i) {
    Step& step = own.emplace_back(std::move(steps[order[i]]));
    for (Qubit& wire : step.operation.qubits) wire = new_number_[wire];
  }
}

Problem ProblemParts::take(std::size_t index) {
  Problem part;
  part.epsilon = whole_.epsilon;
  // Most large problems have only one part, in which no wire has to be renumbered.
  if (parts_.size() == 1 && wires_.size() == whole_.wires.size()) {
    part = std::move(whole_);
    part.phase = Angle();
    return part;
  }
  const bool is_last = index + 1 == parts_.size();
  const Part& begin = parts_[index];
  const Part end = is_last ? Part{wires_.size(), left_.size(), right_.size()} : parts_[index + 1];
  for (std::size_t i = begin.wires; i < end.wires; ++i) {
    part.wires.push_back(std::move(whole_.wires[wires_[i]]));
  }
  move_steps(part, whole_.left, left_, begin.left, end.left);
  move_steps(part, whole_.right, right_, begin.right, end.right);
  restrict_to_used(part, whole_, group_of_condition_);
  return part;
}

std::string describe_basis_state(const Problem& problem, std::uint64_t state) {
  std::string ones;
  for (Wire wire = 0; wire < problem.wires.size(); ++wire) {
    if (((state >> wire) & 1U) == 0) continue;
    if (!ones.empty()) ones += " ";
    ones += problem.wires[wire].name + "=1";
  }
  return ones.empty() ? "all qubits 0" : ones + " (all others 0)";
}

}  // namespace quartz::certify
