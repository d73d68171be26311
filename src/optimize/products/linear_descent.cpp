#include "optimize/products/linear_descent.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include "optimize/products/bit_matrix.hpp"
#include "quartz/base/errors.hpp"

namespace quartz::optimizer {
namespace {

/// The row with which a change is stored.
enum class StoredWith : std::uint8_t { added, changed };

/// Rows of bits, and by how much the sum of the logarithms changes if one is added to another.
class WeighedRows {
 public:
  WeighedRows(const std::vector<LinearForm>& rows, StoredWith stored_with)
      : size_(rows.size()),
        words_((size_ + 63) / 64),
        stored_with_(stored_with),
        changes_(size_ * size_) {
    for (const LinearForm& row : rows) {
      std::vector<std::uint64_t> words(words_);
      boost::to_block_range(row, words.begin());
      rows_.push_back(std::move(words));
    }
    for (std::size_t ones = 0; ones <= size_; ++ones) {
      logarithms_.push_back(std::log2(static_cast<float>(std::max<std::size_t>(ones, 1))));
    }
    for (std::size_t row = 0; row < size_; ++row) weights_.push_back(weight(rows_[row], nullptr));
    for (std::size_t row = 0; row < size_; ++row) update(row);
  }

  /// Returns the changes that are stored with a row, by the number of the other row.
  [[nodiscard]] const float* changes_with(std::size_t row) const {
    return changes_.data() + row * size_;
  }
  void add(std::size_t added, std::size_t to) {
    for (std::size_t word = 0; word < words_; ++word) rows_[to][word] ^= rows_[added][word];
    weights_[to] = weight(rows_[to], nullptr);
    update(to);
  }

 private:
  using Words = std::vector<std::uint64_t>;

  [[nodiscard]] float weight(const Words& row, const Words* other) const {
    std::size_t ones = 0;
    for (std::size_t word = 0; word < words_; ++word) {
      const std::uint64_t bits = other == nullptr ? row[word] : row[word] ^ (*other)[word];
      ones += static_cast<std::size_t>(__builtin_popcountll(bits));
    }
    return logarithms_[ones];
  }
  /// Computes the changes in which a row takes part.
  void update(std::size_t row) {
    for (std::size_t other = 0; other < size_; ++other) {
      if (other == row) continue;
      const float sum = weight(rows_[row], &rows_[other]);
      const bool with_added = stored_with_ == StoredWith::added;
      changes_[row * size_ + other] = sum - weights_[with_added ? other : row];
      changes_[other * size_ + row] = sum - weights_[with_added ? row : other];
    }
  }

  std::size_t size_;
  std::size_t words_;
  StoredWith stored_with_;
  std::vector<Words> rows_;
  std::vector<float> logarithms_;
  std::vector<float> weights_;
  std::vector<float> changes_;
};

/// Smaller differences of the sums are rounding errors.
constexpr float kLeastChange = 1e-3F;

}  // namespace

std::vector<NetworkCnot> descend_towards_permutation(std::vector<LinearForm>& rows) {
  const std::optional<BitMatrix> inverted = inverse(rows);
  ensure(inverted.has_value(), "the outputs of a network are independent");
  WeighedRows map(rows, StoredWith::added);
  WeighedRows inverse_columns(transpose(*inverted), StoredWith::changed);
  std::vector<NetworkCnot> cnots;
  const std::size_t size = rows.size();
  while (true) {
    float least = -kLeastChange;
    std::optional<NetworkCnot> best;
    for (std::size_t control = 0; control < size; ++control) {
      // Where a row of the map is added to another, the column of the inverse that belongs to the
      // other one is added to the column of the first.
      const float* const of_map = map.changes_with(control);
      const float* const of_inverse = inverse_columns.changes_with(control);
      for (std::size_t target = 0; target < size; ++target) {
        const float change = of_map[target] + of_inverse[target];
        if (change >= least || target == control) continue;
        least = change;
        best = NetworkCnot{static_cast<std::uint32_t>(control), static_cast<std::uint32_t>(target)};
      }
    }
    if (!best) return cnots;
    rows[best->target] ^= rows[best->control];
    map.add(best->control, best->target);
    inverse_columns.add(best->target, best->control);
    cnots.push_back(*best);
  }
}

}  // namespace quartz::optimizer
