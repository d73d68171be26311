#include "qasm/reader/executor.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <new>
#include <variant>

#include "circuit/kept_statement.hpp"
#include "qasm/gates/gate_names.hpp"
#include "qasm/gates/library.hpp"
#include "qasm/text/header.hpp"
#include "qasm/text/number.hpp"
#include "quartz/base/counted.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/base/files.hpp"
#include "quartz/base/nearest_name.hpp"
#include "quartz/qasm/include_path.hpp"
#include "quartz/qasm/qasm.hpp"

namespace quartz::qasm {
namespace {

/// Number of statements between two checks of the stop token: less than a millisecond.
constexpr std::size_t kStatementsBetweenChecks = 1024;

}  // namespace

Executor::Executor(Source& source, IncludedFiles files, CustomGates custom_gates, GateCalls calls,
                   ControlExpansion expansion, const std::stop_token& stop)
    : source_(source),
      files_(std::move(files)),
      language_(find_program_version(source)),
      parser_(source, comments_, language_.number),
      calls_(calls),
      budget_(source, stop),
      builder_(source, budget_, circuit_, expansion),
      names_(std::move(custom_gates)),
      gate_uses_(source) {
  if (calls == GateCalls::kept) builder_.keep_calls();
}

Circuit Executor::read() {
  const char* const end_of_version = read_version();
  parser_.lexer().stop_recording_comments();
  circuit_.qasm_version = language_.number;
  circuit_.operations.reserve(
      std::min<std::size_t>(source_.text().size() / kCharactersPerOperation, WorkBudget::kMaxWork));
  scope_.language_version = language_.number;
  scope_.find_value = [this](std::string_view name) {
    const Value* const value = known_value(name, false);
    if (value != nullptr && value->measured != nullptr)
      execution_.bits_read.push_back(value->measured);
    return value;
  };
  scope_.read_reference = [this](const syntax::Reference& name) { return read_reference(name); };
  scope_.call = [this](const syntax::FunctionCall& call) { return call_function(call); };
  scope_.count_operations = [this] { return circuit_.operations.size(); };
  // The writer puts this comment below the include line, or here if it does not write an include
  // line.
  if (end_of_version != nullptr && parser_.lexer().current().text != "include") {
    read_written_comment(end_of_version);
  }
  circuit_.header_comments = header_lines(comments_);
  execute_file();
  // If no statement uses a qubit, all announced physical qubits are idle.
  if (physical_qubits_.announced != 0 && circuit_.qubit_registers.empty()) use_physical_qubits(0);
  builder_.complete_statements();
  if (!language_.extension.empty()) use_version_3();
  circuit_.hides_library_names = language_.includes_library && hides_library_names(circuit_);
  if (circuit_.hides_library_names && !names_.timed_gate.empty()) {
    source_.fail(
        names_.timed_gate,
        "the duration of a standard gate is not supported in a program that gives the name "
        "of one another meaning");
  }
  return std::move(circuit_);
}

/// Executes the statements of the current file, each as soon as it is parsed: only the tree of one
/// of them is in memory.
void Executor::execute_file() {
  syntax::Statement statement;
  for (std::size_t i = 0; !parser_.at_end(); ++i) {
    if (i % kStatementsBetweenChecks == 0) budget_.check_stop();
    Lexer& lexer = parser_.lexer();
    const std::string_view text = lexer.text_to_semicolon();
    if (const Operation* const known = known_statements_.find(text)) {
      builder_.append_again(*known, lexer.current().text);
      lexer.skip_to(text.data() + text.size());
      continue;
    }
    const std::size_t operations = circuit_.operations.size();
    parse_next(statement);
    execute(statement);
    note_statement(statement, text, operations);
  }
}

/// Notes what a statement has done, if it does the same whenever the program repeats its text.
/// `operations` is the number of operations before it.
void Executor::note_statement(const syntax::Statement& statement, std::string_view text,
                              std::size_t operations) {
  const auto* const call = syntax::node_of<syntax::Call>(statement);
  if (call == nullptr) return known_statements_.clear();
  const Callable* const callee = names_.find_gate(call->name.text);
  const bool is_of_table = callee != nullptr && callee->kind == Callable::Kind::table_gate &&
                           call->modifiers.empty() && is_plain_program() &&
                           names_.subroutines.empty() && names_.externs.empty();
  if (!is_of_table) return known_statements_.clear();
  if (text.empty() || circuit_.operations.size() != operations + 1) return;
  // A semicolon in a comment does not end the statement.
  const bool has_comment =
      text.find("//") != std::string_view::npos || text.find("/*") != std::string_view::npos;
  const Operation& gate = circuit_.operations.back();
  const bool has_terms =
      std::ranges::any_of(gate.angles, [](const Angle& angle) { return !angle.terms().empty(); });
  if (gate.kind != OperationKind::gate || has_comment || has_terms || gate.is_boundary()) return;
  known_statements_.add(text, gate);
}

/// Parses a statement. A first word that means nothing is reported before an error of syntax.
void Executor::parse_next(syntax::Statement& statement) {
  const Token word = parser_.lexer().current();
  const bool may_be_known = is_plain_program() && circuit_.gates_in_turns.empty() &&
                            names_.subroutines.empty() && names_.externs.empty();
  parser_.use_known_values(may_be_known ? &known_values_.radians : nullptr);
  try {
    parser_.parse_statement(statement);
  } catch (const InputError&) {
    const bool is_name = word.kind == TokenKind::identifier &&
                         find_keyword(word.text, language_.number) == Keyword::none;
    if (!is_name || is_known_name(word.text)) throw;
    const auto* const assignment = syntax::node_of<syntax::Assignment>(statement);
    const bool is_assigned =
        assignment != nullptr && assignment->target.name.data() == word.text.data();
    if (is_assigned && language_.number >= 3) (void)find_register(word.text, false);
    fail_unknown_statement(word);
  }
}

bool Executor::is_known_name(std::string_view name) const {
  return names_.find_gate(name) != nullptr || names_.subroutines.contains(name) ||
         names_.externs.contains(name) || names_.find_value(name) != nullptr ||
         names_.find_register(name) != nullptr || names_.find_duration(name) != nullptr ||
         is_feedback_gate(name);
}

/// Makes the circuit one of version 3, whose names must then be possible there.
void Executor::use_version_3() {
  circuit_.qasm_version = 3;
  const auto check = [&](std::string_view name) {
    if (!is_reserved(name, 3)) return;
    source_.fail(language_.extension,
                 fmt::format("only OpenQASM 3 can express this statement, where the name {} is a "
                             "reserved word",
                             in_quotes(name)));
  };
  for (const Register& each : circuit_.qubit_registers) check(each.name);
  for (const Register& each : circuit_.bit_registers) check(each.name);
  for (const Operation& operation : circuit_.operations) {
    if (circuit::is_opaque(operation, OpaqueKind::gate)) check(operation.classical->opaque_name);
  }
}

const char* Executor::read_version() {
  Lexer& lexer = parser_.lexer();
  if (lexer.at(TokenKind::end)) lexer.fail_expecting("'OPENQASM 2.0;' or 'OPENQASM 3.0;'");
  if (lexer.current().text != "OPENQASM") return nullptr;
  lexer.advance();
  const std::string_view version = lexer.current().text;
  unsigned number = 3;
  if (version == "2" || version == "2.0") {
    number = 2;
  } else if (version != "3" && version != "3.0" && version != "3.1") {
    lexer.fail_expecting("the version 2.0 or 3.0");
  }
  if (number != language_.number) {
    source_.fail(version,
                 "the version of the program is ambiguous: a comment above contains a carriage "
                 "return, which ends it in OpenQASM 3 but not in OpenQASM 2");
  }
  lexer.advance();
  const Token semicolon = lexer.expect(TokenKind::semicolon);
  return semicolon.text.data() + semicolon.text.size();
}

void Executor::execute(const syntax::Statement& statement) {
  std::visit(
      [&](const auto& node) {
        if constexpr (requires { *node; }) {
          execute(*node);
        } else {
          execute(node);
        }
      },
      statement.node);
}

void Executor::fail_found(const Token& token, std::string_view expected) const {
  source_.fail(token.text, fmt::format("found {}, expected {}", describe(token), expected));
}

/// Fails for a name that is no gate at the beginning of a statement.
void Executor::fail_unknown_statement(const Token& word) const {
  if (language_.number < 3 && find_keyword(word.text, 3) != Keyword::none) {
    source_.fail(word.text,
                 fmt::format("{} belongs to OpenQASM 3{}: expected 'OPENQASM 3.0;' in its first "
                             "line",
                             in_quotes(word.text),
                             language_.is_stated ? ", but this is an OpenQASM 2 program" : ""));
  }
  fail_unknown_gate(word);
}

void Executor::execute(const syntax::Include& include) {
  const std::string_view file = include.file.text;
  const std::string_view name = file.substr(1, file.size() - 2);
  // The gates of these files are always known, so nothing is read.
  if (name != "qelib1.inc" && name != "stdgates.inc" && name != "hqslib1.inc") {
    return execute_included_file(include.file, name);
  }
  if (name == "hqslib1.inc") language_.has_bit_conditions = true;
  language_.includes_library =
      language_.includes_library || name == (language_.number >= 3 ? "stdgates.inc" : "qelib1.inc");
  if (!files_.is_inside()) read_written_comment(include.end);
}

/// Executes the statements of a file in place of the statement that includes it.
void Executor::execute_included_file(const Token& file, std::string_view name) {
  std::string_view text;
  try {
    IncludedFiles::File included = files_.enter(name);
    text = source_.add_file(std::move(included.text), std::move(included.name));
  } catch (const InputError& error) {
    source_.fail(file.text, error.what());
  }
  budget_.charge(1 + text.size() / kCharactersPerOperation, file.text);
  const Lexer outside = parser_.lexer();
  parser_.lexer().begin(text);
  execute_file();
  parser_.lexer() = outside;
  files_.leave();
}

/// Reads the comment that the writer puts there, which is not a header comment.
void Executor::read_written_comment(const char* end_of_statement) {
  if (language_.number == 2) {
    read_global_phase_comment(end_of_statement);
  } else {
    read_physical_qubits_comment(end_of_statement);
  }
}

/// Reads the comment in which the writer stores the global phase; a comment without an expression
/// is an ordinary comment.
void Executor::read_global_phase_comment(const char* end_of_statement) {
  const std::string_view text =
      find_comment(kGlobalPhaseComment, source_.text(), end_of_statement, language_.number);
  if (text.empty()) return;
  try {
    const Source comment(text, {});
    std::vector<std::string_view> none;
    syntax::Parser parser(comment, none, language_.number);
    const syntax::Expression phase = parser.parse_expression(language_.number);
    if (!parser.at_end()) return;
    resolve(phase, scope_, comment, scratch_.expression);
    circuit_.global_phase = scratch_.expression.evaluate({}, comment).angle;
    forget_comment(text);
  } catch (const InputError&) {
    return;
  }
}

/// Reads the comment in which the writer states the number of physical qubits, because the last of
/// them may be idle.
void Executor::read_physical_qubits_comment(const char* end_of_statement) {
  const std::string_view text =
      find_comment(kPhysicalQubitsComment, source_.text(), end_of_statement, language_.number);
  const auto count = read_whole_number<std::uint32_t>(text);
  if (!count || *count > kMaxElements) return;
  physical_qubits_.announced = *count;
  forget_comment(text);
}

SourceLocation Executor::read_place_of(std::size_t operation) {
  builder_.record_place_of(operation);
  (void)read();
  const std::string_view place = builder_.recorded_place();
  return place.empty() ? SourceLocation{source_.name()} : source_.location_of(place);
}

void Executor::forget_comment(std::string_view part) {
  std::erase_if(comments_, [&](std::string_view comment) {
    return comment.data() <= part.data() && part.data() < comment.data() + comment.size();
  });
}

void Executor::note_use(const Callable& callee, const Token& name) {
  if (callee.kind == Callable::Kind::table_gate) note_use(callee.gate, name);
  if (callee.kind != Callable::Kind::vendor_gate) return;
  for (const Operation& step : callee.vendor->definition.operations) note_use(step.gate, name);
}

void Executor::fail_unknown_gate(const Token& name) const {
  std::vector<std::string_view> names;
  names.reserve(names_.gates.size());
  for (const auto& [known, callable] : names_.gates) names.push_back(known);
  const std::string_view nearest = nearest_name(name.text, names);
  source_.fail(name.text, nearest.empty() ? fmt::format("unknown gate {}", in_quotes(name.text))
                                          : fmt::format("unknown gate {}; did you mean {}?",
                                                        in_quotes(name.text), in_quotes(nearest)));
}

void Executor::check_counts(const Token& name, const Callable& callee, std::size_t parameters,
                            std::size_t qubits, std::span<const Modifier> modifiers) const {
  const std::size_t controls = control_count(modifiers);
  const auto check = [&](std::size_t expected, std::size_t found, std::string_view what,
                         std::string_view further = "") {
    if (expected == found) return;
    source_.fail(name.text, fmt::format("gate {} takes {}{}, found {}", in_quotes(name.text),
                                        counted(expected, what), further, found));
  };
  check(callee.parameters, parameters, "parameter");
  check(callee.qubits + controls, qubits, "qubit", controls == 0 ? "" : " with its controls");
}

}  // namespace quartz::qasm

namespace quartz {
namespace {

/// What messages call a file.
std::string source_name(const std::filesystem::path& path) {
  return path == "-" ? "<standard input>" : path.string();
}

/// Parses a text; `file` is the file from which it was read, or empty.
Circuit parse_program(std::string_view text, const std::string& name,
                      const std::filesystem::path& file, const IncludePath& path,
                      const std::stop_token& stop, const CustomGates& custom_gates, GateCalls calls,
                      ControlExpansion expansion) {
  try {
    qasm::Source source(text, name);
    return qasm::Executor(source, qasm::IncludedFiles(file, path, stop), custom_gates, calls,
                          expansion, stop)
        .read();
  } catch (const std::bad_alloc&) {
    throw InputError({name}, "not enough memory for the circuit");
  }
}

}  // namespace

Circuit parse_qasm(std::string_view text, const std::string& name, const std::stop_token& stop) {
  return parse_program(text, name, {}, {}, stop, {}, GateCalls::expanded, {});
}

Circuit parse_qasm(std::string_view text, const std::string& name, const IncludePath& path,
                   const std::stop_token& stop, const CustomGates& custom_gates, GateCalls calls,
                   ControlExpansion expansion) {
  return parse_program(text, name, {}, path, stop, custom_gates, calls, expansion);
}

bool is_gate_name(std::string_view name) {
  return qasm::is_identifier(name) && !qasm::is_reserved(name, 2) && !qasm::is_reserved(name, 3);
}

Circuit read_qasm_file(const std::filesystem::path& path, const std::stop_token& stop) {
  return read_qasm_file(path, IncludePath(), stop);
}

Circuit read_qasm_file(const std::filesystem::path& file, const IncludePath& path,
                       const std::stop_token& stop, const CustomGates& custom_gates,
                       GateCalls calls, ControlExpansion expansion) {
  const std::string text = read_text_file(file, {file_limit::circuit, stop, true});
  return parse_program(text, source_name(file), file == "-" ? std::filesystem::path() : file, path,
                       stop, custom_gates, calls, expansion);
}

SourceLocation location_of_operation(const std::filesystem::path& file, const IncludePath& path,
                                     std::size_t operation, const std::stop_token& stop,
                                     const CustomGates& custom_gates) {
  return location_of_operation(file, path, operation, stop, custom_gates, {});
}

SourceLocation location_of_operation(const std::filesystem::path& file, const IncludePath& path,
                                     std::size_t operation, const std::stop_token& stop,
                                     const CustomGates& custom_gates, ControlExpansion expansion) {
  SourceLocation unknown{source_name(file)};
  if (file == "-") return unknown;
  const std::string text = read_text_file(file, {file_limit::circuit, stop, true});
  qasm::Source source(text, unknown.file);
  return qasm::Executor(source, qasm::IncludedFiles(file, path, stop), custom_gates,
                        GateCalls::expanded, expansion, stop)
      .read_place_of(operation);
}

}  // namespace quartz
