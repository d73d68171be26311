// Arrays, whose elements are variables.
#include <fmt/core.h>

#include <algorithm>
#include <utility>
#include <variant>

#include "qasm/reader/executor.hpp"
#include "quartz/base/counted.hpp"
#include "quartz/base/errors.hpp"

namespace quartz::qasm {
namespace {

/// The most dimensions that OpenQASM 3 permits.
constexpr std::size_t kMaxDimensions = 7;
/// Limit for the elements of an array, so that a mistyped size cannot use up the memory.
constexpr std::uint64_t kMaxArrayElements = 1U << (kIsFuzzingBuild ? 8U : 16U);

/// Returns the index that `[3]` contains.
syntax::Index index_of(std::string_view number) {
  const Token token{TokenKind::integer, number};
  syntax::Index index;
  index.before = {number.data() - 1, 1};
  index.first = token;
  index.values.push_back({token, number, {syntax::Term(syntax::Number{token})}});
  return index;
}

}  // namespace

// --- declarations ---

void Executor::execute(const syntax::ArrayDeclaration& declaration) {
  const ElementType type = element_type_of(declaration.type);
  std::vector<std::uint32_t> sizes;
  for (const syntax::Expression& size : declaration.sizes) sizes.push_back(array_size(size));
  const Token& name = declaration.name;
  check_new_name(name);
  check_dimensions(sizes.size(), name);
  std::uint64_t count = 1;
  for (const std::uint32_t size : sizes) {
    count *= size;
    if (count > kMaxArrayElements) {
      source_.fail(name.text, fmt::format("the array {} has more than {} elements",
                                          in_quotes(name.text), kMaxArrayElements));
    }
  }
  budget_.charge(count, name.text);
  execution_.has_variables = true;
  NamedValue declared;
  declared.kind = NamedValue::Kind::array;
  const Array array = Array::declared(type.type, type.width, sizes, names_.depth());
  if (declaration.value) {
    assign_elements(array, array_values(*declaration.value, array), place_of(*declaration.value));
  }
  declared.array = std::make_shared<const Array>(array);
  names_.declare(name.text, std::move(declared));
}

Executor::ElementType Executor::element_type_of(const syntax::Type& declared) {
  ElementType result{*find_cast(declared.name.text),
                     static_cast<std::uint64_t>(width_of(declared.width).value_or(0))};
  if (result.type == CastType::bits && result.width == 0) result.width = 1;
  return result;
}

std::uint32_t Executor::array_size(const syntax::Expression& expression) {
  const std::int64_t size = integer_in(expression);
  if (size < 1 || size > static_cast<std::int64_t>(kMaxArrayElements)) {
    source_.fail(expression.first.text, fmt::format("found the size {} of an array, expected 1 to "
                                                    "{}",
                                                    size, kMaxArrayElements));
  }
  return static_cast<std::uint32_t>(size);
}

void Executor::check_dimensions(std::size_t dimensions, const Token& name) const {
  if (dimensions >= 1 && dimensions <= kMaxDimensions) return;
  source_.fail(name.text, fmt::format("the array {} has {} dimensions, expected 1 to {}",
                                      in_quotes(name.text), dimensions, kMaxDimensions));
}

// --- parts ---

/// Returns the array that a name means, or the part of it that follows.
Array Executor::array_part(const syntax::Reference& reference) {
  const std::string_view name = reference.name;
  const NamedValue* const found = names_.find_value(name);
  if (found == nullptr || found->array == nullptr) {
    source_.fail(name, fmt::format("{} is no array", in_quotes(name)));
  }
  const std::shared_ptr<const Array> whole = found->array;  // it may move while indices are read
  Array part = *whole;
  const auto select = [&](const syntax::Index& index, std::size_t& dimension) {
    if (dimension == part.dimensions.size()) {
      source_.fail(index.before, fmt::format("the array {} has no more than {}", in_quotes(name),
                                             counted(whole->dimensions.size(), "dimension")));
    }
    select_index(part, dimension, index, name);
  };
  if (!reference.number.empty()) {
    std::size_t dimension = 0;
    select(index_of(reference.number), dimension);
  }
  for (const syntax::Selection& selection : reference.selections) {
    std::size_t dimension = 0;
    for (const syntax::Index& index : selection.items) select(index, dimension);
  }
  return part;
}

/// Selects an index or a range of a dimension. An index removes it; after a range, `dimension` is
/// the next one.
void Executor::select_index(Array& part, std::size_t& dimension, const syntax::Index& index,
                            std::string_view name) {
  const Array::Dimension whole = part.dimensions[dimension];
  const auto element_at = [&](std::int64_t element, std::string_view place) {
    const std::int64_t size = whole.size;
    if (element < -size || element >= size) {
      source_.fail(place,
                   fmt::format("index {} is out of range: this dimension of {} has the size {}",
                               element, in_quotes(name), size));
    }
    return element < 0 ? element + size : element;
  };
  const std::string_view place = index.first.text;
  if (index.kind == syntax::Index::Kind::list) {
    fail_found(index.first, "a number, 'pi', a parameter, a function or '('");
  }
  const syntax::Expression& first_value = index.values[0];
  const std::int64_t first =
      first_value.is_absent() ? 0 : element_at(integer_in(first_value), place);
  part.first += first * whole.stride;
  if (index.kind == syntax::Index::Kind::element) {
    part.dimensions.erase(part.dimensions.begin() + static_cast<std::ptrdiff_t>(dimension));
    return;
  }
  const syntax::Expression& step_value = index.values[1];
  const syntax::Expression& last_value = index.values[2];
  std::int64_t step = step_value.is_absent() ? 1 : integer_in(step_value);
  const std::int64_t last =
      last_value.is_absent() ? whole.size - 1 : element_at(integer_in(last_value), index.middle);
  if (step == 0) source_.fail(index.middle, "found the step 0 in a range");
  if (step > 0 ? last < first : last > first) source_.fail(place, "found an empty range");
  const std::int64_t size = whole.size;
  step = std::clamp(step, -size, size);  // beyond these, the range has one element
  part.dimensions[dimension] = {static_cast<std::uint32_t>((last - first) / step + 1),
                                step * whole.stride};
  ++dimension;
}

// --- values ---

/// Returns the value of an element in an expression.
Value Executor::array_element(const syntax::Reference& reference) {
  const Array part = array_part(reference);
  if (!part.dimensions.empty()) {
    source_.fail(reference.name, fmt::format("found {} of the array {}, expected an element",
                                             "a part", in_quotes(reference.name)));
  }
  return value_of_element(part.element(), reference.name);
}

const Value& Executor::value_of_element(const NamedValue& element, std::string_view name) const {
  if (!element.unknown_because.empty()) {
    source_.fail(name, fmt::format("the value of an element of {} is not known: {}",
                                   in_quotes(name), element.unknown_because));
  }
  return element.value;
}

/// Returns the value of `sizeof(a)` or `sizeof(a, 1)`.
Value Executor::array_size_of(const syntax::FunctionCall& call) {
  const auto* const array =
      call.arguments.empty() ? nullptr : syntax::sole_term<syntax::Reference>(call.arguments[0]);
  if (array == nullptr) {
    fail_found(call.arguments.empty() ? Token{TokenKind::right_parenthesis, call.end}
                                      : call.arguments[0].first,
               describe(TokenKind::identifier));
  }
  const std::vector<std::uint32_t> sizes = array_part(*array).sizes();
  const std::int64_t dimension = call.arguments.size() < 2 ? 0 : integer_in(call.arguments[1]);
  if (dimension < 0 || std::cmp_greater_equal(dimension, sizes.size())) {
    source_.fail(syntax::sign_after(call.arguments[0]),
                 fmt::format("{} has no dimension {}", in_quotes(array->name), dimension));
  }
  if (call.arguments.size() > 2) {
    fail_found(call.arguments[2].first, describe(TokenKind::right_parenthesis));
  }
  return {Angle::radians(sizes[static_cast<std::size_t>(dimension)]), true, {}};
}

/// Returns the values of an array of the same sizes and type: a list, or another array.
std::vector<NamedValue> Executor::array_values(const syntax::Initializer& initializer,
                                               const Array& target) {
  std::vector<NamedValue> values;
  if (const auto* const list = std::get_if<syntax::List>(&initializer.value)) {
    append_list_values(*list, target, 0, values);
    return values;
  }
  const auto* const expression = std::get_if<syntax::Expression>(&initializer.value);
  const auto* const reference =
      expression == nullptr ? nullptr : syntax::sole_term<syntax::Reference>(*expression);
  if (reference == nullptr) {
    fail_found(expression == nullptr ? std::get<syntax::Measured>(initializer.value).word
                                     : expression->first,
               "a list in braces or an array");
  }
  const std::string_view name = reference->name;
  const Array source = array_part(*reference);
  const bool has_type = source.type == target.type && source.width == target.width;
  if (!has_type || source.sizes() != target.sizes()) {
    source_.fail(name,
                 fmt::format("{} has {} than the array to which it is assigned", in_quotes(name),
                             has_type ? "other sizes" : "elements of another type"));
  }
  const std::vector<std::size_t> indices = source.indices();
  budget_.charge(indices.size(), name);
  for (const std::size_t index : indices) values.push_back((*source.elements)[index]);
  return values;
}

/// Appends the values of `{1, 2}` for this dimension and those after it.
void Executor::append_list_values(const syntax::List& list, const Array& target,
                                  std::size_t dimension, std::vector<NamedValue>& values) {
  const std::uint32_t size = target.dimensions[dimension].size;
  for (std::size_t i = 0; i < std::min<std::size_t>(size, list.values.size()); ++i) {
    const syntax::Initializer& each = list.values[i];
    if (dimension + 1 < target.dimensions.size()) {
      const auto* const inner = std::get_if<syntax::List>(&each.value);
      if (inner == nullptr) {
        fail_found(std::get<syntax::Expression>(each.value).first, describe(TokenKind::left_brace));
      }
      append_list_values(*inner, target, dimension + 1, values);
      continue;
    }
    NamedValue& value = values.emplace_back();
    value.type = target.type;
    value.width = target.width;
    value.value = converted(value_of(each, true), value, place_of(each));
  }
  if (list.values.size() == size) return;
  source_.fail(list.brace.text,
               fmt::format("this list does not have {}", counted(size, "element")));
}

/// Gives the elements of a part these values, in row-major order.
void Executor::assign_elements(const Array& target, const std::vector<NamedValue>& values,
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

/// Executes an assignment to an element or a part of an array.
void Executor::assign_to_array(const syntax::Assignment& assignment) {
  const std::string_view target = assignment.target.name;
  const Array part = array_part(assignment.target);
  if (part.is_readonly) {
    source_.fail(target, fmt::format("the parameter {} is readonly and cannot be changed",
                                     in_quotes(target)));
  }
  const Token& sign = assignment.sign;
  const bool is_compound = sign.kind == TokenKind::compound_assign;
  const std::string_view place = place_of(assignment.value);
  if (part.dimensions.empty()) {
    NamedValue& element = part.element();
    Value value = value_of(assignment.value, true);
    if (is_compound) value = compound_value(sign, value_of_element(element, target), value);
    return assign(element, converted(value, element, place), place);
  }
  if (is_compound) {
    source_.fail(sign.text, fmt::format("found {}, expected '=': only an element of an array can "
                                        "be changed by an operator",
                                        in_quotes(sign.text)));
  }
  const std::vector<NamedValue> values = array_values(assignment.value, part);
  assign_elements(part, values, place);
}

/// Returns the elements of an array of integers, for a loop over them.
std::vector<std::int64_t> Executor::array_of_integers(const syntax::Reference& reference) {
  const std::string_view name = reference.name;
  const Array part = array_part(reference);
  if (part.dimensions.size() != 1) {
    source_.fail(name, "a loop over an array of several dimensions is not supported");
  }
  std::vector<std::int64_t> values;
  for (const std::size_t index : part.indices()) {
    budget_.charge(kOperationsPerIteration, name);
    const Value& value = value_of_element((*part.elements)[index], name);
    check_not_measured(value, name);
    if (!value.is_integer) {
      source_.fail(name,
                   "a loop over an array of numbers that are no integers is not "
                   "supported");
    }
    values.push_back(integer_of(value));
  }
  return values;
}

// --- parameters of subroutines ---

/// Returns the parameter `readonly array[int[8], 2, 2] a` or `mutable array[float, #dim = 1] a`.
SubroutineParameter Executor::array_parameter(const syntax::Parameter& declared) {
  SubroutineParameter parameter;
  parameter.is_array = true;
  parameter.is_readonly = declared.qualifier.text == "readonly";
  const ElementType type = element_type_of(declared.type);
  parameter.type = type.type;
  parameter.width = type.width;
  if (!declared.dimensions.is_absent()) {
    const std::int64_t count = integer_in(declared.dimensions);
    if (count < 1 || std::cmp_greater(count, kMaxDimensions)) {
      source_.fail(declared.dimensions.first.text,
                   fmt::format("found {} dimensions, expected 1 to {}", count, kMaxDimensions));
    }
    parameter.sizes.assign(static_cast<std::size_t>(count), 0);
  }
  for (const syntax::Expression& size : declared.sizes) {
    parameter.sizes.push_back(array_size(size));
  }
  if (is_reserved(declared.name.text, language_.number)) check_new_name(declared.name);
  check_dimensions(parameter.sizes.size(), declared.name);
  parameter.name = declared.name.text;
  return parameter;
}

/// Returns the argument for a parameter that is an array.
std::shared_ptr<const Array> Executor::array_argument(const SubroutineParameter& parameter,
                                                      const syntax::Expression& argument) {
  const auto* const reference = syntax::sole_term<syntax::Reference>(argument);
  if (reference == nullptr) fail_found(argument.first, describe(TokenKind::identifier));
  const std::string_view name = reference->name;
  Array array = array_part(*reference);
  const std::vector<std::uint32_t> sizes = array.sizes();
  const bool has_sizes = std::ranges::equal(
      sizes, parameter.sizes,
      [](std::uint32_t size, std::uint32_t wanted) { return wanted == 0 || size == wanted; });
  const bool has_type = array.type == parameter.type && array.width == parameter.width;
  if (!has_type || !has_sizes) {
    source_.fail(name, fmt::format("the array {} has {} than the parameter {}", in_quotes(name),
                                   has_type ? "other sizes" : "elements of another type",
                                   in_quotes(parameter.name)));
  }
  if (array.is_readonly && !parameter.is_readonly) {
    source_.fail(name, fmt::format("the array {} is readonly, but the parameter {} is mutable",
                                   in_quotes(name), in_quotes(parameter.name)));
  }
  array.is_readonly = parameter.is_readonly;
  return std::make_shared<const Array>(std::move(array));
}

}  // namespace quartz::qasm
