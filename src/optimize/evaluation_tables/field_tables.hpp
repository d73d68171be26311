#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <stop_token>
#include <utility>
#include <vector>

#include "base/random.hpp"
#include "optimize/algebras/algebra_structure.hpp"
#include "optimize/algebras/evaluation_maps.hpp"
#include "optimize/rank_reduction/rank_reduction.hpp"

namespace quartz::optimizer {

/// Tables of parities for the multiplications in small fields, each computed when it is first asked
/// for. The table of the field of 2^d elements is one for the sum over i, j < d of the trivectors
/// of a_i, b_j and c(x^(i + j)), where the elements are bits of the powers of x in SmallField: the
/// bits of a, of b and of c are the wires 0 to d - 1, d to 2d - 1 and 2d to 3d - 1.
///
/// A table is made of those of smaller fields, and a search makes it smaller if it is small
/// already; or it is an orbit (orbit_table.hpp) that is smaller than these are together. The tables
/// depend on the random numbers of the seed only.
class FieldTables {
 public:
  /// A request to stop ends the searches.
  FieldTables(std::stop_token stop, std::uint64_t seed) : stop_(std::move(stop)), random_(seed) {}

  [[nodiscard]] const ParityTable& of_field(unsigned degree);
  /// Returns the tables that have been asked for, by degree.
  [[nodiscard]] const std::map<unsigned, ParityTable>& known() const { return tables_; }

 private:
  [[nodiscard]] ParityTable new_table(unsigned degree);

  std::stop_token stop_;
  FastRandom random_;
  std::map<unsigned, ParityTable> tables_;  ///< by degree
};

/// Largest degree of a field whose table serves in larger algebras.
inline constexpr unsigned kMaxDegreeOfTable = 8;

/// Returns the plan (evaluation_plan.hpp) with the fewest parities.
[[nodiscard]] EvaluationPlan plan_of_tables(std::size_t degree, bool is_field, FieldTables& tables);

/// Returns a plan with few parities, by random costs. All fields have tables that plan_of_tables()
/// has asked for.
[[nodiscard]] EvaluationPlan random_plan_of_tables(std::size_t degree, bool is_field,
                                                   const std::map<unsigned, ParityTable>& tables,
                                                   FastRandom& random);

/// Returns a table with the cubic form of the products of an algebra (AlgebraStructure): the
/// parities for the products in smaller fields that a plan needs. Each product is multiplied by
/// random elements, so that there are many such tables. All maps have the tables of their fields.
[[nodiscard]] ParityTable evaluated_table(const AlgebraStructure& structure,
                                          std::span<const EvaluationMap> maps,
                                          const std::map<unsigned, ParityTable>& tables,
                                          FastRandom& random);

}  // namespace quartz::optimizer
