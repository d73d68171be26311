#include "fingerprint/cpu_level_enumerator.hpp"

#include <array>
#include <atomic>
#include <bit>
#include <limits>
#include <utility>

#include "fingerprint/level_key.hpp"
#include "fingerprint/parallel_for.hpp"
#include "quartz/errors.hpp"

namespace quartz {
namespace {

/// Classes extended between two looks at the memory and at the stop token.
constexpr std::size_t kChunk = std::size_t{1} << 17U;
constexpr std::size_t kGrain = std::size_t{1} << 9U;
constexpr double kLargestLoad = 0.6;
constexpr std::size_t kMostDimension = std::size_t{1} << LevelTables::kMostQubits;

/// The keys of all classes found so far; several threads insert at once, and say afterwards how
/// many keys were new.
class KeySet {
 public:
  KeySet() : slots_(std::size_t{1} << 12U) {}

  [[nodiscard]] std::size_t bytes() const { return slots_.size() * sizeof(Slot); }
  /// Slots that hold so many more keys.
  [[nodiscard]] std::size_t slots_for(std::size_t more) const {
    const auto keys = static_cast<double>(size_ + more);
    std::size_t slots = slots_.size();
    while (keys > kLargestLoad * static_cast<double>(slots)) slots *= 2;
    return slots;
  }
  [[nodiscard]] static std::size_t bytes_of(std::size_t slots) { return slots * sizeof(Slot); }
  /// Not while others insert.
  void reserve(std::size_t more) {
    const std::size_t slots = slots_for(more);
    if (slots == slots_.size()) return;
    std::vector<Slot> before(slots);
    before.swap(slots_);
    std::uint64_t comparisons = 0;
    for (const Slot& slot : before) {
      const LevelKey key{slot.tag.load(std::memory_order_relaxed),
                         slot.place.load(std::memory_order_relaxed)};
      if (key.tag != 0) ensure(insert(key, comparisons), "the keys of a set are all different");
    }
  }
  void add_to_size(std::size_t inserted) { size_ += inserted; }
  void prefetch(const LevelKey& key) const {
    __builtin_prefetch(&slots_[home_slot(key.place, slots_.size())], 1);
  }
  /// Whether the key is new.
  bool insert(const LevelKey& key, std::uint64_t& comparisons) {
    std::size_t slot = home_slot(key.place, slots_.size());
    for (;; slot = slot + 1 == slots_.size() ? 0 : slot + 1) {
      std::uint64_t there = slots_[slot].tag.load(std::memory_order_relaxed);
      if (there == 0 &&
          slots_[slot].tag.compare_exchange_strong(there, key.tag, std::memory_order_relaxed)) {
        slots_[slot].place.store(key.place, std::memory_order_relaxed);
        return true;
      }
      ++comparisons;
      if (there == key.tag) return false;
    }
  }

 private:
  struct Slot {
    std::atomic<std::uint64_t> tag{0};
    std::atomic<std::uint64_t> place{0};  ///< read only when the table grows
  };
  std::vector<Slot> slots_;
  std::size_t size_ = 0;
};

struct Level {
  std::vector<std::uint64_t> links;
  std::vector<Goldilocks> states;  ///< once it is extended
};

template <std::size_t Dimension>
LevelKey extension_level_key(const Goldilocks* state, const Goldilocks* functionals) {
  return level_key(extension_quotient<Dimension>(state, functionals, Dimension));
}

using ExtensionLevelKey = LevelKey (*)(const Goldilocks*, const Goldilocks*);

ExtensionLevelKey extension_level_key_for(unsigned qubits) {
  constexpr std::array<ExtensionLevelKey, LevelTables::kMostQubits + 1> keys = {
      &extension_level_key<1>, &extension_level_key<2>, &extension_level_key<4>,
      &extension_level_key<8>, &extension_level_key<16>};
  return keys[qubits];
}

class CpuLevelEnumerator final : public LevelEnumerator {
 public:
  CpuLevelEnumerator(LevelTables tables, const LevelEnumeratorOptions& options)
      : tables_(std::move(tables)),
        memory_(options.memory != 0 ? options.memory : std::numeric_limits<std::uint64_t>::max()),
        stop_(options.stop),
        threads_(thread_count(options.threads)),
        key_(extension_level_key_for(tables_.fingerprints.qubits)) {
    last_.links = {ClassLink().pack()};
    std::vector<Goldilocks> functionals = tables_.fingerprints.probe.numerator;
    functionals.insert(functionals.end(), tables_.fingerprints.probe.denominator.begin(),
                       tables_.fingerprints.probe.denominator.end());
    std::uint64_t comparisons = 0;
    keys_.insert(key_(tables_.fingerprints.probe.state.data(), functionals.data()), comparisons);
    keys_.add_to_size(1);
  }

  [[nodiscard]] std::string_view name() const override { return "cpu"; }

  [[nodiscard]] std::optional<LevelFigures> next(bool extended_later) override {
    LevelFigures total;
    Level found;
    if (extended_later) last_.states.resize(last_.links.size() * dimension());
    for (std::size_t begin = 0; begin < last_.links.size(); begin += kChunk) {
      if (stop_.stop_requested()) throw Error("stopped while classes were counted");
      const std::size_t end = std::min(begin + kChunk, last_.links.size());
      if (!reserve((end - begin) * letters(), found)) return std::nullopt;
      std::vector<Found> parts(threads_);
      parallel_for(threads_, end - begin, kGrain,
                   [&](unsigned worker, std::size_t from, std::size_t to) {
                     // The counts are kept here: other threads' are beside those in `parts`.
                     LevelFigures figures;
                     for (std::size_t i = begin + from; i < begin + to; ++i) {
                       extend(i, extended_later, figures, parts[worker].links);
                     }
                     add(figures, parts[worker].figures);
                   });
      for (const Found& part : parts) {
        add(part.figures, total);
        keys_.add_to_size(part.figures.classes);
        found.links.insert(found.links.end(), part.links.begin(), part.links.end());
      }
    }
    before_last_ = std::move(last_);
    last_ = std::move(found);
    return total;
  }

  [[nodiscard]] LevelFigures form_keys() override {
    std::vector<std::uint64_t> digests(threads_);
    parallel_for(threads_, last_.links.size(), kGrain,
                 [&](unsigned worker, std::size_t from, std::size_t to) {
                   std::array<Goldilocks, kMostDimension> state;
                   std::uint64_t digest = 0;
                   for (std::size_t i = from; i < to; ++i) {
                     form_state(ClassLink::unpack(last_.links[i]), state);
                     for (std::size_t letter = 0; letter < letters(); ++letter) {
                       digest += digest_of(key_of(state, letter));
                     }
                   }
                   digests[worker] += digest;
                 });
    LevelFigures figures;
    figures.candidates = last_.links.size() * letters();
    for (const std::uint64_t digest : digests) figures.digest += digest;
    return figures;
  }

 private:
  /// What one thread found.
  struct Found {
    LevelFigures figures;
    std::vector<std::uint64_t> links;
  };

  static void add(const LevelFigures& part, LevelFigures& total) {
    total.classes += part.classes;
    total.candidates += part.candidates;
    total.comparisons += part.comparisons;
    total.digest += part.digest;
  }

  [[nodiscard]] std::size_t dimension() const { return tables_.fingerprints.dimension(); }
  [[nodiscard]] std::size_t letters() const { return tables_.fingerprints.letters.size(); }

  bool reserve(std::size_t more, const Level& found) {
    const std::size_t slots = keys_.slots_for(more);
    // Growing needs the old table as well as the new one.
    const std::size_t table = KeySet::bytes_of(slots);
    const std::size_t tables = table == keys_.bytes() ? table : table + keys_.bytes();
    const std::size_t words = before_last_.links.capacity() + before_last_.states.capacity() +
                              last_.links.capacity() + last_.states.capacity() +
                              found.links.capacity() + more;
    if (tables + words * sizeof(std::uint64_t) > memory_) return false;
    keys_.reserve(more);
    return true;
  }

  void form_state(const ClassLink& link, std::span<Goldilocks> state) const {
    const FingerprintTables& tables = tables_.fingerprints;
    const std::span<Goldilocks> result = state.first(dimension());
    if (link.letter() == ClassLink::kNoLetter) {
      std::copy(tables.probe.state.begin(), tables.probe.state.end(), result.begin());
      return;
    }
    apply(tables.letters[link.letter()],
          std::span(before_last_.states).subspan(link.parent * dimension(), dimension()), result);
  }

  [[nodiscard]] LevelKey key_of(std::span<const Goldilocks> state, std::size_t letter) const {
    return key_(state.data(), tables_.fingerprints.functionals.data() + letter * 2 * dimension());
  }

  void extend(std::size_t index, bool extended_later, LevelFigures& figures,
              std::vector<std::uint64_t>& links) {
    const ClassLink link = ClassLink::unpack(last_.links[index]);
    std::array<Goldilocks, kMostDimension> state;
    form_state(link, state);
    if (extended_later) {
      std::copy_n(state.begin(), dimension(), last_.states.begin() + index * dimension());
    }
    const std::uint64_t followers = tables_.followers.masks[follower_index(
        link.suffix, tables_.followers.window, static_cast<std::uint32_t>(letters()))];
    // All keys first: by the time the first is looked up its slot has come from memory.
    std::array<LevelKey, LevelTables::kMostLetters> keys;
    for (std::uint64_t rest = followers; rest != 0; rest &= rest - 1) {
      const auto letter = static_cast<std::size_t>(std::countr_zero(rest));
      keys[letter] = key_of(state, letter);
      keys_.prefetch(keys[letter]);
    }
    for (std::uint64_t rest = followers; rest != 0; rest &= rest - 1) {
      const auto letter = static_cast<std::uint32_t>(std::countr_zero(rest));
      ++figures.candidates;
      if (!keys_.insert(keys[letter], figures.comparisons)) continue;
      ++figures.classes;
      figures.digest += digest_of(keys[letter]);
      if (extended_later) {
        links.push_back(ClassLink::extended(index, link.suffix, letter).pack());
      }
    }
  }

  LevelTables tables_;
  std::uint64_t memory_;
  std::stop_token stop_;
  unsigned threads_;
  ExtensionLevelKey key_;
  KeySet keys_;
  Level before_last_;
  Level last_;
};

}  // namespace

std::unique_ptr<LevelEnumerator> make_cpu_level_enumerator(LevelTables tables,
                                                           const LevelEnumeratorOptions& options) {
  return std::make_unique<CpuLevelEnumerator>(std::move(tables), options);
}

}  // namespace quartz
