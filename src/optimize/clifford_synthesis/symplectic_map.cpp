#include "optimize/clifford_synthesis/symplectic_map.hpp"

#include <algorithm>

#include "optimize/pauli/bit_transpose.hpp"

namespace quartz::optimizer {
namespace {

/// A bit in a row of words.
struct BitPlace {
  std::size_t word;
  std::uint64_t bit;

  explicit BitPlace(std::uint32_t index)
      : word(index / 64), bit(std::uint64_t{1} << (index % 64)) {}
};

/// Returns whether an operator, given as bits, anticommutes with an axis.
bool anticommutes(unsigned pauli, SymplecticAxis axis) {
  const unsigned other = bits_of(axis);
  return (((pauli & 1U) & (other >> 1U)) ^ ((pauli >> 1U) & (other & 1U))) != 0;
}

}  // namespace

SymplecticMap::SymplecticMap(const CliffordTableau& tableau)
    : qubits_(tableau.qubits()), words_(tableau.words()) {
  const std::size_t rows = 3 * std::size_t{qubits_};
  for (Side& each : sides_) {
    each.images.resize(rows * 2 * words_);
    each.weights.resize(rows);
  }
  Side& own = side(MapEnd::start);
  for (std::uint32_t qubit = 0; qubit < qubits_; ++qubit) {
    for (std::size_t axis = 0; axis < 2; ++axis) {
      const PauliRows::ConstRow image = tableau.image(qubit, axis).first(2 * words_);
      const std::size_t row = 3 * std::size_t{qubit} + axis;
      std::ranges::copy(image, own.images.begin() + static_cast<std::ptrdiff_t>(row * 2 * words_));
    }
  }
  fill_inverse();
  for (Side& each : sides_) {
    for (std::uint32_t qubit = 0; qubit < qubits_; ++qubit) {
      multiply(each, row_of(qubit, SymplecticAxis::y), row_of(qubit, SymplecticAxis::x));
      multiply(each, row_of(qubit, SymplecticAxis::y), row_of(qubit, SymplecticAxis::z));
    }
    for (std::size_t row = 0; row < rows; ++row) count(each, row);
  }
}

void SymplecticMap::fill_inverse() {
  // The image of P under the inverse anticommutes with Q if and only if P anticommutes with the
  // image of Q. It has an X on the qubits whose Z it anticommutes with, and a Z likewise.
  const Side& start = side(MapEnd::start);
  Side& inverse = side(MapEnd::end);
  const auto offset = [&](SymplecticAxis axis, bool is_z) {
    return row_of(0, axis) * 2 * words_ + (is_z ? words_ : 0);
  };
  const std::size_t stride = row_of(1, SymplecticAxis::x) * 2 * words_;
  for (const SymplecticAxis axis : {SymplecticAxis::x, SymplecticAxis::z}) {
    const bool tests_z = axis == SymplecticAxis::x;  // X anticommutes with Z, and with Y
    for (const bool is_z : {false, true}) {
      const SymplecticAxis image = is_z ? SymplecticAxis::x : SymplecticAxis::z;
      transpose({start.images.data() + offset(image, tests_z), stride, qubits_},
                {inverse.images.data() + offset(axis, is_z), stride, qubits_});
    }
  }
}

bool SymplecticMap::is_permutation() const {
  return std::ranges::all_of(side(MapEnd::start).weights,
                             [](std::uint32_t weight) { return weight == 1; });
}

void SymplecticMap::multiply(Side& side, std::size_t row, std::size_t by) const {
  for (std::size_t i = 0; i < 2 * words_; ++i) {
    side.images[row * 2 * words_ + i] ^= side.images[by * 2 * words_ + i];
  }
}

void SymplecticMap::count(Side& side, std::size_t row) const {
  const std::uint64_t* const bits = &side.images[row * 2 * words_];
  std::uint32_t weight = 0;
  for (std::size_t i = 0; i < words_; ++i) {
    weight += static_cast<std::uint32_t>(__builtin_popcountll(bits[i] | bits[words_ + i]));
  }
  side.weights[row] = weight;
}

void SymplecticMap::put(MapEnd end, const ControlledPauli& gate) {
  Side& own = side(end);
  // An operator that anticommutes with the axis of its qubit is multiplied by that of the other.
  const auto change = [&](std::uint32_t qubit, SymplecticAxis axis, std::uint32_t other,
                          SymplecticAxis other_axis) {
    for (const SymplecticAxis each : kSymplecticAxes) {
      if (each == axis) continue;
      multiply(own, row_of(qubit, each), row_of(other, other_axis));
      count(own, row_of(qubit, each));
    }
  };
  change(gate.first, gate.first_axis, gate.second, gate.second_axis);
  change(gate.second, gate.second_axis, gate.first, gate.first_axis);
  push(side(opposite(end)), gate);
}

void SymplecticMap::push(Side& side, const ControlledPauli& gate) const {
  const BitPlace first(gate.first);
  const BitPlace second(gate.second);
  for (std::size_t row = 0; row < side.weights.size(); ++row) {
    std::uint64_t* const x = &side.images[row * 2 * words_];
    std::uint64_t* const z = x + words_;
    const auto at = [&](const BitPlace& place) {
      return static_cast<unsigned>((x[place.word] & place.bit) != 0) |
             static_cast<unsigned>((z[place.word] & place.bit) != 0) << 1U;
    };
    const auto toggle = [&](const BitPlace& place, SymplecticAxis axis) {
      if ((bits_of(axis) & 1U) != 0) x[place.word] ^= place.bit;
      if ((bits_of(axis) & 2U) != 0) z[place.word] ^= place.bit;
    };
    const unsigned on_first = at(first);
    const unsigned on_second = at(second);
    if ((on_first | on_second) == 0) continue;
    if (anticommutes(on_first, gate.first_axis)) toggle(second, gate.second_axis);
    if (anticommutes(on_second, gate.second_axis)) toggle(first, gate.first_axis);
    const auto number = [](unsigned pauli) { return pauli != 0 ? 1U : 0U; };
    side.weights[row] += number(at(first)) + number(at(second));
    side.weights[row] -= number(on_first) + number(on_second);
  }
}

}  // namespace quartz::optimizer
