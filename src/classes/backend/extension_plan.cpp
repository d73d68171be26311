#include "classes/backend/extension_plan.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace quartz::classes {
namespace {

class Planning {
 public:
  explicit Planning(const fingerprint::FingerprintTables& tables) {
    plan_.numerator = tables.probe.numerator;
    plan_.denominator = tables.probe.denominator;
    for (const fingerprint::FieldGate& letter : tables.letters) add_letter(letter);
    // Multiples are numbered after the sums, whose final number is known only now.
    const auto sums = static_cast<std::uint32_t>(plan_.sums.size());
    for (auto& [term, is_multiple] : terms_) {
      plan_.terms.push_back({term.value + (is_multiple ? sums : 0), term.negative});
    }
  }
  [[nodiscard]] ExtensionPlan take() { return std::move(plan_); }

 private:
  using Products = std::vector<std::uint32_t>;
  /// The products that a letter multiplies by the same matrix entry.
  struct Share {
    Goldilocks entry;
    Products products;
  };

  void add_letter(const fingerprint::FieldGate& letter) {
    const std::vector<Share> shares = shares_of(letter);
    const Goldilocks common = shares.front().entry;
    ExtensionPlan::Letter& row = plan_.letters.emplace_back();
    row.first = sum(shares.front().products);
    row.begin = static_cast<std::uint32_t>(terms_.size());
    for (std::size_t i = 1; i < shares.size(); ++i) {
      add_term(sum(shares[i].products), shares[i].entry * common.inverse());
    }
    row.end = static_cast<std::uint32_t>(terms_.size());
    row.scaled = common.power(16) != Goldilocks(1);
    row.factor = row.scaled ? common : Goldilocks(1);
  }

  /// Returns the letter's shares, ordered by their first products.
  std::vector<Share> shares_of(const fingerprint::FieldGate& letter) {
    std::vector<Share> shares;
    for (std::uint32_t row = 0; row + 1 < letter.row_begin.size(); ++row) {
      for (std::uint32_t i = letter.row_begin[row]; i < letter.row_begin[row + 1]; ++i) {
        auto share = std::find_if(shares.begin(), shares.end(),
                                  [&](const Share& one) { return one.entry == letter.entries[i]; });
        if (share == shares.end()) share = shares.insert(share, Share{letter.entries[i], {}});
        share->products.push_back(product(row, letter.columns[i]));
      }
    }
    for (Share& share : shares) std::sort(share.products.begin(), share.products.end());
    return shares;
  }

  std::uint32_t product(std::uint32_t row, std::uint32_t column) {
    const auto next = static_cast<std::uint32_t>(plan_.products.size());
    const auto [known, is_new] = products_.emplace(std::pair(row, column), next);
    if (is_new) plan_.products.push_back({row, column});
    return known->second;
  }

  std::uint32_t sum(const Products& products) {
    const auto next = static_cast<std::uint32_t>(plan_.sums.size());
    const auto [known, is_new] = sums_.emplace(products, next);
    if (is_new) {
      const auto begin = static_cast<std::uint32_t>(plan_.members.size());
      plan_.members.insert(plan_.members.end(), products.begin(), products.end());
      plan_.sums.push_back({begin, static_cast<std::uint32_t>(plan_.members.size())});
    }
    return known->second;
  }

  /// Appends the term sum * factor. One multiple serves a factor and its negative.
  void add_term(std::uint32_t sum, Goldilocks factor) {
    if (factor == Goldilocks(1) || factor == -Goldilocks(1)) {
      terms_.push_back({{sum, factor != Goldilocks(1)}, false});
      return;
    }
    const auto opposite = multiples_.find({sum, (-factor).value()});
    if (opposite != multiples_.end()) {
      terms_.push_back({{opposite->second, true}, true});
      return;
    }
    const auto next = static_cast<std::uint32_t>(plan_.multiples.size());
    const auto [known, is_new] = multiples_.emplace(std::pair(sum, factor.value()), next);
    if (is_new) plan_.multiples.push_back({sum, factor});
    terms_.push_back({{known->second, false}, true});
  }

  ExtensionPlan plan_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> products_;
  std::map<Products, std::uint32_t> sums_;
  std::map<std::pair<std::uint32_t, std::uint64_t>, std::uint32_t> multiples_;
  std::vector<std::pair<ExtensionPlan::Term, bool>> terms_;  ///< second: whether it is a multiple
};

}  // namespace

ExtensionPlan make_extension_plan(const fingerprint::FingerprintTables& tables) {
  return Planning(tables).take();
}

}  // namespace quartz::classes
