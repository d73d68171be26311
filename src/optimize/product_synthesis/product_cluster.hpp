#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/random.hpp"
#include "optimize/product_synthesis/form_block.hpp"

namespace quartz::optimizer {

/// Some blocks, by their indices.
struct BlockCluster {
  std::vector<std::uint32_t> members;
  double dimensions = 0;  ///< that its forms span, for its number of blocks, on a logarithmic scale
};

/// Grows a cluster of blocks whose forms span few dimensions.
///
/// The next block is the one whose forms are equal to the most forms of other blocks modulo the
/// span of the cluster, not counting those that are equal anyway: these add few dimensions later.
/// The result is the cluster with the fewest dimensions for its size among those of all sizes on
/// the way.
template <std::size_t kWords>
class ClusterGrowth {
 public:
  ClusterGrowth(std::vector<FormBlock<kWords>> blocks, FastRandom& random)
      : blocks_(std::move(blocks)), random_(random), is_member_(blocks_.size(), false) {
    std::array<std::uint64_t, 64 * kWords> keys{};
    std::ranges::generate(keys, std::ref(random));
    for (const FormBlock<kWords>& block : blocks_) {
      auto& of_block = keys_.emplace_back();
      for (std::size_t i = 0; i < of_block.size(); ++i) {
        for (std::uint32_t wire = 0; wire < keys.size(); ++wire) {
          if (has_wire(block.forms.at(i), wire)) of_block.at(i) ^= keys.at(wire);
        }
      }
    }
    first_keys_ = keys_;
  }

  /// Returns a cluster with a first block. It has at least `least` and at most `most` blocks.
  [[nodiscard]] BlockCluster grow(std::uint32_t first, std::size_t least, std::size_t most) {
    std::vector<std::uint32_t> members;
    std::size_t best = 0;
    double fewest = std::numeric_limits<double>::infinity();
    for (std::uint32_t next = first;; next = best_candidate()) {
      add(next);
      members.push_back(next);
      const auto size = static_cast<double>(members.size());
      const double dimensions = std::log(dimension_) - kExponent * std::log(size);
      if (members.size() >= least && dimensions < fewest) {
        fewest = dimensions;
        best = members.size();
      }
      if (members.size() == most) break;
    }
    members.resize(best);
    return {std::move(members), fewest};
  }

 private:
  /// Karatsuba's recursion has d^(1 / kExponent) products of forms with d coefficients.
  static constexpr double kExponent = 0.63;

  /// Makes a block a member, and takes all forms modulo its forms.
  void add(std::uint32_t member) {
    is_member_[member] = true;
    for (std::size_t i = 0; i < 3; ++i) {
      const WireBits<kWords> form = blocks_[member].forms.at(i);
      const std::uint64_t key = keys_[member].at(i);
      if (form == WireBits<kWords>{}) continue;
      ++dimension_;
      std::uint32_t pivot = 0;
      while (!has_wire(form, pivot)) ++pivot;
      for (std::size_t block = 0; block < blocks_.size(); ++block) {
        for (std::size_t j = 0; j < 3; ++j) {
          if (!has_wire(blocks_[block].forms.at(j), pivot)) continue;
          add_bits(blocks_[block].forms.at(j), form);
          keys_[block].at(j) ^= key;
        }
      }
    }
  }

  /// How many forms of blocks outside the cluster have each key.
  using KeyUses = std::unordered_map<std::uint64_t, int>;
  using BlockKeys = std::vector<std::array<std::uint64_t, 3>>;
  [[nodiscard]] KeyUses uses_of(const BlockKeys& keys) const {
    KeyUses uses;
    for (std::size_t block = 0; block < blocks_.size(); ++block) {
      if (is_member_[block]) continue;
      for (const std::uint64_t key : keys[block]) ++uses[key];
    }
    return uses;
  }

  [[nodiscard]] std::uint32_t best_candidate() {
    const KeyUses uses = uses_of(keys_);
    const KeyUses uses_before = uses_of(first_keys_);
    std::uint32_t best = 0;
    double best_score = -std::numeric_limits<double>::infinity();
    for (std::uint32_t block = 0; block < blocks_.size(); ++block) {
      if (is_member_[block]) continue;
      int dimensions = 0;
      int shared = 0;
      for (std::size_t i = 0; i < 3; ++i) {
        const std::uint64_t key = keys_[block].at(i);
        if (key == 0) continue;
        ++dimensions;
        shared += uses.at(key) - uses_before.at(first_keys_[block].at(i));
      }
      const double score = dimensions == 0 ? std::numeric_limits<double>::infinity()
                                           : shared - dimensions + kTieNoise * random_.unit();
      if (score <= best_score) continue;
      best_score = score;
      best = block;
    }
    return best;
  }

  static constexpr double kTieNoise = 0.01;

  std::vector<FormBlock<kWords>> blocks_;  ///< modulo the span of the cluster
  FastRandom& random_;
  std::vector<bool> is_member_;
  BlockKeys keys_;        ///< hashes of the forms
  BlockKeys first_keys_;  ///< hashes of the forms as they were given
  double dimension_ = 0;
};

}  // namespace quartz::optimizer
