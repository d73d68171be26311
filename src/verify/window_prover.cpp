#include "verify/window_prover.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <string>

#include "circuit/common_ends.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/circuit/gate.hpp"

namespace quartz::verify {
namespace {

/// A sum of powers of w = e^{i pi/4}, over sqrt(2)^scale, times e^{i pi phase / 8}.
struct ExactEntry {
  unsigned row = 0;
  unsigned column = 0;
  std::array<int, 4> coefficients{};  ///< coefficients of 1, w, w^2, w^3
};

void add_power(std::array<int, 4>& coefficients, int power, int times) {
  const int reduced = power & 7;
  coefficients[static_cast<std::size_t>(reduced & 3)] += reduced < 4 ? times : -times;
}

/// Uses sqrt(2) = w - w^3.
std::array<int, 4> times_root2(const std::array<int, 4>& a) {
  std::array<int, 4> result{};
  for (int i = 0; i < 4; ++i) {
    add_power(result, i + 1, a[static_cast<std::size_t>(i)]);
    add_power(result, i + 3, -a[static_cast<std::size_t>(i)]);
  }
  return result;
}

/// Returns the angle in units of pi/8 if it is a multiple of that unit.
std::optional<int> eighths_of_pi(const Angle& angle) {
  const Rational multiple = angle.pi_part();
  if (!angle.is_pi_multiple() || 8 % multiple.denominator() != 0) return std::nullopt;
  return static_cast<int>(multiple.numerator() % 16 * (8 / multiple.denominator()) % 16);
}

struct ExactMatrix {
  std::vector<ExactEntry> entries;
  int scale = 0;
  int phase = 0;
};

/// Returns the gate's own matrix with its angles, if it is over the ring up to a phase.
std::optional<ExactMatrix> exact_matrix(const Operation& operation) {
  const Gate& row = gate(operation.gate);
  const std::map<std::string, Angle> angles = angles_by_name(row, operation.angles);
  ExactMatrix result;
  std::optional<int> odd;  // whether exponents are odd multiples of pi/8; must agree for all terms
  for (const MatrixEntry& entry : row.matrix) {
    for (const PhaseTerm& term : entry.terms) {
      result.scale = std::max(result.scale, term.sqrt2_power);
      const std::optional<int> exponent = eighths_of_pi(term.exponent.substitute(angles));
      if (!exponent || odd.value_or(*exponent & 1) != (*exponent & 1)) return std::nullopt;
      odd = *exponent & 1;
    }
  }
  result.phase = odd.value_or(0);
  for (const MatrixEntry& entry : row.matrix) {
    ExactEntry exact{entry.row, entry.column, {}};
    for (const PhaseTerm& term : entry.terms) {
      const int exponent = *eighths_of_pi(term.exponent.substitute(angles));
      std::array<int, 4> value{};
      add_power(value, (exponent - result.phase) / 2, term.coefficient);
      for (int i = term.sqrt2_power; i < result.scale; ++i) value = times_root2(value);
      for (std::size_t i = 0; i < 4; ++i) exact.coefficients[i] += value[i];
    }
    result.entries.push_back(exact);
  }
  // Entries such as 1 = sqrt(2)^2 / 2 may have a factor sqrt(2) in common with all others.
  const auto all_even = [](const ExactEntry& entry) {
    // a is divisible by sqrt(2) exactly if sqrt(2) a is divisible by 2.
    const std::array<int, 4> doubled = times_root2(entry.coefficients);
    return std::all_of(doubled.begin(), doubled.end(), [](int c) { return c % 2 == 0; });
  };
  while (result.scale > 0 && std::all_of(result.entries.begin(), result.entries.end(), all_even)) {
    for (ExactEntry& entry : result.entries) {
      entry.coefficients = times_root2(entry.coefficients);
      for (int& coefficient : entry.coefficients) coefficient /= 2;
    }
    --result.scale;
  }
  std::erase_if(result.entries, [](const ExactEntry& entry) {
    return std::all_of(entry.coefficients.begin(), entry.coefficients.end(),
                       [](int c) { return c == 0; });
  });
  return result;
}

}  // namespace

WindowProver::WindowProver(std::span<const Operation> letters) {
  for (const Operation& letter : letters) {
    const bool constant = std::all_of(letter.angles.begin(), letter.angles.end(),
                                      [](const Angle& angle) { return angle.is_constant(); });
    letters_.push_back(constant ? exact_letter(letter) : Letter());
  }
}

WindowProver::Letter WindowProver::exact_letter(const Operation& operation) {
  const std::optional<ExactMatrix> exact = exact_matrix(operation);
  if (!exact) return {};
  const ExactMatrix& matrix = *exact;
  const std::size_t operands = operation.qubits.size();
  std::vector<std::size_t> offsets(std::size_t{1} << operands, 0);
  for (std::size_t local = 0; local < offsets.size(); ++local) {
    for (std::size_t i = 0; i < operands; ++i) {
      if ((local >> i & 1U) != 0) offsets[local] |= std::size_t{1} << operation.qubits[i];
    }
  }
  ensure(offsets.back() < kDimension, "a window has at most three qubits");
  Letter letter;
  letter.is_supported = true;
  letter.scale = matrix.scale;
  letter.phase = matrix.phase;
  for (std::size_t row = 0; row < kDimension; ++row) {
    const auto begin = static_cast<std::uint8_t>(letter.terms.size());
    for (const ExactEntry& entry : matrix.entries) {
      if (offsets[entry.row] != (row & offsets.back())) continue;
      const std::size_t column = (row & ~offsets.back()) | offsets[entry.column];
      for (std::size_t power = 0; power < 4; ++power) {
        const int times = entry.coefficients[power];
        for (int i = 0; i < std::abs(times); ++i) {
          letter.terms.push_back({static_cast<std::uint8_t>(column),
                                  static_cast<std::uint8_t>(times < 0 ? power + 4 : power)});
        }
      }
    }
    const std::size_t count = letter.terms.size() - begin;
    const bool unchanged =
        count == 1 && letter.terms.back().column == row && letter.terms.back().power == 0;
    if (unchanged) {
      letter.terms.pop_back();
    } else {
      letter.rows.push_back(
          {static_cast<std::uint8_t>(row), begin, static_cast<std::uint8_t>(letter.terms.size())});
    }
  }
  return letter;
}

template <unsigned power>
void WindowProver::add_turned(Row& sum, const Row& row) {
  for (unsigned i = 0; i < 4; ++i) {
    const unsigned to = i + power;
    if ((to & 4U) == 0) {
      sum.coefficients[to & 3U] += row.coefficients[i];
    } else {
      sum.coefficients[to & 3U] -= row.coefficients[i];
    }
  }
}

// If the power is known at compile time, a row takes four vector instructions, which makes a proof
// twice as fast.
void WindowProver::add(Row& sum, const Row& row, unsigned power) {
  switch (power & 7U) {
    case 0:
      return add_turned<0>(sum, row);
    case 1:
      return add_turned<1>(sum, row);
    case 2:
      return add_turned<2>(sum, row);
    case 3:
      return add_turned<3>(sum, row);
    case 4:
      return add_turned<4>(sum, row);
    case 5:
      return add_turned<5>(sum, row);
    case 6:
      return add_turned<6>(sum, row);
    default:
      return add_turned<7>(sum, row);
  }
}

bool WindowProver::multiply(std::span<const std::uint8_t> circuit, Matrix& matrix) const {
  for (std::size_t row = 0; row < kDimension; ++row) {
    matrix.rows[row] = {};
    matrix.rows[row].coefficients[0][row] = 1;
  }
  for (const std::uint8_t index : circuit) {
    const Letter& letter = letters_[index];
    if (!letter.is_supported) return false;
    matrix.scale += letter.scale;
    matrix.phase += letter.phase;
    if (matrix.scale > kMaxScale) return false;
    std::array<Row, kDimension> changed;
    for (std::size_t k = 0; k < letter.rows.size(); ++k) {
      changed[k] = {};
      for (std::uint8_t i = letter.rows[k].begin; i < letter.rows[k].end; ++i) {
        add(changed[k], matrix.rows[letter.terms[i].column], letter.terms[i].power);
      }
    }
    for (std::size_t k = 0; k < letter.rows.size(); ++k) {
      matrix.rows[letter.rows[k].row] = changed[k];
    }
  }
  return true;
}

bool WindowProver::supports(std::span<const std::uint8_t> circuit) const {
  return std::ranges::all_of(circuit,
                             [&](std::uint8_t letter) { return letters_[letter].is_supported; });
}

bool WindowProver::equal(std::span<const std::uint8_t> left, std::span<const std::uint8_t> right,
                         int phase) const {
  circuit::strip_common_ends(left, right);
  Matrix a;
  Matrix b;
  if (!multiply(left, a) || !multiply(right, b)) return false;
  const int turn = a.phase - b.phase - phase;
  if ((turn & 1) != 0) return false;
  // Compares sqrt(2)^-a e^{i pi turn / 8} A with sqrt(2)^-b B.
  Matrix& coarser = a.scale < b.scale ? a : b;
  for (int i = std::abs(a.scale - b.scale); i > 0; --i) {
    for (Row& row : coarser.rows) {
      Row product = {};
      add(product, row, 1);
      add(product, row, 7);  // -w^3
      row = product;
    }
  }
  Vector difference = {};
  for (std::size_t k = 0; k < kDimension; ++k) {
    Row turned = {};
    add(turned, a.rows[k], static_cast<unsigned>(turn / 2) & 7U);
    for (std::size_t i = 0; i < 4; ++i) {
      difference |= turned.coefficients[i] ^ b.rows[k].coefficients[i];
    }
  }
  for (std::size_t i = 0; i < kDimension; ++i) {
    if (difference[i] != 0) return false;
  }
  return true;
}

}  // namespace quartz::verify
