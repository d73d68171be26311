#pragma once

#include <functional>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "qasm/scope/declared_names.hpp"
#include "qasm/syntax/tree.hpp"

namespace quartz::qasm {

/// Names of variables and arrays that a part of the program may change.
struct ChangedNames {
  std::unordered_set<std::string_view> variables;
  std::unordered_set<std::string_view> arrays;
};

/// Returns the names that a loop, or a subroutine that it calls, may change. `charge` is called
/// with each text that is looked through.
[[nodiscard]] ChangedNames find_changed_names(
    const syntax::While& loop, const std::unordered_map<std::string_view, Subroutine>& subroutines,
    const std::function<void(std::string_view)>& charge);

}  // namespace quartz::qasm
