#include "optimize/repetitions/fragments.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "optimize/state/segments.hpp"

namespace quartz::optimizer {
namespace {

/// A fragment has several periods if they have fewer gates than this together.
constexpr std::size_t kMinGatesOfFragment = 64;
/// A list without repetitions is a fragment if it has at least this many gates.
constexpr std::size_t kMinGatesOfList = 4;

std::size_t hash_of(const Operation& gate) {
  std::size_t hash = static_cast<std::size_t>(gate.gate);
  for (const Angle& angle : gate.angles) hash = hash * 1'000'003 + angle.hash();
  for (const Qubit qubit : gate.qubits) hash = hash * 1'000'003 + qubit + 1;
  return hash;
}

std::size_t hash_of(std::span<const Operation> gates) {
  std::size_t hash = gates.size();
  for (const Operation& gate : gates) hash = hash * 0x9e3779b97f4a7c15U + hash_of(gate);
  return hash;
}

/// Returns gates on qubits that are numbered in the order of their occurrence, and their qubits.
std::pair<std::vector<Operation>, std::vector<Qubit>> numbered_by_occurrence(
    std::span<const Operation> gates) {
  std::vector<Operation> result(gates.begin(), gates.end());
  std::vector<Qubit> qubits;
  std::unordered_map<Qubit, Qubit> numbers;
  for (Operation& gate : result) {
    for (Qubit& qubit : gate.qubits) {
      const auto [entry, is_new] = numbers.try_emplace(qubit, static_cast<Qubit>(qubits.size()));
      if (is_new) qubits.push_back(qubit);
      qubit = entry->second;
    }
  }
  return {std::move(result), std::move(qubits)};
}

}  // namespace

std::vector<std::uint32_t> numbers_of_equal_gates(std::span<const Operation> gates) {
  std::vector<std::uint32_t> numbers;
  numbers.reserve(gates.size());
  // The first gate with each number; chains of those with the same hash.
  std::unordered_multimap<std::size_t, std::uint32_t> by_hash;
  std::vector<const Operation*> first;
  for (const Operation& gate : gates) {
    const auto next = static_cast<std::uint32_t>(first.size());
    const bool may_be_equal = !is_black_box(gate);
    const std::size_t hash = may_be_equal ? hash_of(gate) : 0;
    std::optional<std::uint32_t> known;
    if (may_be_equal) {
      const auto [begin, end] = by_hash.equal_range(hash);
      const auto same =
          std::find_if(begin, end, [&](const auto& entry) { return *first[entry.second] == gate; });
      if (same != end) known = same->second;
    }
    if (!known) {
      first.push_back(&gate);
      if (may_be_equal) by_hash.emplace(hash, next);
    }
    numbers.push_back(known.value_or(next));
  }
  return numbers;
}

std::vector<std::uint32_t> numbers_of_equally_linked_gates(std::span<const Operation> gates) {
  constexpr std::uint32_t kMostOperands = 8;
  // What comes before a repeated part is linked to it at other distances each time.
  constexpr std::uint32_t kFarthest = 64;
  struct Link {
    std::uint32_t next = 0;  // index of the gate plus 1; 0 if there is none
    std::uint32_t operand = 0;
  };
  std::unordered_map<Qubit, Link> last;
  std::vector<Operation> linked(gates.begin(), gates.end());
  for (std::uint32_t i = 0; i < linked.size(); ++i) {
    std::uint32_t operand = 0;
    for (Qubit& qubit : linked[i].qubits) {
      Link& link = last[qubit];
      const std::uint32_t distance = i + 1 - link.next;
      const bool is_linked = link.next != 0 && distance <= kFarthest;
      qubit = is_linked ? distance * kMostOperands + link.operand : 0;
      link = {i + 1, std::min(operand++, kMostOperands - 1)};
    }
  }
  return numbers_of_equal_gates(linked);
}

void Fragments::add_list(std::span<const Operation> gates, double cut) {
  copies_.emplace_back();
  const std::vector<RepeatedRun> runs = find_repeated_runs(numbers_of_equal_gates(gates));
  bool has_runs = false;
  std::size_t place = 0;
  const auto add_linked_runs_up_to = [&](std::size_t end) {
    if (!on_other_qubits_) return;
    const std::vector<RepeatedRun> linked =
        find_repeated_runs(numbers_of_equally_linked_gates(gates.subspan(place, end - place)));
    for (RepeatedRun run : linked) {
      run.first += place;
      add_run(gates, run, cut);
    }
    has_runs = has_runs || !linked.empty();
  };
  for (const RepeatedRun& run : runs) {
    add_linked_runs_up_to(run.first);
    add_run(gates, run, cut);
    has_runs = true;
    place = run.first + run.size;
  }
  add_linked_runs_up_to(gates.size());
  const bool is_one =
      !has_runs && gates.size() >= kMinGatesOfList && std::ranges::none_of(gates, is_black_box);
  if (is_one) add_copy(gates, 0, gates.size());
}

void Fragments::add_run(std::span<const Operation> gates, const RepeatedRun& run, double cut) {
  const std::size_t periods = (kMinGatesOfFragment + run.period - 1) / run.period;
  const std::size_t size = run.period * periods;
  const auto offset = static_cast<std::size_t>(cut * static_cast<double>(size));
  for (std::size_t place = offset; place + size <= run.size; place += size) {
    add_copy(gates, run.first + place, size);
  }
}

void Fragments::add_copy(std::span<const Operation> gates, std::size_t first, std::size_t size) {
  auto [numbered, qubits] = numbered_by_occurrence(gates.subspan(first, size));
  if (qubits.size() > kMaxWires) return;
  const std::size_t hash = hash_of(numbered);
  const auto [begin, end] = by_hash_.equal_range(hash);
  const auto same = std::find_if(begin, end, [this, &sought = numbered](const auto& entry) {
    return fragments_[entry.second].gates == sought;
  });
  std::size_t index = fragments_.size();
  if (same == end) {
    by_hash_.emplace(hash, index);
    fragments_.push_back({std::move(numbered), static_cast<std::uint32_t>(qubits.size()), 0});
  } else {
    index = same->second;
  }
  ++fragments_[index].copies;
  copies_.back().push_back({first, index, std::move(qubits)});
}

std::size_t Fragments::saved_gates() const {
  std::size_t saved = 0;
  for (const Fragment& each : fragments_) saved += (each.copies - 1) * each.gates.size();
  return saved;
}

std::size_t Fragments::fragment_gates() const {
  std::size_t gates = 0;
  for (const Fragment& each : fragments_) {
    if (each.copies > 1) gates += each.gates.size();
  }
  return gates;
}

}  // namespace quartz::optimizer
