#include "optimize/state/qubit_groups.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <unordered_map>
#include <utility>

#include "quartz/base/errors.hpp"

namespace quartz::optimizer {
namespace {

class GroupSplitter {
 public:
  GroupSplitter(std::span<const Operation> gates, std::size_t max_qubits)
      : gates_(gates), max_qubits_(max_qubits) {}

  [[nodiscard]] std::vector<QubitGroup> run() {
    for (std::size_t i = 0; i < gates_.size(); ++i) add(i);
    // The remaining sets share no qubits, so a group contains as many of them as fit.
    std::vector<std::size_t> open;
    for (std::size_t i = 0; i < sets_.size(); ++i) {
      if (!sets_[i].gates.empty()) open.push_back(i);
    }
    std::sort(open.begin(), open.end(), [&](std::size_t a, std::size_t b) {
      return sets_[a].gates.front() < sets_[b].gates.front();
    });
    Set together;
    for (const std::size_t i : open) {
      if (together.qubits.size() + sets_[i].qubits.size() > max_qubits_) close(together);
      merge(together, sets_[i]);
    }
    close(together);
    return std::move(groups_);
  }

 private:
  /// Qubits joined by gates, and the indices of these gates.
  struct Set {
    std::vector<Qubit> qubits;
    std::vector<std::size_t> gates;
  };

  void add(std::size_t gate) {
    sets_of_gate_.clear();
    std::size_t qubits = 0;
    for (const Qubit qubit : gates_[gate].qubits) {
      const std::size_t set = set_of(qubit);
      if (std::ranges::find(sets_of_gate_, set) != sets_of_gate_.end()) continue;
      sets_of_gate_.push_back(set);
      qubits += sets_[set].qubits.size();
    }
    if (qubits > max_qubits_) {
      ensure(gates_[gate].qubits.size() <= max_qubits_, "a group has room for one gate");
      for (const std::size_t set : sets_of_gate_) {
        for (const Qubit qubit : sets_[set].qubits) sets_by_qubit_.erase(qubit);
        close(sets_[set]);
        free_sets_.push_back(set);
      }
      return add(gate);
    }
    const std::size_t largest = *std::ranges::max_element(
        sets_of_gate_, {}, [&](std::size_t set) { return sets_[set].qubits.size(); });
    for (const std::size_t set : sets_of_gate_) {
      if (set == largest) continue;
      for (const Qubit qubit : sets_[set].qubits) sets_by_qubit_[qubit] = largest;
      merge(sets_[largest], sets_[set]);
      free_sets_.push_back(set);
    }
    sets_[largest].gates.push_back(gate);
  }

  [[nodiscard]] std::size_t set_of(Qubit qubit) {
    const auto [entry, is_new] = sets_by_qubit_.try_emplace(qubit);
    if (!is_new) return entry->second;
    if (free_sets_.empty()) {
      free_sets_.push_back(sets_.size());
      sets_.emplace_back();
    }
    entry->second = free_sets_.back();
    free_sets_.pop_back();
    sets_[entry->second].qubits = {qubit};
    return entry->second;
  }

  static void merge(Set& into, Set& from) {
    const auto append = [](auto& some, auto& more) {
      if (some.size() < more.size()) std::swap(some, more);
      some.insert(some.end(), more.begin(), more.end());
      more.clear();
      more.shrink_to_fit();
    };
    append(into.qubits, from.qubits);
    append(into.gates, from.gates);
  }

  /// Makes a group of the set, which is empty afterwards.
  void close(Set& set) {
    if (!set.gates.empty()) {
      QubitGroup& group = groups_.emplace_back();
      std::ranges::sort(set.qubits);
      std::ranges::sort(set.gates);
      group.qubits = std::move(set.qubits);
      group.gates.reserve(set.gates.size());
      for (const std::size_t gate : set.gates) {
        group.places.push_back(static_cast<std::uint32_t>(gate));
        for (Qubit& qubit : group.gates.emplace_back(gates_[gate]).qubits) {
          const auto place = std::ranges::lower_bound(group.qubits, qubit);
          qubit = static_cast<Qubit>(place - group.qubits.begin());
        }
      }
    }
    set = {};
  }

  std::span<const Operation> gates_;
  std::size_t max_qubits_;
  std::vector<Set> sets_;
  std::vector<std::size_t> free_sets_;
  std::unordered_map<Qubit, std::size_t> sets_by_qubit_;
  std::vector<std::size_t> sets_of_gate_;
  std::vector<QubitGroup> groups_;
};

}  // namespace

std::vector<QubitGroup> split_by_qubits(std::span<const Operation> gates, std::size_t max_qubits) {
  return GroupSplitter(gates, max_qubits).run();
}

void append_group(const QubitGroup& group, std::vector<Operation> gates,
                  std::vector<Operation>& circuit) {
  for (Operation& gate : gates) {
    for (Qubit& qubit : gate.qubits) qubit = group.qubits[qubit];
  }
  std::move(gates.begin(), gates.end(), std::back_inserter(circuit));
}

}  // namespace quartz::optimizer
