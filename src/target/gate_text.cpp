#include "target/gate_text.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "quartz/base/counted.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/circuit/custom_gate.hpp"
#include "target/text_scanner.hpp"

// definition = "gate" name [ "(" [ names ] ")" ] names "{" { statement } "}"
// statement  = name [ "(" [ angles ] ")" ] names ";" | "gphase" "(" angle ")" ";"

namespace quartz::target {
namespace {

/// Limit for the parameters of a gate and for its qubits, far above what any gate may have. Without
/// it, a long list would take a time that grows with the square of its length.
constexpr std::size_t kMaxNames = 100;

class GateTextParser : private TextScanner {
 public:
  GateTextParser(const JsonNode& node, const CustomGates& custom_gates)
      : TextScanner(node, node.text()), custom_gates_(custom_gates) {}

  GateText parse() {
    if (name("'gate'") != "gate") node_.fail_inside(name_at_, "expected 'gate'");
    result_.name = name("the name of the gate");
    if (take('(') && !take(')')) {
      result_.parameters = names("a parameter");
      expect(')');
    }
    result_.qubits = names("a qubit");
    expect('{');
    while (!take('}')) parse_statement();
    skip_blanks();
    if (at_ != text_.size()) fail_expecting("the end");
    return std::move(result_);
  }

 private:
  void parse_statement() {
    const std::string called = name("a gate or '}'");
    const std::size_t called_at = name_at_;
    if (called == "gphase") {
      expect('(');
      result_.phase += angle();
      expect(')');
      expect(';');
      return;
    }
    const Gate& row = row_of(called, called_at);
    Operation operation;
    operation.gate = row.kind;
    if (take('(') && !take(')')) {
      do {
        operation.angles.push_back(angle());
      } while (take(','));
      expect(')');
    }
    check_count(called_at, row, row.parameters.size(), operation.angles.size(), "parameter");
    do {
      operation.qubits.push_back(qubit(operation));
    } while (take(','));
    check_count(called_at, row, row.qubits, operation.qubits.size(), "qubit");
    expect(';');
    result_.operations.push_back(std::move(operation));
  }

  const Gate& row_of(const std::string& called, std::size_t place) {
    // U and CX are OpenQASM's own names for two gates of the table.
    if (called == "U") return gate(GateKind::u);
    if (called == "CX") return gate(GateKind::cx);
    const Gate* const row = find_gate(called, custom_gates_);
    if (row == nullptr && called == result_.name) {
      node_.fail_inside(place, fmt::format("'{}' is used in its own definition", called));
    }
    if (row == nullptr) {
      node_.fail_inside(place, fmt::format("unknown gate '{}'; a body may call built-in gates, "
                                           "and gates defined before it in the file",
                                           called));
    }
    return *row;
  }

  void check_count(std::size_t place, const Gate& row, std::size_t expected, std::size_t found,
                   std::string_view what) const {
    if (expected == found) return;
    node_.fail_inside(
        place, fmt::format("{} takes {}, found {}", row.name, counted(expected, what), found));
  }

  Qubit qubit(const Operation& operation) {
    const std::string named = name("a qubit");
    const auto found = std::find(result_.qubits.begin(), result_.qubits.end(), named);
    if (found == result_.qubits.end()) {
      node_.fail_inside(name_at_, fmt::format("'{}' is not a qubit of '{}'", named, result_.name));
    }
    const auto number = static_cast<Qubit>(found - result_.qubits.begin());
    if (std::find(operation.qubits.begin(), operation.qubits.end(), number) !=
        operation.qubits.end()) {
      node_.fail_inside(name_at_, fmt::format("'{}' is used twice in one gate", named));
    }
    return number;
  }

  /// Reads an angle, which ends at the next comma or at the parenthesis that closes the list.
  Angle angle() {
    skip_blanks();
    const std::size_t start = at_;
    for (int depth = 0; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (c == '(') ++depth;
      if (depth == 0 && (c == ',' || c == ')' || c == ';')) break;
      if (c == ')') --depth;
    }
    Angle result;
    try {
      result = parse_angle(std::string_view(text_).substr(start, at_ - start));
    } catch (const InputError& error) {
      node_.fail_inside(start, error.what());
    }
    for (const std::string& symbol : result.symbols()) {
      const auto& known = result_.parameters;
      if (std::find(known.begin(), known.end(), symbol) != known.end()) continue;
      node_.fail_inside(start,
                        fmt::format("'{}' is not a parameter of '{}'", symbol, result_.name));
    }
    return result;
  }

  std::vector<std::string> names(std::string_view what) {
    std::vector<std::string> list;
    do {
      list.push_back(name(what));
      if (list.size() > kMaxNames) {
        node_.fail_inside(name_at_, fmt::format("found more than {} names in one list", kMaxNames));
      }
      if (std::count(list.begin(), list.end(), list.back()) > 1) {
        node_.fail_inside(name_at_, fmt::format("'{}' appears twice in one list", list.back()));
      }
    } while (take(','));
    return list;
  }

  std::string name(std::string_view what) {
    skip_blanks();
    name_at_ = at_;
    std::string read = word();
    if (read.empty() || is_digit(name_at_)) {
      at_ = name_at_;
      fail_expecting(what);
    }
    return read;
  }

  void expect(char wanted) {
    if (!take(wanted)) fail_expecting(fmt::format("'{}'", wanted));
  }

  const CustomGates& custom_gates_;
  GateText result_;
  std::size_t name_at_ = 0;  ///< position of the last name that was read
};

}  // namespace

bool is_gate_text(std::string_view text) {
  return text.find_first_of(" \t\r\n({") != std::string_view::npos;
}

GateText parse_gate_text(const JsonNode& node, const CustomGates& custom_gates) {
  return GateTextParser(node, custom_gates).parse();
}

}  // namespace quartz::target
