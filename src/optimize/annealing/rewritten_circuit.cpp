#include "optimize/annealing/rewritten_circuit.hpp"

#include <utility>

#include "quartz/base/errors.hpp"

namespace quartz::optimizer {

RewrittenCircuit::RewrittenCircuit(rewrite::WireLists gates, const Totals& totals)
    : gates_(std::move(gates)), totals_(totals), best_totals_(totals), best_size_(gates_.size()) {}

void RewrittenCircuit::follow_paths(std::span<const PathLevels::Length> lengths,
                                    std::uint64_t value_per_length) {
  ensure(changes_.empty(), "the log has no levels");
  paths_.emplace(PathLevels(lengths, gates_), value_per_length);
  totals_.value += paths_->value();
  best_totals_ = totals_;
}

void RewrittenCircuit::apply(const Exchange& exchange, bool is_continued) {
  changes_.push_back({exchange.kind, is_continued, static_cast<std::uint32_t>(removed_.size()),
                      static_cast<std::uint32_t>(inserted_.size()),
                      static_cast<std::uint32_t>(gaps_.size()), totals_});
  for (const rewrite::GateIndex index : exchange.removed)
    removed_.push_back(gates_.as_removed(index));
  gates_.replace(exchange.removed, exchange.gaps, exchange.inserted, removed_);
  const std::span<const rewrite::GateIndex> inserted = gates_.replaced();
  inserted_.insert(inserted_.end(), inserted.begin(), inserted.end());
  if (history_) {
    inserted_gates_.insert(inserted_gates_.end(), exchange.inserted.begin(),
                           exchange.inserted.end());
  }
  gaps_.insert(gaps_.end(), exchange.gaps.begin(), exchange.gaps.end());
  totals_.value = totals_.value + exchange.after.value - exchange.before.value;
  totals_.table_cost = totals_.table_cost + exchange.after.table_cost - exchange.before.table_cost;
  totals_.phase = (totals_.phase + exchange.after.phase) & 15;
  if (paths_) {
    totals_.value -= paths_->value();
    paths_->levels.update(gates_, exchange.gaps, inserted);
    totals_.value += paths_->value();
  }
  ++changes_since_ordered_;
  if (is_continued || totals_.value >= best_totals_.value) return;
  best_totals_ = totals_;
  best_size_ = gates_.size();
  best_position_ = changes_.size();
}

void RewrittenCircuit::undo_last(bool updates_levels) {
  const Change& change = changes_.back();
  gates_.undo(std::span(removed_).subspan(change.first_removed),
              std::span(gaps_).subspan(change.first_gap),
              std::span(inserted_).subspan(change.first_inserted));
  if (updates_levels) {
    paths_->restored.clear();
    for (std::size_t i = change.first_removed; i < removed_.size(); ++i) {
      paths_->restored.push_back(removed_[i].index);
    }
    paths_->levels.update(gates_, std::span(gaps_).subspan(change.first_gap), paths_->restored);
  }
  removed_.resize(change.first_removed);
  inserted_.resize(change.first_inserted);
  if (history_) inserted_gates_.resize(change.first_inserted);
  gaps_.resize(change.first_gap);
  totals_ = change.before;
  changes_.pop_back();
}

void RewrittenCircuit::undo_to(std::size_t position) {
  // The best circuit must survive when the changes that led to it are discarded.
  if (is_best_after(position)) {
    best_copy_ = best_circuit();
    best_position_.reset();
  }
  // Many changes change most levels, which are then computed from the gates.
  const bool updates_levels = paths_ && changes_.size() - position < gates_.size() / 8;
  while (changes_.size() > position) undo_last(updates_levels);
  while (!shared_.empty() && shared_.back() > position) shared_.pop_back();
  if (!updates_levels) rebuild_levels();
}

rewrite::WireLists RewrittenCircuit::gates_at(std::size_t position) const {
  rewrite::WireLists gates = gates_;
  const ChangeLog log = this->log();
  for (std::size_t i = changes_.size(); i > position; --i) {
    const LoggedChange change = log[i - 1];
    gates.undo(change.removed, change.gaps, change.inserted);
  }
  return gates;
}

RewrittenCircuit::Snapshot RewrittenCircuit::snapshot(const rewrite::WireLists& gates,
                                                      std::size_t position,
                                                      const Totals& totals) const {
  const std::vector<rewrite::GateIndex> order = gates.order();
  Snapshot result{gates.gates(order), totals};
  if (!history_) return result;
  ChangeHistory history = *history_;
  history.append(log(), 0, position, gates);
  result.history = history.in_order(order);
  return result;
}

RewrittenCircuit::Snapshot RewrittenCircuit::best_circuit() const {
  if (!best_position_) return best_copy_;
  if (*best_position_ == position()) return current_circuit();
  return snapshot(gates_at(*best_position_), *best_position_, best_totals_);
}

RewrittenCircuit::Snapshot RewrittenCircuit::share_best_circuit() {
  if (best_position_ && (shared_.empty() || shared_.back() < *best_position_)) {
    shared_.push_back(*best_position_);
  }
  return best_circuit();
}

RewrittenCircuit::Snapshot RewrittenCircuit::current_circuit() const {
  return snapshot(gates_, position(), totals_);
}

void RewrittenCircuit::clear_log() {
  changes_.clear();
  shared_.clear();
  leaves_out_undone_ = leaves_out_next_;
  removed_.clear();
  inserted_.clear();
  inserted_gates_.clear();
  gaps_.clear();
}

void RewrittenCircuit::return_to_best() {
  if (best_position_) {
    undo_to(*best_position_);
    return;
  }
  gates_ = rewrite::WireLists(best_copy_.gates, gates_.wires());
  rebuild_levels();
  totals_ = best_totals_;
  if (history_) history_->start_from(best_copy_.history, gates_.size());
  clear_log();
  best_position_ = 0;
  changes_since_ordered_ = 0;
}

void RewrittenCircuit::continue_from(const Snapshot& circuit) {
  ensure(!paths_, "the value of the circuit is a sum over its gates");
  if (best_position_) {
    best_copy_ = best_circuit();
    best_position_.reset();
  }
  gates_ = rewrite::WireLists(circuit.gates, gates_.wires());
  totals_ = circuit.totals;
  if (history_) history_->start_from(circuit.history, gates_.size());
  clear_log();
  changes_since_ordered_ = 0;
  if (totals_.value >= best_totals_.value) return;
  best_totals_ = totals_;
  best_size_ = gates_.size();
  best_position_ = 0;
}

void RewrittenCircuit::order_gates() {
  ensure(changes_.empty(), "changes refer to gates by their places");
  const std::vector<rewrite::GateIndex> order = gates_.order();
  if (history_) history_->move_gates(order);
  gates_ = rewrite::WireLists(gates_.gates(order), gates_.wires());
  rebuild_levels();
  changes_since_ordered_ = 0;
}

void RewrittenCircuit::forget_changes() {
  std::size_t recorded = 0;
  if (best_position_ == position()) {
    best_position_ = 0;
  } else if (best_position_) {
    const rewrite::WireLists best = gates_at(*best_position_);
    const std::vector<rewrite::GateIndex> order = best.order();
    best_copy_ = {best.gates(order), best_totals_};
    if (history_) {
      // The best circuit and the current one share the history up to here.
      recorded = *best_position_;
      history_->append(log(), 0, recorded, best);
      best_copy_.history = history_->in_order(order);
    }
    best_position_.reset();
  }
  if (history_) history_->append(log(), recorded, position(), gates_);
  clear_log();
  if (changes_since_ordered_ >= 4 * gates_.size()) order_gates();
}

}  // namespace quartz::optimizer
