#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <numeric>
#include <utility>
#include <vector>

#include "enumerate/class_table.hpp"
#include "fingerprint/parallel_for.hpp"
#include "quartz/errors.hpp"

namespace quartz {
namespace {

/// States expanded between two looks at the memory and at the stop token.
constexpr std::size_t kChunk = 1U << 14U;
constexpr std::size_t kGrain = 1U << 9U;
/// The table under construction is at most so full.
constexpr double kLargestLoad = 0.6;
/// The finished one.
constexpr double kFinishedLoad = 0.9;

/// A class to be extended: 80 bytes.
struct Representative {
  std::array<Goldilocks, 1U << kTableQubits> amplitudes;
  std::uint64_t key = 0;
  int root = 0;
};

/// Full keys and what is known of their classes, filled by several threads at once.
class GrowingTable {
 public:
  enum class Outcome { cheaper, equal, dearer };

  GrowingTable() { resize(1U << 16U); }

  [[nodiscard]] std::size_t size() const { return size_.load(std::memory_order_relaxed); }
  [[nodiscard]] std::size_t bytes() const { return keys_.size() * 16; }
  /// Room for so many more keys. Not while others insert.
  void reserve(std::size_t more) {
    if (const std::size_t slots = slots_for(more); slots != keys_.size()) resize(slots);
  }
  [[nodiscard]] std::size_t slots_for(std::size_t more) const {
    std::size_t slots = keys_.size();
    while (static_cast<double>(size() + more) > kLargestLoad * static_cast<double>(slots)) {
      slots *= 2;
    }
    return slots;
  }
  void prefetch(std::uint64_t key) const {
    __builtin_prefetch(&keys_[home(key)]);
    __builtin_prefetch(&classes_[home(key)], 1);
  }
  /// A circuit of the class with this cost was found, which ends with this letter.
  Outcome insert(std::uint64_t key, unsigned cost, LetterMask letter) {
    std::size_t slot = home(key);
    for (;; slot = (slot + 1) & (keys_.size() - 1)) {
      std::uint64_t there = keys_[slot].load(std::memory_order_relaxed);
      if (there == key) break;
      if (there != 0) continue;
      if (keys_[slot].compare_exchange_strong(there, key, std::memory_order_relaxed)) {
        size_.fetch_add(1, std::memory_order_relaxed);
        break;
      }
      if (there == key) break;
    }
    const std::uint64_t found = std::uint64_t{cost + 1} << kCostShift | letter;
    std::uint64_t known = classes_[slot].load(std::memory_order_relaxed);
    for (;;) {
      const std::uint64_t known_cost = known >> kCostShift;
      if (known_cost != 0 && known_cost < cost + 1) return Outcome::dearer;
      if (known_cost == cost + 1) {
        classes_[slot].fetch_or(letter, std::memory_order_relaxed);
        return Outcome::equal;
      }
      if (classes_[slot].compare_exchange_weak(known, found, std::memory_order_relaxed)) {
        return Outcome::cheaper;
      }
    }
  }
  [[nodiscard]] unsigned cost(std::uint64_t key) const {
    std::size_t slot = home(key);
    while (keys_[slot].load(std::memory_order_relaxed) != key)
      slot = (slot + 1) & (keys_.size() - 1);
    return static_cast<unsigned>(classes_[slot].load(std::memory_order_relaxed) >> kCostShift) - 1;
  }
  /// In ascending order of the keys, so that what is made of them does not depend on the threads.
  /// Slots are in that order but within runs of full ones; the last run goes on at the beginning.
  template <typename Visit>
  void for_each(const Visit& visit) const {
    using Entry = std::pair<std::uint64_t, std::uint64_t>;
    std::vector<Entry> run;
    const auto entry = [&](std::size_t slot) {
      return Entry{keys_[slot].load(std::memory_order_relaxed),
                   classes_[slot].load(std::memory_order_relaxed)};
    };
    const auto end_run = [&] {
      std::sort(run.begin(), run.end());
      for (const auto& [key, known] : run) {
        visit(key, static_cast<unsigned>(known >> kCostShift) - 1,
              known & ((LetterMask{1} << kCostShift) - 1));
      }
      run.clear();
    };
    std::vector<Entry> wrapped;
    for (std::size_t slot = 0; slot < keys_.size(); ++slot) {
      const Entry here = entry(slot);
      if (here.first == 0) {
        end_run();
      } else if (home(here.first) > slot) {
        wrapped.push_back(here);
      } else {
        run.push_back(here);
      }
    }
    run.insert(run.end(), wrapped.begin(), wrapped.end());
    end_run();
  }

 private:
  static constexpr unsigned kCostShift = ClassTable::kMostLetters;

  [[nodiscard]] std::size_t home(std::uint64_t key) const {
    return key >> (65U - static_cast<unsigned>(std::bit_width(keys_.size())));
  }
  void resize(std::size_t slots) {
    std::vector<std::atomic<std::uint64_t>> keys(slots);
    std::vector<std::atomic<std::uint64_t>> classes(slots);
    keys.swap(keys_);
    classes.swap(classes_);
    for (std::size_t i = 0; i < keys.size(); ++i) {
      const std::uint64_t key = keys[i].load(std::memory_order_relaxed);
      if (key == 0) continue;
      std::size_t slot = home(key);
      while (keys_[slot].load(std::memory_order_relaxed) != 0) slot = (slot + 1) & (slots - 1);
      keys_[slot].store(key, std::memory_order_relaxed);
      classes_[slot].store(classes[i].load(std::memory_order_relaxed), std::memory_order_relaxed);
    }
  }

  std::vector<std::atomic<std::uint64_t>> keys_;
  std::vector<std::atomic<std::uint64_t>> classes_;
  std::atomic<std::size_t> size_ = 0;
};

/// Dijkstra's algorithm over classes: those of each cost are expanded once all cheaper ones are.
class Builder {
 public:
  Builder(const GateSet& set, const ClassTableOptions& options)
      : options_(options),
        threads_(thread_count(options.threads)),
        alphabet_(table_alphabet(set, options)),
        probe_(kTableSeed) {
    if (options.cost > (1U << ClassTable::kCostBits) - 2) {
      throw UsageError("a class table has a cost of at most 30, not " +
                       std::to_string(options.cost));
    }
    if (options.two_qubit_weight < 1) throw UsageError("the weight of a gate is at least 1");
  }

  [[nodiscard]] ClassTable::Contents run(const GateSet& set);

 private:
  void expand_all(unsigned cost);
  void expand(const Representative& from, unsigned cost,
              std::vector<std::vector<Representative>>& found);
  [[nodiscard]] bool fits(std::size_t more) const;
  void report(unsigned level) const;
  [[nodiscard]] std::shared_ptr<std::vector<std::uint64_t>> finished_words(
      std::size_t classes) const;

  const ClassTableOptions& options_;
  const unsigned threads_;
  const TableAlphabet alphabet_;
  const TableProbe probe_;
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  GrowingTable table_;
  std::vector<std::vector<Representative>> frontier_;  ///< by cost
  std::size_t frontier_bytes_ = 0;
  unsigned last_ = 0;      ///< no class of a greater cost is kept
  unsigned complete_ = 0;  ///< the classes up to this cost are all known
  bool full_ = false;
};

void Builder::report(unsigned level) const {
  if (!options_.on_progress) return;
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start_;
  options_.on_progress({level, table_.size(), seconds.count()});
}

bool Builder::fits(std::size_t more) const {
  // Growing needs the old arrays as well as the new ones.
  const std::size_t slots = table_.slots_for(more);
  const std::size_t table_bytes =
      slots * 16 == table_.bytes() ? table_.bytes() : slots * 16 + table_.bytes();
  return table_bytes + frontier_bytes_ <= options_.memory;
}

void Builder::expand(const Representative& from, unsigned cost,
                     std::vector<std::vector<Representative>>& found) {
  if (table_.cost(from.key) != cost) return;  // found again with a lower cost
  std::array<std::uint64_t, ClassTable::kMostLetters> keys;
  std::array<Representative, ClassTable::kMostLetters> extended;
  for (std::size_t i = 0; i < alphabet_.letters.size(); ++i) {
    FieldState state{from.amplitudes};
    alphabet_.operators[i].apply(state);
    const int root = from.root + alphabet_.operators[i].scalar().root;
    keys[i] = std::max<std::uint64_t>(probe_.key(state, root), 1);
    extended[i] = {state.amplitudes, keys[i], root};
    table_.prefetch(keys[i]);
  }
  for (std::size_t i = 0; i < alphabet_.letters.size(); ++i) {
    const unsigned reached = cost + alphabet_.weights[i];
    if (reached > last_) continue;
    if (table_.insert(keys[i], reached, LetterMask{1} << i) != GrowingTable::Outcome::cheaper) {
      continue;
    }
    if (reached < last_) found[reached].push_back(extended[i]);
  }
}

void Builder::expand_all(unsigned cost) {
  const std::vector<Representative> frontier = std::move(frontier_[cost]);
  for (std::size_t begin = 0; begin < frontier.size(); begin += kChunk) {
    if (options_.stop.stop_requested()) throw Error("stopped while the class table was built");
    const std::size_t count = std::min(kChunk, frontier.size() - begin);
    const std::size_t candidates = count * alphabet_.letters.size();
    if (!fits(candidates)) {
      full_ = true;
      return;
    }
    table_.reserve(candidates);
    std::vector<std::vector<std::vector<Representative>>> found(
        threads_, std::vector<std::vector<Representative>>(options_.cost + 1));
    parallel_for(threads_, count, kGrain, [&](unsigned worker, std::size_t from, std::size_t to) {
      for (std::size_t i = from; i < to; ++i) expand(frontier[begin + i], cost, found[worker]);
    });
    for (std::vector<std::vector<Representative>>& part : found) {
      for (std::size_t level = 0; level < part.size(); ++level) {
        frontier_[level].insert(frontier_[level].end(), part[level].begin(), part[level].end());
        frontier_bytes_ += part[level].size() * sizeof(Representative);
      }
    }
    report(cost + 1);
  }
  frontier_bytes_ -= frontier.size() * sizeof(Representative);
}

std::shared_ptr<std::vector<std::uint64_t>> Builder::finished_words(std::size_t classes) const {
  const auto lines = static_cast<std::size_t>(static_cast<double>(classes) / kFinishedLoad /
                                              static_cast<double>(ClassTable::kLine)) +
                     2;
  auto words = std::make_shared<std::vector<std::uint64_t>>(lines * ClassTable::kLine);
  const unsigned slot_bits = static_cast<unsigned>(std::bit_width(lines)) - 1;
  const auto letters = static_cast<unsigned>(alphabet_.letters.size());
  table_.for_each([&](std::uint64_t key, unsigned cost, LetterMask last_letters) {
    if (cost > complete_) return;
    std::size_t slot = ClassTable::home(key, words->size());
    while ((*words)[slot] != 0) slot = (slot + 1) % words->size();
    (*words)[slot] = ClassTable::word(key, slot_bits, letters, cost, last_letters);
  });
  return words;
}

ClassTable::Contents Builder::run(const GateSet& set) {
  frontier_.resize(options_.cost + 1);
  const std::uint64_t identity = std::max<std::uint64_t>(probe_.key(probe_.start(), 0), 1);
  table_.insert(identity, 0, 0);
  frontier_[0].push_back({probe_.start().amplitudes, identity, 0});
  frontier_bytes_ = sizeof(Representative);
  std::vector<std::uint64_t> levels{1};
  while (!full_) {
    last_ = end_of_class_table(levels, options_);
    if (complete_ >= last_) break;
    expand_all(complete_);
    if (full_) break;
    ++complete_;
    levels.push_back(frontier_[complete_].size());
  }
  ClassTable::Contents contents;
  contents.qubits = options_.qubits;
  contents.cost = complete_;
  contents.two_qubit_weight = options_.two_qubit_weight;
  contents.symbolic = options_.symbolic;
  ClassTableOptions built = options_;
  built.cost = complete_;
  contents.digest = class_table_digest(set, built);
  contents.gate_set = set.name;
  contents.classes.resize(complete_ + 1);
  table_.for_each([&](std::uint64_t, unsigned cost, LetterMask) {
    if (cost <= complete_) ++contents.classes[cost];
  });
  const auto words = finished_words(
      std::accumulate(contents.classes.begin(), contents.classes.end(), std::uint64_t{0}));
  contents.words = *words;
  contents.owner = words;
  contents.alphabet = alphabet_;
  return contents;
}

}  // namespace

std::shared_ptr<const ClassTable> build_class_table(const GateSet& set,
                                                    const ClassTableOptions& options) {
  return std::make_shared<const ClassTable>(Builder(set, options).run(set), kTableSeed);
}

}  // namespace quartz
