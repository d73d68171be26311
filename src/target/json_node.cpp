#include "target/json_node.hpp"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <set>

#include "quartz/base/errors.hpp"

namespace quartz::target {
namespace {

using Json = nlohmann::json;

/// Finds values in the text of a document that is known to be valid, because the JSON library does
/// not record locations.
class PlaceFinder {
 public:
  explicit PlaceFinder(std::string_view text) : text_(text) { skip_space(); }

  /// Returns the offset of the value at a path such as "gates[3].gate", or of the innermost value
  /// on the way to it if the value does not exist.
  [[nodiscard]] std::size_t find(std::string_view path) {
    while (!path.empty()) {
      const bool is_index = path.front() == '[';
      if (path.front() == '.' || is_index) path.remove_prefix(1);
      const std::size_t end = std::min(path.find_first_of(is_index ? "]" : ".["), path.size());
      const std::string_view step = path.substr(0, end);
      path.remove_prefix(std::min(is_index ? end + 1 : end, path.size()));
      const std::size_t before = at_;
      if (!(is_index ? enter_element(step) : enter_member(step))) return before;
    }
    return at_;
  }

 private:
  [[nodiscard]] char here() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  void skip_space() { at_ = std::min(text_.find_first_not_of(" \t\r\n", at_), text_.size()); }

  void skip_string() {
    for (++at_; at_ < text_.size() && text_[at_] != '"'; ++at_) {
      if (text_[at_] == '\\') ++at_;
    }
    ++at_;
  }

  void skip_value() {
    std::size_t depth = 0;
    do {
      if (here() == '"') {
        skip_string();
      } else if (here() == '{' || here() == '[') {
        ++depth;
        ++at_;
      } else if (here() == '}' || here() == ']') {
        --depth;
        ++at_;
      } else if (depth > 0) {
        ++at_;
      } else {
        at_ = std::min(text_.find_first_of(",]} \t\r\n", at_), text_.size());
      }
    } while (depth > 0 && at_ < text_.size());
  }

  /// Skips the value and the comma after it; returns false at the end of the list.
  bool skip_to_next() {
    skip_value();
    skip_space();
    if (here() != ',') return false;
    ++at_;
    skip_space();
    return true;
  }

  bool enter_element(std::string_view index) {
    if (here() != '[') return false;
    ++at_;
    skip_space();
    std::size_t count = 0;
    std::from_chars(index.data(), index.data() + index.size(), count);
    while (count-- > 0) {
      if (!skip_to_next()) return false;
    }
    return true;
  }

  bool enter_member(std::string_view key) {
    if (here() != '{') return false;
    ++at_;
    skip_space();
    while (here() == '"') {
      const std::size_t first = at_ + 1;
      skip_string();
      const bool is_wanted = text_.substr(first, at_ - 1 - first) == key;
      skip_space();
      ++at_;  // skip the colon
      skip_space();
      if (is_wanted) return true;
      if (!skip_to_next()) return false;
    }
    return false;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

/// Returns the position in the text, which is known to be valid, of a byte of the contents of a
/// string. All bytes of a value that is not a string have the position of the value.
std::size_t place_inside(std::string_view text, std::size_t string, std::size_t byte) {
  if (string >= text.size() || text[string] != '"') return string;
  std::size_t at = string + 1;
  for (std::size_t said = 0; said < byte && at < text.size() && text[at] != '"';) {
    if (text[at] != '\\') {
      ++at;
      ++said;
      continue;
    }
    // \n is one byte; \u0041 is one, two or three; each half of a surrogate pair is two of four
    // bytes.
    unsigned code = 0;
    const bool is_code = at + 6 <= text.size() && text[at + 1] == 'u';
    if (is_code) std::from_chars(&text[at + 2], &text[at + 2] + 4, code, 16);
    const bool is_surrogate = code >= 0xd800 && code < 0xe000;
    said += code < 0x80 ? 1 : code < 0x800 || is_surrogate ? 2 : 3;
    at += is_code ? 6 : 2;
  }
  return at;
}

/// Returns the location of a byte; bytes count from 1 as in nlohmann_json.
SourceLocation location_of(std::string_view text, std::size_t byte, const std::string& name) {
  const std::string_view before = text.substr(0, byte == 0 ? 0 : std::min(byte - 1, text.size()));
  const auto lines = std::count(before.begin(), before.end(), '\n');
  const std::size_t line_start = before.rfind('\n') + 1;  // 0 without a line feed: npos + 1 is 0
  return {name, static_cast<std::size_t>(lines) + 1, before.size() - line_start + 1};
}

/// Returns what would help if the parser stopped at the name of a value that JSON cannot express,
/// as json.dump of Python writes it. The byte is counted from 1.
std::string advice_at(std::string_view text, std::size_t byte) {
  const std::string_view rest =
      text.substr(std::min(std::max<std::size_t>(byte, 1) - 1, text.size()));
  for (const char* name : {"NaN", "Infinity"}) {
    if (!rest.starts_with(name)) continue;
    return std::string("; JSON has no ") + name + ": leave out values that are not known";
  }
  return "";
}

}  // namespace

Json parse_json(std::string_view text, const std::string& source) {
  // The JSON library takes a zero byte for the end and would ignore what follows.
  if (const std::size_t zero = text.find('\0'); zero != std::string_view::npos) {
    throw InputError(location_of(text, zero + 1, source), "invalid JSON: found a zero byte");
  }
  std::vector<std::set<std::string>> keys;
  const auto refuse_repeated_keys = [&](int, Json::parse_event_t event, Json& value) {
    if (event == Json::parse_event_t::object_start) keys.emplace_back();
    if (event == Json::parse_event_t::object_end) keys.pop_back();
    if (event == Json::parse_event_t::key && !keys.back().insert(value.get<std::string>()).second) {
      throw InputError({source, 0, 0}, "the key '" + value.get<std::string>() + "' is given twice");
    }
    return true;
  };
  try {
    return Json::parse(text, refuse_repeated_keys);
  } catch (const Json::parse_error& error) {
    // Messages look like "[json.exception.parse_error.101] parse error at line 1, column 2:
    // reason".
    const std::string message = error.what();
    const std::size_t colon = message.find(": ");
    throw InputError(
        location_of(text, error.byte, source),
        "invalid JSON: " + (colon == std::string::npos ? message : message.substr(colon + 2)) +
            advice_at(text, error.byte));
  } catch (const Json::exception& error) {
    throw InputError({source, 0, 0}, std::string("invalid JSON: ") + error.what());
  }
}

void JsonNode::fail(const std::string& what) const { fail_at(path_, what); }

void JsonNode::fail_inside(std::size_t byte, const std::string& what) const {
  const std::size_t string = PlaceFinder(source_->text).find(path_);
  const std::size_t offset = place_inside(source_->text, string, byte);
  throw InputError(location_of(source_->text, offset + 1, std::string(source_->name)),
                   path_ + ": " + what);
}

void JsonNode::fail_at(const std::string& path, const std::string& what) const {
  const std::size_t offset = PlaceFinder(source_->text).find(path);
  throw InputError(location_of(source_->text, offset + 1, std::string(source_->name)),
                   path_.empty() ? what : path_ + ": " + what);
}

void JsonNode::require(bool right_type, const char* expected) const {
  if (!right_type) fail(fmt::format("expected {}, found {}", expected, found()));
}

std::string JsonNode::found() const {
  // The contents of arrays and objects are not shown, because they may be long, and nested too
  // deeply for recursion.
  if (value_->is_array()) return "an array";
  if (value_->is_object()) return "an object";
  std::string text = value_->dump(-1, ' ', false, Json::error_handler_t::replace);
  constexpr std::size_t kShown = 40;
  if (text.size() > kShown) text = text.substr(0, kShown) + "...";
  return text;
}

void JsonNode::require_object(const std::vector<std::string_view>& known) const {
  require(value_->is_object(), "an object");
  for (const auto& [key, ignored] : value_->items()) {
    if (std::find(known.begin(), known.end(), key) == known.end()) {
      fail_at(path_.empty() ? key : path_ + "." + key,
              fmt::format("unknown key '{}'; known keys: {}", key, fmt::join(known, ", ")));
    }
  }
}

JsonNode JsonNode::member(const char* key) const {
  if (!has(key)) fail(fmt::format("the key '{}' is missing", key));
  return {(*value_)[key], path_.empty() ? key : path_ + "." + key, *source_};
}

std::vector<JsonNode> JsonNode::elements() const {
  require(value_->is_array(), "an array");
  std::vector<JsonNode> nodes;
  for (std::size_t i = 0; i < value_->size(); ++i) {
    nodes.push_back(JsonNode((*value_)[i], fmt::format("{}[{}]", path_, i), *source_));
  }
  return nodes;
}

std::vector<std::pair<std::string, JsonNode>> JsonNode::members() const {
  require(value_->is_object(), "an object");
  std::vector<std::pair<std::string, JsonNode>> nodes;
  for (const auto& [key, value] : value_->items()) {
    nodes.emplace_back(key, JsonNode(value, path_.empty() ? key : path_ + "." + key, *source_));
  }
  return nodes;
}

std::string JsonNode::text() const {
  require(value_->is_string(), "a string");
  return value_->get<std::string>();
}

std::string JsonNode::text_or_number() const {
  if (value_->is_number_integer()) return value_->dump();
  require(value_->is_string(), "a string or a whole number");
  return value_->get<std::string>();
}

bool JsonNode::truth() const {
  require(value_->is_boolean(), "true or false");
  return value_->get<bool>();
}

std::uint64_t JsonNode::whole_number() const {
  require(value_->is_number_unsigned(), "a whole number");
  return value_->get<std::uint64_t>();
}

double JsonNode::number() const {
  require(value_->is_number(), "a number");
  return value_->get<double>();
}

Angle JsonNode::angle() const {
  require(value_->is_string(), "an angle as a string, such as \"pi/2\"");
  try {
    return parse_angle(value_->get<std::string>());
  } catch (const InputError& error) {
    fail(error.what());
  }
}

const Gate& JsonNode::gate(const CustomGates& custom_gates) const {
  const std::string name = text();
  const Gate* row = find_gate(name, custom_gates);
  if (row == nullptr) {
    fail("unknown gate '" + name + "'; gates have their OpenQASM names, such as h, cx");
  }
  return *row;
}

void require_format(const JsonNode& root, const char* format, std::uint64_t version) {
  const JsonNode own_format = root.member("format");
  if (own_format.text() != format) {
    own_format.fail(fmt::format("expected '{}', found '{}'", format, own_format.text()));
  }
  const JsonNode own_version = root.member("version");
  if (own_version.whole_number() != version) {
    own_version.fail(
        fmt::format("expected version {}, found version {}", version, own_version.whole_number()));
  }
}

}  // namespace quartz::target
