#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "qasm/gates/gate_definition.hpp"
#include "qasm/scope/array.hpp"
#include "qasm/syntax/tree.hpp"
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
  bool is_angle = false;    ///< the bits of an angle that measurements have changed
  std::uint32_t index = 0;  ///< in Circuit::qubit_registers or bit_registers, or in aliases
  std::size_t depth = 0;    ///< number of scopes around the declaration
};

/// A constant, a variable, a loop variable, a free parameter, an array, or an element of one.
struct NamedValue {
  enum class Kind : std::uint8_t {
    constant,
    variable,
    loop_variable,  ///< declared for each iteration with its value
    free_parameter,
    array,
    element
  };
  Value value;
  Kind kind = Kind::constant;
  CastType type = CastType::real;  ///< type of a variable or a loop variable
  std::uint64_t width = 0;         ///< width of that type in bits; 0 if it has none
  /// Why a variable has no value that is known here; empty if it has one.
  std::string unknown_because = {};
  std::size_t depth = 0;  ///< number of scopes around the declaration
  /// How many conditions on measured bits must hold for a variable to have its value, because they
  /// were in force when the first value was assigned to it.
  std::size_t branches = 0;
  std::shared_ptr<const Array> array = {};  ///< null for all other kinds
};

/// Returns whether a program may assign other values to the name.
[[nodiscard]] inline bool is_variable(const NamedValue& value) {
  return value.kind == NamedValue::Kind::variable || value.kind == NamedValue::Kind::loop_variable;
}

/// A parameter of a subroutine.
struct SubroutineParameter {
  bool is_quantum = false;
  bool is_register = false;          ///< `qubit[3] q`, in contrast to `qubit q`
  bool is_array = false;             ///< `type` and `width` are then those of its elements
  bool is_readonly = false;          ///< an array that the subroutine does not change
  std::vector<std::uint32_t> sizes;  ///< sizes of the array; 0 for any size
  CastType type = CastType::real;
  std::uint64_t width = 0;  ///< width of the type in bits; number of qubits
  std::string_view name;
};

/// A `def` statement, whose body is executed for each call.
struct Subroutine {
  std::string_view name;
  std::vector<SubroutineParameter> parameters;
  std::optional<CastType> result;  ///< type of the value that it returns
  std::uint64_t result_width = 0;  ///< in bits; 0 if that type has none
  std::shared_ptr<const syntax::Block> body;
};

/// A known length of time.
struct LengthOfTime {
  double number = 0;           ///< in seconds, or in time steps of the device
  bool in_time_steps = false;  ///< `dt`
};

/// A `duration` or a `stretch`.
struct DeclaredDuration {
  bool is_variable = false;           ///< whether assignments may change it
  bool is_visible = true;             ///< false after the box in which it is declared
  unsigned boxes = 0;                 ///< number of boxes around the declaration
  std::optional<LengthOfTime> value;  ///< the value of a constant, if it is known
};

/// The type of a parameter or of the result of a function that is defined elsewhere.
struct ExternType {
  std::string text;  ///< in OpenQASM 3
  CastType type = CastType::real;
  std::uint64_t width = 0;  ///< in bits; 0 if the type has none
  bool is_duration = false;
};

/// An `extern` statement.
struct ExternFunction {
  std::vector<ExternType> parameters;
  std::optional<ExternType> result;
};

/// The gates that are defined neither by the language nor by a standard include file.
struct DefinedGates {
  CustomGates of_gate_set;
  std::deque<GateDefinition> of_program;  ///< elements of a deque keep their addresses
};

/// The names that a program may use, and what they mean.
class DeclaredNames {
 public:
  /// Starts with the standard gates and the custom gates of a gate set.
  explicit DeclaredNames(CustomGates custom_gates);

  /// Returns null for an unknown name, like the functions below.
  [[nodiscard]] const Callable* find_gate(std::string_view name) const {
    return recent_gates_.find(name, gates);
  }
  [[nodiscard]] const DeclaredRegister* find_register(std::string_view name) const {
    return recent_registers_.find(name, registers);
  }
  [[nodiscard]] const NamedValue* find_value(std::string_view name) const;
  [[nodiscard]] const DeclaredDuration* find_duration(std::string_view name) const;

  /// Declarations between the two calls are undone by the second one.
  void enter_scope() { scopes_.push_back(hidden_.size()); }
  void leave_scope();
  [[nodiscard]] std::size_t depth() const { return scopes_.size(); }
  /// Between the two calls, which enter and leave a scope, all names mean what they mean outside of
  /// blocks: the body of a subroutine does not see the names of the blocks from which it is called.
  void enter_subroutine();
  void leave_subroutine();
  void declare(std::string_view name, NamedValue value);
  void declare(std::string_view name, DeclaredRegister declared);
  /// Returns the place of the declaration of a name in the current scope; empty if there is none.
  [[nodiscard]] std::string_view declared_here(std::string_view name) const;
  /// Calls `visit` with the name and the NamedValue of each variable and of each element of an
  /// array, also of those that an inner scope hides.
  template <typename Visit>
  void for_each_value(Visit visit) {
    const auto visit_all = [&](std::string_view name, NamedValue& value) {
      if (value.array == nullptr) return visit(name, value);
      for (NamedValue& element : *value.array->elements) visit(name, element);
    };
    for (auto& [name, value] : values) visit_all(name, value);
    for (Hidden& hidden : hidden_) {
      if (hidden.value) visit_all(hidden.name, hidden.value.mapped());
    }
  }
  /// Returns how many values for_each_value visits, or more.
  [[nodiscard]] std::size_t value_count() const {
    return values.size() + hidden_.size() + element_count_;
  }

  std::unordered_map<std::string_view, DeclaredRegister> registers;
  std::vector<Operand> aliases;
  std::unordered_map<std::string_view, NamedValue> values;
  std::unordered_map<std::string_view, Callable> gates;
  DefinedGates defined;
  std::unordered_map<std::string_view, Subroutine> subroutines;
  std::unordered_map<std::string_view, ExternFunction> externs;
  std::unordered_map<std::string_view, DeclaredDuration> durations;
  std::unordered_set<std::string> feedback_keys;  ///< those of `measure_ff`, as they are written
  std::string_view timed_gate;  ///< a gate whose duration the program names; empty if there is none

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

  /// What a name meant before a declaration in an inner scope: nodes of the maps, so that what they
  /// contain keeps its address.
  struct Hidden {
    std::string_view name;
    std::unordered_map<std::string_view, NamedValue>::node_type value;
    std::unordered_map<std::string_view, DeclaredRegister>::node_type declared;
  };
  /// Removes what a name means, and returns that.
  [[nodiscard]] Hidden extract(std::string_view name);
  /// Gives a name, which has no meaning, the one that it had before.
  void restore(Hidden hidden);
  /// Exchanges what a name means with what it meant before.
  void exchange(Hidden& hidden);

  std::vector<Hidden> hidden_;
  std::size_t element_count_ = 0;    ///< elements of all arrays so far
  std::vector<std::size_t> scopes_;  ///< for each scope, the size of hidden_ at its beginning
  /// For each subroutine that is being called, the size of hidden_ at its beginning.
  std::vector<std::size_t> subroutine_scopes_;
  mutable RecentNames<Callable> recent_gates_;
  mutable RecentNames<DeclaredRegister> recent_registers_;
};

}  // namespace quartz::qasm
