#include "classes/cpu/cpu_level_enumerator.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <utility>

#include "base/huge_page_array.hpp"
#include "classes/backend/identity_key.hpp"
#include "classes/cpu/level_key_set.hpp"
#include "classes/cpu/level_keys.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/base/parallel_for.hpp"

namespace quartz::classes {
namespace {

/// Limits on the classes extended between two checks of the table's load, the memory and the stop
/// token.
constexpr std::size_t kMinChunk = std::size_t{1} << 10U;
constexpr std::size_t kMaxChunk = std::size_t{1} << 18U;
/// Number of classes that each rank extends between two exchanges.
constexpr std::size_t kRound = std::size_t{1} << 16U;
/// Number of classes from which a level is distributed over the ranks.
constexpr std::uint64_t kDealt = std::uint64_t{1} << 12U;
constexpr std::size_t kLevelGrain = std::size_t{1} << 9U;
constexpr std::size_t kLookupGrain = std::size_t{1} << 14U;
constexpr std::size_t kMaxDimension = std::size_t{1} << LevelTables::kMaxQubits;

struct Level {
  HugePageArray<std::uint64_t> links;
  HugePageArray<Goldilocks> states;  ///< present once the level is extended
};

/// Keys that belong to another rank, and the links of their classes in case they are new.
struct ForeignKeys {
  std::vector<LevelKey> keys;
  std::vector<std::uint64_t> links;
};

/// The classes that one thread found. Aligned so that no two threads write to one cache line.
struct alignas(64) Found {
  LevelFigures figures;
  std::vector<std::uint64_t> links;
  std::vector<ForeignKeys> foreign;  ///< one entry for each rank
};

void add(const LevelFigures& part, LevelFigures& total) {
  total.classes += part.classes;
  total.candidates += part.candidates;
  total.comparisons += part.comparisons;
  total.digest += part.digest;
}

/// Returns the links of all parts, concatenated.
HugePageArray<std::uint64_t> join(std::vector<Found>& parts, unsigned threads) {
  std::vector<std::size_t> begins;
  std::size_t size = 0;
  for (const Found& part : parts) {
    begins.push_back(size);
    size += part.links.size();
  }
  HugePageArray<std::uint64_t> links(size);
  parallel_for(threads, parts.size(), 1, [&](unsigned, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      std::copy(parts[i].links.begin(), parts[i].links.end(), links.data() + begins[i]);
      parts[i].links = {};
    }
  });
  return links;
}

/// Several ranks work like several devices (cuda_sharded_enumerator.cu): each has a share of the
/// keys, determined by their places, and a table for it. A class belongs to the rank that found it,
/// which keeps its link and later extends it. Only keys are sent, 16 bytes each, and the numbers of
/// those that were new come back. The ranks work in rounds: each forms the keys of the extensions
/// of some classes, looks up those of its own share at once, and exchanges the others, which are
/// looked up by their owners. The first levels are found by the first rank and then distributed.
class CpuLevelEnumerator final : public LevelEnumerator {
 public:
  CpuLevelEnumerator(LevelTables tables, const LevelEnumeratorOptions& options)
      : tables_(std::move(tables)),
        memory_(options.memory != 0 ? options.memory : std::numeric_limits<std::uint64_t>::max()),
        stop_(options.stop),
        threads_(thread_count(options.threads)),
        instructions_(instruction_set(options.instructions)),
        plan_(make_extension_plan(tables_.fingerprints)),
        ranks_(rank_count(options.ranks) > 1 ? options.ranks : nullptr),
        round_(options.round != 0 ? std::max<std::size_t>(1, options.round / letters()) : kRound),
        keys_(threads_, rank_count(ranks_), own_rank(ranks_)) {
    if (own_rank(ranks_) == 0) {
      last_.links = HugePageArray<std::uint64_t>(1);
      last_.links[0] = ClassLink().pack();
    }
    const LevelKey identity = identity_key(tables_.fingerprints);
    std::uint64_t comparisons = 0;
    if (owner_of(identity) == own_rank(ranks_)) keys_.insert(0, identity, comparisons);
  }

  [[nodiscard]] std::string_view name() const override { return "cpu"; }
  [[nodiscard]] std::string_view instructions() const override { return instructions_.name; }

  [[nodiscard]] std::optional<LevelFigures> next(bool extended_later) override {
    if (ranks_ != nullptr && !dealt_ && last_classes_ >= kDealt) deal_out();
    if (extended_later) {
      last_.states = HugePageArray<Goldilocks>(last_.links.size() * dimension());
    }
    // The last level has most of the keys, and the table rarely has to grow during it; if it does,
    // the level is restarted. With several ranks all would have to restart, so they log the keys.
    keys_.write_down(extended_later || ranks_ != nullptr);
    std::vector<Found> parts = nothing_found();
    // If the ratio of this level to the last one equals that of the last level to the one before,
    // the table grows once, here. If the ratio is larger, or memory is short, it grows during the
    // level.
    static_cast<void>(reserve(expected_classes() + kMinChunk * letters(), extended_later, parts));
    for (std::size_t begin = 0, end = 0; anything_left(begin); begin = end) {
      if (stop_.stop_requested()) throw Stopped("stopped while classes were counted");
      end = std::min(begin + chunk(), last_.links.size());
      const Room room = reserve((end - begin) * letters(), extended_later, parts);
      if (room == Room::begin_again) {
        parts = nothing_found();
        end = 0;
        continue;
      }
      const bool fits = room == Room::enough;
      if (fits) {
        parallel_for(threads_, end - begin, kLevelGrain,
                     [&](unsigned worker, std::size_t from, std::size_t to) {
                       extend(worker, begin + from, begin + to, extended_later, parts[worker]);
                     });
      }
      if (!exchange_round(fits, extended_later, parts)) return std::nullopt;
    }
    const LevelFigures total = total_of(parts);
    before_last_ = std::move(last_);
    last_ = {join(parts, threads_), {}};
    before_last_classes_ = std::exchange(last_classes_, total.classes);
    return total;
  }

  [[nodiscard]] LevelFigures form_keys() override {
    std::vector<std::uint64_t> digests(threads_);
    parallel_for(threads_, last_.links.size(), kLevelGrain,
                 [&](unsigned worker, std::size_t from, std::size_t to) {
                   digests[worker] += digest_of_extensions(from, to);
                 });
    LevelFigures figures;
    figures.candidates = last_.links.size() * letters();
    for (const std::uint64_t digest : digests) figures.digest += digest;
    return of_all_ranks(figures);
  }

 private:
  [[nodiscard]] LevelFigures of_all_ranks(const LevelFigures& here) const {
    if (ranks_ == nullptr) return here;
    std::array<std::uint64_t, 4> sums = {here.classes, here.candidates, here.comparisons,
                                         here.digest};
    sum_over_ranks(*ranks_, sums);
    return {sums[0], sums[1], sums[2], sums[3]};
  }
  [[nodiscard]] LevelFigures total_of(const std::vector<Found>& parts) const {
    LevelFigures total;
    for (const Found& part : parts) add(part.figures, total);
    return of_all_ranks(total);
  }

  [[nodiscard]] std::uint64_t owner_of(const LevelKey& key) const {
    return share_of(key.place, rank_count(ranks_)).owner;
  }
  /// Returns whether any rank has classes to extend; on this rank, those from `begin` on.
  [[nodiscard]] bool anything_left(std::size_t begin) const {
    const bool here = begin < last_.links.size();
    return ranks_ == nullptr ? here : on_any_rank(*ranks_, here);
  }

  /// Distributes the classes in turn, so that all ranks get similar ones, together with all states
  /// that their links refer to.
  void deal_out() {
    dealt_ = true;
    std::vector<std::vector<std::uint64_t>> links(ranks_->size());
    std::vector<std::vector<Goldilocks>> states(ranks_->size());
    for (std::size_t i = 0; i < last_.links.size(); ++i) {
      links[i % links.size()].push_back(last_.links[i]);
    }
    for (std::size_t rank = 1; rank < states.size(); ++rank) {
      const std::span<const Goldilocks> parents = before_last_.states.elements();
      states[rank].assign(parents.begin(), parents.end());
    }
    const std::vector<std::uint64_t> own = exchange_values(*ranks_, links)[0];
    last_.links = HugePageArray<std::uint64_t>(own.size());
    std::copy(own.begin(), own.end(), last_.links.data());
    const std::vector<Goldilocks> parents = exchange_values(*ranks_, states)[0];
    if (ranks_->rank() == 0) return;
    before_last_.states = HugePageArray<Goldilocks>(parents.size());
    std::copy(parents.begin(), parents.end(), before_last_.states.data());
  }

  /// Ends a round: sends keys of other ranks to them and looks up the keys received. `fits` says
  /// whether the memory sufficed on this rank so far; returns whether it sufficed on all ranks.
  [[nodiscard]] bool exchange_round(bool fits, bool extended_later, std::vector<Found>& parts) {
    if (ranks_ == nullptr) return fits;
    if (on_any_rank(*ranks_, !fits)) return false;
    const ForeignKeysByRank outgoing = foreign_keys_of(parts);
    const std::vector<std::vector<LevelKey>> incoming = exchange_values(*ranks_, outgoing.keys);
    std::size_t count = 0;
    for (const std::vector<LevelKey>& keys : incoming) count += keys.size();
    fits = reserve(count, extended_later, parts) == Room::enough;
    if (on_any_rank(*ranks_, !fits)) return false;
    std::vector<std::vector<std::uint64_t>> fresh;
    for (const std::vector<LevelKey>& keys : incoming) fresh.push_back(look_up_all(keys, parts));
    const std::vector<std::vector<std::uint64_t>> answers = exchange_values(*ranks_, fresh);
    if (!extended_later) return true;
    for (std::size_t rank = 0; rank < answers.size(); ++rank) {
      for (const std::uint64_t index : answers[rank]) {
        parts[0].links.push_back(outgoing.links[rank][index]);
      }
    }
    return true;
  }

  struct ForeignKeysByRank {
    std::vector<std::vector<LevelKey>> keys;
    std::vector<std::vector<std::uint64_t>> links;
  };
  /// Moves the foreign keys of all threads into one list for each rank.
  [[nodiscard]] ForeignKeysByRank foreign_keys_of(std::vector<Found>& parts) const {
    ForeignKeysByRank all{std::vector<std::vector<LevelKey>>(ranks_->size()),
                          std::vector<std::vector<std::uint64_t>>(ranks_->size())};
    for (Found& part : parts) {
      for (std::size_t rank = 0; rank < part.foreign.size(); ++rank) {
        ForeignKeys& some = part.foreign[rank];
        all.keys[rank].insert(all.keys[rank].end(), some.keys.begin(), some.keys.end());
        all.links[rank].insert(all.links[rank].end(), some.links.begin(), some.links.end());
        some.keys.clear();
        some.links.clear();
      }
    }
    return all;
  }

  /// Looks up the keys of another rank and returns the numbers of those that were new.
  [[nodiscard]] std::vector<std::uint64_t> look_up_all(std::span<const LevelKey> keys,
                                                       std::vector<Found>& parts) {
    std::vector<std::vector<std::uint64_t>> fresh(threads_);
    parallel_for(threads_, keys.size(), kLookupGrain,
                 [&](unsigned worker, std::size_t from, std::size_t to) {
                   constexpr std::size_t kAhead = LevelKeySet::kLookAhead;
                   const LevelKeyLines lines = keys_.lines();
                   for (std::size_t i = from; i < to; ++i) {
                     if (i + kAhead < to) lines.prefetch(keys[i + kAhead].place);
                     if (look_up_one(worker, keys[i], parts[worker].figures)) {
                       fresh[worker].push_back(i);
                     }
                   }
                 });
    std::vector<std::uint64_t> all;
    for (const std::vector<std::uint64_t>& some : fresh) {
      all.insert(all.end(), some.begin(), some.end());
    }
    return all;
  }

  /// Looks up a key and returns whether it is new.
  [[nodiscard]] bool look_up_one(unsigned worker, const LevelKey& key, LevelFigures& figures) {
    ++figures.candidates;
    if (!keys_.insert(worker, key, figures.comparisons)) return false;
    ++figures.classes;
    figures.digest += digest_of(key);
    return true;
  }

  [[nodiscard]] std::size_t dimension() const { return tables_.fingerprints.dimension(); }
  [[nodiscard]] std::size_t letters() const { return tables_.fingerprints.letters.size(); }
  /// Returns the number of classes to extend next: as many as the table has room for if all their
  /// extensions are new, so that it does not grow earlier than necessary.
  [[nodiscard]] std::size_t chunk() const {
    if (ranks_ != nullptr) return round_;
    return std::clamp(keys_.room() / letters(), kMinChunk, kMaxChunk);
  }

  /// Returns the expected number of classes of the next level on this rank.
  [[nodiscard]] std::size_t expected_classes() const {
    if (before_last_classes_ == 0) return 0;
    const auto last = static_cast<double>(last_classes_);
    return static_cast<std::size_t>(last * last / static_cast<double>(before_last_classes_) /
                                    rank_count(ranks_));
  }

  [[nodiscard]] std::vector<Found> nothing_found() const {
    std::vector<Found> parts(threads_);
    for (Found& part : parts) part.foreign.resize(rank_count(ranks_));
    return parts;
  }

  enum class Room {
    enough,
    too_little,   ///< the memory does not suffice
    begin_again,  ///< enough, but the table grew and has forgotten the keys of this level
  };
  /// Makes room for this many more classes.
  Room reserve(std::size_t more, bool extended_later, const std::vector<Found>& parts) {
    const std::size_t keys = keys_.size() + more;
    std::size_t words = before_last_.links.size() + before_last_.states.size() +
                        last_.links.size() + last_.states.size();
    if (extended_later) {
      // Links are stored for each thread first, and then joined.
      words += 2 * more;
      for (const Found& part : parts) words += part.links.capacity() + part.links.size();
    }
    if (keys_.bytes_with_room_for(keys) + words * sizeof(std::uint64_t) > memory_) {
      return Room::too_little;
    }
    return keys_.reserve(keys) ? Room::enough : Room::begin_again;
  }

  void form_state(const ClassLink& link, std::span<Goldilocks> state) const {
    const fingerprint::FingerprintTables& tables = tables_.fingerprints;
    if (link.letter() == ClassLink::kNoLetter) {
      std::copy(tables.probe.state.begin(), tables.probe.state.end(), state.begin());
      return;
    }
    fingerprint::apply(
        tables.letters[link.letter()],
        before_last_.states.elements().subspan(link.parent * dimension(), dimension()), state);
  }

  /// Some classes of the last level.
  struct StateBlock {
    std::size_t first = 0;
    std::size_t count = 0;
    std::array<ClassLink, kStatesTogether> links;
    std::array<std::uint64_t, kStatesTogether> followers;
    std::array<Goldilocks, kStatesTogether * kMaxDimension> states;  ///< one state after another
  };
  struct KeyedBlock {
    explicit KeyedBlock(const ExtensionPlan& plan) : keys(plan) {}
    StateBlock block;
    LevelKeys keys;
    std::size_t count = 0;  ///< number of keys
    SiftedKeys sifted;
  };

  /// Extends classes. The keys of a block are looked up after those of the next block are formed:
  /// by then their cache lines have arrived, as the fetches overlap with the arithmetic.
  void extend(unsigned worker, std::size_t begin, std::size_t end, bool extended_later,
              Found& found) {
    std::array<KeyedBlock, 2> blocks{KeyedBlock(plan_), KeyedBlock(plan_)};
    std::size_t forming = 0;
    for (std::size_t first = begin; first < end; first += kStatesTogether) {
      KeyedBlock& keyed = blocks[forming];
      keyed.block = form_states(first, std::min(end, first + kStatesTogether));
      const StateBlock& block = keyed.block;
      if (extended_later) {
        std::copy_n(block.states.begin(), block.count * dimension(),
                    last_.states.data() + first * dimension());
      }
      keyed.count =
          instructions_.form_level_keys(plan_, block.states.data(), block.followers.data(),
                                        block.count, keys_.lines(), keyed.keys);
      forming = 1 - forming;
      look_up(worker, blocks[forming], extended_later, found);
    }
    look_up(worker, blocks[1 - forming], extended_later, found);
  }

  /// Looks up the keys of a block in three passes, so that no key waits for another: first nearly
  /// all known keys are sifted out without a branch, then the others claim their slots, then the
  /// new ones are recorded.
  void look_up(unsigned worker, KeyedBlock& keyed, bool extended_later, Found& found) {
    const LevelKeys& keys = keyed.keys;
    LevelFigures& figures = found.figures;
    figures.candidates += keyed.count;
    figures.comparisons += keyed.count * KeyLine::kTags;
    instructions_.sift_level_keys(keys_.lines(), keys, keyed.count, keyed.sifted);
    if (ranks_ != nullptr) set_foreign_aside(keyed, found);
    keep_those(keyed, [&](std::size_t i) {
      return keys_.claim(keys[i], keyed.sifted.slots[i], figures.comparisons);
    });
    keep_those(keyed, [&](std::size_t i) {
      keys_.record(worker, keys[i]);
      ++figures.classes;
      figures.digest += digest_of(keys[i]);
      if (extended_later) found.links.push_back(link_of(keyed, i));
      return true;
    });
    keyed.count = 0;
  }

  /// Keeps only those keys marked as unknown for whose number `wanted` returns true.
  template <typename Wanted>
  static void keep_those(KeyedBlock& keyed, const Wanted& wanted) {
    for (std::size_t first = 0; first < keyed.count; first += 64) {
      std::uint64_t& bits = keyed.sifted.unknown[first / 64];
      for (std::uint64_t rest = bits; rest != 0; rest &= rest - 1) {
        const auto bit = static_cast<std::size_t>(std::countr_zero(rest));
        if (!wanted(first + bit)) bits &= ~(std::uint64_t{1} << bit);
      }
    }
  }

  void set_foreign_aside(KeyedBlock& keyed, Found& found) const {
    for (std::size_t i = 0; i < keyed.count; ++i) {
      const LevelKey key = keyed.keys[i];
      const std::uint64_t owner = owner_of(key);
      if (owner == own_rank(ranks_)) continue;
      found.foreign[owner].keys.push_back(key);
      found.foreign[owner].links.push_back(link_of(keyed, i));
      keyed.sifted.unknown[i / 64] &= ~(std::uint64_t{1} << i % 64);
      --found.figures.candidates;
    }
  }

  [[nodiscard]] static std::uint64_t link_of(const KeyedBlock& keyed, std::size_t number) {
    const auto [state, letter] = keyed.keys.sources[number];
    const StateBlock& block = keyed.block;
    return ClassLink::extended(block.first + state, block.links[state].suffix, letter).pack();
  }

  [[nodiscard]] StateBlock form_states(std::size_t begin, std::size_t end) const {
    StateBlock block;
    block.first = begin;
    for (std::size_t index = begin; index < end; ++index, ++block.count) {
      const ClassLink link = ClassLink::unpack(last_.links[index]);
      block.links[block.count] = link;
      block.followers[block.count] = tables_.followers.masks[follower_index(
          link.suffix, tables_.followers.window, static_cast<std::uint32_t>(letters()))];
      form_state(link, std::span(block.states).subspan(block.count * dimension(), dimension()));
    }
    return block;
  }

  [[nodiscard]] std::uint64_t digest_of_extensions(std::size_t begin, std::size_t end) const {
    LevelKeys keys(plan_);
    std::array<std::uint64_t, kStatesTogether> all_letters;
    all_letters.fill((std::uint64_t{1} << letters()) - 1);
    std::uint64_t digest = 0;
    for (std::size_t first = begin; first < end; first += kStatesTogether) {
      const StateBlock block = form_states(first, std::min(end, first + kStatesTogether));
      const std::size_t formed = instructions_.form_level_keys(
          plan_, block.states.data(), all_letters.data(), block.count, {}, keys);
      for (std::size_t i = 0; i < formed; ++i) digest += digest_of(keys[i]);
    }
    return digest;
  }

  LevelTables tables_;
  std::uint64_t memory_;
  std::stop_token stop_;
  unsigned threads_;
  const InstructionSet& instructions_;
  ExtensionPlan plan_;
  Communicator* ranks_;  ///< null if there is only this process
  std::size_t round_;    ///< classes that each rank extends between two exchanges
  LevelKeySet keys_;
  Level before_last_;
  Level last_;
  std::uint64_t last_classes_ = 1;         ///< sum over all ranks
  std::uint64_t before_last_classes_ = 0;  ///< sum over all ranks
  bool dealt_ = false;
};

}  // namespace

std::unique_ptr<LevelEnumerator> make_cpu_level_enumerator(LevelTables tables,
                                                           const LevelEnumeratorOptions& options) {
  return std::make_unique<CpuLevelEnumerator>(std::move(tables), options);
}

}  // namespace quartz::classes
