#include "optimize/product_reduction/square_forms.hpp"

#include <algorithm>
#include <bit>
#include <optional>

#include "quartz/base/errors.hpp"

namespace quartz::optimizer {

namespace {

/// Rounds without a better set after which the search starts again.
constexpr unsigned kIdleRounds = 300;
/// The search ends after as many rounds without a better set as there are forms, times kPatience,
/// plus kPatienceFactor times the rounds that the last better set took.
constexpr std::uint64_t kPatience = 3000;
constexpr std::uint64_t kPatienceFactor = 4;
/// Rounds between two looks at the clock.
constexpr unsigned kRoundsPerCheck = 16;

/// Vectors in echelon form, in words.
class Echelon {
 public:
  /// Adds a vector; returns whether it was independent of those before it.
  bool extend(std::uint64_t vector) {
    vector = reduced(vector);
    if (vector == 0) return false;
    rows_.push_back(vector);
    return true;
  }
  /// Returns the vector plus those rows whose lowest bits it has.
  [[nodiscard]] std::uint64_t reduced(std::uint64_t vector) const {
    for (const std::uint64_t row : rows_) {
      if ((vector & (row & -row)) != 0) vector ^= row;
    }
    return vector;
  }
  [[nodiscard]] std::size_t rank() const { return rows_.size(); }

 private:
  std::vector<std::uint64_t> rows_;
};

class SquareFormSearch {
 public:
  SquareFormSearch(unsigned variables, std::span<const SymmetricMatrix> matrices,
                   FastRandom& random)
      : random_(&random) {
    Echelon echelon;
    for (const SymmetricMatrix matrix : matrices) echelon.extend(matrix);
    matrices_ = echelon.rank();
    const std::uint32_t end = 1U << variables;
    for (std::uint32_t form = 1; form < end; ++form) {
      squares_.push_back(square_of_form(form, variables));
      images_.push_back(echelon.reduced(squares_.back()));
    }
    // A set of all matrices is always enough.
    Echelon all;
    for (std::uint32_t form = 1; form < end; ++form) {
      if (all.extend(squares_[form - 1])) best_.push_back(form);
    }
    table_.resize(std::size_t{1} << (variables + 1));
  }

  std::vector<std::uint32_t> run(std::size_t sufficient, const Budget& budget) {
    const std::uint64_t ticks = 1 + images_.size() * kRoundsPerCheck / 100;
    std::uint64_t rounds = 0;
    std::uint64_t last_better = 0;
    unsigned idle = kIdleRounds;
    while (best_.size() > std::max(sufficient, matrices_) && !budget.spent() &&
           rounds - last_better < kPatience * images_.size() + kPatienceFactor * last_better) {
      for (unsigned round = 0; round < kRoundsPerCheck; ++round, ++rounds) {
        if (idle++ >= kIdleRounds) {
          chosen_.clear();
          score_ = 0;
          idle = 0;
        }
        const std::size_t before = best_.size();
        if (try_round()) idle = 0;
        if (best_.size() < before) last_better = rounds;
      }
      budget.spend(ticks);
    }
    return best_;
  }

 private:
  /// Returns whether the set was improved.
  bool try_round() {
    const std::size_t size = best_.size() - 1 - matrices_;
    std::vector<std::uint32_t> before = chosen_;
    destroy(size);
    repair(size);
    const std::size_t score = count_relations();
    if (score == matrices_) {
      take_best();
      score_ = 0;
      return true;
    }
    if (score < score_) {
      chosen_ = std::move(before);
      return false;
    }
    const bool improved = score > score_;
    score_ = score;
    return improved;
  }

  void destroy(std::size_t size) {
    while (chosen_.size() > size) chosen_.pop_back();
    if (chosen_.empty()) return;
    const std::size_t removed = 1 + random_->below(4);
    for (std::size_t i = 0; i < removed && !chosen_.empty(); ++i) {
      const std::size_t index = random_->below(static_cast<std::uint32_t>(chosen_.size()));
      chosen_[index] = chosen_.back();
      chosen_.pop_back();
    }
  }

  void repair(std::size_t size) {
    current_ = images_;
    for (const std::uint32_t column : chosen_) eliminate(column);
    while (chosen_.size() < size) {
      const auto column = chosen_.empty()
                              ? random_->below(static_cast<std::uint32_t>(images_.size()))
                              : most_frequent();
      if (!column || current_[*column] == 0) break;
      chosen_.push_back(*column);
      eliminate(*column);
    }
  }

  /// Adds the image of a column to all columns that have its lowest bit.
  void eliminate(std::uint32_t column) {
    const std::uint64_t vector = current_[column];
    if (vector == 0) return;
    const int bit = std::countr_zero(vector);
    for (std::uint64_t& each : current_) each ^= vector & -(each >> bit & 1U);
  }

  struct Count {
    std::uint64_t value = 0;
    std::uint32_t count = 0;
    std::uint32_t column = 0;
  };

  /// Returns a column with the nonzero image that most columns have, a random one of several.
  std::optional<std::uint32_t> most_frequent() {
    std::ranges::fill(table_, Count{});
    const std::size_t mask = table_.size() - 1;
    std::optional<std::uint32_t> best;
    std::uint32_t most = 0;
    std::uint32_t ties = 0;
    for (std::uint32_t column = 0; column < current_.size(); ++column) {
      const std::uint64_t value = current_[column];
      if (value == 0) continue;
      std::size_t slot = (value * 0x9e3779b97f4a7c15ULL) >> 32U & mask;
      while (table_[slot].count != 0 && table_[slot].value != value) slot = (slot + 1) & mask;
      table_[slot].value = value;
      const std::uint32_t count = ++table_[slot].count;
      if (count > most) {
        most = count;
        ties = 1;
        best = column;
      } else if (count == most && random_->below(++ties) == 0) {
        best = column;
      }
    }
    return best;
  }

  /// Returns how many independent squares the chosen ones bring beyond their own number.
  [[nodiscard]] std::size_t count_relations() const {
    Echelon echelon;
    for (std::size_t column = 0; column < current_.size(); ++column) {
      if (current_[column] == 0) echelon.extend(squares_[column]);
    }
    return echelon.rank() - std::min(echelon.rank(), chosen_.size());
  }

  void take_best() {
    best_.clear();
    Echelon echelon;
    for (std::uint32_t column = 0; column < current_.size(); ++column) {
      if (current_[column] == 0 && echelon.extend(squares_[column])) best_.push_back(column + 1);
    }
  }

  FastRandom* random_;
  std::size_t matrices_ = 0;              ///< dimension of the span of the given matrices
  std::vector<SymmetricMatrix> squares_;  ///< the square of the form i + 1 at index i
  std::vector<SymmetricMatrix> images_;   ///< squares modulo the given matrices
  std::vector<SymmetricMatrix> current_;  ///< images modulo those of the chosen columns
  std::vector<std::uint32_t> chosen_;     ///< columns
  std::size_t score_ = 0;                 ///< relations of the chosen columns
  std::vector<std::uint32_t> best_;       ///< forms
  std::vector<Count> table_;
};

}  // namespace

SymmetricMatrix square_of_form(std::uint32_t form, unsigned variables) {
  SymmetricMatrix square = 0;
  for (unsigned row = 0; row < variables; ++row) {
    if ((form >> row & 1U) == 0) continue;
    square |= SymmetricMatrix{form & ((2U << row) - 1)} << (row * (row + 1) / 2);
  }
  return square;
}

std::vector<std::uint32_t> square_forms(unsigned variables,
                                        std::span<const SymmetricMatrix> matrices,
                                        std::size_t sufficient, const Budget& budget,
                                        FastRandom& random) {
  ensure(variables <= kSquareFormVariables, "a search for square forms has too many variables");
  return SquareFormSearch(variables, matrices, random).run(sufficient, budget);
}

}  // namespace quartz::optimizer
