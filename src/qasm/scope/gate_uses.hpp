#pragma once

#include <string_view>
#include <vector>

#include "qasm/text/lexer.hpp"
#include "qasm/text/source.hpp"
#include "quartz/circuit/gate.hpp"

namespace quartz::qasm {

/// The places where a file first uses each gate of the table, and where it declares its name
/// opaque. No opaque declaration may hide a gate that the file uses, or a gate of the definition
/// that the writer gives for it.
class GateUses {
 public:
  explicit GateUses(const Source& source);

  /// Records that the file uses a standard gate.
  void note(GateKind kind, const Token& name, unsigned language_version) {
    if (first_use_[static_cast<std::size_t>(kind)].empty()) {
      note_first(kind, name, language_version);
    }
  }
  /// Records that the file declares the name of a standard gate opaque.
  void hide(GateKind kind, const Token& name, unsigned language_version);

  /// Records that the file has modifiers, which produce gates that the file does not name.
  void note_modifiers() { has_modifiers_ = true; }
  [[nodiscard]] bool has_modifiers() const { return has_modifiers_; }

 private:
  void note_first(GateKind kind, const Token& name, unsigned language_version);

  const Source& source_;
  std::vector<std::string_view> first_use_;  ///< for each gate; empty if the file does not use it
  std::vector<std::string_view> hidden_by_;  ///< for each gate; a gate has only one of the two
  bool has_modifiers_ = false;
};

}  // namespace quartz::qasm
