#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <thread>
#include <vector>

#include "circuit/derivation.hpp"
#include "quartz/circuit/circuit.hpp"
#include "quartz/circuit/output_permutation.hpp"

namespace quartz::workflow {

/// A circuit that can be certified in place of a result, before it is formed.
struct CertifiableCircuit {
  std::size_t operations = 0;
  std::uint64_t steps = 0;  ///< number of records in its history
  /// The qubits on which those of the input end; empty if each ends in its place.
  OutputPermutation permutation = {};
  /// Returns the circuit, derived from the one with which histories begin.
  std::function<circuit::DerivedCircuit()> form = {};
  std::uint64_t number = 0;  ///< in RunningCertificate; a better circuit has a higher one
  /// The number of the best circuit that is not better than this one.
  std::uint64_t rank = 0;
  bool is_only_on_the_way = false;  ///< whether it leads to others, and is never a result
  std::thread::id thread = {};      ///< the thread that found it
  bool is_set_aside = false;        ///< CertifiableCircuits::set_aside()
};

/// Circuits that a search found one after the other, each better than the one before. Few of them
/// are kept, whose histories have lengths that are spread evenly over the logarithm.
class CertifiableCircuits {
 public:
  /// Most operations in all circuits but three, which are kept in any case.
  static constexpr std::size_t kMaxOperations = 2'000'000;

  /// Adds a circuit that is better than all before, and gives it the next number if it has none.
  /// Those with histories as long or longer are of no use any more.
  void add(CertifiableCircuit found);
  /// Limits on the steps of a circuit's history.
  struct Limits {
    std::uint64_t steps = 0;
    std::uint64_t steps_if_set_aside = 0;  ///< applies to circuits that are set aside
  };
  /// Returns the best circuit whose history has at most as many steps, or nothing.
  [[nodiscard]] std::optional<CertifiableCircuit> best_within(const Limits& limits) const;
  /// Returns the worst circuit, which was added first, except for those that are set aside, or
  /// nothing.
  [[nodiscard]] std::optional<CertifiableCircuit> first() const;
  /// Returns the worst circuit whose history has more steps than this, or nothing.
  [[nodiscard]] std::optional<CertifiableCircuit> first_beyond(std::uint64_t steps) const;
  /// Sets a circuit aside.
  void set_aside(std::uint64_t number);
  /// Removes a circuit and all that are worse.
  void remove_up_to(std::uint64_t number);
  /// Removes a circuit, and all with more steps than this.
  void remove_beyond(std::uint64_t number, std::uint64_t steps);

 private:
  /// Returns by which factor the steps of two circuits differ, without those that lead to the first
  /// circuit: few steps fold a whole circuit, behind as many that translate it.
  [[nodiscard]] double spacing(std::size_t earlier, std::size_t later) const;
  /// Removes the circuit that differs least from its neighbours.
  void remove_closest();
  [[nodiscard]] std::size_t operations() const;

  /// The circuits from the first, the worst, to the last, the best, with longer and longer
  /// histories.
  std::vector<CertifiableCircuit> entries_;
  std::uint64_t last_number_ = 0;
};

}  // namespace quartz::workflow
