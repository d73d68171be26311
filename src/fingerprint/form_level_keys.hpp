#pragma once

#include <algorithm>
#include <atomic>
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
    Summand::product(Residues::all(functional[row].value()), Residues::load(state + column * lanes))
        .store(products + i * Summand::kWords * lanes);
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
[[gnu::flatten]] void form_keys(std::uint64_t* u, std::uint64_t* v, std::size_t count,
                                const LevelKeyLines& lines) {
  constexpr std::size_t chains = Residues::kChains;
  constexpr std::size_t together = chains * Residues::kLanes;
  static_assert(together <= LevelKeys::kMostTogether);
  for (std::size_t i = 0; i < count; i += together) {
    form_keys_at<Residues, chains>(u + i, v + i);
    // A few at a time: memory answers while the next keys are formed.
    for (std::size_t j = i; j < i + together; ++j) lines.prefetch(v[j]);
  }
}

template <typename Residues>
std::size_t form_level_keys(const ExtensionPlan& plan, const Goldilocks* states,
                            const std::uint64_t* masks, std::size_t count,
                            const LevelKeyLines& lines, LevelKeys& keys) {
  constexpr std::size_t lanes = Residues::kLanes;
  const std::size_t dimension = plan.dimension();
  std::uint64_t* const u = keys.tags.data();
  std::uint64_t* const v = keys.places.data();
  std::size_t formed = 0;
  for (std::size_t first = 0; first < count; first += lanes) {
    alignas(64) std::uint64_t transposed[(std::size_t{1} << LevelTables::kMostQubits) * lanes];
    const std::size_t here = std::min(lanes, count - first);
    if (here < lanes) std::fill_n(transposed, dimension * lanes, 0);
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
        keys.sources[formed] = {static_cast<std::uint8_t>(first + lane),
                                static_cast<std::uint8_t>(std::countr_zero(rest))};
        ++formed;
      }
    }
  }
  form_keys<Residues>(u, v, formed, lines);
  return formed;
}

/// Without a branch that depends on a key, which nobody could predict, and with a bit for each:
/// were the numbers of the unknown ones written one after another, where the next one goes would
/// depend on all lines before, and loads do not overtake a store whose address is not known.
///
/// Lines are read as vectors while other threads claim slots in them. Each word comes whole, and
/// nothing else hangs on what it was before: who claims a slot asks again whether it is empty.
template <typename Residues>
[[gnu::flatten]] void sift_level_keys(const LevelKeyLines& lines, const LevelKeys& keys,
                                      std::size_t count, SiftedKeys& sifted) {
  const std::uint64_t* const tags = keys.tags.data();
  const std::uint64_t* const places = keys.places.data();
  for (std::size_t first = 0; first < count; first += 64) {
    std::uint64_t unknown = 0;
    for (std::size_t i = first; i < std::min(count, first + 64); ++i) {
      const KeyLine& line = lines.lines[lines.home(places[i])];
      const bool known = Residues::equal_tags(line.tags.data(), tags[i]) != 0;
      unknown |= static_cast<std::uint64_t>(!known) << (i - first);
    }
    sifted.unknown[first / 64] = unknown;
    for (; unknown != 0; unknown &= unknown - 1) {
      const std::size_t i = first + static_cast<std::size_t>(std::countr_zero(unknown));
      const std::uint64_t home = lines.home(places[i]);
      const std::uint64_t* const line = lines.lines[home].tags.data();
      const unsigned empty = Residues::equal_tags(line, 0);
      // Another thread may have inserted this very key: if it stands before the first empty slot of
      // these it is seen now.
      std::atomic_thread_fence(std::memory_order_acquire);
      const bool usable = empty != 0 && Residues::equal_tags(line, tags[i]) == 0;
      const auto slot = static_cast<std::uint64_t>(std::countr_zero(empty));
      sifted.slots[i] = usable ? home * KeyLine::kTags + slot : SiftedKeys::kNoSlot;
    }
  }
}

}  // namespace quartz
