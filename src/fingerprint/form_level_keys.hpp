#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "fingerprint/level_keys.hpp"

/// Keys of extensions, for any set of instructions.
///
/// `Residues` are residues modulo p as any words, one a lane: LooseGoldilocks, several at a time.
/// A lane is a state while values of functionals are formed, as all states take the same steps, and
/// then a key. Of the values only those of letters that are wanted become keys.
///
/// To be included after the instructions are switched on for all that follows, and used with
/// `Residues` that no other file has, so that no code of one set gets into another's.
namespace quartz {

/// The values of one functional at all extensions of as many states as there are lanes: letter
/// after letter, one word a lane.
template <typename Residues>
[[gnu::flatten]] void form_values(const ExtensionPlan& plan,
                                  const std::vector<Goldilocks>& functional,
                                  const std::uint64_t* state, LevelKeys& room,
                                  std::uint64_t* letters) {
  constexpr std::size_t lanes = Residues::kLanes;
  using Sum = typename Residues::Sum;
  using Summand = typename Residues::Summand;
  std::uint64_t* const products = room.products.data();
  for (std::size_t i = 0; i < plan.products.size(); ++i) {
    const auto [row, column] = plan.products[i];
    const Residues product =
        Residues::all(functional[row].value()) * Residues::load(state + column * lanes);
    Summand(product).store(products + i * Summand::kWords * lanes);
  }
  std::uint64_t* const values = room.values.data();
  std::uint64_t* value = values;
  for (const ExtensionPlan::Sum& members : plan.sums) {
    Sum sum;
    for (std::uint32_t i = members.begin; i < members.end; ++i) {
      sum.add(Summand::load(products + plan.members[i] * Summand::kWords * lanes));
    }
    sum.value().store(value);
    value += lanes;
  }
  for (const ExtensionPlan::Multiple& multiple : plan.multiples) {
    const Residues product =
        Residues::load(values + multiple.sum * lanes) * Residues::all(multiple.factor.value());
    product.canonical().store(value);
    value += lanes;
  }
  for (const ExtensionPlan::Letter& letter : plan.letters) {
    Residues result = Residues::load(values + letter.first * lanes);
    for (std::uint32_t i = letter.begin; i < letter.end; ++i) {
      const auto [term, negative] = plan.terms[i];
      const Residues other = Residues::load(values + term * lanes);
      result = negative ? result.minus_canonical(other) : result.plus_canonical(other);
    }
    if (letter.scaled) result = result * Residues::all(letter.factor.value());
    result.store(letters);
    letters += lanes;
  }
}

/// level_key of some pairs u, v at once, in their places.
template <typename Residues, std::size_t Count>
inline void form_keys_at(std::uint64_t* u_words, std::uint64_t* v_words) {
  constexpr std::size_t lanes = Residues::kLanes;
  // Step by step for all of them: a chain of products is as slow as the latency of each, and what
  // goes on beside it comes for free.
  Residues u[Count];
  Residues u3[Count];
  Residues u15[Count];
  for (std::size_t i = 0; i < Count; ++i) u[i] = Residues::load(u_words + i * lanes);
  for (std::size_t i = 0; i < Count; ++i) u3[i] = u[i] * u[i];
  for (std::size_t i = 0; i < Count; ++i) u3[i] = u3[i] * u[i];
  for (std::size_t i = 0; i < Count; ++i) u15[i] = u3[i] * u3[i];
  for (std::size_t i = 0; i < Count; ++i) u15[i] = u15[i] * u15[i];
  for (std::size_t i = 0; i < Count; ++i) u15[i] = u15[i] * u3[i];
  for (std::size_t i = 0; i < Count; ++i) {
    const Residues tag = (u15[i] * Residues::load(v_words + i * lanes)).canonical();
    tag.one_where_zero().store(u_words + i * lanes);
    (u15[i] * u[i]).canonical().store(v_words + i * lanes);
  }
}

template <typename Residues>
[[gnu::flatten]] void form_keys(std::uint64_t* u, std::uint64_t* v, std::size_t count) {
  constexpr std::size_t together = Residues::kChains;
  static_assert(together * Residues::kLanes <= LevelKeys::kMostTogether);
  for (std::size_t i = 0; i < count; i += together * Residues::kLanes) {
    form_keys_at<Residues, together>(u + i, v + i);
  }
}

template <typename Residues>
std::size_t form_level_keys(const ExtensionPlan& plan, const Goldilocks* states,
                            const std::uint64_t* masks, std::size_t count, LevelKeys& keys) {
  constexpr std::size_t lanes = Residues::kLanes;
  const std::size_t dimension = plan.dimension();
  std::uint64_t* const u = keys.tags.data();
  std::uint64_t* const v = keys.places.data();
  std::size_t formed = 0;
  for (std::size_t first = 0; first < count; first += lanes) {
    alignas(64) std::uint64_t transposed[(std::size_t{1} << LevelTables::kMostQubits) * lanes] = {};
    const std::size_t here = std::min(lanes, count - first);
    for (std::size_t lane = 0; lane < here; ++lane) {
      for (std::size_t i = 0; i < dimension; ++i) {
        transposed[i * lanes + lane] = states[(first + lane) * dimension + i].value();
      }
    }
    std::uint64_t* const numerators = keys.numerators.data();
    std::uint64_t* const denominators = keys.denominators.data();
    form_values<Residues>(plan, plan.numerator, transposed, keys, numerators);
    form_values<Residues>(plan, plan.denominator, transposed, keys, denominators);
    for (std::size_t lane = 0; lane < here; ++lane) {
      for (std::uint64_t rest = masks[first + lane]; rest != 0; rest &= rest - 1) {
        const std::size_t from = static_cast<std::size_t>(std::countr_zero(rest)) * lanes + lane;
        u[formed] = numerators[from];
        v[formed] = denominators[from];
        ++formed;
      }
    }
  }
  form_keys<Residues>(u, v, formed);
  return formed;
}

}  // namespace quartz
