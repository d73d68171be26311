#include "optimize/evaluation_tables/field_tables.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <utility>

#include "optimize/algebras/quotient_algebra.hpp"
#include "optimize/algebras/small_field.hpp"
#include "optimize/evaluation_tables/orbit_table.hpp"
#include "optimize/products/bit_matrix.hpp"
#include "optimize/products/coordinates.hpp"

namespace quartz::optimizer {
namespace {

using Element = SmallField::Element;

/// The largest degree of a field for whose table a search is worth the time, and its limits.
constexpr unsigned kMaxSearchedDegree = 3;
constexpr std::size_t kPatienceOfField = 200;
constexpr std::uint64_t kTicksOfField = 30'000;
/// Units of cost of a parity, and the part of a cost that a random plan may take away.
constexpr std::size_t kUnitsOfParity = 16;
constexpr double kSpreadOfCosts = 0.25;
constexpr double kSpreadOfTruncated = 0.5;

/// Returns the structure of the multiplication in a field, on three times as many wires.
AlgebraStructure structure_of_field(const SmallField& field) {
  const std::size_t degree = field.degree();
  AlgebraStructure structure;
  structure.modulus = LinearForm(degree + 1, field.modulus());
  for (std::size_t i = 0; i < degree; ++i) {
    structure.first.push_back(unit_vector(3 * degree, i));
    structure.second.push_back(unit_vector(3 * degree, degree + i));
    structure.third.push_back(unit_vector(3 * degree, 2 * degree + i));
  }
  return structure;
}

/// Returns the forms of the bits of the image of an element, whose own bits have given forms.
std::vector<LinearForm> forms_of_image(const EvaluationMap& map,
                                       const std::vector<LinearForm>& forms,
                                       std::span<const Element> images) {
  std::vector<LinearForm> result(map.degree, LinearForm(forms[0].size()));
  for (std::size_t i = 0; i < images.size(); ++i) {
    for (unsigned bit = 0; bit < map.degree; ++bit) {
      if ((images[i] >> bit & 1U) != 0) result[bit] ^= forms[i];
    }
  }
  return result;
}

std::vector<Element> multiplied(const EvaluationMap& map, FastRandom& random) {
  const SmallField field(map.degree);
  const Element factor = 1 + random.below(field.size() - 1);
  std::vector<Element> result;
  for (const Element image : map.images) result.push_back(field.product(image, factor));
  return result;
}

/// Returns the forms of all bits of all products of images, such that the products of elements are
/// those that the third forms of the structure say.
std::vector<LinearForm> forms_of_products(const AlgebraStructure& structure,
                                          std::span<const EvaluationMap> maps,
                                          std::span<const std::vector<Element>> first,
                                          std::span<const std::vector<Element>> second) {
  std::size_t bits = 0;
  std::vector<SmallField> fields;
  for (const EvaluationMap& map : maps) {
    bits += map.degree;
    fields.emplace_back(map.degree);
  }
  const std::size_t degree = structure.degree();
  const BitMatrix powers = QuotientAlgebra(structure.modulus).powers_of_x(2 * degree);
  Coordinates products;
  std::vector<LinearForm> forms;  // those of the elements of the basis
  for (std::size_t i = 0; i < degree && products.dimension() < bits; ++i) {
    for (std::size_t j = 0; j < degree; ++j) {
      LinearForm product(bits);
      std::size_t begin = 0;
      for (std::size_t place = 0; place < maps.size(); ++place) {
        const Element element = fields[place].product(first[place][i], second[place][j]);
        for (unsigned bit = 0; bit < maps[place].degree; ++bit) {
          product[begin + bit] = (element >> bit & 1U) != 0;
        }
        begin += maps[place].degree;
      }
      if (products.extend(product)) forms.push_back(multiply(powers[i + j], structure.third));
    }
  }
  // Bits that no product depends on may have any form.
  for (std::size_t bit = 0; bit < bits; ++bit) {
    if (products.extend(unit_vector(bits, bit))) forms.emplace_back(structure.third[0].size());
  }
  std::vector<LinearForm> result;
  for (std::size_t bit = 0; bit < bits; ++bit) {
    result.push_back(multiply(products.of(unit_vector(bits, bit)).value(), forms));
  }
  return result;
}

void toggle(std::set<LinearForm>& parities, LinearForm parity) {
  if (parity.none()) return;
  const auto [entry, is_new] = parities.insert(std::move(parity));
  if (!is_new) parities.erase(entry);
}

}  // namespace

const ParityTable& FieldTables::of_field(unsigned degree) {
  const auto found = tables_.find(degree);
  if (found != tables_.end()) return found->second;
  ParityTable table = new_table(degree);
  return tables_.emplace(degree, std::move(table)).first->second;
}

ParityTable FieldTables::new_table(unsigned degree) {
  if (degree == 1) {
    ParityTable table;
    for (unsigned long bits = 1; bits < 8; ++bits) table.emplace_back(3, bits);
    return table;
  }
  const EvaluationPlan plan = plan_of_tables(degree, true, *this);
  std::optional<ParityTable> orbit = orbit_table(degree);
  if (orbit && orbit->size() < plan.cost) return *std::move(orbit);
  const AlgebraStructure structure = structure_of_field(SmallField(degree));
  const std::vector<EvaluationMap> maps = evaluation_maps(structure.modulus, plan);
  ParityTable table = evaluated_table(structure, maps, tables_, random_);
  if (degree > kMaxSearchedDegree) return table;
  const std::vector<ParityTable> starts{std::move(table)};
  return with_fewer_parities(starts, nullptr, {kPatienceOfField, 1},
                             Budget::of_ticks(kTicksOfField, stop_), random_);
}

EvaluationPlan plan_of_tables(std::size_t degree, bool is_field, FieldTables& tables) {
  return cheapest_plan(
      degree, is_field, kMaxDegreeOfTable, [&](unsigned field, unsigned multiplicity) {
        return tables.of_field(field).size() * sums_of_truncated_product(multiplicity).size();
      });
}

EvaluationPlan random_plan_of_tables(std::size_t degree, bool is_field,
                                     const std::map<unsigned, ParityTable>& tables,
                                     FastRandom& random) {
  std::map<std::pair<unsigned, unsigned>, std::size_t> costs;
  return cheapest_plan(
      degree, is_field, kMaxDegreeOfTable, [&](unsigned field, unsigned multiplicity) {
        const auto [entry, is_new] = costs.try_emplace({field, multiplicity}, 0);
        if (is_new) {
          // Parities of truncated products may vanish against each other.
          const double factor =
              1 - (multiplicity == 1 ? kSpreadOfCosts : kSpreadOfTruncated) * random.unit();
          const std::size_t parities =
              tables.at(field).size() * sums_of_truncated_product(multiplicity).size();
          entry->second =
              static_cast<std::size_t>(factor * static_cast<double>(kUnitsOfParity * parities));
        }
        return entry->second;
      });
}

ParityTable evaluated_table(const AlgebraStructure& structure, std::span<const EvaluationMap> maps,
                            const std::map<unsigned, ParityTable>& tables, FastRandom& random) {
  std::vector<std::vector<Element>> first;
  std::vector<std::vector<Element>> second;
  for (const EvaluationMap& map : maps) {
    first.push_back(multiplied(map, random));
    second.push_back(multiplied(map, random));
  }
  const std::vector<LinearForm> products = forms_of_products(structure, maps, first, second);
  std::set<LinearForm> parities;
  std::size_t begin = 0;
  for (std::size_t place = 0; place < maps.size(); ++place) {
    const EvaluationMap& map = maps[place];
    std::vector<LinearForm> forms = forms_of_image(map, structure.first, first[place]);
    for (LinearForm& form : forms_of_image(map, structure.second, second[place])) {
      forms.push_back(std::move(form));
    }
    for (unsigned bit = 0; bit < map.degree; ++bit) forms.push_back(products[begin + bit]);
    begin += map.degree;
    const ParityTable& table = tables.at(map.degree);
    // The parities and zero may be shifted by any one of them.
    const auto shift = random.below(static_cast<std::uint32_t>(table.size() + 1));
    for (std::uint32_t i = 0; i <= table.size(); ++i) {
      LinearForm parity = i < table.size() ? table[i] : LinearForm(forms.size());
      if (shift < table.size()) parity ^= table[shift];
      toggle(parities, multiply(parity, forms));
    }
  }
  return {parities.begin(), parities.end()};
}

}  // namespace quartz::optimizer
