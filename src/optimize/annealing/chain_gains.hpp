#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "optimize/annealing/used_rules.hpp"
#include "quartz/optimize/optimize.hpp"

namespace quartz {

/// What one rewrite did on the way to a circuit.
struct Gain {
  std::uint64_t uses = 0;
  std::int64_t gates_removed = 0;
  /// In what the search makes small; only compared, and within one kind of rewrites.
  std::int64_t saved = 0;

  Gain& operator+=(const Gain& other) {
    uses += other.uses;
    gates_removed += other.gates_removed;
    saved += other.saved;
    return *this;
  }
};

/// Which rewrites made the best circuit of an annealing chain better than all before it.
///
/// A walk at a temperature replaces millions of windows, most of which undo one another. So what is
/// counted is the replacement at which the circuit got below the least value so far, with what that
/// was less: these differences add up to all that the chain gained. It costs one comparison a
/// replacement, and memory only for the gains.
class ChainGains {
 public:
  /// A kind, and the pair where it is a window.
  using Rewrite = std::pair<RewriteKind, UsedPair>;

  /// Of the chain's first circuit.
  ChainGains(std::uint64_t value, std::size_t gates) : best_{value, gates}, least_value_(value) {}

  /// Whether a circuit of this value is better than all before.
  [[nodiscard]] bool is_record(std::uint64_t value) const { return value < least_value_; }
  /// What made a circuit that is. It counts once the circuit, or one after it, is kept.
  void add(Rewrite rewrite, std::uint64_t value, std::size_t gates) {
    records_.push_back({std::move(rewrite), {value, gates}});
    least_value_ = value;
  }
  /// The best circuit, which has this value, is kept: records beyond it were passed by.
  void keep(std::uint64_t value, std::size_t gates);

  /// How many records are not kept yet, for when the walk goes back to where it is now.
  [[nodiscard]] std::size_t open_records() const { return records_.size(); }
  void go_back_to(std::size_t open_records);

  [[nodiscard]] const std::map<Rewrite, Gain>& gains() const { return gains_; }

 private:
  struct Size {
    std::uint64_t value = 0;
    std::size_t gates = 0;
  };
  struct Record {
    Rewrite rewrite;
    Size after;
  };
  void count(Rewrite rewrite, const Size& after);

  Size best_;  ///< that was kept
  std::uint64_t least_value_;
  std::vector<Record> records_;
  std::map<Rewrite, Gain> gains_;
};

}  // namespace quartz
