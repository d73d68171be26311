#include <algorithm>
#include <catch2/catch.hpp>
#include <complex>
#include <set>
#include <vector>

#include "alphabets.hpp"
#include "enumerate/repgen.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/circuit/unitary.hpp"

using namespace quartz;
using namespace quartz::enumerate;
using namespace quartz::fingerprint;

namespace {

using Sequence = std::vector<LetterIndex>;

Enumeration enumerated(const Letters& letters, unsigned gates) {
  EnumerationOptions options;
  options.gates = gates;
  return enumerate_classes(letters, options);
}

std::vector<std::uint64_t> classes_per_level(const Enumeration& enumeration) {
  std::vector<std::uint64_t> counts;
  for (std::size_t level = 0; level + 1 < enumeration.level_begin.size(); ++level) {
    counts.push_back(enumeration.level_begin[level + 1] - enumeration.level_begin[level]);
  }
  return counts;
}

bool same(const Enumeration& a, const Enumeration& b) {
  const auto equal = [](const Representative& x, const Representative& y) {
    return x.prefix == y.prefix && x.suffix == y.suffix && x.letter == y.letter &&
           x.parameters == y.parameters;
  };
  return a.level_begin == b.level_begin && a.members == b.members && a.candidates == b.candidates &&
         std::equal(a.representatives.begin(), a.representatives.end(), b.representatives.begin(),
                    b.representatives.end(), equal);
}

// --- The definition of representatives, implemented directly ---

/// Orders sequences by length, then lexicographically.
bool comes_before(const Sequence& a, const Sequence& b) {
  return a.size() != b.size() ? a.size() < b.size() : a < b;
}

bool respects_parameters(const Letters& letters, const Sequence& sequence) {
  unsigned used = 0;
  for (const LetterIndex letter : sequence) {
    if ((used & letters.letters[letter].parameters) != 0) return false;
    used |= letters.letters[letter].parameters;
  }
  return true;
}

std::vector<Sequence> all_sequences(const Letters& letters, unsigned gates) {
  std::vector<Sequence> sequences = {{}};
  for (std::size_t i = 0; i < sequences.size(); ++i) {
    if (sequences[i].size() == gates) break;
    for (std::size_t letter = 0; letter < letters.letters.size(); ++letter) {
      Sequence longer = sequences[i];
      longer.push_back(static_cast<LetterIndex>(letter));
      if (respects_parameters(letters, longer)) sequences.push_back(std::move(longer));
    }
  }
  std::sort(sequences.begin(), sequences.end(), comes_before);
  return sequences;
}

bool equal_up_to_phase(const std::vector<Complex>& u, const std::vector<Complex>& v) {
  Complex inner = 0;
  double norm = 0;
  for (std::size_t i = 0; i < u.size(); ++i) {
    inner += std::conj(u[i]) * v[i];
    norm += std::norm(u[i]);
  }
  return norm - std::abs(inner) < 1e-9 * norm;
}

/// Returns the least sequence of each class of equal ones, in order.
std::vector<Sequence> least_of_each_class(const Letters& letters, unsigned gates) {
  const Bindings bindings = {{"p0", 0.7312}, {"p1", 1.9347}};
  std::vector<Sequence> least;
  std::vector<std::vector<Complex>> unitaries;
  for (const Sequence& sequence : all_sequences(letters, gates)) {
    std::vector<Complex> unitary = unitary_of(spell(letters, sequence), letters.qubits, bindings);
    if (std::any_of(unitaries.begin(), unitaries.end(),
                    [&](const auto& known) { return equal_up_to_phase(known, unitary); })) {
      continue;
    }
    least.push_back(sequence);
    unitaries.push_back(std::move(unitary));
  }
  return least;
}

void check_against_definition(const GateSet& set, unsigned qubits, unsigned gates) {
  const Letters letters = letters_of(set, qubits);
  const std::vector<Sequence> expected = least_of_each_class(letters, gates);
  const Enumeration found = enumerated(letters, gates);
  REQUIRE(found.representatives.size() == expected.size());
  for (ClassIndex i = 0; i < expected.size(); ++i) REQUIRE(found.sequence(i) == expected[i]);
}

}  // namespace

TEST_CASE("representatives are the least circuits of their classes") {
  check_against_definition(nam(), 2, 2);
  check_against_definition(nam(), 1, 4);
  check_against_definition(nam_constants(), 1, 3);
}

TEST_CASE("representatives are in order and know their prefixes and suffixes") {
  const Letters letters = letters_of(nam(), 3);
  const Enumeration found = enumerated(letters, 3);
  for (ClassIndex i = 1; i < found.representatives.size(); ++i) {
    const Sequence sequence = found.sequence(i);
    const Representative& representative = found.representatives[i];
    REQUIRE(comes_before(found.sequence(i - 1), sequence));
    REQUIRE(found.sequence(representative.prefix) ==
            Sequence(sequence.begin(), sequence.end() - 1));
    REQUIRE(found.sequence(representative.suffix) ==
            Sequence(sequence.begin() + 1, sequence.end()));
    REQUIRE(respects_parameters(letters, sequence));
  }
}

TEST_CASE("every member comes after its representative, and is found once") {
  const Letters letters = letters_of(nam(), 3);
  const Enumeration found = enumerated(letters, 3);
  std::set<Sequence> seen;
  for (const Member& member : found.members) {
    const Sequence sequence = found.sequence(member);
    REQUIRE(comes_before(found.sequence(member.of), sequence));
    REQUIRE(respects_parameters(letters, sequence));
    REQUIRE(seen.insert(sequence).second);
  }
}

// Upstream's RepGen finds the same classes but keeps 4,496 and 38,357 circuits: it orders gates
// that commute by their least qubit, but selects representatives by gate kind first, so that fewer
// parts of representatives are representatives (docs/algorithms/repgen.md).
TEST_CASE("counts for Nam with symbols on 3 qubits") {
  const Enumeration found = enumerated(letters_of(nam(), 3), 4);
  CHECK(classes_per_level(found) ==
        std::vector<std::uint64_t>{1, 27, 397 - 28, 4179 - 397, 36177 - 4179});
  CHECK(found.candidates + 1 == 38068);
  CHECK(found.members.size() == 38068 - 36177);
  CHECK(enumerated(letters_of(nam(), 3), 3).candidates + 1 == 4469);
  CHECK(enumerated(letters_of(nam(), 3), 2).candidates + 1 == 466);
  CHECK(enumerated(letters_of(nam(), 3), 0).representatives.size() == 1);
}

TEST_CASE("counts for Nam with multiples of pi/4 on 3 qubits, with and without the suffix rule") {
  const Letters letters = letters_of(nam_constants(), 3);
  REQUIRE(letters.letters.size() == 33);
  EnumerationOptions options;
  options.gates = 4;
  const Enumeration repgen = enumerate_classes(letters, options);
  options.suffix_rule = false;
  options.keep_members = false;
  const Enumeration plain = enumerate_classes(letters, options);
  const std::vector<std::uint64_t> expected = {1, 33, 552, 6723, 68247};
  CHECK(classes_per_level(repgen) == expected);
  CHECK(classes_per_level(plain) == expected);
  CHECK(plain.members.empty());
  // The purpose of the rule is to look at fewer circuits.
  CHECK(repgen.candidates < plain.candidates);
  for (std::size_t i = 0; i < repgen.representatives.size(); i += 101) {
    const auto index = static_cast<ClassIndex>(i);
    REQUIRE(repgen.sequence(index) == plain.sequence(index));
  }
}

TEST_CASE("the enumeration does not depend on the number of threads or the seed") {
  const Letters letters = letters_of(nam(), 3);
  const Enumeration expected = enumerated(letters, 4);
  for (const unsigned threads : {1U, 2U, 5U}) {
    for (const FieldSeed seed : {FieldSeed{0, 0}, FieldSeed{1, 0}, FieldSeed{~0ULL, 3}}) {
      INFO(threads << " threads, seed " << seed.seed << ", stream " << seed.stream);
      EnumerationOptions options;
      options.gates = 4;
      options.threads = threads;
      options.seed = seed;
      REQUIRE(same(enumerate_classes(letters, options), expected));
    }
  }
}

TEST_CASE("enumeration reports its progress and can be stopped") {
  const Letters letters = letters_of(nam(), 3);
  std::stop_source source;
  EnumerationOptions options;
  options.gates = 4;
  options.stop = source.get_token();
  std::vector<EnumerationProgress> reports;
  options.on_progress = [&](const EnumerationProgress& progress) {
    reports.push_back(progress);
    if (progress.level == 2) source.request_stop();
  };
  CHECK_THROWS_AS(enumerate_classes(letters, options), Stopped);
  REQUIRE(reports.size() == 2);
  CHECK(reports[1].level == 2);
  CHECK(reports[1].candidates == 465);
  CHECK(reports[1].classes == 397);
}

TEST_CASE("an alphabet without letters has only the empty circuit") {
  CHECK(enumerated(make_letters({}, 2), 3).representatives.size() == 1);
}
