#include <algorithm>
#include <chrono>
#include <numeric>
#include <utility>
#include <vector>

#include "base/huge_page_array.hpp"
#include "classes/backend_choice.hpp"
#include "classes/cpu/cpu_cost_enumerator.hpp"
#include "classes/table/class_table.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/base/parallel_for.hpp"

namespace quartz {
namespace {

/// Load of the finished table.
constexpr double kFinishedLoad = 0.9;

/// Returns the letters of a table, evaluated at the point from which its keys are computed.
classes::CostTables cost_tables(const classes::TableAlphabet& alphabet,
                                const classes::TableProbe& probe) {
  fingerprint::FingerprintProbe same;
  same.state.assign(probe.start().amplitudes.begin(), probe.start().amplitudes.end());
  for (const std::uint32_t entry : probe.functional()) same.numerator.emplace_back(entry);
  same.denominator = same.numerator;  // not used
  return {fingerprint::make_fingerprint_tables(alphabet.letters, classes::kTableQubits,
                                               {classes::kTableSeed, 0}, std::move(same)),
          alphabet.weights};
}

/// Enumerates the classes of all costs and makes a table of them.
class Builder {
 public:
  Builder(const GateSet& set, const ClassTableOptions& options)
      : options_(options),
        alphabet_(classes::table_alphabet(set, options)),
        probe_(classes::kTableSeed) {
    if (options.cost > (1U << ClassTable::kCostBits) - 2) {
      throw UsageError("a class table has a cost of at most 30, not " +
                       std::to_string(options.cost));
    }
    if (options.two_qubit_weight < 1) throw UsageError("the weight of a gate is at least 1");
    classes::CostEnumeratorOptions how;
    how.memory = options.memory;
    how.on_progress = [this](std::uint64_t classes) { report(classes); };
    how.stop = options.stop;
    how.deadline = options.deadline;
    const classes::FingerprintBackendEntry& backend = classes::fingerprint_backend(options.backend);
    classes_ = backend.make_cost_enumerator != nullptr
                   ? backend.make_cost_enumerator(cost_tables(alphabet_, probe_), std::move(how))
                   : classes::make_cpu_cost_enumerator(
                         alphabet_, probe_, thread_count(options.threads), std::move(how));
  }
  Builder(const Builder&) = delete;
  Builder& operator=(const Builder&) = delete;

  [[nodiscard]] ClassTable::Contents run(const GateSet& set);

 private:
  void report(std::uint64_t classes) const {
    if (!options_.on_progress) return;
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start_;
    options_.on_progress({complete_ + 1, classes, seconds.count()});
  }
  [[nodiscard]] std::shared_ptr<HugePageArray<std::uint64_t>> finished_words(
      std::size_t classes) const;

  const ClassTableOptions& options_;
  const classes::TableAlphabet alphabet_;
  const classes::TableProbe probe_;
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::unique_ptr<classes::CostEnumerator> classes_;
  unsigned complete_ = 0;  ///< all classes up to this cost are known
};

std::shared_ptr<HugePageArray<std::uint64_t>> Builder::finished_words(std::size_t classes) const {
  const auto lines = static_cast<std::size_t>(static_cast<double>(classes) / kFinishedLoad /
                                              static_cast<double>(ClassTable::kLine)) +
                     2;
  auto words = std::make_shared<HugePageArray<std::uint64_t>>(lines * ClassTable::kLine);
  const unsigned slot_bits = static_cast<unsigned>(std::bit_width(lines)) - 1;
  const auto letters = static_cast<unsigned>(alphabet_.letters.size());
  // Keys are inserted in ascending order, so that the words do not depend on how the classes were
  // found. A key's place is then the one after the last key's place, or its home if that is further
  // on; all words between its home and the last place are full. Only past the end of the table is a
  // search for a free word necessary.
  std::size_t next = 0;
  classes_->for_each([&](const classes::CostedClasses& some) {
    for (std::size_t i = 0; i < some.keys.size(); ++i) {
      const unsigned cost = classes::CostedClasses::cost_of(some.knowns[i]);
      if (cost > complete_) continue;
      std::size_t slot = std::max(next, ClassTable::home(some.keys[i], words->size()));
      next = slot + 1;
      if (slot >= words->size()) {
        slot = 0;
        while ((*words)[slot] != 0) ++slot;
      }
      (*words)[slot] = ClassTable::word(some.keys[i], slot_bits, letters, cost,
                                        classes::CostedClasses::last_letters_of(some.knowns[i]));
    }
  });
  return words;
}

ClassTable::Contents Builder::run(const GateSet& set) {
  std::vector<std::uint64_t> levels{1};
  for (;;) {
    const unsigned last = end_of_class_table(levels, options_);
    if (complete_ >= last || !classes_->extend(complete_, last)) break;
    ++complete_;
    levels.push_back(classes_->waiting(complete_));
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
  contents.classes = classes_->count(complete_);
  const auto words = finished_words(
      std::accumulate(contents.classes.begin(), contents.classes.end(), std::uint64_t{0}));
  contents.words = words->elements();
  contents.owner = words;
  contents.alphabet = alphabet_;
  return contents;
}

}  // namespace

std::shared_ptr<const ClassTable> build_class_table(const GateSet& set,
                                                    const ClassTableOptions& options) {
  return std::make_shared<const ClassTable>(Builder(set, options).run(set), classes::kTableSeed);
}

}  // namespace quartz
