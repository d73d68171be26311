#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "quartz/algebra/angle.hpp"
#include "quartz/circuit/gate.hpp"

namespace quartz {

/// Parses JSON; a key given twice is an error, where JSON libraries keep one of the two. Throws
/// InputError; `source` is what messages call the text.
[[nodiscard]] nlohmann::json parse_json(std::string_view text, const std::string& source);

/// The text of a document, and what messages call it.
struct JsonSource {
  std::string_view text;
  std::string_view name;
};

/// A JSON value with its path in the document, "gates[3].gate", for messages. Whatever it is not
/// what was asked for is an InputError with line and column, and the path. Refers to the document
/// and to the source.
class JsonNode {
 public:
  /// The whole document.
  JsonNode(const nlohmann::json& document, const JsonSource& source)
      : JsonNode(document, "", source) {}

  [[noreturn]] void fail(const std::string& what) const;
  /// Of what a string says, at one of its bytes.
  [[noreturn]] void fail_inside(std::size_t byte, const std::string& what) const;

  /// Fails unless this is an object with no other keys than these.
  void require_object(const std::vector<std::string_view>& known) const;
  [[nodiscard]] bool has(const char* key) const { return value_->contains(key); }
  [[nodiscard]] JsonNode member(const char* key) const;
  [[nodiscard]] std::vector<JsonNode> elements() const;
  [[nodiscard]] std::string text() const;
  /// A string, or a whole number as one.
  [[nodiscard]] std::string text_or_number() const;
  [[nodiscard]] bool truth() const;
  [[nodiscard]] std::uint64_t whole_number() const;
  [[nodiscard]] double number() const;
  /// A string that holds an angle expression.
  [[nodiscard]] Angle angle() const;
  /// A string that names a gate, built in or custom.
  [[nodiscard]] const Gate& gate() const;

 private:
  void require(bool right_type, const char* expected) const;
  /// At a place of the document, for this node.
  [[noreturn]] void fail_at(const std::string& path, const std::string& what) const;
  [[nodiscard]] std::string found() const;

  JsonNode(const nlohmann::json& value, std::string path, const JsonSource& source)
      : value_(&value), path_(std::move(path)), source_(&source) {}

  const nlohmann::json* value_;
  std::string path_;
  const JsonSource* source_;
};

/// Fails unless the document says that it is of this format and version.
void require_format(const JsonNode& root, const char* format, std::uint64_t version);

}  // namespace quartz
