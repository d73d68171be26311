#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "quartz/circuit/circuit.hpp"

/// What conditions say about classical bits.
namespace quartz::certify {

/// A classical bit after a number of writes to it, and a value.
struct BitValue {
  ClassicalBit bit = 0;
  std::uint32_t writes = 0;
  bool value = false;
  friend auto operator<=>(const BitValue&, const BitValue&) = default;
};

/// A test of classical bits: that all of them have these values. Without bits it is any other
/// function of them, of which nothing is known.
struct BitTest {
  std::vector<BitValue> bits;  ///< sorted
};

/// A test, by its index in Problem::tests, and whether it must hold.
struct TestOutcome {
  std::uint32_t test = 0;
  bool holds = true;
  friend auto operator<=>(const TestOutcome&, const TestOutcome&) = default;
};

/// The tests of the conditions of two circuits, each with a number.
class BitTests {
 public:
  /// Returns the outcomes that the tests of an operation's conditions must have. `writes` are the
  /// numbers of writes to the bits before the operation. Comparisons that must all hold are one
  /// test, so that the comparison of a register is the same test as those of all its bits.
  [[nodiscard]] std::vector<TestOutcome> outcomes_of(const Circuit& circuit,
                                                     const Operation& operation,
                                                     std::span<const std::uint32_t> writes);
  /// Returns whether there are more tests than cases of them are ever compared.
  [[nodiscard]] bool too_many() const { return tests_.size() > 64; }
  [[nodiscard]] std::vector<BitTest> all() && { return std::move(tests_); }

 private:
  /// Returns the number of a test that bits have these values, in any order.
  [[nodiscard]] std::uint32_t test_of(std::vector<BitValue> bits);
  /// Returns the number of a test of which nothing is known.
  [[nodiscard]] std::uint32_t unknown_test_of(const BitExpression& expression,
                                              std::span<const std::uint32_t> writes);

  std::vector<BitTest> tests_;
  std::map<std::vector<BitValue>, std::uint32_t> by_bits_;
  std::map<std::string, std::uint32_t> by_expression_;
};

}  // namespace quartz::certify
