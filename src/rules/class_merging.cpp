#include "rules/class_merging.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>
#include <unordered_map>
#include <utility>

#include "quartz/base/errors.hpp"
#include "quartz/base/parallel_sort.hpp"
#include "rules/class_numbering.hpp"
#include "rules/for_each_labelled.hpp"

namespace quartz::rules::words {
namespace {

void number_in_order(std::vector<WordClass>& classes, const GateLabels& labels, unsigned threads) {
  for_each_within_labels(threads, labels, classes.size(), [&](std::size_t i, GateLabels& own) {
    number_canonically(classes[i], own);
  });
  parallel_stable_sort(threads, classes.begin(), classes.end(), comes_before_class);
}

/// For each class, the class it was merged into: itself, or an earlier or later one.
class MergedInto {
 public:
  explicit MergedInto(std::size_t classes) : into_(classes) {
    std::iota(into_.begin(), into_.end(), std::size_t{0});
  }
  [[nodiscard]] std::size_t current(std::size_t number) const {
    while (into_[number] != number) number = into_[number];
    return number;
  }
  void merge(std::size_t from, std::size_t into) { into_[from] = into; }

 private:
  std::vector<std::size_t> into_;
};

/// Numbers the canonical forms of the circuits. Returns for each form the first class that has it.
std::vector<std::size_t> number_forms(std::vector<WordClass>& classes, const GateLabels& labels,
                                      unsigned threads) {
  std::vector<std::vector<Word>> keys(classes.size());
  for_each_labelled(threads, labels, classes.size(), [&](std::size_t i, GateLabels& own) {
    for (const WordMember& member : classes[i].members) {
      keys[i].push_back(canonical_circuit(member.word, own).key);
    }
  });
  std::unordered_map<Word, std::uint32_t, WordHash> forms;
  std::vector<std::size_t> owners;
  for (std::size_t i = 0; i < classes.size(); ++i) {
    for (std::size_t j = 0; j < keys[i].size(); ++j) {
      const auto next = static_cast<std::uint32_t>(owners.size());
      const auto [form, is_new] = forms.emplace(std::move(keys[i][j]), next);
      if (is_new) owners.push_back(i);
      classes[i].members[j].form = form->second;
    }
  }
  return owners;
}

/// Returns the families of classes that are linked by shared forms, each in ascending order.
/// Families of a single class are omitted.
std::vector<std::vector<std::size_t>> families_of(const std::vector<WordClass>& classes,
                                                  std::span<const std::size_t> owners) {
  MergedInto linked(classes.size());
  for (std::size_t i = 0; i < classes.size(); ++i) {
    for (const WordMember& member : classes[i].members) {
      const std::size_t a = linked.current(i);
      const std::size_t b = linked.current(owners[member.form]);
      linked.merge(std::max(a, b), std::min(a, b));
    }
  }
  std::vector<std::vector<std::size_t>> by_first(classes.size());
  for (std::size_t i = 0; i < classes.size(); ++i) by_first[linked.current(i)].push_back(i);
  std::erase_if(by_first, [](const std::vector<std::size_t>& family) { return family.size() < 2; });
  return by_first;
}

/// Merges `from` into `into`, both relabelled so that the circuit they share has its canonical
/// form.
void merge(WordClass& from, WordClass& into, std::uint32_t shared, GateLabels& labels) {
  const auto number = [&](WordClass& equal) {
    const auto circuit =
        std::find_if(equal.members.begin(), equal.members.end(),
                     [&](const WordMember& member) { return member.form == shared; });
    ensure(circuit != equal.members.end(), "merged classes share a circuit");
    return number_around(equal, static_cast<std::size_t>(circuit - equal.members.begin()), labels);
  };
  const Angle phase = number(into) + -number(from);
  for (WordMember& member : from.members) {
    if (!phase.is_zero()) member.phase = member.phase + phase;
    into.members.push_back(std::move(member));
  }
  from.members.clear();
  put_in_order(into);
}

std::vector<std::uint32_t> forms_of(const WordClass& equal) {
  std::vector<std::uint32_t> forms;
  for (const WordMember& member : equal.members) forms.push_back(member.form);
  return forms;
}

}  // namespace

void merge_relabelled(std::vector<WordClass>& classes, const GateLabels& labels, unsigned threads) {
  number_in_order(classes, labels, threads);
  const std::vector<std::size_t> owners = number_forms(classes, labels, threads);
  const std::vector<std::vector<std::size_t>> families = families_of(classes, owners);
  MergedInto merged(classes.size());  // families use disjoint parts, so threads do not conflict
  for_each_within_labels(threads, labels, families.size(), [&](std::size_t i, GateLabels& own) {
    for (const std::size_t number : families[i]) {
      for (const std::uint32_t form : forms_of(classes[number])) {
        const std::size_t from = merged.current(number);
        const std::size_t into = merged.current(owners[form]);
        if (from == into) continue;
        merge(classes[from], classes[into], form, own);
        merged.merge(from, into);
      }
    }
  });
  std::erase_if(classes, [](const WordClass& equal) { return equal.members.empty(); });
  number_in_order(classes, labels, threads);
}

}  // namespace quartz::rules::words
