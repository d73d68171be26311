#include "optimize/state/gains.hpp"

#include <algorithm>
#include <compare>
#include <tuple>
#include <utility>

namespace quartz::optimizer {
namespace {

std::strong_ordering compare(std::span<const Operation> a, std::span<const Operation> b) {
  return std::lexicographical_compare_three_way(
      a.begin(), a.end(), b.begin(), b.end(),
      [](const Operation& left, const Operation& right) -> std::strong_ordering {
        if (const auto order = left.gate <=> right.gate; order != 0) return order;
        if (const auto order = std::lexicographical_compare_three_way(
                left.qubits.begin(), left.qubits.end(), right.qubits.begin(), right.qubits.end());
            order != 0) {
          return order;
        }
        return left.angles <=> right.angles;
      });
}

}  // namespace

bool Rewrites::Less::operator()(const Rewrite& a, const Rewrite& b) const {
  if (const auto order = std::tie(a.pass, a.kind) <=> std::tie(b.pass, b.kind); order != 0) {
    return order < 0;
  }
  if (const auto order = compare(a.left, b.left); order != 0) return order < 0;
  if (const auto order = compare(a.right, b.right); order != 0) return order < 0;
  return a.phase < b.phase;
}

std::size_t Rewrites::number_of(Rewrite rewrite) {
  const auto [found, added] = numbers_.try_emplace(std::move(rewrite), rewrites_.size());
  if (added) rewrites_.push_back(&found->first);
  return found->second;
}

std::vector<RewriteGain> Gains::in_order(const Rewrites& rewrites,
                                         std::span<const OptimizePass> passes) const {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < gains_.size(); ++i) {
    if (gains_[i].uses != 0) order.push_back(i);
  }
  const auto place = [&](std::size_t number) {
    return std::find_if(
               passes.begin(), passes.end(),
               [&](const OptimizePass& pass) { return pass.name == rewrites[number].pass; }) -
           passes.begin();
  };
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    if (const auto before = place(a) <=> place(b); before != 0) return before < 0;
    const auto key = [](const Gain& gain) {
      return std::tie(gain.saved, gain.gates_removed, gain.uses);
    };
    return key(gains_[a]) > key(gains_[b]);
  });
  std::vector<RewriteGain> gains;
  gains.reserve(order.size());
  for (const std::size_t number : order) {
    gains.push_back({rewrites[number], gains_[number].uses, gains_[number].gates_removed});
  }
  return gains;
}

}  // namespace quartz::optimizer
