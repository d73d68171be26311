#pragma once

#include <cstdint>
#include <vector>

#include "fingerprint/fingerprint.hpp"

namespace quartz {

/// How a functional's values at all extensions of a state are computed, with as few products as
/// there can be.
///
/// A letter with the entries U_ij takes a state s to one where the functional f has the value
/// sum of U_ij f_i s_j. Letters have few different entries, and the same places in many of them:
/// so the products f_i s_j are formed once for all letters, added up over the places where a letter
/// has one entry, and these sums multiplied by the entry. For 33 letters on 3 qubits these are 32
/// products and 12 multiples, where a dot product for each letter takes 264 products.
///
/// Values are determined up to a sixteenth root of unity for each letter, the same for all
/// functionals and states: keys (level_key) do not depend on it, and it spares a multiple where a
/// letter's entries have it in common.
struct ExtensionPlan {
  struct Product {
    std::uint32_t row;     ///< of the functional
    std::uint32_t column;  ///< of the state
  };
  /// Of some products: those that `members` lists from `begin` to `end`.
  struct Sum {
    std::uint32_t begin;
    std::uint32_t end;
  };
  struct Multiple {
    std::uint32_t sum;
    Goldilocks factor;
  };
  /// A value: a sum by its number, or a multiple by its number plus that of all sums.
  struct Term {
    std::uint32_t value;
    bool negative;
  };
  /// The letter's value: factor * (value of the first sum, then of the terms from `begin` to
  /// `end`).
  struct Letter {
    std::uint32_t first;
    std::uint32_t begin;
    std::uint32_t end;
    bool scaled;  ///< whether the factor is another one than 1
    Goldilocks factor;
  };

  std::vector<Goldilocks> numerator;    ///< the functionals, before any letter
  std::vector<Goldilocks> denominator;  ///< likewise
  std::vector<Product> products;
  std::vector<std::uint32_t> members;
  std::vector<Sum> sums;
  std::vector<Multiple> multiples;
  std::vector<Term> terms;
  std::vector<Letter> letters;

  [[nodiscard]] std::size_t dimension() const { return numerator.size(); }
};

[[nodiscard]] ExtensionPlan make_extension_plan(const FingerprintTables& tables);

}  // namespace quartz
