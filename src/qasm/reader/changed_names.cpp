#include "qasm/reader/changed_names.hpp"

#include <memory>
#include <optional>
#include <span>
#include <tuple>
#include <type_traits>
#include <variant>
#include <vector>

namespace quartz::qasm {
namespace {

/// Walks over trees and collects what their statements may change.
class ChangeFinder {
 public:
  explicit ChangeFinder(const std::unordered_map<std::string_view, Subroutine>& subroutines)
      : subroutines_(subroutines) {}

  template <typename Node>
  void visit(const Node& node) {
    if constexpr (std::is_same_v<Node, syntax::Expression>) {
      visit(node.terms);
    } else if constexpr (std::is_same_v<Node, syntax::Term> ||
                         std::is_same_v<Node, syntax::Statement>) {
      visit(node.node);
    } else if constexpr (std::is_same_v<Node, syntax::Block>) {
      visit(node.statements);
    } else if constexpr (std::is_same_v<Node, syntax::Selection>) {
      visit(node.items);
    } else if constexpr (std::is_same_v<Node, syntax::Index>) {
      visit(node.values);
    } else if constexpr (std::is_same_v<Node, syntax::Initializer>) {
      visit(node.value);
    } else if constexpr (std::is_same_v<Node, syntax::Annotated>) {
      visit(node.statement);
    } else if constexpr (requires { node.parts(); }) {
      note(node);
      std::apply([&](const auto&... part) { (visit(part), ...); }, node.parts());
    }
  }

  template <typename Node>
  void visit(const std::vector<Node>& nodes) {
    for (const Node& node : nodes) visit(node);
  }

  template <typename Node>
  void visit(const std::optional<Node>& node) {
    if (node) visit(*node);
  }

  template <typename Node>
  void visit(const std::unique_ptr<Node>& node) {
    visit(*node);
  }

  template <typename... Nodes>
  void visit(const std::variant<Nodes...>& node) {
    std::visit([&](const auto& each) { visit(each); }, node);
  }

  /// Returns the body of a subroutine that has been called and not been visited; null if there is
  /// none.
  [[nodiscard]] const syntax::Block* next_body() {
    if (bodies_.empty()) return nullptr;
    const syntax::Block* const body = bodies_.back();
    bodies_.pop_back();
    return body;
  }

  [[nodiscard]] ChangedNames changed() && { return std::move(changed_); }

 private:
  template <typename Node>
  void note(const Node& /*unused*/) {}

  void note(const syntax::Assignment& assignment) {
    changed_.variables.insert(assignment.target.name);
    changed_.arrays.insert(assignment.target.name);
  }

  void note(const syntax::Call& call) { note_call(call.name.text, call.arguments); }
  void note(const syntax::FunctionCall& call) { note_call(call.name, call.arguments); }

  void note_call(std::string_view name, std::span<const syntax::Expression> arguments) {
    const auto found = subroutines_.find(name);
    if (found == subroutines_.end()) return;
    const Subroutine& subroutine = found->second;
    if (called_.insert(name).second) bodies_.push_back(subroutine.body.get());
    for (std::size_t i = 0; i < arguments.size() && i < subroutine.parameters.size(); ++i) {
      const SubroutineParameter& parameter = subroutine.parameters[i];
      if (!parameter.is_array || parameter.is_readonly) continue;
      if (const auto* const array = syntax::sole_term<syntax::Reference>(arguments[i])) {
        changed_.arrays.insert(array->name);
      }
    }
  }

  const std::unordered_map<std::string_view, Subroutine>& subroutines_;
  std::unordered_set<std::string_view> called_;
  std::vector<const syntax::Block*> bodies_;
  ChangedNames changed_;
};

}  // namespace

ChangedNames find_changed_names(const syntax::While& loop,
                                const std::unordered_map<std::string_view, Subroutine>& subroutines,
                                const std::function<void(std::string_view)>& charge) {
  ChangeFinder finder(subroutines);
  charge(loop.body.text);
  finder.visit(loop);
  while (const syntax::Block* const body = finder.next_body()) {
    charge(body->text);
    finder.visit(*body);
  }
  return std::move(finder).changed();
}

}  // namespace quartz::qasm
