#include "optimize/annealing/chain_gains.hpp"

#include <algorithm>

namespace quartz {

void ChainGains::count(Rewrite rewrite, const Size& after) {
  Gain& gain = gains_[std::move(rewrite)];
  ++gain.uses;
  gain.gates_removed +=
      static_cast<std::int64_t>(best_.gates) - static_cast<std::int64_t>(after.gates);
  gain.saved += static_cast<std::int64_t>(best_.value - after.value);
  best_ = after;
}

void ChainGains::keep(std::uint64_t value, std::size_t gates) {
  if (records_.empty()) return;
  // Their values fall. The first one is part of it in any case: nothing before it got below the
  // best.
  std::size_t kept = 1;
  while (kept < records_.size() && records_[kept].after.value >= value) ++kept;
  for (std::size_t i = 0; i + 1 < kept; ++i) {
    count(std::move(records_[i].rewrite), records_[i].after);
  }
  count(std::move(records_[kept - 1].rewrite), {value, gates});
  records_.clear();
  least_value_ = value;
}

void ChainGains::go_back_to(std::size_t open_records) {
  records_.resize(std::min(records_.size(), open_records));
  least_value_ = records_.empty() ? best_.value : records_.back().after.value;
}

}  // namespace quartz
