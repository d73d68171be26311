#include "classes/letters/table_alphabet.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "fingerprint/fingerprint.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/circuit/canonical.hpp"
#include "quartz/circuit/gate.hpp"
#include "quartz/circuit/unitary.hpp"

namespace quartz::classes {
namespace {

/// Constant angles of letters are multiples of pi divided by this number.
constexpr int kFinestPart = 4;

std::vector<Angle> constant_angles(bool with_zero) {
  std::vector<Angle> angles;
  for (int k = with_zero ? 0 : 1; k < 2 * kFinestPart; ++k) {
    angles.push_back(Angle::pi_times(Rational(k, kFinestPart)));
  }
  return angles;
}

/// Returns whether the determinant of a gate with one parameter is the same for all angles. It is
/// e^{i k angle} times a constant, with 2k a small integer, so comparing two angles with 0
/// suffices.
bool has_constant_determinant(GateKind kind) {
  const auto determinant = [&](double angle) {
    Operation operation;
    operation.gate = kind;
    operation.angles = {Angle::symbol("angle")};
    std::vector<Complex> matrix = unitary_of(operation, {{"angle", angle}});
    const std::size_t size = gate(kind).dimension();
    Complex product = 1;
    for (std::size_t column = 0; column < size; ++column) {
      std::size_t pivot = column;
      for (std::size_t row = column; row < size; ++row) {
        if (std::abs(matrix[row * size + column]) > std::abs(matrix[pivot * size + column])) {
          pivot = row;
        }
      }
      if (pivot != column) {
        product = -product;
        for (std::size_t i = 0; i < size; ++i) {
          std::swap(matrix[pivot * size + i], matrix[column * size + i]);
        }
      }
      product *= matrix[column * size + column];
      for (std::size_t row = column + 1; row < size; ++row) {
        const Complex factor = matrix[row * size + column] / matrix[column * size + column];
        for (std::size_t i = column; i < size; ++i) {
          matrix[row * size + i] -= factor * matrix[column * size + i];
        }
      }
    }
    return product;
  };
  return std::abs(determinant(0.7) - determinant(0)) < 1e-6 &&
         std::abs(determinant(1.9) - determinant(0)) < 1e-6;
}

/// Returns letters with the free angle and its negative. Only for rotations of determinant 1 do the
/// phases between equal circuits remain roots of unity (see TableProbe): the rotations that change
/// sign after a full turn.
std::vector<Operation> symbolic_letters(const GateSet& set, unsigned qubits) {
  GateSet free = set;
  std::erase_if(free.entries, [](const GateSetEntry& entry) {
    if (!entry.takes_any_angle() || gate(entry.gate).parameters.size() != 1) return true;
    Operation turned;
    turned.gate = entry.gate;
    turned.angles = {Angle::pi_times(2)};
    return normalize_angles(turned).is_zero() || !has_constant_determinant(entry.gate);
  });
  free.alphabet.parameters = 1;
  free.alphabet.expressions = {Angle::symbol("p0"), -Angle::symbol("p0")};
  return alphabet(free, qubits);
}

/// Returns the letters of a table, of which several may have the same unitary.
std::vector<Operation> letters_of(const GateSet& set, const ClassTableOptions& options) {
  GateSet constant = set;
  constant.alphabet.parameters = 0;
  const bool several =
      std::any_of(set.entries.begin(), set.entries.end(), [](const GateSetEntry& entry) {
        return entry.angles.empty() && gate(entry.gate).parameters.size() > 1;
      });
  constant.alphabet.expressions = constant_angles(several);
  std::vector<Operation> letters = alphabet(constant, options.qubits);
  if (options.symbolic) {
    for (Operation& letter : symbolic_letters(set, options.qubits)) {
      letters.push_back(std::move(letter));
    }
  }
  for (Operation& letter : letters) (void)normalize_angles(letter);
  return letters;
}

/// Removes the letters that have the unitary of an earlier one or are the identity, until there are
/// more than `most` others.
void keep_distinct(std::vector<Operation>& letters, unsigned qubits, std::size_t most) {
  // Letters may have the same unitary, such as u2 and u3 with the same angles; the first one is
  // kept.
  const fingerprint::Fingerprinter fingerprinter(letters, qubits, {kTableSeed, 0});
  std::set<fingerprint::FingerprintKey> seen{fingerprinter.key({})};
  std::erase_if(letters, [&](const Operation& letter) {
    return seen.size() - 1 <= most && !seen.insert(fingerprinter.key({&letter, 1})).second;
  });
}

}  // namespace

std::vector<Operation> table_letters(const GateSet& set, const ClassTableOptions& options) {
  std::vector<Operation> letters = letters_of(set, options);
  keep_distinct(letters, options.qubits, letters.size());
  return letters;
}

bool fits_class_table(const GateSet& set, const ClassTableOptions& options) {
  // Searches ask often, and the fingerprints of letters take longer than all else here.
  std::vector<Operation> letters = letters_of(set, options);
  if (letters.size() <= kMaxTableLetters) return true;
  keep_distinct(letters, options.qubits, kMaxTableLetters);
  return letters.size() <= kMaxTableLetters;
}

TableProbe::TableProbe(std::uint64_t seed) {
  fingerprint::FieldRandom state({seed, 0}, "class table: state");
  for (Goldilocks& amplitude : start_.amplitudes) amplitude = state.next();
  first_inverse_ = start_.amplitudes[0].inverse();
  fingerprint::FieldRandom functional({seed, 0}, "class table: functional");
  for (std::uint32_t& entry : functional_) {
    entry = static_cast<std::uint32_t>(functional.next().value() >> 32U);
  }
}

TableAlphabet table_alphabet(const GateSet& set, const ClassTableOptions& options) {
  static_assert(kTableQubits == ClassTableOptions::kMaxQubits);
  if (options.qubits < 1 || options.qubits > kTableQubits) {
    throw UsageError("a class table has 1 to 3 qubits, not " + std::to_string(options.qubits));
  }
  TableAlphabet result;
  result.letters = table_letters(set, options);
  if (result.letters.size() > kMaxTableLetters) {
    throw UsageError("the gate set '" + set.name + "' has " +
                     std::to_string(result.letters.size()) + " letters on " +
                     std::to_string(options.qubits) + " qubits; a class table has at most " +
                     std::to_string(kMaxTableLetters));
  }
  const fingerprint::FieldPoint point(result.letters, {kTableSeed, 0});
  const UnitScalars scalars;
  for (std::size_t i = 0; i < result.letters.size(); ++i) {
    const Operation& letter = result.letters[i];
    result.weights.push_back(letter.qubits.size() > 1 ? options.two_qubit_weight : 1);
    result.operators.emplace_back(letter_matrix(letter, point), scalars);
    result.inverses.emplace_back(inverse_letter_matrix(letter, point), scalars);
    const Qubit highest = *std::max_element(letter.qubits.begin(), letter.qubits.end());
    for (std::size_t k = highest + 1; k <= kTableQubits; ++k) {
      result.within[k] |= LetterMask{1} << i;
    }
    for (const Angle& angle : letter.angles) {
      if (!angle.is_constant()) result.symbolic |= LetterMask{1} << i;
    }
  }
  return result;
}

}  // namespace quartz::classes
