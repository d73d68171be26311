#include "fingerprint/cpu_level_enumerator.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <utility>

#include "fingerprint/huge_page_array.hpp"
#include "fingerprint/level_key_set.hpp"
#include "fingerprint/level_keys.hpp"
#include "fingerprint/parallel_for.hpp"
#include "quartz/errors.hpp"

namespace quartz {
namespace {

/// Classes extended between two looks at the table's load, at the memory and at the stop token.
constexpr std::size_t kSmallestChunk = std::size_t{1} << 10U;
constexpr std::size_t kLargestChunk = std::size_t{1} << 18U;
constexpr std::size_t kGrain = std::size_t{1} << 9U;
constexpr std::size_t kMostDimension = std::size_t{1} << LevelTables::kMostQubits;

struct Level {
  HugePageArray<std::uint64_t> links;
  HugePageArray<Goldilocks> states;  ///< once it is extended
};

/// What one thread found; no two threads write into one cache line.
struct alignas(64) Found {
  LevelFigures figures;
  std::vector<std::uint64_t> links;
};

void add(const LevelFigures& part, LevelFigures& total) {
  total.classes += part.classes;
  total.candidates += part.candidates;
  total.comparisons += part.comparisons;
  total.digest += part.digest;
}

/// Looks keys up in blocks, each block after the next one was formed: by then the slots have come
/// from memory.
class Lookups {
 public:
  /// By one worker. Links of new classes are appended to `links`, unless it is null.
  Lookups(LevelKeySet& keys, unsigned worker, std::vector<std::uint64_t>* links)
      : keys_(keys), worker_(worker), links_(links) {}

  void add(const LevelKey& key, std::uint64_t link) {
    keys_.prefetch(key.place);
    Block& block = blocks_[filling_];
    block.entries[block.size++] = {key, link};
  }
  /// After each state, of which no more than kMostLetters keys may be added.
  void end_state() {
    if (blocks_[filling_].size < kBlock) return;
    filling_ = 1 - filling_;
    look_up(blocks_[filling_]);
  }
  [[nodiscard]] LevelFigures finish() {
    look_up(blocks_[1 - filling_]);
    look_up(blocks_[filling_]);
    return figures_;
  }

 private:
  static constexpr std::size_t kBlock = 128;
  struct Entry {
    LevelKey key;
    std::uint64_t link = 0;
  };
  struct Block {
    std::array<Entry, kBlock + LevelTables::kMostLetters> entries;
    std::size_t size = 0;
  };

  void look_up(Block& block) {
    figures_.candidates += block.size;
    for (std::size_t i = 0; i < block.size; ++i) {
      const Entry& entry = block.entries[i];
      if (!keys_.insert(worker_, entry.key, figures_.comparisons)) continue;
      ++figures_.classes;
      figures_.digest += digest_of(entry.key);
      if (links_ != nullptr) links_->push_back(entry.link);
    }
    block.size = 0;
  }

  LevelKeySet& keys_;
  unsigned worker_;
  std::vector<std::uint64_t>* links_;
  LevelFigures figures_;
  std::array<Block, 2> blocks_;
  std::size_t filling_ = 0;
};

/// All parts' links, one part after another.
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

class CpuLevelEnumerator final : public LevelEnumerator {
 public:
  CpuLevelEnumerator(LevelTables tables, const LevelEnumeratorOptions& options)
      : tables_(std::move(tables)),
        memory_(options.memory != 0 ? options.memory : std::numeric_limits<std::uint64_t>::max()),
        stop_(options.stop),
        threads_(thread_count(options.threads)),
        instructions_(instruction_set(options.instructions)),
        form_keys_(instructions_.form_level_keys(tables_.fingerprints.qubits)),
        groups_(make_letter_groups(tables_.fingerprints, instructions_.lanes)),
        keys_(threads_) {
    last_.links = HugePageArray<std::uint64_t>(1);
    last_.links[0] = ClassLink().pack();
    std::uint64_t comparisons = 0;
    keys_.insert(0, identity_key(tables_.fingerprints), comparisons);
  }

  [[nodiscard]] std::string_view name() const override { return "cpu"; }
  [[nodiscard]] std::string_view instructions() const override { return instructions_.name; }

  [[nodiscard]] std::optional<LevelFigures> next(bool extended_later) override {
    std::vector<Found> parts(threads_);
    if (extended_later) {
      last_.states = HugePageArray<Goldilocks>(last_.links.size() * dimension());
    }
    // The table grows once, if the level is to the last one as that was to the one before it; where
    // it is larger than that, or memory is short, it grows on the way.
    static_cast<void>(reserve(expected_classes(), extended_later, parts));
    for (std::size_t begin = 0, end = 0; begin < last_.links.size(); begin = end) {
      if (stop_.stop_requested()) throw Error("stopped while classes were counted");
      end = std::min(begin + chunk(), last_.links.size());
      if (!reserve((end - begin) * letters(), extended_later, parts)) return std::nullopt;
      parallel_for(threads_, end - begin, kGrain,
                   [&](unsigned worker, std::size_t from, std::size_t to) {
                     extend(worker, begin + from, begin + to, extended_later, parts[worker]);
                   });
    }
    const LevelFigures total = total_of(parts);
    before_last_ = std::move(last_);
    last_ = {join(parts, threads_), {}};
    return total;
  }

  [[nodiscard]] LevelFigures form_keys() override {
    std::vector<std::uint64_t> digests(threads_);
    parallel_for(threads_, last_.links.size(), kGrain,
                 [&](unsigned worker, std::size_t from, std::size_t to) {
                   digests[worker] += digest_of_extensions(from, to);
                 });
    LevelFigures figures;
    figures.candidates = last_.links.size() * letters();
    for (const std::uint64_t digest : digests) figures.digest += digest;
    return figures;
  }

 private:
  [[nodiscard]] static LevelFigures total_of(const std::vector<Found>& parts) {
    LevelFigures total;
    for (const Found& part : parts) add(part.figures, total);
    return total;
  }

  [[nodiscard]] std::size_t dimension() const { return tables_.fingerprints.dimension(); }
  [[nodiscard]] std::size_t letters() const { return tables_.fingerprints.letters.size(); }
  /// As many classes as the table has room for, should all their extensions be new: so it grows no
  /// earlier than it must.
  [[nodiscard]] std::size_t chunk() const {
    return std::clamp(keys_.room() / letters(), kSmallestChunk, kLargestChunk);
  }

  [[nodiscard]] std::size_t expected_classes() const {
    if (before_last_.links.size() == 0) return 0;
    const auto last = static_cast<double>(last_.links.size());
    return static_cast<std::size_t>(last * last / static_cast<double>(before_last_.links.size()));
  }

  /// Room for so many more classes, if the memory suffices.
  bool reserve(std::size_t more, bool extended_later, const std::vector<Found>& parts) {
    const std::size_t keys = keys_.size() + more;
    std::size_t words = before_last_.links.size() + before_last_.states.size() +
                        last_.links.size() + last_.states.size();
    if (extended_later) {
      // Of each thread, and then joined.
      words += 2 * more;
      for (const Found& part : parts) words += part.links.capacity() + part.links.size();
    }
    if (keys_.bytes_with_room_for(keys) + words * sizeof(std::uint64_t) > memory_) return false;
    keys_.reserve(keys);
    return true;
  }

  void form_state(const ClassLink& link, std::span<Goldilocks> state) const {
    const FingerprintTables& tables = tables_.fingerprints;
    if (link.letter() == ClassLink::kNoLetter) {
      std::copy(tables.probe.state.begin(), tables.probe.state.end(), state.begin());
      return;
    }
    apply(tables.letters[link.letter()],
          before_last_.states.elements().subspan(link.parent * dimension(), dimension()), state);
  }

  void extend(unsigned worker, std::size_t begin, std::size_t end, bool extended_later,
              Found& found) {
    Lookups lookups(keys_, worker, extended_later ? &found.links : nullptr);
    std::array<Goldilocks, kMostDimension> room;
    const std::span<Goldilocks> state = std::span(room).first(dimension());
    LevelKeys keys;
    for (std::size_t index = begin; index < end; ++index) {
      const ClassLink link = ClassLink::unpack(last_.links[index]);
      form_state(link, state);
      if (extended_later) {
        std::copy(state.begin(), state.end(), last_.states.data() + index * dimension());
      }
      const std::uint64_t followers = tables_.followers.masks[follower_index(
          link.suffix, tables_.followers.window, static_cast<std::uint32_t>(letters()))];
      form_keys_(groups_, state.data(), followers, keys);
      for (std::uint64_t rest = followers; rest != 0; rest &= rest - 1) {
        const auto letter = static_cast<std::uint32_t>(std::countr_zero(rest));
        lookups.add(keys[letter], ClassLink::extended(index, link.suffix, letter).pack());
      }
      lookups.end_state();
    }
    add(lookups.finish(), found.figures);
  }

  [[nodiscard]] std::uint64_t digest_of_extensions(std::size_t begin, std::size_t end) const {
    std::array<Goldilocks, kMostDimension> room;
    const std::span<Goldilocks> state = std::span(room).first(dimension());
    LevelKeys keys;
    std::uint64_t digest = 0;
    for (std::size_t index = begin; index < end; ++index) {
      form_state(ClassLink::unpack(last_.links[index]), state);
      form_keys_(groups_, state.data(), (std::uint64_t{1} << letters()) - 1, keys);
      for (std::size_t letter = 0; letter < letters(); ++letter) digest += digest_of(keys[letter]);
    }
    return digest;
  }

  LevelTables tables_;
  std::uint64_t memory_;
  std::stop_token stop_;
  unsigned threads_;
  const InstructionSet& instructions_;
  FormLevelKeys form_keys_;
  LetterGroups groups_;
  LevelKeySet keys_;
  Level before_last_;
  Level last_;
};

}  // namespace

std::unique_ptr<LevelEnumerator> make_cpu_level_enumerator(LevelTables tables,
                                                           const LevelEnumeratorOptions& options) {
  return std::make_unique<CpuLevelEnumerator>(std::move(tables), options);
}

}  // namespace quartz
