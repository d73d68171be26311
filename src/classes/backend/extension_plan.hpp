#pragma once

#include <cstdint>
#include <vector>

#include "fingerprint/fingerprint.hpp"

namespace quartz::classes {

using algebra::Goldilocks;

/// A plan for computing the values of a functional at all extensions of a state with few
/// multiplications.
///
/// A letter with the entries U_ij takes a state s to one where the functional f has the value
/// sum of U_ij f_i s_j. A letter has few different entries, and many letters have non-zero entries
/// at the same positions. The products f_i s_j are therefore formed once for all letters, added up
/// over the positions where a letter has the same entry, and these sums are multiplied by the
/// entry. For 33 letters on 3 qubits this takes 32 products and 12 multiples, where a dot product
/// for each letter takes 264 products.
///
/// Values are determined up to a sixteenth root of unity for each letter, which is the same for all
/// functionals and states. Keys (level_key) do not depend on it, and it saves a multiplication
/// where all entries of a letter have it in common.
struct ExtensionPlan {
  struct Product {
    std::uint32_t row;     ///< index into the functional
    std::uint32_t column;  ///< index into the state
  };
  /// Sum of the products that `members` lists from `begin` to `end`.
  struct Sum {
    std::uint32_t begin;
    std::uint32_t end;
  };
  struct Multiple {
    std::uint32_t sum;
    Goldilocks factor;
  };
  /// A value: a sum by its number, or a multiple by its number plus the number of sums.
  struct Term {
    std::uint32_t value;
    bool negative;
  };
  /// The letter's value is factor * (value of the first sum + the terms from `begin` to `end`).
  struct Letter {
    std::uint32_t first;
    std::uint32_t begin;
    std::uint32_t end;
    bool scaled;  ///< whether the factor differs from 1
    Goldilocks factor;
  };

  std::vector<Goldilocks> numerator;    ///< numerator functional, not yet multiplied by a letter
  std::vector<Goldilocks> denominator;  ///< denominator functional, not yet multiplied by a letter
  std::vector<Product> products;
  std::vector<std::uint32_t> members;
  std::vector<Sum> sums;
  std::vector<Multiple> multiples;
  std::vector<Term> terms;
  std::vector<Letter> letters;

  [[nodiscard]] std::size_t dimension() const { return numerator.size(); }
};

[[nodiscard]] ExtensionPlan make_extension_plan(const fingerprint::FingerprintTables& tables);

}  // namespace quartz::classes
