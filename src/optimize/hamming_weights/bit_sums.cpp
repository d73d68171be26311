#include "optimize/hamming_weights/bit_sums.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <utility>

namespace quartz::optimizer {
namespace {

AffineForm sum_of(const AffineForm& a, const AffineForm& b) {
  return {a.form ^ b.form, a.is_negated != b.is_negated};
}

/// The most short forms of which all choices of three are compared.
constexpr std::size_t kComparedForms = 8;

/// The number of CNOTs that are needed for each bit of a form until its rotation is made.
constexpr std::ptrdiff_t kUsesOfForm = 4;

/// Returns whether a full adder for forms of a weight costs less than what it replaces.
bool is_full_adder_cheaper(std::size_t weight, const SumCosts& costs) {
  return 2 * costs.rotation(weight) - costs.rotation(weight + 1) > costs.product;
}

/// Returns whether a half adder for the two forms of a weight, and those adders that follow from
/// it, cost less than what they replace.
bool is_half_adder_cheaper(const FormCounts& forms, std::size_t weight, std::size_t most_adders,
                           const SumCosts& costs) {
  double change = 0;
  for (std::size_t adders = 1; adders <= most_adders; ++adders, ++weight) {
    // The adder turns the last form of this weight, or two with the carry, into a carry.
    change += costs.product - costs.rotation(weight) + costs.rotation(weight + 1);
    if (change < 0) return true;
    const auto next = forms.find(weight + 1);
    // The carry joins what is there: a half adder for two forms, a full adder for three.
    if (next == forms.end() || next->second == 0) return false;
    if (next->second == 2) change -= costs.rotation(weight + 1);
  }
  return false;
}

class BitSums {
 public:
  BitSums(std::vector<WeightedForm> rotations, std::size_t data, const SumCosts& costs)
      : rotations_(std::move(rotations)), data_(data), costs_(costs) {
    if (!rotations_.empty()) ancillas_ = rotations_.front().form.form.size() - data;
  }

  std::vector<SumStep> steps() {
    while (merge_equal_forms() || add_three() || add_two()) {
    }
    return std::move(steps_);
  }

 private:
  void finish_step(std::optional<FormProduct> product, std::vector<BitCnot> cnots) {
    steps_.push_back({std::move(product), std::move(cnots), rotations_});
  }

  /// Joins two rotations about forms that are equal, or opposite. Sums may be.
  bool merge_equal_forms() {
    for (std::size_t i = 0; i < rotations_.size(); ++i) {
      for (std::size_t j = i + 1; j < rotations_.size(); ++j) {
        if (rotations_[i].weight != rotations_[j].weight ||
            rotations_[i].form.form != rotations_[j].form.form) {
          continue;
        }
        WeightedForm both = rotations_[i];
        const bool is_constant = both.form.is_negated != rotations_[j].form.is_negated;
        rotations_.erase(rotations_.begin() + static_cast<std::ptrdiff_t>(j));
        rotations_.erase(rotations_.begin() + static_cast<std::ptrdiff_t>(i));
        ++both.weight;
        if (!is_constant) rotations_.push_back(std::move(both));
        finish_step(std::nullopt, {});
        return true;
      }
    }
    return false;
  }

  [[nodiscard]] std::map<std::size_t, std::vector<std::size_t>> by_weight() const {
    std::map<std::size_t, std::vector<std::size_t>> result;
    for (std::size_t i = 0; i < rotations_.size(); ++i) {
      result[rotations_[i].weight].push_back(i);
    }
    return result;
  }

  [[nodiscard]] const LinearForm& form_of(std::size_t rotation) const {
    return rotations_[rotation].form.form;
  }

  /// Returns three forms of a weight: those whose sum is constant, if there are any, or else short
  /// ones of which the first two, each plus the third one, are short. CNOTs compute these sums.
  [[nodiscard]] std::array<std::size_t, 3> chosen_three(std::vector<std::size_t> forms) const {
    for (std::size_t i = 0; i < forms.size(); ++i) {
      for (std::size_t j = i + 1; j < forms.size(); ++j) {
        const LinearForm sum = form_of(forms[i]) ^ form_of(forms[j]);
        for (std::size_t k = j + 1; k < forms.size(); ++k) {
          if (form_of(forms[k]) == sum) return {forms[i], forms[j], forms[k]};
        }
      }
    }
    std::ranges::stable_sort(forms, {}, [&](std::size_t each) { return form_of(each).count(); });
    forms.resize(std::min(forms.size(), kComparedForms));
    std::array<std::size_t, 3> best{};
    std::size_t fewest = std::numeric_limits<std::size_t>::max();
    for (const std::size_t c : forms) {
      for (std::size_t i = 0; i < forms.size(); ++i) {
        for (std::size_t j = i + 1; j < forms.size(); ++j) {
          if (forms[i] == c || forms[j] == c) continue;
          const std::size_t size =
              (form_of(forms[i]) ^ form_of(c)).count() + (form_of(forms[j]) ^ form_of(c)).count();
          if (size >= fewest) continue;
          fewest = size;
          best = {forms[i], forms[j], c};
        }
      }
    }
    return best;
  }

  /// A full adder, for the largest weight with three forms: sums of sums need the fewest ancillas.
  bool add_three() {
    if (products_ == ancillas_) return false;
    const auto forms = by_weight();
    for (auto each = forms.rbegin(); each != forms.rend(); ++each) {
      if (each->second.size() < 3) continue;
      if (!is_full_adder_cheaper(each->first, costs_)) continue;
      const auto [a, b, c] = chosen_three(each->second);
      const AffineForm last = rotations_[c].form;
      add(std::array{a, b, c}, {sum_of(rotations_[a].form, last), sum_of(rotations_[b].form, last)},
          last);
      return true;
    }
    return false;
  }

  /// A half adder, if it and those adders that follow from it cost less than what they replace.
  bool add_two() {
    if (products_ == ancillas_) return false;
    const auto all = by_weight();
    FormCounts counts;
    for (const auto& [weight, forms] : all) counts[weight] = forms.size();
    for (const auto& [weight, forms] : all) {
      if (forms.size() != 2 ||
          !is_half_adder_cheaper(counts, weight, ancillas_ - products_, costs_)) {
        continue;
      }
      const std::size_t a = forms[0];
      const std::size_t b = forms[1];
      const AffineForm zero{LinearForm(data_ + ancillas_), false};
      add(std::array{a, b}, {rotations_[a].form, rotations_[b].form}, zero);
      return true;
    }
    return false;
  }

  /// Replaces rotations about forms of one weight by one about their sum and one about their carry,
  /// which is the product plus a form.
  template <std::size_t N>
  void add(std::array<std::size_t, N> terms, FormProduct product, const AffineForm& rest) {
    const std::size_t weight = rotations_[terms[0]].weight;
    AffineForm sum{LinearForm(data_ + ancillas_), false};
    for (const std::size_t term : terms) sum = sum_of(sum, rotations_[term].form);
    AffineForm carry = rest;
    carry.form.flip(data_ + products_);
    ++products_;
    std::ranges::sort(terms, std::greater<>());
    for (const std::size_t term : terms) {
      rotations_.erase(rotations_.begin() + static_cast<std::ptrdiff_t>(term));
    }
    rotations_.push_back({std::move(carry), weight + 1});
    std::vector<BitCnot> cnots;
    shorten(rotations_.size() - 1, cnots);
    if (sum.form.any()) {
      for (const BitCnot& cnot : cnots) {
        if (sum.form.test(cnot.target)) sum.form.flip(cnot.control);
      }
      rotations_.push_back({std::move(sum), weight});
      shorten(rotations_.size() - 1, cnots);
    }
    finish_step(std::move(product), std::move(cnots));
  }

  /// Adds CNOTs after which a bit carries the form of a rotation, if all forms together become so
  /// much shorter that it pays.
  void shorten(std::size_t rotation, std::vector<BitCnot>& cnots) {
    const LinearForm form = form_of(rotation);
    const auto ancilla = data_ == 0 ? form.find_first() : form.find_next(data_ - 1);
    const auto first = ancilla == LinearForm::npos ? form.find_first() : ancilla;
    std::size_t target = LinearForm::npos;
    std::ptrdiff_t least = 0;
    for (auto bit = first; bit != LinearForm::npos; bit = form.find_next(bit)) {
      LinearForm others = form;
      others.reset(bit);
      auto cost = static_cast<std::ptrdiff_t>(2 * others.count());
      for (const WeightedForm& each : rotations_) {
        if (!each.form.form.test(bit)) continue;
        cost += kUsesOfForm * (static_cast<std::ptrdiff_t>((each.form.form ^ others).count()) -
                               static_cast<std::ptrdiff_t>(each.form.form.count()));
      }
      if (cost >= least) continue;
      least = cost;
      target = bit;
    }
    if (target == LinearForm::npos) return;
    LinearForm others = form;
    others.reset(target);
    for (auto bit = others.find_first(); bit != LinearForm::npos; bit = others.find_next(bit)) {
      cnots.push_back({bit, target});
    }
    for (WeightedForm& each : rotations_) {
      if (each.form.form.test(target)) each.form.form ^= others;
    }
  }

  std::vector<WeightedForm> rotations_;
  std::size_t data_;
  const SumCosts& costs_;
  std::size_t ancillas_ = 0;
  std::size_t products_ = 0;
  std::vector<SumStep> steps_;
};

}  // namespace

std::vector<SumStep> sum_steps(std::vector<WeightedForm> rotations, std::size_t data,
                               const SumCosts& costs) {
  return BitSums(std::move(rotations), data, costs).steps();
}

double cost_of_sum(FormCounts forms, const SumCosts& costs) {
  constexpr std::size_t kAnyNumber = 64;
  double total = 0;
  const auto add = [&](std::size_t weight, std::size_t adders, std::size_t taken) {
    total += costs.product * static_cast<double>(adders);
    forms[weight] -= taken;
    forms[weight + 1] += adders;
  };
  for (auto each = forms.begin(); each != forms.end(); ++each) {
    const std::size_t weight = each->first;
    if (each->second >= 3 && is_full_adder_cheaper(weight, costs)) {
      const std::size_t adders = (each->second - 1) / 2;
      add(weight, adders, 2 * adders);
    }
  }
  for (auto each = forms.begin(); each != forms.end(); ++each) {
    const std::size_t weight = each->first;
    const bool is_full = each->second == 3 && is_full_adder_cheaper(weight, costs);
    if (is_full) add(weight, 1, 2);
    if (each->second == 2 && is_half_adder_cheaper(forms, weight, kAnyNumber, costs)) {
      add(weight, 1, 1);
    }
    total += static_cast<double>(each->second) * costs.rotation(weight);
  }
  return total;
}

}  // namespace quartz::optimizer
