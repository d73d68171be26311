#include "fingerprint/level_keys.hpp"

#include <catch2/catch.hpp>
#include <random>
#include <set>
#include <string>

#include "fingerprint/field_point.hpp"
#include "quartz/errors.hpp"

using namespace quartz;

namespace {

/// Now and then an element whose halves or limbs are all zeros or all ones.
class ElementSource {
 public:
  explicit ElementSource(unsigned seed) : engine_(seed), random_({seed, 0}, "level keys") {}

  Goldilocks next() {
    constexpr std::uint64_t special[] = {0,
                                         1,
                                         Goldilocks::modulus - 1,
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

}  // namespace

TEST_CASE("every set of instructions forms the same keys", "[level_keys]") {
  constexpr std::size_t letters = 33;
  constexpr std::uint64_t all = (std::uint64_t{1} << letters) - 1;
  ElementSource source(11);
  for (unsigned qubits = 0; qubits <= LevelTables::kMostQubits; ++qubits) {
    FingerprintTables tables;
    tables.qubits = qubits;
    tables.letters.resize(letters);
    const std::size_t dimension = tables.dimension();
    tables.functionals = elements(source, letters * 2 * dimension);
    for (int round = 0; round < 60; ++round) {
      const std::vector<Goldilocks> state = elements(source, dimension);
      for (const InstructionSet& set : instruction_sets()) {
        if (!set.available()) continue;
        INFO(set.name << ", " << qubits << " qubits, round " << round);
        LevelKeys keys;
        set.form_level_keys(qubits)(make_letter_groups(tables, set.lanes), state.data(), all, keys);
        for (std::size_t letter = 0; letter < letters; ++letter) {
          const LevelKey expected = level_key(extension_quotient<0>(
              state.data(), tables.functionals.data() + letter * 2 * dimension, dimension));
          REQUIRE(keys[letter] == expected);
        }
      }
    }
  }
}

TEST_CASE("keys are formed for the letters of a mask", "[level_keys]") {
  constexpr std::size_t letters = 63;
  ElementSource source(12);
  FingerprintTables tables;
  tables.qubits = 1;
  tables.letters.resize(letters);
  tables.functionals = elements(source, letters * 4);
  const std::vector<Goldilocks> state = elements(source, 2);
  for (const InstructionSet& set : instruction_sets()) {
    if (!set.available()) continue;
    INFO(set.name);
    const LetterGroups groups = make_letter_groups(tables, set.lanes);
    const FormLevelKeys form = set.form_level_keys(1);
    for (std::size_t letter = 0; letter < letters; ++letter) {
      LevelKeys keys{};
      form(groups, state.data(), std::uint64_t{1} << letter, keys);
      CHECK(keys[letter].tag != 0);
      // Another group's are left alone.
      const std::size_t other = (letter + set.lanes) % (letters - letters % set.lanes);
      CHECK(keys[other].tag == 0);
      form(groups, state.data(), 0, keys);
      CHECK(keys[other].tag == 0);
    }
  }
}

TEST_CASE("sets of instructions are chosen by name, or the best there is", "[level_keys]") {
  std::set<std::string_view> names;
  for (const InstructionSet& set : instruction_sets()) {
    CHECK(names.insert(set.name).second);
    if (set.available()) {
      CHECK(instruction_set(set.name).name == set.name);
    } else {
      CHECK_THROWS_WITH(instruction_set(set.name), Catch::Contains("does not have"));
    }
  }
  CHECK(instruction_sets().back().name == "scalar");
  CHECK(instruction_sets().back().available());
  CHECK(instruction_set({}).available());
  CHECK_THROWS_WITH(instruction_set("mmx"), Catch::Contains("mmx") && Catch::Contains("scalar"));
}
