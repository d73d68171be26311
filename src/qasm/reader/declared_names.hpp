#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "qasm/gates/gate_definition.hpp"
#include "qasm/text/expression.hpp"

namespace quartz::qasm {

/// A register, some of its elements or one of them, as an operand.
struct Operand {
  std::uint32_t first = 0;
  std::uint32_t size = 1;
  bool is_whole = false;  ///< a register: the statement is repeated for its elements
  std::string_view place;
  std::shared_ptr<const std::vector<std::uint32_t>> elements = {};  ///< null: consecutive

  /// Returns an operand for a non-empty list of elements.
  [[nodiscard]] static Operand listing(std::vector<std::uint32_t> list, bool is_whole,
                                       std::string_view place);

  [[nodiscard]] std::uint32_t operator[](std::uint32_t i) const {
    return elements == nullptr ? first + i : (*elements)[i];
  }
};

struct DeclaredRegister {
  bool is_quantum = false;
  bool is_scalar = false;  ///< `qubit q;`: one qubit, not a register of one
  bool is_alias = false;
  std::uint32_t index = 0;  ///< in Circuit::qubit_registers or bit_registers, or in aliases
};

/// A constant, a loop variable, or a free parameter (which is not a constant).
struct NamedValue {
  Value value;
  bool is_free_parameter = false;
};

/// The names that a program may use, and what they mean.
class DeclaredNames {
 public:
  /// Starts with the standard gates.
  DeclaredNames();

  /// Returns null for an unknown name, like the functions below.
  [[nodiscard]] const Callable* find_gate(std::string_view name) const {
    return recent_gates_.find(name, gates);
  }
  [[nodiscard]] const DeclaredRegister* find_register(std::string_view name) const {
    return recent_registers_.find(name, registers);
  }
  [[nodiscard]] const Value* find_value(std::string_view name, bool constants_only) const;

  std::unordered_map<std::string_view, DeclaredRegister> registers;
  std::vector<Operand> aliases;
  std::unordered_map<std::string_view, NamedValue> values;
  std::unordered_map<std::string_view, Callable> gates;
  std::deque<GateDefinition> definitions;  ///< elements of a deque keep their addresses

 private:
  /// A cache of entries of a map, whose addresses are stable, keyed by the first and last letter of
  /// their names, because files repeat few names many times.
  template <typename Entry>
  class RecentNames {
   public:
    [[nodiscard]] const Entry* find(std::string_view name,
                                    const std::unordered_map<std::string_view, Entry>& all) {
      const auto letter = [](char c) { return static_cast<unsigned char>(c); };
      auto& recent =
          entries_[(letter(name.front()) + 5U * letter(name.back()) + 17U * name.size()) %
                   entries_.size()];
      if (recent.first == name) return recent.second;
      const auto found = all.find(name);
      if (found == all.end()) return nullptr;
      recent = {found->first, &found->second};
      return recent.second;
    }

   private:
    std::array<std::pair<std::string_view, const Entry*>, 64> entries_{};
  };

  mutable RecentNames<Callable> recent_gates_;
  mutable RecentNames<DeclaredRegister> recent_registers_;
};

}  // namespace quartz::qasm
