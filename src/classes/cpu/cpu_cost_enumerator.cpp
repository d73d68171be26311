#include "classes/cpu/cpu_cost_enumerator.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <utility>

#include "quartz/base/errors.hpp"
#include "quartz/base/parallel_for.hpp"

namespace quartz::classes {
namespace {

/// Number of states expanded between two checks of the memory and of the stop token.
constexpr std::size_t kChunk = 1U << 14U;
constexpr std::size_t kStateGrain = 1U << 9U;
/// Classes of lower cost than this are extended even after the deadline.
constexpr unsigned kAlwaysExtended = 3;
/// Largest load of the table under construction.
constexpr double kMaxLoad = 0.6;
static_assert(CostedClasses::kCostShift == kMaxTableLetters);

/// A class to be extended, 80 bytes.
struct Representative {
  std::array<Goldilocks, 1U << kTableQubits> amplitudes;
  std::uint64_t key = 0;
  int root = 0;
};

/// Full keys with the costs and last letters of their classes, filled by several threads at once.
class GrowingTable {
 public:
  enum class Outcome { cheaper, equal, dearer };

  GrowingTable() { resize(1U << 16U); }

  [[nodiscard]] std::size_t size() const { return size_.load(std::memory_order_relaxed); }
  [[nodiscard]] std::size_t bytes() const { return keys_.size() * 16; }
  /// Makes room for `more` keys. Must not be called while others insert.
  void reserve(std::size_t more) {
    if (const std::size_t slots = slots_for(more); slots != keys_.size()) resize(slots);
  }
  [[nodiscard]] std::size_t slots_for(std::size_t more) const {
    std::size_t slots = keys_.size();
    while (static_cast<double>(size() + more) > kMaxLoad * static_cast<double>(slots)) {
      slots *= 2;
    }
    return slots;
  }
  void prefetch(std::uint64_t key) const {
    __builtin_prefetch(&keys_[home(key)]);
    __builtin_prefetch(&classes_[home(key)], 1);
  }
  /// Records that a circuit of the class was found, with this cost and last letter.
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
    const std::uint64_t found = CostedClasses::known(cost, letter);
    std::uint64_t known = classes_[slot].load(std::memory_order_relaxed);
    for (;;) {
      const std::uint64_t known_cost = known >> kCostShift;
      if (known_cost != 0 && known_cost < cost + 1) return Outcome::dearer;
      // If another thread finds a cheaper circuit meanwhile, the exchange fails and this repeats.
      const bool equal = known_cost == cost + 1;
      if (equal && (known & letter) != 0) return Outcome::equal;
      if (classes_[slot].compare_exchange_weak(known, equal ? known | letter : found,
                                               std::memory_order_relaxed)) {
        return equal ? Outcome::equal : Outcome::cheaper;
      }
    }
  }
  [[nodiscard]] unsigned cost(std::uint64_t key) const {
    std::size_t slot = home(key);
    while (keys_[slot].load(std::memory_order_relaxed) != key)
      slot = (slot + 1) & (keys_.size() - 1);
    return CostedClasses::cost_of(classes_[slot].load(std::memory_order_relaxed));
  }
  /// Visits classes in ascending order of their keys, so that the result does not depend on the
  /// threads. Slots are in that order except within runs of full slots; the last run may continue
  /// at the beginning of the table.
  void for_each(const CostEnumerator::Visit& visit) const {
    using Entry = std::pair<std::uint64_t, std::uint64_t>;
    std::vector<Entry> run;
    std::vector<std::uint64_t> keys;
    std::vector<std::uint64_t> knowns;
    const auto visit_some = [&] {
      visit({keys, knowns});
      keys.clear();
      knowns.clear();
    };
    const auto end_run = [&] {
      std::sort(run.begin(), run.end());
      for (const auto& [key, known] : run) {
        keys.push_back(key);
        knowns.push_back(known);
      }
      run.clear();
      if (keys.size() >= kVisited) visit_some();
    };
    std::vector<Entry> wrapped;
    for (std::size_t slot = 0; slot < keys_.size(); ++slot) {
      const Entry here{keys_[slot].load(std::memory_order_relaxed),
                       classes_[slot].load(std::memory_order_relaxed)};
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
    visit_some();
  }
  [[nodiscard]] std::vector<std::uint64_t> count(unsigned last) const {
    std::vector<std::uint64_t> counts(last + 1);
    for (const std::atomic<std::uint64_t>& known : classes_) {
      const std::uint64_t word = known.load(std::memory_order_relaxed);
      if (word != 0 && CostedClasses::cost_of(word) <= last) ++counts[CostedClasses::cost_of(word)];
    }
    return counts;
  }

 private:
  static constexpr unsigned kCostShift = CostedClasses::kCostShift;
  static constexpr std::size_t kVisited = 4096;

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

class CpuCostEnumerator final : public CostEnumerator {
 public:
  CpuCostEnumerator(const TableAlphabet& alphabet, const TableProbe& probe, unsigned threads,
                    CostEnumeratorOptions options)
      : alphabet_(alphabet),
        probe_(probe),
        threads_(threads),
        options_(std::move(options)),
        frontier_(1) {
    const std::uint64_t identity = std::max<std::uint64_t>(probe_.key(probe_.start(), 0), 1);
    table_.insert(identity, 0, 0);
    frontier_[0].push_back({probe_.start().amplitudes, identity, 0});
    frontier_bytes_ = sizeof(Representative);
  }

  [[nodiscard]] std::uint64_t waiting(unsigned cost) const override {
    return cost < frontier_.size() ? frontier_[cost].size() : 0;
  }
  [[nodiscard]] std::uint64_t size() const override { return table_.size(); }
  [[nodiscard]] std::vector<std::uint64_t> count(unsigned last) const override {
    return table_.count(last);
  }
  void for_each(const Visit& visit) override { table_.for_each(visit); }

  [[nodiscard]] bool extend(unsigned cost, unsigned last) override {
    frontier_.resize(std::max<std::size_t>(frontier_.size(), last + 1));
    const std::vector<Representative> frontier = std::move(frontier_[cost]);
    for (std::size_t begin = 0; begin < frontier.size(); begin += kChunk) {
      if (options_.stop.stop_requested()) throw Stopped("stopped while the class table was built");
      const std::size_t count = std::min(kChunk, frontier.size() - begin);
      const std::size_t candidates = count * alphabet_.letters.size();
      if (!fits(candidates) || is_out_of_time(cost)) return false;
      table_.reserve(candidates);
      std::vector<std::vector<std::vector<Representative>>> found(
          threads_, std::vector<std::vector<Representative>>(last + 1));
      parallel_for(threads_, count, kStateGrain,
                   [&](unsigned worker, std::size_t from, std::size_t to) {
                     for (std::size_t i = from; i < to; ++i) {
                       expand(frontier[begin + i], cost, last, found[worker]);
                     }
                   });
      for (std::vector<std::vector<Representative>>& part : found) {
        for (std::size_t level = 0; level < part.size(); ++level) {
          frontier_[level].insert(frontier_[level].end(), part[level].begin(), part[level].end());
          frontier_bytes_ += part[level].size() * sizeof(Representative);
        }
      }
      if (options_.on_progress) options_.on_progress(table_.size());
    }
    frontier_bytes_ -= frontier.size() * sizeof(Representative);
    return true;
  }

 private:
  /// Ignores the deadline for the cheapest classes: they are found quickly, and a search needs
  /// them.
  [[nodiscard]] bool is_out_of_time(unsigned cost) const {
    return cost >= kAlwaysExtended && options_.deadline &&
           std::chrono::steady_clock::now() >= *options_.deadline;
  }
  [[nodiscard]] bool fits(std::size_t more) const {
    // Growing needs the old arrays as well as the new ones.
    const std::size_t slots = table_.slots_for(more);
    const std::size_t table_bytes =
        slots * 16 == table_.bytes() ? table_.bytes() : slots * 16 + table_.bytes();
    return table_bytes + frontier_bytes_ <= options_.memory;
  }

  void expand(const Representative& from, unsigned cost, unsigned last,
              std::vector<std::vector<Representative>>& found) {
    if (table_.cost(from.key) != cost) return;  // the class was found again with a lower cost
    std::array<std::uint64_t, kMaxTableLetters> keys;
    std::array<Representative, kMaxTableLetters> extended;
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
      if (reached > last) continue;
      if (table_.insert(keys[i], reached, LetterMask{1} << i) != GrowingTable::Outcome::cheaper) {
        continue;
      }
      if (reached < last) found[reached].push_back(extended[i]);
    }
  }

  const TableAlphabet& alphabet_;
  const TableProbe& probe_;
  const unsigned threads_;
  const CostEnumeratorOptions options_;
  GrowingTable table_;
  std::vector<std::vector<Representative>> frontier_;  ///< classes to extend, by cost
  std::size_t frontier_bytes_ = 0;
};

}  // namespace

std::unique_ptr<CostEnumerator> make_cpu_cost_enumerator(const TableAlphabet& alphabet,
                                                         const TableProbe& probe, unsigned threads,
                                                         CostEnumeratorOptions options) {
  return std::make_unique<CpuCostEnumerator>(alphabet, probe, threads, std::move(options));
}

}  // namespace quartz::classes
