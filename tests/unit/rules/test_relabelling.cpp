#include <algorithm>
#include <catch2/catch.hpp>
#include <numeric>
#include <random>
#include <set>

#include "rules/class_numbering.hpp"
#include "rules/relabelling.hpp"

using namespace quartz;
using namespace quartz::rules;
using namespace quartz::rules::words;

namespace {

Angle parameter(unsigned i) { return Angle::symbol("p" + std::to_string(i)); }

/// Random circuits over h, cz, rz and cx on 3 qubits, with up to two parameters.
class RandomWords {
 public:
  explicit RandomWords(unsigned seed) : random_(seed) {}

  Word next(GateLabels& labels, std::size_t max_gates) {
    Word word;
    for (std::size_t i = random_() % (max_gates + 1); i > 0; --i) {
      word.push_back(labels.encode(gate()));
    }
    return normal_form(word, labels);
  }

 private:
  Operation gate() {
    const auto qubit = static_cast<Qubit>(random_() % 3);
    const Angle angles[] = {parameter(0), parameter(1), parameter(0) + parameter(0),
                            parameter(0) + parameter(1), Angle::pi_times(1)};
    switch (random_() % 4) {
      case 0:
        return make_operation(GateKind::h, {qubit});
      case 1:
        return make_operation(GateKind::rz, {qubit}, {angles[random_() % 5]});
      case 2:
        return make_operation(GateKind::cz, {qubit, (qubit + 1) % 3});
      default:
        return make_operation(GateKind::cx,
                              {qubit, static_cast<Qubit>((qubit + 1 + random_() % 2) % 3)});
    }
  }

  std::mt19937_64 random_;
};

/// Returns all forms of a list of words, by the definition: each word is relabelled separately.
std::vector<std::vector<Word>> all_forms(const std::vector<Word>& words, GateLabels& labels) {
  QubitMask used = 0;
  ParameterMask names = 0;
  for (const Word& word : words) {
    used |= qubits(word, labels);
    names |= parameters(word, labels);
  }
  std::vector<std::vector<Word>> forms;
  for_each_qubit_map(used, [&](const QubitMap& map) {
    for (const Renaming& renaming : labels.renamings(names)) {
      std::vector<Word>& form = forms.emplace_back();
      for (const Word& word : words) {
        form.push_back(relabelled(word, map, renaming.substitution, labels));
      }
    }
  });
  return forms;
}

/// Sorts words in canonical order.
std::vector<Word> sorted(std::vector<Word> words) {
  std::sort(words.begin(), words.end(), comes_before);
  return words;
}

}  // namespace

TEST_CASE("a circuit's canonical form is the least of its forms") {
  GateLabels labels;
  RandomWords source(21);
  for (int i = 0; i < 300; ++i) {
    INFO("seed 21, word " << i);
    const Word word = source.next(labels, 7);
    const auto forms = all_forms({word}, labels);
    const CanonicalCircuit canonical = canonical_circuit(word, labels);
    CHECK(canonical.key == std::min_element(forms.begin(), forms.end())->front());
    CHECK(relabelled(word, canonical.relabelling, labels) == canonical.key);
    // All forms have the same canonical form.
    for (const auto& form : forms) CHECK(canonical_circuit(form[0], labels).key == canonical.key);
  }
}

TEST_CASE("pairs have the same key if and only if they are the same equality") {
  GateLabels labels;
  RandomWords source(22);
  for (int i = 0; i < 300; ++i) {
    INFO("seed 22, pair " << i);
    const Word a = source.next(labels, 3);
    const Word b = source.next(labels, 3);
    const Word c = source.next(labels, 3);
    const Word d = source.next(labels, 3);
    bool same = false;
    for (const auto& form : all_forms({a, b}, labels)) {
      CHECK(pair_key(form[0], form[1], labels) == pair_key(a, b, labels));
      CHECK(pair_key(form[1], form[0], labels) == pair_key(a, b, labels));
      for (const auto& other : all_forms({c, d}, labels)) {
        same = same || sorted(form) == sorted(other);
      }
    }
    CHECK((pair_key(a, b, labels) == pair_key(c, d, labels)) == same);
  }
}

TEST_CASE("the canonical numbering of a class makes its list of circuits least") {
  GateLabels labels;
  RandomWords source(23);
  for (int i = 0; i < 200; ++i) {
    INFO("seed 23, class " << i);
    std::set<Word> different;
    while (different.size() < 1 + static_cast<std::size_t>(i % 5)) {
      different.insert(source.next(labels, 4));
    }
    const std::vector<Word> words(different.begin(), different.end());
    std::vector<std::vector<Word>> lists;
    for (auto& form : all_forms(words, labels)) lists.push_back(sorted(std::move(form)));
    WordClass equal;
    for (const Word& word : words) equal.members.push_back({word, {}});
    number_canonically(equal, labels);
    std::vector<Word> found;
    for (const WordMember& member : equal.members) found.push_back(member.word);
    CHECK(found == *std::min_element(lists.begin(), lists.end()));
  }
}
