#include "optimize/windows/replaced_gates.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "circuit/history.hpp"

namespace quartz::optimizer {

ReplacedGates::Change& ReplacedGates::change(Place place, bool stays) {
  if (change_of_[place] == kKept) {
    change_of_[place] = static_cast<std::uint32_t>(changes_.size());
    changes_.emplace_back();
  }
  Change& change = changes_[change_of_[place]];
  change.stays = change.stays && stays;
  return change;
}

void ReplacedGates::replace(Place place, std::vector<Operation> by) {
  std::ranges::move(by, std::back_inserter(change(place, false).gates));
}

void ReplacedGates::insert_before(Place place, std::vector<Operation> inserted) {
  std::ranges::move(inserted, std::back_inserter(change(place, true).gates));
}

circuit::DerivedGates ReplacedGates::finish(const Angle& phase, std::uint32_t qubits) && {
  if (changes_.empty()) return circuit::DerivedGates::unchanged(gates_);
  circuit::DerivedGates result{{}, phase, circuit::Derivation::unchanged()};
  std::vector<std::uint32_t> origins;
  // Search states keep the gates for long, so that memory is reserved for no others.
  std::size_t size = gates_.size();
  for (const std::uint32_t change : change_of_) {
    if (change != kKept) size += changes_[change].gates.size() - (changes_[change].stays ? 0 : 1);
  }
  result.gates.reserve(size);
  origins.reserve(size);
  for (Place i = 0; i < change_of_.size(); ++i) {
    if (change_of_[i] != kKept) {
      for (Operation& operation : changes_[change_of_[i]].gates) {
        result.gates.push_back(std::move(operation));
        origins.push_back(circuit::kNewGate);
      }
      if (!changes_[change_of_[i]].stays) continue;
    }
    if (i == gates_.size()) break;
    result.gates.push_back(gates_[i]);
    origins.push_back(i);
  }
  std::vector<const Operation*> after;
  after.reserve(result.gates.size());
  for (const Operation& operation : result.gates) after.push_back(&operation);
  result.derivation =
      circuit::Derivation::by(circuit::exchange_history(gates_.size(), after, origins, qubits));
  return result;
}

}  // namespace quartz::optimizer
