#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "quartz/algebra/angle.hpp"
#include "quartz/circuit/custom_gate.hpp"
#include "quartz/circuit/gate.hpp"

namespace quartz::target {

/// Parses JSON. A repeated key is an error, although the JSON library would silently use one of the
/// two. Throws InputError; `source` is what messages call the text.
[[nodiscard]] nlohmann::json parse_json(std::string_view text, const std::string& source);

/// The text of a document, and its name in messages.
struct JsonSource {
  std::string_view text;
  std::string_view name;
};

/// A JSON value with its path in the document, such as "gates[3].gate", for messages. Each accessor
/// throws InputError with line, column and path if the value does not have the requested type.
/// Refers to the document and to the source, which must outlive it.
class JsonNode {
 public:
  /// Constructs the root of the document.
  JsonNode(const nlohmann::json& document, const JsonSource& source)
      : JsonNode(document, "", source) {}

  [[noreturn]] void fail(const std::string& what) const;
  /// Throws an InputError located at one byte of the contents of a string.
  [[noreturn]] void fail_inside(std::size_t byte, const std::string& what) const;

  /// Fails unless the value is an object with no other keys than these.
  void require_object(const std::vector<std::string_view>& known) const;
  [[nodiscard]] bool has(const char* key) const { return value_->contains(key); }
  [[nodiscard]] JsonNode member(const char* key) const;
  [[nodiscard]] std::vector<JsonNode> elements() const;
  /// Returns the keys and values of an object, in the order of its keys.
  [[nodiscard]] std::vector<std::pair<std::string, JsonNode>> members() const;
  [[nodiscard]] bool is_list() const { return value_->is_array(); }
  [[nodiscard]] bool is_text() const { return value_->is_string(); }
  [[nodiscard]] bool is_whole_number() const { return value_->is_number_integer(); }
  [[nodiscard]] bool is_null() const { return value_->is_null(); }
  [[nodiscard]] std::string text() const;
  /// Returns a string, or a whole number as a string.
  [[nodiscard]] std::string text_or_number() const;
  [[nodiscard]] bool truth() const;
  [[nodiscard]] std::uint64_t whole_number() const;
  [[nodiscard]] double number() const;
  /// Returns the angle of a string with an angle expression.
  [[nodiscard]] Angle angle() const;
  /// Returns the gate of a string with the name of a built-in gate or of one of the custom gates.
  [[nodiscard]] const Gate& gate(const CustomGates& custom_gates) const;

 private:
  void require(bool right_type, const char* expected) const;
  /// Throws an InputError for this node that is located at another path of the document.
  [[noreturn]] void fail_at(const std::string& path, const std::string& what) const;
  [[nodiscard]] std::string found() const;

  JsonNode(const nlohmann::json& value, std::string path, const JsonSource& source)
      : value_(&value), path_(std::move(path)), source_(&source) {}

  const nlohmann::json* value_;
  std::string path_;
  const JsonSource* source_;
};

/// Fails unless the document states this format and version.
void require_format(const JsonNode& root, const char* format, std::uint64_t version);

}  // namespace quartz::target
