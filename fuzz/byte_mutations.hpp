#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "target.hpp"

namespace quartz::fuzz {

/// Random changes of a target's seeds, without knowledge of what code they reach: what the tests
/// run where there is no libFuzzer.
class ByteMutations {
 public:
  ByteMutations(const Target& target, std::uint64_t seed);

  /// Returns the next input, of at most the target's number of bytes.
  [[nodiscard]] std::string next();

 private:
  [[nodiscard]] std::size_t below(std::size_t bound) { return random_() % bound; }
  void change(std::string& bytes);

  std::vector<std::string> seeds_;
  std::vector<std::string> words_;  ///< words of the target's dictionary
  std::size_t max_bytes_;
  std::mt19937_64 random_;
};

}  // namespace quartz::fuzz
