// Arrays, whose elements are variables.
#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "qasm/reader/parser.hpp"
#include "quartz/base/errors.hpp"

namespace quartz::qasm {
namespace {

/// The most dimensions that OpenQASM 3 permits.
constexpr std::size_t max_dimensions = 7;
/// Limit for the elements of an array, so that a mistyped size cannot use up the memory.
constexpr std::uint64_t max_array_elements = 1U << (is_fuzzing_build ? 8U : 16U);

}  // namespace

// --- declarations ---

/// Parses `array[int[8], 2, 3] a;` or `array[float, 2] a = {0.5, pi};`.
void Parser::parse_array() {
  lexer_.advance();
  lexer_.expect(TokenKind::left_bracket);
  const ElementType type = parse_element_type();
  std::vector<std::uint32_t> sizes;
  while (lexer_.accept(TokenKind::comma)) sizes.push_back(parse_array_size());
  lexer_.expect(TokenKind::right_bracket);
  const Token name = lexer_.expect(TokenKind::identifier);
  check_new_name(name);
  check_dimensions(sizes.size(), name);
  std::uint64_t count = 1;
  for (const std::uint32_t size : sizes) {
    count *= size;
    if (count > max_array_elements) {
      source_.fail(name.text, fmt::format("the array {} has more than {} elements",
                                          in_quotes(name.text), max_array_elements));
    }
  }
  budget_.charge(count, name.text);
  execution_.has_variables = true;
  NamedValue declared;
  declared.kind = NamedValue::Kind::array;
  const Array array = Array::declared(type.type, type.width, sizes, names_.depth());
  if (lexer_.accept(TokenKind::assign)) {
    const std::string_view place = lexer_.current().text;
    assign_elements(array, parse_array_values(array), place);
  }
  lexer_.expect(TokenKind::semicolon);
  declared.array = std::make_shared<const Array>(array);
  names_.declare(name.text, std::move(declared));
}

Parser::ElementType Parser::parse_element_type() {
  const Token word = lexer_.expect(TokenKind::identifier);
  const auto type = find_cast(word.text);
  if (!type) {
    source_.fail(word.text,
                 fmt::format("an array of type {} is not supported", in_quotes(word.text)));
  }
  ElementType result{*type, static_cast<std::uint64_t>(parse_width().value_or(0))};
  if (result.type == CastType::bits && result.width == 0) result.width = 1;
  return result;
}

std::uint32_t Parser::parse_array_size() {
  const Token first = lexer_.current();
  const std::int64_t size = parse_integer();
  if (size < 1 || size > static_cast<std::int64_t>(max_array_elements)) {
    source_.fail(first.text, fmt::format("found the size {} of an array, expected 1 to {}", size,
                                         max_array_elements));
  }
  return static_cast<std::uint32_t>(size);
}

void Parser::check_dimensions(std::size_t dimensions, const Token& name) const {
  if (dimensions >= 1 && dimensions <= max_dimensions) return;
  source_.fail(name.text, fmt::format("the array {} has {} dimensions, expected 1 to {}",
                                      in_quotes(name.text), dimensions, max_dimensions));
}

// --- parts ---

/// Returns the array with a name that has been consumed, or the part of it that follows.
Array Parser::parse_array_part(const Token& name) {
  const NamedValue* const found = names_.find_value(name.text);
  if (found == nullptr || found->array == nullptr) {
    source_.fail(name.text, fmt::format("{} is no array", in_quotes(name.text)));
  }
  const std::shared_ptr<const Array> whole = found->array;  // it may move while indices are read
  Array part = *whole;
  while (lexer_.at(TokenKind::left_bracket)) {
    std::size_t dimension = 0;
    do {
      const Token before = lexer_.take();
      if (dimension == part.dimensions.size()) {
        source_.fail(before.text, fmt::format("the array {} has no more than {} dimension{}",
                                              in_quotes(name.text), whole->dimensions.size(),
                                              whole->dimensions.size() == 1 ? "" : "s"));
      }
      parse_array_index(part, dimension, name);
    } while (lexer_.at(TokenKind::comma));
    lexer_.expect(TokenKind::right_bracket);
  }
  return part;
}

/// Parses an index or a range of a dimension. An index removes it; after a range, `dimension` is
/// the next one.
void Parser::parse_array_index(Array& part, std::size_t& dimension, const Token& name) {
  const auto at_colon = [&] { return lexer_.current().text == ":"; };
  const auto at_end = [&] {
    return lexer_.at(TokenKind::right_bracket) || lexer_.at(TokenKind::comma);
  };
  const Array::Dimension whole = part.dimensions[dimension];
  const auto element_at = [&](std::int64_t index, std::string_view place) {
    const std::int64_t size = whole.size;
    if (index < -size || index >= size) {
      source_.fail(place,
                   fmt::format("index {} is out of range: this dimension of {} has the size {}",
                               index, in_quotes(name.text), size));
    }
    return index < 0 ? index + size : index;
  };
  const std::string_view place = lexer_.current().text;
  std::int64_t first = 0;
  if (!at_colon()) first = element_at(parse_integer(), place);
  if (!at_colon()) {
    part.first += first * whole.stride;
    part.dimensions.erase(part.dimensions.begin() + static_cast<std::ptrdiff_t>(dimension));
    return;
  }
  lexer_.advance();
  std::int64_t step = 1;
  std::int64_t last = whole.size - 1;
  const std::string_view middle = lexer_.current().text;
  if (!at_end() && !at_colon()) last = parse_integer();
  if (at_colon()) {
    step = middle == ":" ? 1 : last;
    lexer_.advance();
    last = at_end() ? whole.size - 1 : element_at(parse_integer(), middle);
  } else {
    last = element_at(last, middle);
  }
  if (step == 0) source_.fail(middle, "found the step 0 in a range");
  if (step > 0 ? last < first : last > first) source_.fail(place, "found an empty range");
  const std::int64_t size = whole.size;
  step = std::clamp(step, -size, size);  // beyond these, the range has one element
  part.first += first * whole.stride;
  part.dimensions[dimension] = {static_cast<std::uint32_t>((last - first) / step + 1),
                                step * whole.stride};
  ++dimension;
}

// --- values ---

/// Returns the value of an element in an expression.
Value Parser::parse_array_element(const Token& name) {
  const Array part = parse_array_part(name);
  if (!part.dimensions.empty()) {
    source_.fail(name.text, fmt::format("found {} of the array {}, expected an element", "a part",
                                        in_quotes(name.text)));
  }
  return value_of_element(part.element(), name);
}

const Value& Parser::value_of_element(const NamedValue& element, const Token& name) const {
  if (!element.unknown_because.empty()) {
    source_.fail(name.text, fmt::format("the value of an element of {} is not known: {}",
                                        in_quotes(name.text), element.unknown_because));
  }
  return element.value;
}

/// Parses `sizeof(a)` or `sizeof(a, 1)`, of which `sizeof` has been consumed.
Value Parser::parse_array_size_of() {
  lexer_.expect(TokenKind::left_parenthesis);
  const Token name = lexer_.expect(TokenKind::identifier);
  const std::vector<std::uint32_t> sizes = parse_array_part(name).sizes();
  std::int64_t dimension = 0;
  const std::string_view place = lexer_.current().text;
  if (lexer_.accept(TokenKind::comma)) dimension = parse_integer();
  if (dimension < 0 || std::cmp_greater_equal(dimension, sizes.size())) {
    source_.fail(place, fmt::format("{} has no dimension {}", in_quotes(name.text), dimension));
  }
  lexer_.expect(TokenKind::right_parenthesis);
  return {Angle::radians(sizes[static_cast<std::size_t>(dimension)]), true, {}};
}

/// Parses the values of an array of the same sizes and type: a list, or another array.
std::vector<NamedValue> Parser::parse_array_values(const Array& target) {
  std::vector<NamedValue> values;
  if (lexer_.at(TokenKind::left_brace)) {
    parse_array_list(target, 0, values);
    return values;
  }
  if (!lexer_.at(TokenKind::identifier)) lexer_.fail_expecting("a list in braces or an array");
  const Token name = lexer_.take();
  const Array source = parse_array_part(name);
  const bool has_type = source.type == target.type && source.width == target.width;
  if (!has_type || source.sizes() != target.sizes()) {
    source_.fail(name.text, fmt::format("{} has {} than the array to which it is assigned",
                                        in_quotes(name.text),
                                        has_type ? "other sizes" : "elements of another type"));
  }
  const std::vector<std::size_t> indices = source.indices();
  budget_.charge(indices.size(), name.text);
  for (const std::size_t index : indices) values.push_back((*source.elements)[index]);
  return values;
}

/// Parses `{1, 2}` for this dimension and those after it.
void Parser::parse_array_list(const Array& target, std::size_t dimension,
                              std::vector<NamedValue>& values) {
  const Token brace = lexer_.expect(TokenKind::left_brace);
  const std::uint32_t size = target.dimensions[dimension].size;
  std::uint32_t count = 0;
  do {
    ++count;
    if (dimension + 1 < target.dimensions.size()) {
      parse_array_list(target, dimension + 1, values);
      continue;
    }
    const std::string_view place = lexer_.current().text;
    NamedValue& value = values.emplace_back();
    value.type = target.type;
    value.width = target.width;
    value.value = converted(parse_classical_value(), value, place);
  } while (count < size && lexer_.accept(TokenKind::comma));
  if (count < size || !lexer_.at(TokenKind::right_brace)) {
    source_.fail(brace.text,
                 fmt::format("this list does not have {} element{}", size, size == 1 ? "" : "s"));
  }
  lexer_.advance();
}

/// Gives the elements of a part these values, in row-major order.
void Parser::assign_elements(const Array& target, const std::vector<NamedValue>& values,
                             std::string_view place) {
  const std::vector<std::size_t> indices = target.indices();
  budget_.charge(indices.size(), place);
  for (std::size_t i = 0; i < indices.size(); ++i) {
    NamedValue& element = (*target.elements)[indices[i]];
    if (values[i].unknown_because.empty()) {
      assign(element, values[i].value, place);
    } else {
      element.value = {};
      element.unknown_because = values[i].unknown_because;
    }
  }
}

/// Parses an assignment to an element or a part of an array, whose name has been consumed.
void Parser::parse_array_assignment(const Token& target) {
  const Array part = parse_array_part(target);
  if (part.is_readonly) {
    source_.fail(target.text, fmt::format("the parameter {} is readonly and cannot be changed",
                                          in_quotes(target.text)));
  }
  const Token sign = lexer_.current();
  const bool is_compound = sign.kind == TokenKind::compound_assign;
  if (!is_compound && sign.kind != TokenKind::assign) lexer_.fail_expecting("'='");
  lexer_.advance();
  const std::string_view place = lexer_.current().text;
  if (part.dimensions.empty()) {
    NamedValue& element = part.element();
    Value value = parse_classical_value();
    lexer_.expect(TokenKind::semicolon);
    if (is_compound) value = compound_value(sign, value_of_element(element, target), value);
    return assign(element, converted(value, element, place), place);
  }
  if (is_compound) {
    source_.fail(sign.text, fmt::format("found {}, expected '=': only an element of an array can "
                                        "be changed by an operator",
                                        in_quotes(sign.text)));
  }
  const std::vector<NamedValue> values = parse_array_values(part);
  lexer_.expect(TokenKind::semicolon);
  assign_elements(part, values, place);
}

/// Returns the elements of an array of integers, for a loop over them.
std::vector<std::int64_t> Parser::parse_array_of_integers(const Token& name) {
  const Array part = parse_array_part(name);
  if (part.dimensions.size() != 1) {
    source_.fail(name.text, "a loop over an array of several dimensions is not supported");
  }
  std::vector<std::int64_t> values;
  for (const std::size_t index : part.indices()) {
    budget_.charge(operations_a_turn, name.text);
    const Value& value = value_of_element((*part.elements)[index], name);
    check_not_measured(value, name.text);
    if (!value.is_integer) {
      source_.fail(name.text,
                   "a loop over an array of numbers that are no integers is not "
                   "supported");
    }
    values.push_back(integer_of(value));
  }
  return values;
}

// --- parameters of subroutines ---

/// Parses `readonly array[int[8], 2, 2] a` or `mutable array[float, #dim = 1] a`.
SubroutineParameter Parser::parse_array_parameter() {
  SubroutineParameter parameter;
  parameter.is_array = true;
  parameter.is_readonly = lexer_.take().text == "readonly";
  if (lexer_.current().text != "array") lexer_.fail_expecting("'array'");
  lexer_.advance();
  lexer_.expect(TokenKind::left_bracket);
  const ElementType type = parse_element_type();
  parameter.type = type.type;
  parameter.width = type.width;
  lexer_.expect(TokenKind::comma);
  if (lexer_.current().text == "#") {
    lexer_.advance();
    if (lexer_.current().text != "dim") lexer_.fail_expecting("'dim'");
    lexer_.advance();
    lexer_.expect(TokenKind::assign);
    const Token first = lexer_.current();
    const std::int64_t count = parse_integer();
    if (count < 1 || std::cmp_greater(count, max_dimensions)) {
      source_.fail(first.text,
                   fmt::format("found {} dimensions, expected 1 to {}", count, max_dimensions));
    }
    parameter.sizes.assign(static_cast<std::size_t>(count), 0);
  } else {
    do {
      parameter.sizes.push_back(parse_array_size());
    } while (lexer_.accept(TokenKind::comma));
  }
  lexer_.expect(TokenKind::right_bracket);
  const Token name = lexer_.expect(TokenKind::identifier);
  if (is_reserved(name.text, language_.number)) check_new_name(name);
  check_dimensions(parameter.sizes.size(), name);
  parameter.name = name.text;
  return parameter;
}

/// Parses the argument for a parameter that is an array.
std::shared_ptr<const Array> Parser::parse_array_argument(const SubroutineParameter& parameter) {
  const Token name = lexer_.expect(TokenKind::identifier);
  Array array = parse_array_part(name);
  const std::vector<std::uint32_t> sizes = array.sizes();
  const bool has_sizes = std::ranges::equal(
      sizes, parameter.sizes,
      [](std::uint32_t size, std::uint32_t wanted) { return wanted == 0 || size == wanted; });
  const bool has_type = array.type == parameter.type && array.width == parameter.width;
  if (!has_type || !has_sizes) {
    source_.fail(name.text,
                 fmt::format("the array {} has {} than the parameter {}", in_quotes(name.text),
                             has_type ? "other sizes" : "elements of another type",
                             in_quotes(parameter.name)));
  }
  if (array.is_readonly && !parameter.is_readonly) {
    source_.fail(name.text, fmt::format("the array {} is readonly, but the parameter {} is mutable",
                                        in_quotes(name.text), in_quotes(parameter.name)));
  }
  array.is_readonly = parameter.is_readonly;
  return std::make_shared<const Array>(std::move(array));
}

}  // namespace quartz::qasm
