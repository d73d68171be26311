#include "optimize/backtracking/step_log.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace quartz::optimizer {

void StepLog::clear() {
  steps_.clear();
  positions_.clear();
  gates_.clear();
}

void StepLog::append(std::uint32_t from, const rewrite::Placement& placement,
                     std::span<const rewrite::PackedGate> replacement) {
  steps_.push_back({from, placement.first, placement.last,
                    static_cast<std::uint32_t>(placement.before.size()), positions_.size(),
                    gates_.size()});
  positions_.insert(positions_.end(), placement.before.begin(), placement.before.end());
  positions_.insert(positions_.end(), placement.after.begin(), placement.after.end());
  gates_.insert(gates_.end(), replacement.begin(), replacement.end());
}

void StepLog::apply(std::size_t index, std::vector<circuit::GateNumber>& list,
                    circuit::HistoryRecorder& recorder, const rewrite::LabelTable& labels) const {
  const Step& step = steps_[index];
  const bool is_last = index + 1 == steps_.size();
  const auto kept = std::span(positions_)
                        .first(is_last ? positions_.size() : steps_[index + 1].first_position)
                        .subspan(step.first_position);
  const auto gates = std::span(gates_)
                         .first(is_last ? gates_.size() : steps_[index + 1].first_gate)
                         .subspan(step.first_gate);
  std::vector<circuit::GateNumber> middle;
  for (const std::int32_t position : kept.first(step.before)) {
    middle.push_back(list[static_cast<std::size_t>(position)]);
  }
  for (std::size_t i = 0; i < gates.size(); ++i) {
    middle.push_back(recorder.next_number() + static_cast<circuit::GateNumber>(i));
  }
  for (const std::int32_t position : kept.subspan(step.before)) {
    middle.push_back(list[static_cast<std::size_t>(position)]);
  }
  std::vector<circuit::GateNumber> removed;
  for (std::int32_t position = step.first; position <= step.last; ++position) {
    if (std::ranges::find(kept, position) != kept.end()) continue;
    removed.push_back(list[static_cast<std::size_t>(position)]);
  }
  recorder.rewrite(removed, {}, rewrite::unpack(gates, labels));
  const auto begin = list.begin() + step.first;
  list.insert(list.erase(begin, list.begin() + step.last + 1), middle.begin(), middle.end());
}

circuit::HistoryPointer StepLog::history_of(std::uint32_t circuit, std::size_t size,
                                            const rewrite::LabelTable& labels) const {
  std::vector<std::uint32_t> path;
  for (; circuit != 0; circuit = steps_[circuit - 1].from) path.push_back(circuit - 1);
  if (path.empty()) return nullptr;
  circuit::HistoryRecorder recorder(size);
  std::vector<circuit::GateNumber> list(size);
  std::iota(list.begin(), list.end(), 0U);
  for (auto step = path.rbegin(); step != path.rend(); ++step) {
    apply(*step, list, recorder, labels);
  }
  return std::move(recorder).finish(std::move(list));
}

}  // namespace quartz::optimizer
