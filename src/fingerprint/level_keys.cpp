#include "fingerprint/level_keys.hpp"

#include <bit>
#include <string>

#include "fingerprint/level_keys_avx2.hpp"
#include "fingerprint/level_keys_avx512.hpp"
#include "quartz/errors.hpp"

namespace quartz {
namespace {

template <std::size_t Dimension>
void form_level_keys(const LetterGroups& letters, const Goldilocks* state, std::uint64_t mask,
                     LevelKeys& keys) {
  for (std::uint64_t rest = mask; rest != 0; rest &= rest - 1) {
    const auto letter = static_cast<std::size_t>(std::countr_zero(rest));
    const LevelKey key = level_key(extension_quotient<Dimension>(
        state, letters.functionals.data() + letter * 2 * Dimension, Dimension));
    keys.tags[letter] = key.tag;
    keys.places[letter] = key.place;
  }
}

FormLevelKeys form_level_keys_for(unsigned qubits) {
  constexpr std::array<FormLevelKeys, LevelTables::kMostQubits + 1> forms = {
      &form_level_keys<1>, &form_level_keys<2>, &form_level_keys<4>, &form_level_keys<8>,
      &form_level_keys<16>};
  return forms[qubits];
}

}  // namespace

std::span<const InstructionSet> instruction_sets() {
  static constexpr InstructionSet sets[] = {
#ifdef __x86_64__
      {"avx512", 8, &avx512::available, &avx512::form_level_keys_for},
      {"avx2", 4, &avx2::available, &avx2::form_level_keys_for},
#endif
      {"scalar", 1, [] { return true; }, &form_level_keys_for},
  };
  return sets;
}

const InstructionSet& instruction_set(std::string_view name) {
  std::string known;
  for (const InstructionSet& set : instruction_sets()) {
    known += (known.empty() ? "" : ", ") + std::string(set.name);
    if (!name.empty() && set.name != name) continue;
    if (set.available()) return set;
    if (!name.empty()) {
      throw UsageError("this machine does not have the instructions " + std::string(name));
    }
  }
  throw UsageError("there is no code for the instructions " + std::string(name) +
                   "; known: " + known);
}

std::vector<Goldilocks> identity_functionals(const FingerprintTables& tables) {
  std::vector<Goldilocks> functionals = tables.probe.numerator;
  functionals.insert(functionals.end(), tables.probe.denominator.begin(),
                     tables.probe.denominator.end());
  return functionals;
}

LevelKey identity_key(const FingerprintTables& tables) {
  const std::vector<Goldilocks> functionals = identity_functionals(tables);
  return level_key(extension_quotient<0>(tables.probe.state.data(), functionals.data(),
                                         tables.dimension()));
}

LetterGroups make_letter_groups(const FingerprintTables& tables, std::size_t lanes) {
  const std::size_t elements = 2 * tables.dimension();
  LetterGroups result{tables.qubits, tables.letters.size(), {}};
  const std::size_t groups = (result.letters + lanes - 1) / lanes;
  result.functionals.resize(groups * elements * lanes);
  for (std::size_t letter = 0; letter < result.letters; ++letter) {
    for (std::size_t i = 0; i < elements; ++i) {
      result.functionals[(letter / lanes * elements + i) * lanes + letter % lanes] =
          tables.functionals[letter * elements + i];
    }
  }
  return result;
}

}  // namespace quartz
