#include "optimize/state/search_state.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include "base/freed_memory.hpp"
#include "base/processor_time.hpp"
#include "classes/table/class_table.hpp"
#include "optimize/state/numeric_angle.hpp"
#include "quartz/base/errors.hpp"

namespace quartz::optimizer {
namespace {

SearchCost cost_of_segment(const Segment& segment, const Cost& cost) {
  SearchCost sum = sum_of_costs(segment.gates, cost);
  if (segment.before != nullptr) sum += sum_of_costs(*segment.before, cost);
  if (segment.boxed != nullptr) sum += sum_of_costs(*segment.boxed, cost);
  if (segment.boundary) sum += sum_of_costs({&*segment.boundary, 1}, cost);
  return sum;
}

/// Returns whether the operations of a segment are its gates.
bool is_plain(const Segment& segment) {
  return segment.before == nullptr && segment.boxed == nullptr && segment.condition == nullptr &&
         !segment.boundary;
}

std::size_t operations_of(const Version& version) {
  std::size_t operations = 0;
  for (const Version::CostedSegment& each : version.segments) {
    const Segment& segment = *each.segment;
    if (segment.before != nullptr) operations += segment.before->size();
    operations += segment.gates.size() + (segment.boundary ? 1 : 0);
  }
  return operations;
}

/// Returns the time for one copy of a circuit, measured with a part of it, in seconds.
double seconds_of_copy(std::span<const Operation> operations) {
  constexpr std::size_t kMostCopied = std::size_t{1} << 16U;
  if (operations.empty()) return 0;
  const std::span<const Operation> part =
      operations.first(std::min(operations.size(), kMostCopied));
  const auto start = Budget::Clock::now();
  const std::vector<Operation> copy(part.begin(), part.end());
  const std::chrono::duration<double> seconds = Budget::Clock::now() - start;
  return seconds.count() * static_cast<double>(operations.size()) /
         static_cast<double>(copy.size());
}

/// Returns a version that does not refer to the circuit under search.
Version with_own_gates(Version version) {
  for (Version::CostedSegment& each : version.segments) {
    if (!each.segment->gates.are_shared()) continue;
    Segment own = *each.segment;
    own.gates = std::move(own.gates).take();
    each.segment = std::make_shared<Segment>(std::move(own));
  }
  return version;
}

std::uint64_t steps_of(const Version& version) {
  std::uint64_t steps = version.origin.steps();
  for (const Version::CostedSegment& each : version.segments) {
    steps += each.derivation.steps();
  }
  return steps;
}

/// Adds the operations of a version to a circuit without operations.
Circuit with_operations_of(const Version& version, Circuit circuit) {
  circuit.operations.reserve(operations_of(version));
  for (const Version::CostedSegment& each : version.segments) {
    append_segment(*each.segment, circuit.operations);
  }
  return circuit;
}

bool is_numeric(const Version& version) {
  return version.origin.is_numeric() ||
         std::ranges::any_of(version.segments, [](const Version::CostedSegment& each) {
           return each.derivation.is_numeric();
         });
}

/// Returns how a version was derived from the input, if derivations are recorded.
circuit::Derivation recorded_derivation_of(const Version& version) {
  const circuit::Derivation unchanged = circuit::Derivation::unchanged();
  circuit::DerivedParts parts;
  for (const Version::CostedSegment& segment : version.segments) {
    if (!segment.places->before.empty()) parts.add(segment.places->before, {}, unchanged);
    parts.add(segment.places->gates, {}, segment.derivation);
    if (segment.places->boundary) parts.add({*segment.places->boundary}, {}, unchanged);
  }
  return version.origin.then(std::move(parts).finish());
}

circuit::Derivation derivation_of_version(const Version& version, bool records) {
  return records ? recorded_derivation_of(version)
                 : circuit::Derivation::unrecorded(is_numeric(version));
}

}  // namespace

SearchState::SearchState(const Problem& problem)
    : problem_(problem), searched_(&problem), wires_(problem.wires) {
  if (problem.coupling != nullptr && problem.coupling->directed()) {
    directions_.emplace(problem.set, *problem.coupling);
  }
  may_have_bodies_ = std::ranges::count_if(problem.circuit.operations, is_conditional_gate) > 1;
  now_ = given_version();
  now_.phase = problem.circuit.global_phase;
  copy_seconds_ = seconds() + seconds_of_copy(problem.circuit.operations);
  best_ = now_;
  best_cost_ = cost();
}

Version SearchState::given_version() const {
  std::vector<SegmentPlaces> places;
  std::vector<Segment> segments =
      segments_of_circuit(problem_.circuit.operations, problem_.circuit.qubit_count(),
                          problem_.record.history ? &places : nullptr);
  return version_of(std::move(segments), std::move(places), Segments::divided);
}

Version SearchState::first_version(std::span<const Operation> operations, Segments kind) const {
  std::vector<SegmentPlaces> places;
  std::vector<Segment> segments =
      split_into_segments(operations, problem_.circuit.qubit_count(), kind,
                          problem_.record.history ? &places : nullptr);
  return version_of(std::move(segments), std::move(places), kind);
}

Version SearchState::version_of(std::vector<Segment> segments, std::vector<SegmentPlaces> places,
                                Segments kind) const {
  Version version;
  version.kind = kind;
  for (Segment& segment : segments) {
    const SearchCost cost = cost_of_segment(segment, searched_->cost);
    version.cost += cost;
    version.segments.push_back({std::make_shared<Segment>(std::move(segment)), cost});
  }
  for (std::size_t i = 0; i < places.size(); ++i) {
    version.segments[i].places = std::make_shared<SegmentPlaces>(std::move(places[i]));
  }
  return version;
}

SearchCost SearchState::evaluate(Version& version, const Cost& cost) const {
  version.cost = {};
  for (Version::CostedSegment& each : version.segments) {
    each.cost = cost_of_segment(*each.segment, cost);
    version.cost += each.cost;
  }
  version.whole_cost.reset();
  if (cost.additive()) return version.cost;
  return *(version.whole_cost = whole_cost_of(version, cost));
}

SearchCost SearchState::whole_cost_of(const Version& version, const Cost& cost) const {
  const bool is_one_list = version.segments.size() == 1 && is_plain(*version.segments[0].segment);
  if (!is_one_list) return search_cost_of(circuit_of(version), cost);
  // A large circuit takes longer to copy than its cost to compute.
  return search_cost_of(problem_.circuit, version.segments[0].segment->gates, cost);
}

void SearchState::run_for(const Problem& other, const std::function<void()>& search) {
  const Problem* const own = std::exchange(searched_, &other);
  Version best = std::exchange(best_, {});
  const SearchCost best_cost = best_cost_;
  const bool had_better = has_better_;
  const auto take_result = [&] {
    now_ = std::exchange(best_, std::move(best));
    best_cost_ = best_cost;
    has_better_ = had_better;
    searched_ = own;
    if (now_.kind != Segments::divided && !own->cost.additive()) divide(Segments::divided);
    (void)evaluate(now_, own->cost);
    keep_best();
  };
  try {
    best_cost_ = evaluate(now_, other.cost);
    best_ = now_;
    search();
  } catch (...) {
    take_result();
    throw;
  }
  take_result();
}

std::size_t SearchState::gate_count() const {
  std::size_t gates = 0;
  for (const Version::CostedSegment& each : now_.segments) gates += each.segment->gates.size();
  return gates;
}

bool SearchState::has_only_eighth_turns() const {
  return std::ranges::all_of(now_.segments, [](const Version::CostedSegment& each) {
    return std::ranges::all_of(each.segment->gates, [](const Operation& gate) {
      return std::all_of(gate.angles.begin(), gate.angles.end(), is_eighth_turns);
    });
  });
}

SearchCost SearchState::cost() {
  if (searched_->cost.additive()) return now_.cost;
  if (!now_.whole_cost) now_.whole_cost = whole_cost_of(now_, searched_->cost);
  return *now_.whole_cost;
}

SearchCost SearchState::cost_of(const Version& version) const {
  if (searched_->cost.additive()) return version.cost;
  if (version.whole_cost) return *version.whole_cost;
  return whole_cost_of(version, searched_->cost);
}

void SearchState::replace_in(Version& version, std::size_t segment,
                             circuit::DerivedGates gates) const {
  // Versions of a large circuit share the gates that have not changed.
  if (gates.derivation.history() == nullptr && gates.phase.is_zero()) return;
  Version::CostedSegment& own = version.segments[segment];
  try {
    // The phase of conditional gates cannot be observed.
    if (own.segment->condition == nullptr) version.phase.add_phase(gates.phase);
  } catch (const OverflowError&) {
    return;  // the exact sum of the phases does not fit into 64 bits
  }
  auto replaced = std::make_shared<Segment>(Segment{std::move(gates.gates), own.segment->boundary,
                                                    own.segment->condition, own.segment->boxed,
                                                    own.segment->before});
  version.whole_cost.reset();
  version.cost -= own.cost;
  own.cost -= sum_of_costs(own.segment->gates, searched_->cost);
  own.cost += sum_of_costs(replaced->gates, searched_->cost);
  version.cost += own.cost;
  const circuit::Derivation step =
      problem_.record.history ? std::move(gates.derivation)
                              : circuit::Derivation::unrecorded(gates.derivation.is_numeric());
  own.derivation = own.derivation.then(step);
  own.segment = std::move(replaced);
}

bool SearchState::restart_from(circuit::DerivedCircuit start) {
  try {
    if (is_directed()) start.append(directions_->fix_gate_directions(start.circuit));
  } catch (const OverflowError&) {
    return false;  // the exact sum of the phases does not fit into 64 bits
  }
  if (!respects_directions(start.circuit)) return false;
  Version version = first_version(start.circuit.operations);
  version.phase = start.circuit.global_phase;
  version.gains = std::move(now_.gains);
  version.origin = std::move(start.derivation);
  now_ = std::move(version);
  return true;
}

Version SearchState::divided_into(Segments kind) const {
  Version version = first_version(circuit_of(now_).operations, kind);
  version.phase = now_.phase;
  version.gains = now_.gains;
  version.origin = derivation_of(now_);
  return version;
}

bool SearchState::join_segments() {
  const bool may_join = now_.kind == Segments::divided && now_.segments.size() > 1;
  if (!may_join || !searched_->cost.additive()) return false;
  Version version = divided_into(Segments::joined);
  if (version.segments.size() >= now_.segments.size()) return false;
  now_ = std::move(version);
  return true;
}

bool SearchState::isolate_bodies() {
  if (!may_have_bodies_ || !searched_->cost.additive()) return false;
  Version version = divided_into(Segments::bodies);
  if (version.segments.size() == 1) return false;
  now_ = std::move(version);
  return true;
}

void SearchState::add_gain(Rewrite rewrite, const Gain& gain) {
  now_.gains.add(rewrites_.number_of(std::move(rewrite)), gain);
}

Circuit SearchState::circuit_of(const Version& version) const {
  return with_operations_of(version, circuit_without_gates(version.phase));
}

UnformedCircuit SearchState::unformed_circuit(Version version) const {
  const std::size_t operations = operations_of(version);
  const std::uint64_t steps = steps_of(version);
  Circuit empty = circuit_without_gates(version.phase);
  version.gains = {};
  version = with_own_gates(std::move(version));  // the circuit may be formed after the search
  auto form = [version = std::move(version), empty = std::move(empty),
               records = problem_.record.history] {
    return circuit::DerivedCircuit{with_operations_of(version, empty),
                                   derivation_of_version(version, records)};
  };
  return {operations, steps, std::move(form)};
}

circuit::Derivation SearchState::derivation_of(const Version& version) const {
  return derivation_of_version(version, problem_.record.history);
}

circuit::DerivedCircuit SearchState::derived_circuit(const Version& version) const {
  return {circuit_of(version), derivation_of(version)};
}

Circuit SearchState::circuit_without_gates(const Angle& phase) const {
  Circuit circuit = without_operations(problem_.circuit);
  circuit.global_phase = phase.reduced_symmetric(2);
  return circuit;
}

Circuit SearchState::take_best_circuit() {
  if (!has_better_) return problem_.circuit;
  Circuit circuit = circuit_without_gates(best_.phase);
  circuit.operations.reserve(operations_of(best_));
  for (const Version::CostedSegment& each : best_.segments) {
    // The gates of a large circuit take long to copy.
    if (each.segment.use_count() == 1) {
      append_segment(std::move(*std::const_pointer_cast<Segment>(each.segment)),
                     circuit.operations);
    } else {
      append_segment(*each.segment, circuit.operations);
    }
  }
  best_ = {};
  return circuit;
}

void SearchState::keep_best() {
  const SearchCost cost = this->cost();
  if (!(cost < best_cost_)) return;
  Version best = now_;  // if there is no memory for the copy, the best version stays as it is
  best_ = std::move(best);
  best_cost_ = cost;
  has_better_ = true;
  if (searched_->on_version) searched_->on_version(best_, best_cost_);
}

circuit::DerivedCircuit SearchState::best_circuit() const {
  return has_better_ ? derived_circuit(best_) : circuit::DerivedCircuit::first(problem_.circuit);
}

circuit::DerivedGates SearchState::with_directions_fixed(circuit::DerivedGates gates) {
  if (!is_directed()) return gates;
  circuit::DerivedGates fixed = directions_->fix_gate_directions(gates.gates);
  fixed.phase.add_phase(gates.phase);
  fixed.derivation = gates.derivation.then(std::move(fixed.derivation));
  return fixed;
}

bool SearchState::respects_directions(const Circuit& circuit) const {
  return !is_directed() || !uncoupled_gate(circuit, *problem_.coupling);
}

bool SearchState::has_time_for(const Budget& budget, double copies) {
  if (!budget.has_deadline()) return true;
  const bool has_time = budget.seconds_left() > copies * copy_seconds_;
  was_cut_short_ = was_cut_short_ || !has_time;
  return has_time;
}

void SearchState::run_pass(const PassName& name, const std::function<void()>& pass) {
  const SearchCost before = best_cost_;
  const Budget::Clock::time_point start = Budget::Clock::now();
  const double processor_start = process_seconds();
  const Version version_before = now_;
  try {
    pass();
  } catch (const OverflowError&) {
    // The exact sum of some angles needs more than 64 bits. Other passes may not need that sum.
    now_ = version_before;
  }
  release_freed_memory(gate_count());
  const double processor_seconds = process_seconds() - processor_start;
  const std::chrono::duration<double> seconds = Budget::Clock::now() - start;
  std::vector<OptimizePass>& passes = figures.passes;
  auto entry = std::ranges::find(passes, name.name, &OptimizePass::name);
  if (entry == passes.end()) {
    entry = passes.insert(entry, OptimizePass{name.name, name.description});
  }
  ++entry->runs;
  entry->seconds += seconds.count();
  entry->processor_seconds += processor_seconds;
  entry->gates_removed +=
      static_cast<std::int64_t>(before.total) - static_cast<std::int64_t>(best_cost_.total);
  if (best_cost_ < before) ++entry->runs_that_paid;
  report(name.name);
}

void SearchState::report(std::string_view pass) const {
  if (problem_.on_progress) problem_.on_progress(pass);
}

double SearchState::seconds() const {
  return std::chrono::duration<double>(Budget::Clock::now() - start_).count();
}

void SearchState::add_alternative(const Version& version) {
  figures.alternatives.push_back(derived_circuit(version));
}

void SearchState::require_valid(const Circuit& circuit) const {
  for (const Operation& operation : circuit.operations) {
    ensure(operation.kind != OperationKind::gate || problem_.set.contains(operation),
           "a rewritten circuit is in the gate set");
  }
  ensure(problem_.coupling == nullptr || !uncoupled_gate(circuit, *problem_.coupling),
         "a rewritten circuit respects the coupling map");
}

SearchResult SearchState::finish(bool copies_unchanged) {
  now_ = {};
  OptimizeResult result;
  result.gains = best_.gains.in_order(rewrites_, figures.passes);
  circuit::Derivation derivation =
      has_better_ ? derivation_of(best_) : circuit::Derivation::unchanged();
  circuit::DerivedCircuit best{{}, std::move(derivation)};
  if (has_better_ || copies_unchanged) best.circuit = take_best_circuit();
  if (has_better_) require_valid(best.circuit);
  result.circuits_popped = figures.circuits_popped;
  result.annealing_moves = figures.annealing_moves;
  result.device_annealing = figures.device_annealing;
  result.products = figures.products;
  result.repetitions = figures.repetitions;
  result.local_optimality = figures.local_optimality;
  if (figures.table) {
    result.rules = used_rules(figures.table->alphabet().letters, figures.used_pairs);
    figures.used_pairs = {};
  }
  result.passes = std::move(figures.passes);
  result.seconds = seconds();
  return {has_better_, std::move(best), std::move(figures.alternatives), std::move(result)};
}

}  // namespace quartz::optimizer
