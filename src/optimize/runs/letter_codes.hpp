#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "circuit/history.hpp"
#include "optimize/runs/run_words.hpp"

namespace quartz::optimizer {

/// The codes that the gates of words have in a history. Those of Clifford letters, which have no
/// angle of their own, are computed once.
class LetterCodes {
 public:
  explicit LetterCodes(const RunWords& words) : words_(words), codes_(words.letters().size()) {}

  /// Returns the code of a gate that a letter has become.
  [[nodiscard]] circuit::RecordedGates::Code code_of(std::uint32_t letter, const Operation& gate,
                                                     circuit::HistoryRecorder& recorder) {
    if (words_.letters()[letter].form.kind == RunGate::Kind::rotation) {
      return recorder.gates().code_of(gate);
    }
    std::optional<circuit::RecordedGates::Code>& code = codes_[letter];
    if (!code) code = recorder.gates().code_of(gate);
    return *code;
  }

 private:
  const RunWords& words_;
  std::vector<std::optional<circuit::RecordedGates::Code>> codes_;
};

}  // namespace quartz::optimizer
