#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "classes/cpu/level_keys.hpp"

/// Computation of the keys of extensions, for any instruction set.
///
/// `Residues` are residues modulo p represented by any words (as in LooseGoldilocks), one in each
/// lane of a vector. While the values of functionals are formed, a lane is a state, as all states
/// take the same steps; afterwards a lane is a key. Only the values of wanted letters become keys.
///
/// Include this file only after enabling the instructions for all code that follows, and use it
/// with a `Residues` type that no other file has, so that the linker cannot mix code for different
/// instruction sets.
namespace quartz::classes {

/// Computes the values of one functional at all extensions of as many states as there are lanes,
/// letter by letter, one word for each lane.
template <typename Residues>
[[gnu::flatten]] void form_values(const ExtensionPlan& plan,
                                  const std::vector<Goldilocks>& functional,
                                  const std::uint64_t* state, LevelKeys& room,
                                  std::uint64_t* letters) {
  constexpr std::size_t kLanes = Residues::kLanes;
  using Sum = typename Residues::Sum;
  using Summand = typename Residues::Summand;
  std::uint64_t* const products = room.products.data();
  for (std::size_t i = 0; i < plan.products.size(); ++i) {
    const auto [row, column] = plan.products[i];
    Summand::product(Residues::all(functional[row].value()),
                     Residues::load(state + column * kLanes))
        .store(products + i * Summand::kWords * kLanes);
  }
  std::uint64_t* const values = room.values.data();
  std::uint64_t* value = values;
  for (const ExtensionPlan::Sum& members : plan.sums) {
    Sum sum;
    for (std::uint32_t i = members.begin; i < members.end; ++i) {
      sum.add(Summand::load(products + plan.members[i] * Summand::kWords * kLanes));
    }
    sum.value().store(value);
    value += kLanes;
  }
  for (const ExtensionPlan::Multiple& multiple : plan.multiples) {
    const Residues product =
        Residues::load(values + multiple.sum * kLanes) * Residues::all(multiple.factor.value());
    product.canonical().store(value);
    value += kLanes;
  }
  for (const ExtensionPlan::Letter& letter : plan.letters) {
    Residues result = Residues::load(values + letter.first * kLanes);
    for (std::uint32_t i = letter.begin; i < letter.end; ++i) {
      const auto [term, negative] = plan.terms[i];
      const Residues other = Residues::load(values + term * kLanes);
      result = negative ? result.minus_canonical(other) : result.plus_canonical(other);
    }
    if (letter.scaled) result = result * Residues::all(letter.factor.value());
    result.store(letters);
    letters += kLanes;
  }
}

/// Replaces some pairs u, v by their level_key, all at the same time.
template <typename Residues, std::size_t Count>
inline void form_keys_at(std::uint64_t* u_words, std::uint64_t* v_words) {
  constexpr std::size_t kLanes = Residues::kLanes;
  // All keys take each step together: a single chain of products is limited by the latency of each
  // product, while independent products overlap.
  Residues u[Count];
  Residues u3[Count];
  Residues u15[Count];
  for (std::size_t i = 0; i < Count; ++i) u[i] = Residues::load(u_words + i * kLanes);
  for (std::size_t i = 0; i < Count; ++i) u3[i] = u[i] * u[i];
  for (std::size_t i = 0; i < Count; ++i) u3[i] = u3[i] * u[i];
  for (std::size_t i = 0; i < Count; ++i) u15[i] = u3[i] * u3[i];
  for (std::size_t i = 0; i < Count; ++i) u15[i] = u15[i] * u15[i];
  for (std::size_t i = 0; i < Count; ++i) u15[i] = u15[i] * u3[i];
  for (std::size_t i = 0; i < Count; ++i) {
    const Residues tag = (u15[i] * Residues::load(v_words + i * kLanes)).canonical();
    tag.one_where_zero().store(u_words + i * kLanes);
    (u15[i] * u[i]).canonical().store(v_words + i * kLanes);
  }
}

template <typename Residues>
[[gnu::flatten]] void form_keys(std::uint64_t* u, std::uint64_t* v, std::size_t count,
                                const LevelKeyLines& lines) {
  constexpr std::size_t kChains = Residues::kChains;
  constexpr std::size_t kTogether = kChains * Residues::kLanes;
  static_assert(kTogether <= LevelKeys::kMaxKeysTogether);
  for (std::size_t i = 0; i < count; i += kTogether) {
    form_keys_at<Residues, kChains>(u + i, v + i);
    // Prefetched in small groups, so that memory responds while the next keys are formed.
    for (std::size_t j = i; j < i + kTogether; ++j) lines.prefetch(v[j]);
  }
}

template <typename Residues>
std::size_t form_level_keys(const ExtensionPlan& plan, const Goldilocks* states,
                            const std::uint64_t* masks, std::size_t count,
                            const LevelKeyLines& lines, LevelKeys& keys) {
  constexpr std::size_t kLanes = Residues::kLanes;
  const std::size_t dimension = plan.dimension();
  std::uint64_t* const u = keys.tags.data();
  std::uint64_t* const v = keys.places.data();
  std::size_t formed = 0;
  for (std::size_t first = 0; first < count; first += kLanes) {
    alignas(64) std::uint64_t transposed[(std::size_t{1} << LevelTables::kMaxQubits) * kLanes];
    const std::size_t here = std::min(kLanes, count - first);
    if (here < kLanes) std::fill_n(transposed, dimension * kLanes, 0);
    for (std::size_t lane = 0; lane < here; ++lane) {
      for (std::size_t i = 0; i < dimension; ++i) {
        transposed[i * kLanes + lane] = states[(first + lane) * dimension + i].value();
      }
    }
    std::uint64_t* const numerators = keys.numerators.data();
    std::uint64_t* const denominators = keys.denominators.data();
    form_values<Residues>(plan, plan.numerator, transposed, keys, numerators);
    form_values<Residues>(plan, plan.denominator, transposed, keys, denominators);
    for (std::size_t lane = 0; lane < here; ++lane) {
      for (std::uint64_t rest = masks[first + lane]; rest != 0; rest &= rest - 1) {
        const std::size_t from = static_cast<std::size_t>(std::countr_zero(rest)) * kLanes + lane;
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

/// There is no branch that depends on a key, as such branches are unpredictable, and each key gets
/// a bit in a mask. If the numbers of the unknown keys were written to a list instead, each
/// position would depend on all lines read before, and loads do not overtake a store whose address
/// is unknown.
///
/// Lines are read as vectors while other threads claim slots in them. Each word is read whole, and
/// nothing depends on its earlier value: whoever claims a slot checks again that it is empty.
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
      // Another thread may have inserted this very key. If it is stored before the first empty slot
      // read here, it is found now.
      std::atomic_thread_fence(std::memory_order_acquire);
      const bool usable = empty != 0 && Residues::equal_tags(line, tags[i]) == 0;
      const auto slot = static_cast<std::uint64_t>(std::countr_zero(empty));
      sifted.slots[i] = usable ? home * KeyLine::kTags + slot : SiftedKeys::kNoSlot;
    }
  }
}

}  // namespace quartz::classes
