#include "classes/backend/identity_key.hpp"
#include "classes/cpu/level_keys.hpp"

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <functional>
#include <random>
#include <set>
#include <span>
#include <string>
#include <utility>

#include "classes/cpu/level_keys_vector.hpp"
#include "fingerprint/field_point.hpp"
#include "quartz/base/errors.hpp"

using namespace quartz;
using namespace quartz::algebra;
using namespace quartz::classes;
using namespace quartz::fingerprint;

namespace {

/// Random elements, some of them with halves or limbs that are all zeros or all ones.
class ElementSource {
 public:
  explicit ElementSource(unsigned seed) : engine_(seed), random_({seed, 0}, "level keys") {}

  Goldilocks next() {
    constexpr std::uint64_t special[] = {0,
                                         1,
                                         Goldilocks::kModulus - 1,
                                         0xffff'ffff,
                                         0x1'0000'0000,
                                         0xffff'ffff'0000'0000,
                                         0x3f'ffff,
                                         0xfff'ffff'ffff};
    if (engine_() % 3 != 0) return random_.next();
    return Goldilocks(special[engine_() % std::size(special)]);
  }

 private:
  std::mt19937_64 engine_;
  FieldRandom random_;
};

std::vector<Goldilocks> elements(ElementSource& source, std::size_t count) {
  std::vector<Goldilocks> result;
  for (std::size_t i = 0; i < count; ++i) result.push_back(source.next());
  return result;
}

Goldilocks random_entry(ElementSource& source, std::mt19937_64& random) {
  const Goldilocks roots[] = {Goldilocks(1), -Goldilocks(1),
                              Goldilocks::root_of_unity(16).power(random() % 16)};
  const std::size_t choice = random() % 4;
  if (choice < 3) return roots[choice];
  const Goldilocks entry = source.next();
  return entry.is_zero() ? Goldilocks(1) : entry;
}

/// Returns a gate that is not unitary: one to three entries in each row, in random columns.
FieldGate random_gate(ElementSource& source, std::mt19937_64& random, std::size_t dimension) {
  const Goldilocks common = random_entry(source, random);
  FieldGate gate;
  gate.row_begin.push_back(0);
  for (std::size_t row = 0; row < dimension; ++row) {
    std::set<std::uint32_t> columns;
    for (std::size_t i = 0; i <= random() % 3; ++i) {
      columns.insert(static_cast<std::uint32_t>(random() % dimension));
    }
    for (const std::uint32_t column : columns) {
      gate.columns.push_back(column);
      gate.entries.push_back(random() % 2 == 0 ? common : random_entry(source, random));
    }
    gate.row_begin.push_back(static_cast<std::uint32_t>(gate.entries.size()));
  }
  return gate;
}

FingerprintTables random_tables(ElementSource& source, std::mt19937_64& random, unsigned qubits,
                                std::size_t letters) {
  FingerprintTables tables;
  tables.qubits = qubits;
  const std::size_t dimension = tables.dimension();
  tables.probe = {elements(source, dimension), elements(source, dimension),
                  elements(source, dimension)};
  for (std::size_t i = 0; i < letters; ++i) {
    tables.letters.push_back(random_gate(source, random, dimension));
  }
  return tables;
}

/// Returns masks with none, all or some of the letters.
std::vector<std::uint64_t> random_masks(std::mt19937_64& random, std::size_t count,
                                        std::size_t letters) {
  const std::uint64_t all = (std::uint64_t{1} << letters) - 1;
  std::vector<std::uint64_t> masks;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t some[] = {0, all, random() & all, random() & random() & random() & all};
    masks.push_back(some[random() % 4]);
  }
  return masks;
}

/// Returns the keys by their definition: the functionals of the states after applying the letters.
std::vector<LevelKey> keys_of(const FingerprintTables& tables, std::span<const Goldilocks> states,
                              std::span<const std::uint64_t> masks) {
  const std::size_t dimension = tables.dimension();
  const std::vector<Goldilocks> functionals = identity_functionals(tables);
  std::vector<LevelKey> keys;
  for (std::size_t i = 0; i < masks.size(); ++i) {
    for (std::size_t letter = 0; letter < tables.letters.size(); ++letter) {
      if ((masks[i] >> letter & 1U) == 0) continue;
      std::vector<Goldilocks> extended(dimension);
      apply(tables.letters[letter], states.subspan(i * dimension, dimension), extended);
      keys.push_back(
          level_key(extension_quotient<0>(extended.data(), functionals.data(), dimension)));
    }
  }
  return keys;
}

/// Vectors of eight words without special instructions, so that the vector code is tested
/// everywhere.
struct EightWords {
  static constexpr std::size_t kLanes = 8;
  static constexpr std::size_t kChains = 4;
  std::array<std::uint64_t, kLanes> lanes;

  static EightWords all(std::uint64_t word) {
    EightWords result;
    result.lanes.fill(word);
    return result;
  }
  static EightWords load(const std::uint64_t* words) {
    EightWords result;
    std::copy_n(words, kLanes, result.lanes.begin());
    return result;
  }
  void store(std::uint64_t* words) const { std::copy_n(lanes.begin(), kLanes, words); }
  template <int bits>
  [[nodiscard]] EightWords shifted_left() const {
    return each(*this, *this, [](std::uint64_t a, std::uint64_t) { return a << bits; });
  }
  template <typename Function>
  static EightWords each(EightWords a, EightWords b, Function function) {
    for (std::size_t i = 0; i < kLanes; ++i) a.lanes[i] = function(a.lanes[i], b.lanes[i]);
    return a;
  }
};
using Word = std::uint64_t;
constexpr Word kEpsilon = 0xffff'ffff;
EightWords operator+(EightWords a, EightWords b) { return EightWords::each(a, b, std::plus<>()); }
EightWords operator-(EightWords a, EightWords b) { return EightWords::each(a, b, std::minus<>()); }
EightWords multiply_low_halves(EightWords a, EightWords b) {
  return EightWords::each(a, b, [](Word x, Word y) { return (x & kEpsilon) * (y & kEpsilon); });
}
EightWords high_halves(EightWords a) {
  return EightWords::each(a, a, [](Word x, Word) { return x >> 32U; });
}
EightWords low_halves(EightWords a) {
  return EightWords::each(a, a, [](Word x, Word) { return x & kEpsilon; });
}
EightWords join(EightWords low, EightWords high) {
  return EightWords::each(low, high, [](Word x, Word y) { return (x & kEpsilon) | y << 32U; });
}
EightWords epsilon_where_less(EightWords a, EightWords b) {
  return EightWords::each(a, b, [](Word x, Word y) { return x < y ? kEpsilon : 0; });
}
EightWords epsilon_where_not_less(EightWords a, EightWords b) {
  return EightWords::each(a, b, [](Word x, Word y) { return x < y ? 0 : kEpsilon; });
}
EightWords minus_plus(EightWords a, EightWords b, EightWords c) {
  const EightWords first = a - b - epsilon_where_less(a, b);
  const EightWords sum = first + c;
  return sum + epsilon_where_less(sum, c);
}
unsigned equal_lanes(EightWords a, EightWords b) {
  unsigned bits = 0;
  for (std::size_t i = 0; i < EightWords::kLanes; ++i) {
    bits |= static_cast<unsigned>(a.lanes[i] == b.lanes[i]) << i;
  }
  return bits;
}
EightWords words_one_where_zero(EightWords a) {
  return EightWords::each(a, a, [](Word x, Word) { return x == 0 ? 1 : x; });
}

/// Returns the available instruction sets and the one above.
std::vector<InstructionSet> sets_to_test() {
  std::vector<InstructionSet> sets;
  for (const InstructionSet& set : instruction_sets()) {
    if (set.available()) sets.push_back(set);
  }
  sets.push_back({"eight words", [] { return true; }, &form_level_keys<VectorResidues<EightWords>>,
                  &sift_level_keys<VectorResidues<EightWords>>});
  return sets;
}

using Sources = std::vector<std::pair<std::size_t, std::size_t>>;
Sources sources_of(const LevelKeys& keys, std::size_t count) {
  Sources sources;
  for (std::size_t i = 0; i < count; ++i) {
    sources.emplace_back(keys.sources[i].state, keys.sources[i].letter);
  }
  return sources;
}
Sources sources_of(std::span<const std::uint64_t> masks) {
  Sources sources;
  for (std::size_t state = 0; state < masks.size(); ++state) {
    for (std::size_t letter = 0; letter < 64; ++letter) {
      if ((masks[state] >> letter & 1U) != 0) sources.emplace_back(state, letter);
    }
  }
  return sources;
}

FingerprintTables nam_tables() {
  std::vector<Operation> letters;
  for (Qubit qubit = 0; qubit < 3; ++qubit) {
    letters.push_back(make_operation(GateKind::h, {qubit}));
    letters.push_back(make_operation(GateKind::x, {qubit}));
    for (int k = 1; k < 8; ++k) {
      letters.push_back(make_operation(GateKind::rz, {qubit}, {Angle::pi_times(Rational(k, 4))}));
    }
    for (Qubit other = 0; other < 3; ++other) {
      if (other != qubit) letters.push_back(make_operation(GateKind::cx, {qubit, other}));
    }
  }
  return make_fingerprint_tables(letters, 3, {1, 0});
}

}  // namespace

TEST_CASE("every instruction set forms the keys of the extended states", "[level_keys]") {
  std::mt19937_64 random(11);
  ElementSource source(11);
  for (unsigned qubits = 0; qubits <= LevelTables::kMaxQubits; ++qubits) {
    for (const std::size_t letters : {std::size_t{1}, std::size_t{33}, std::size_t{63}}) {
      const FingerprintTables tables = random_tables(source, random, qubits, letters);
      const ExtensionPlan plan = make_extension_plan(tables);
      LevelKeys keys(plan);
      const std::size_t dimension = tables.dimension();
      for (int round = 0; round < 20; ++round) {
        const std::size_t count = random() % (kStatesTogether + 1);
        const std::vector<Goldilocks> states = elements(source, count * dimension);
        const std::vector<std::uint64_t> masks = random_masks(random, count, letters);
        const std::vector<LevelKey> expected = keys_of(tables, states, masks);
        for (const InstructionSet& set : sets_to_test()) {
          INFO("seed 11, " << set.name << ", " << qubits << " qubits, " << letters
                           << " letters, round " << round);
          const std::size_t formed =
              set.form_level_keys(plan, states.data(), masks.data(), count, {}, keys);
          REQUIRE(formed == expected.size());
          for (std::size_t i = 0; i < formed; ++i) REQUIRE(keys[i] == expected[i]);
          REQUIRE(sources_of(keys, formed) == sources_of(masks));
        }
      }
    }
  }
}

TEST_CASE("every instruction set sifts out known keys", "[level_keys]") {
  constexpr std::uint64_t count = 500;
  std::mt19937_64 random(12);
  FieldRandom field({12, 0}, "sifted");
  LevelKeys keys(make_extension_plan(nam_tables()));
  for (std::size_t i = 0; i < count; ++i) {
    keys.tags.data()[i] = field.next().value();
    keys.places.data()[i] = field.next().value();
  }
  // Lines with any number of tags; some of the tags belong to keys with that home line.
  std::vector<KeyLine> lines(37);
  std::vector<std::size_t> sizes;
  for (KeyLine& line : lines) {
    sizes.push_back(random() % (KeyLine::kTags + 1));
    std::generate_n(line.tags.begin(), sizes.back(), [&] { return field.next().value(); });
  }
  const LevelKeyLines table{lines.data(), lines.size(), 3, 1};
  std::set<std::size_t> known;
  for (std::size_t i = 0; i < count; i += 3) {
    const std::size_t home = table.home(keys[i].place);
    if (sizes[home] == 0) continue;
    lines[home].tags[random() % sizes[home]] = keys[i].tag;
  }
  for (std::size_t i = 0; i < count; ++i) {
    const KeyLine& line = lines[table.home(keys[i].place)];
    if (std::count(line.tags.begin(), line.tags.end(), keys[i].tag) != 0) known.insert(i);
  }
  CHECK(known.size() > 50);
  for (const InstructionSet& set : sets_to_test()) {
    SiftedKeys sifted;
    set.sift_level_keys(table, keys, count, sifted);
    for (std::size_t i = 0; i < count; ++i) {
      INFO("seed 12, " << set.name << ", key " << i);
      REQUIRE((sifted.unknown[i / 64] >> i % 64 & 1U) == (known.contains(i) ? 0 : 1));
      if (known.contains(i)) continue;
      const std::size_t home = table.home(keys[i].place);
      REQUIRE(sifted.slots[i] == (sizes[home] == KeyLine::kTags
                                      ? SiftedKeys::kNoSlot
                                      : home * KeyLine::kTags + sizes[home]));
    }
    // No bits are set beyond the last key.
    CHECK(sifted.unknown[count / 64] >> count % 64 == 0);
  }
}

TEST_CASE("letters share products, sums and multiples", "[level_keys]") {
  // {h, x, rz(k pi/4), cx} on 3 qubits: f_i s_j for i = j and for i and j that differ in one bit.
  const ExtensionPlan plan = make_extension_plan(nam_tables());
  CHECK(plan.letters.size() == 33);
  CHECK(plan.products.size() == 32);
  // Sums of half of the diagonal, for x, for h and for cx.
  CHECK(plan.sums.size() == 6 + 3 + 3 + 6);
  // Multiples by w, w^2 and w^3 on each qubit; the others are their negatives, and w^4 = -1.
  CHECK(plan.multiples.size() == 9);
  const auto scaled =
      std::count_if(plan.letters.begin(), plan.letters.end(),
                    [](const ExtensionPlan::Letter& letter) { return letter.scaled; });
  CHECK(scaled == 3);  // the letters h
}

TEST_CASE("instruction sets are selected by name, or else the best available one is",
          "[level_keys]") {
  std::set<std::string_view> names;
  for (const InstructionSet& set : instruction_sets()) {
    CHECK(names.insert(set.name).second);
    if (set.available()) {
      CHECK(instruction_set(set.name).name == set.name);
    } else {
      CHECK_THROWS_WITH(instruction_set(set.name), Catch::Contains("does not support"));
    }
  }
  CHECK(instruction_sets().back().name == "scalar");
  CHECK(instruction_sets().back().available());
  CHECK(instruction_set({}).available());
  CHECK_THROWS_WITH(instruction_set("mmx"), Catch::Contains("mmx") && Catch::Contains("scalar"));
}
