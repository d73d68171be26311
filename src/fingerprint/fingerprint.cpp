#include "fingerprint/fingerprint.hpp"

#include <string>
#include <utility>

#include "quartz/base/errors.hpp"

namespace quartz::fingerprint {
namespace {

void require_qubits(unsigned qubits) {
  if (qubits < 1 || qubits > 20) {
    throw UsageError("fingerprints need 1 to 20 qubits, not " + std::to_string(qubits));
  }
}

std::vector<Goldilocks> random_vector(std::size_t size, const FieldSeed& seed, const char* label) {
  FieldRandom random(seed, label);
  std::vector<Goldilocks> elements(size);
  for (Goldilocks& element : elements) element = random.next();
  return elements;
}

Goldilocks dot(std::span<const Goldilocks> a, std::span<const Goldilocks> b) {
  algebra::GoldilocksSum sum;
  for (std::size_t i = 0; i < a.size(); ++i) sum.add_product(a[i], b[i]);
  return sum.value();
}

}  // namespace

FingerprintProbe make_probe(unsigned qubits, const FieldSeed& seed) {
  require_qubits(qubits);
  const std::size_t dimension = std::size_t{1} << qubits;
  // These labels are not identifiers, so no symbol shares a stream with them.
  return {random_vector(dimension, seed, "probe: state"),
          random_vector(dimension, seed, "probe: numerator"),
          random_vector(dimension, seed, "probe: denominator")};
}

Fingerprinter::Fingerprinter(std::span<const Operation> operations, unsigned qubits,
                             const FieldSeed& seed)
    : qubits_(qubits), point_(operations, seed), probe_(make_probe(qubits, seed)) {}

FingerprintKey Fingerprinter::key(std::span<const Operation> circuit) const {
  std::vector<Goldilocks> state = probe_.state;
  std::vector<Goldilocks> next(state.size());
  for (const Operation& operation : circuit) {
    apply(field_gate(operation, qubits_, point_), state, next);
    state.swap(next);
  }
  const Goldilocks denominator = dot(probe_.denominator, state);
  if (denominator.is_zero()) return kInfiniteKey;
  return (dot(probe_.numerator, state) * denominator.inverse()).value();
}

FingerprintTables make_fingerprint_tables(std::span<const Operation> letters, unsigned qubits,
                                          const FieldSeed& seed) {
  return make_fingerprint_tables(letters, qubits, seed, make_probe(qubits, seed));
}

FingerprintTables make_fingerprint_tables(std::span<const Operation> letters, unsigned qubits,
                                          const FieldSeed& seed, FingerprintProbe probe) {
  FingerprintTables tables;
  tables.qubits = qubits;
  tables.probe = std::move(probe);
  const FieldPoint point(letters, seed);
  const std::size_t dimension = tables.dimension();
  tables.functionals.resize(letters.size() * 2 * dimension);
  std::span<Goldilocks> rest(tables.functionals);
  for (const Operation& letter : letters) {
    const FieldGate& gate = tables.letters.emplace_back(field_gate(letter, qubits, point));
    apply_transposed(gate, tables.probe.numerator, rest.first(dimension));
    apply_transposed(gate, tables.probe.denominator, rest.subspan(dimension, dimension));
    rest = rest.subspan(2 * dimension);
  }
  return tables;
}

}  // namespace quartz::fingerprint
