#pragma once

#include <array>
#include <boost/container/static_vector.hpp>
#include <cstdint>
#include <optional>
#include <vector>

namespace quartz::optimizer {

/// A CNOT on three wires, which are numbered 0 to 2.
struct TripleCnot {
  std::uint8_t control = 0;
  std::uint8_t target = 0;
};

/// CNOTs on three wires. The shortest ones that visit all parities are four.
using TripleWalk = boost::container::static_vector<TripleCnot, 12>;

/// A set of parities of three bits: bit p - 1 for the parity p, which has bit i for wire i.
using TripleParities = std::uint8_t;

/// Sequences of CNOTs on three wires that visit parities: some wire carries each of them at some
/// time.
class TripleWalks {
 public:
  /// Returns the shortest walks that visit the parities and end at each of several linear maps.
  /// They have at most two CNOTs more than the shortest one.
  [[nodiscard]] const std::vector<TripleWalk>& visiting(TripleParities parities);
  /// Returns the one of these walks that ends at the identity.
  [[nodiscard]] const TripleWalk& restoring(TripleParities parities);

 private:
  std::array<std::optional<std::vector<TripleWalk>>, 128> walks_;
  std::array<std::optional<TripleWalk>, 128> restoring_;
};

}  // namespace quartz::optimizer
