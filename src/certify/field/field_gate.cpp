#include "certify/field/field_gate.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "certify/problem/wire_index.hpp"

namespace quartz::certify {
namespace {

using Element = PrimeField::Element;

/// Calls `visit` with each index below `size` in which the given bits are 0, ascending.
template <typename Visit>
void for_each_base(std::size_t size, std::size_t bits, const Visit& visit) {
  for (std::size_t base = 0; base < size; base = ((base | bits) + 1) & ~bits) visit(base);
}

/// Inverses of numbers that occur many times.
class KnownInverses {
 public:
  explicit KnownInverses(const PrimeField& field) : field_(field) {}

  Element of(Element number) {
    const auto [known, is_new] = inverses_.try_emplace(number, 0);
    if (is_new) known->second = field_.inverse(number);
    return known->second;
  }

 private:
  const PrimeField& field_;
  std::map<Element, Element> inverses_;
};

}  // namespace

FieldGate::Factor::Factor(Element number, const PrimeField& field)
    : kind(number == field.one()                                 ? Kind::one
           : number == field.subtract(field.zero(), field.one()) ? Kind::minus_one
                                                                 : Kind::other),
      value(number) {}

inline Element FieldGate::Factor::times(const PrimeField& field, Element amplitude) const {
  switch (kind) {
    case Kind::one:
      return amplitude;
    case Kind::minus_one:
      return field.subtract(field.zero(), amplitude);
    case Kind::other:
      break;
  }
  return field.multiply(value, amplitude);
}

FieldGate::FieldGate(const std::vector<Element>& matrix, std::span<const Wire> wires,
                     const PrimeField& field) {
  for (const Wire wire : wires) wire_bits_ |= std::size_t{1} << wire;
  const std::size_t dimension = std::size_t{1} << wires.size();
  const auto [changed, diagonal] =
      changed_states(std::span<const Element>(matrix), dimension, field.one());
  for (const std::size_t i : changed) offsets_.push_back(offset_of(i, wires));
  if (!diagonal && changed.size() == 2) {
    const auto [i, j] = std::pair(changed[0] * dimension, changed[1] * dimension);
    set_form_of_pair({matrix[i + changed[0]], matrix[i + changed[1]], matrix[j + changed[0]],
                      matrix[j + changed[1]]},
                     field);
  }
  if (form_ != Form::general) return;
  if (diagonal) form_ = Form::diagonal;
  for (std::size_t i = 0; i < changed.size(); ++i) {
    for (std::size_t j = 0; j < changed.size(); ++j) {
      const Element value = matrix[changed[i] * dimension + changed[j]];
      if (value != 0 || (diagonal && i == j)) entries_.push_back({i, j, Factor(value, field)});
    }
  }
}

/// Chooses an exchange or a mixing gate if the matrix ((a, b), (c, d)) of the two states that
/// change has that form.
void FieldGate::set_form_of_pair(const std::vector<Element>& pair, const PrimeField& field) {
  const Element a = pair[0];
  const Element b = pair[1];
  const Element c = pair[2];
  const Element d = pair[3];
  if (a == 0 && d == 0) {
    form_ = Form::exchange;
    factors_ = {Factor(b, field), Factor(c, field)};
  } else if (std::find(pair.begin(), pair.end(), field.zero()) == pair.end()) {
    form_ = Form::mixing;
    const Element row = field.multiply(c, field.inverse(a));
    const Element corner = field.multiply(d, field.inverse(field.multiply(row, b)));
    factors_ = {Factor(a, field), Factor(b, field), Factor(corner, field), Factor(row, field)};
  }
}

void FieldGate::apply(const PrimeField& field, std::span<Element> state) const {
  switch (form_) {
    case Form::diagonal:
      for_each_base(state.size(), wire_bits_, [&](std::size_t base) {
        for (const Entry& entry : entries_) {
          Element& amplitude = state[base | offsets_[entry.row]];
          amplitude = entry.factor.times(field, amplitude);
        }
      });
      return;
    case Form::exchange:
      return exchange(field, state);
    case Form::mixing:
      return mix(field, state);
    case Form::general:
      return apply_entries(field, state);
  }
}

void FieldGate::exchange(const PrimeField& field, std::span<Element> state) const {
  for_each_base(state.size(), wire_bits_, [&](std::size_t base) {
    Element& first = state[base | offsets_[0]];
    Element& second = state[base | offsets_[1]];
    const Element before = first;
    first = factors_[0].times(field, second);
    second = factors_[1].times(field, before);
  });
}

void FieldGate::mix(const PrimeField& field, std::span<Element> state) const {
  for_each_base(state.size(), wire_bits_, [&](std::size_t base) {
    Element& first = state[base | offsets_[0]];
    Element& second = state[base | offsets_[1]];
    const Element x = factors_[0].times(field, first);
    const Element y = factors_[1].times(field, second);
    first = field.add(x, y);
    const Element sum = factors_[2].kind == Factor::Kind::minus_one
                            ? field.subtract(x, y)
                            : field.add(x, factors_[2].times(field, y));
    second = factors_[3].times(field, sum);
  });
}

void FieldGate::apply_entries(const PrimeField& field, std::span<Element> state) const {
  std::vector<Element> before(offsets_.size());
  std::vector<Element> after(offsets_.size());
  for_each_base(state.size(), wire_bits_, [&](std::size_t base) {
    for (std::size_t i = 0; i < offsets_.size(); ++i) before[i] = state[base | offsets_[i]];
    std::fill(after.begin(), after.end(), field.zero());
    for (const Entry& entry : entries_) {
      Element& sum = after[entry.row];
      sum = field.add(sum, entry.factor.times(field, before[entry.column]));
    }
    for (std::size_t i = 0; i < offsets_.size(); ++i) state[base | offsets_[i]] = after[i];
  });
}

FieldGates make_field_gates(const std::vector<Step>& steps, const std::vector<bool>& truth,
                            const RandomPoint& point, const OpaqueMatrices& opaque) {
  const PrimeField& field = point.field();
  FieldGates result;
  result.scale = field.one();
  KnownInverses inverses(field);
  emit_fused(
      steps, truth,
      [&](const Operation& operation) { return field_matrix(operation, point, opaque); },
      [&](Element a, Element b, Element c, Element d) {
        return field.add(field.multiply(a, b), field.multiply(c, d));
      },
      [&](std::vector<Element> matrix, std::span<const Wire> wires) {
        // A matrix that begins with 1 leaves most basis states as they are, or needs fewer
        // multiplications; what it is divided by is multiplied once.
        const Element first = matrix[0];
        if (first != 0 && first != field.one()) {
          result.scale = field.multiply(result.scale, first);
          const Element inverse = inverses.of(first);
          for (Element& entry : matrix) entry = field.multiply(entry, inverse);
        }
        result.gates.emplace_back(matrix, wires, field);
      });
  return result;
}

}  // namespace quartz::certify
