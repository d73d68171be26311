#include "classes/backend/identity_key.hpp"

#include "classes/backend/extension_key.hpp"

namespace quartz::classes {

std::vector<Goldilocks> identity_functionals(const fingerprint::FingerprintTables& tables) {
  std::vector<Goldilocks> functionals = tables.probe.numerator;
  functionals.insert(functionals.end(), tables.probe.denominator.begin(),
                     tables.probe.denominator.end());
  return functionals;
}

LevelKey identity_key(const fingerprint::FingerprintTables& tables) {
  const std::vector<Goldilocks> functionals = identity_functionals(tables);
  return level_key(
      extension_quotient<0>(tables.probe.state.data(), functionals.data(), tables.dimension()));
}

}  // namespace quartz::classes
