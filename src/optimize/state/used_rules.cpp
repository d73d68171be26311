#include "optimize/state/used_rules.hpp"

#include <optional>
#include <set>
#include <utility>

#include "rules/relabelling.hpp"

namespace quartz::optimizer {
namespace {

using rules::words::Word;

/// Two circuits, the lexicographically smaller one first: second = e^{i pi phase / 8} first.
struct Equality {
  Word first;
  Word second;
  int phase = 0;
};

bool operator<(const Equality& a, const Equality& b) {
  if (a.first != b.first) return rules::words::comes_before(a.first, b.first);
  if (a.second != b.second) return rules::words::comes_before(a.second, b.second);
  return a.phase < b.phase;
}

class Canonizer {
 public:
  explicit Canonizer(std::span<const Operation> letters) {
    for (const Operation& letter : letters) letters_.push_back(labels_.encode(letter));
  }

  /// Returns the least equality over all numberings of the qubits; with `in_either_order`, also
  /// over both orders of the sides.
  [[nodiscard]] Equality canonical(const UsedPair& pair, bool in_either_order) const {
    const Word window = spelled(pair.window);
    const Word replacement = spelled(pair.replacement);
    const rules::words::QubitMask used =
        rules::words::qubits(window, labels_) | rules::words::qubits(replacement, labels_);
    std::optional<Equality> least;
    rules::words::for_each_qubit_map(used, [&](const rules::words::QubitMap& map) {
      Equality equality{moved(replacement, map), moved(window, map), pair.phase};
      if (in_either_order && rules::words::comes_before(equality.second, equality.first)) {
        std::swap(equality.first, equality.second);
        equality.phase = -equality.phase & 15;
      }
      if (!least || equality < *least) least = std::move(equality);
    });
    return *least;
  }

  [[nodiscard]] Replaced replaced(const Equality& equality) const {
    return {decoded(equality.second), decoded(equality.first), phase_of(equality)};
  }
  [[nodiscard]] EquivalenceClass rule(const Equality& equality) const {
    EquivalenceClass rule;
    rule.members.reserve(2);
    rule.members.push_back({decoded(equality.first), Angle()});
    rule.members.push_back({decoded(equality.second), phase_of(equality)});
    return rule;
  }

 private:
  [[nodiscard]] static Angle phase_of(const Equality& equality) {
    return Angle::pi_times(Rational(equality.phase, 8)).reduced_symmetric(2);
  }
  [[nodiscard]] Word spelled(std::span<const std::uint8_t> circuit) const {
    Word word;
    for (const std::uint8_t letter : circuit) word.push_back(letters_[letter]);
    return word;
  }
  [[nodiscard]] Word moved(const Word& word, const rules::words::QubitMap& map) const {
    Word result;
    for (const rules::words::Letter letter : word)
      result.push_back(labels_.with_qubits(letter, map));
    return rules::words::normal_form(result, labels_);
  }
  [[nodiscard]] std::vector<Operation> decoded(const Word& word) const {
    std::vector<Operation> circuit;
    circuit.reserve(word.size());
    for (const rules::words::Letter letter : word) circuit.push_back(labels_.decode(letter));
    return circuit;
  }

  rules::words::GateLabels labels_;
  std::vector<rules::words::Letter> letters_;
};

}  // namespace

void UsedPairs::add(std::uint64_t key, std::span<const std::uint8_t> window,
                    std::span<const std::uint8_t> replacement, int phase) {
  if (!keys_.insert(key).second) return;
  records_.push_back({key, letters_.size(), static_cast<std::uint16_t>(window.size()),
                      static_cast<std::uint16_t>(replacement.size()), phase});
  letters_.insert(letters_.end(), window.begin(), window.end());
  letters_.insert(letters_.end(), replacement.begin(), replacement.end());
}

void UsedPairs::add(const UsedPairs& others) {
  for (const Record& record : others.records_) {
    add(record.key, others.window(record), others.replacement(record), record.phase);
  }
}

UsedPair UsedPairs::operator[](std::size_t index) const {
  const Record& record = records_[index];
  const auto before = window(record);
  const auto after = replacement(record);
  return {{before.begin(), before.end()}, {after.begin(), after.end()}, record.phase};
}

std::vector<EquivalenceClass> used_rules(std::span<const Operation> letters,
                                         const UsedPairs& pairs) {
  const Canonizer canonizer(letters);
  std::set<Equality> equalities;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    Equality equality = canonizer.canonical(pairs[i], true);
    // Equal sides mean that only the order of gates on different qubits changed.
    if (equality.first != equality.second) equalities.insert(std::move(equality));
  }
  std::vector<EquivalenceClass> rules;
  rules.reserve(equalities.size());
  // A rule takes more memory than its equality, which is not needed any more.
  while (!equalities.empty()) {
    rules.push_back(canonizer.rule(*equalities.begin()));
    equalities.erase(equalities.begin());
  }
  return rules;
}

std::vector<Replaced> replaced_circuits(std::span<const Operation> letters,
                                        std::span<const UsedPair> pairs) {
  const Canonizer canonizer(letters);
  std::vector<Replaced> circuits;
  circuits.reserve(pairs.size());
  for (const UsedPair& pair : pairs) {
    circuits.push_back(canonizer.replaced(canonizer.canonical(pair, false)));
  }
  return circuits;
}

}  // namespace quartz::optimizer
