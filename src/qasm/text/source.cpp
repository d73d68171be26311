#include "qasm/text/source.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <functional>

namespace quartz::qasm {

std::string_view Source::add_file(std::string text, std::string name) {
  const std::string_view kept = texts_.emplace_back(std::move(text));
  included_.push_back({kept, std::move(name)});
  return kept;
}

const Source::File& Source::file_of(const char* place) const {
  const std::less_equal<const char*> not_behind;  // also of different texts
  const auto contains = [&](const File& file) {
    return not_behind(file.text.data(), place) &&
           not_behind(place, file.text.data() + file.text.size());
  };
  const auto file = std::find_if(included_.begin(), included_.end(), contains);
  return file == included_.end() ? main_ : *file;
}

std::string Source::line_text(std::string_view place) const {
  const SourceLocation location = location_of(place);
  const std::string line = fmt::format("line {}", location.line);
  return included_.empty() ? line : line + " of " + location.file;
}

SourceLocation Source::location_of(std::string_view place) const {
  const auto& [text, name] = file_of(place.data());
  const auto offset = static_cast<std::size_t>(place.data() - text.data());
  const std::string_view before = text.substr(0, std::min(offset, text.size()));
  const std::size_t last_break = before.find_last_of("\r\n");
  const std::string_view in_line =
      last_break == std::string_view::npos ? before : before.substr(last_break + 1);
  const auto is_character_start = [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;  // not a UTF-8 continuation byte
  };
  // A carriage return without a line feed ends a line as well, as in text editors.
  std::size_t lines = 1;
  for (std::size_t i = 0; i < before.size(); ++i) {
    if (before[i] == '\n' || (before[i] == '\r' && !text.substr(i + 1).starts_with('\n'))) ++lines;
  }
  return {
      name, lines,
      static_cast<std::size_t>(std::count_if(in_line.begin(), in_line.end(), is_character_start)) +
          1};
}

void Source::fail(std::string_view place, const std::string& message) const {
  throw InputError(location_of(place), message);
}

std::string in_quotes(std::string_view text) {
  constexpr std::size_t kLongest = 40;
  std::string result = "'";
  for (const char c : text.substr(0, kLongest)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7F) {
      result += fmt::format("\\x{:02x}", byte);
    } else {
      result.push_back(c);
    }
  }
  // A UTF-8 character that is cut in two would make the message invalid text.
  if (text.size() > kLongest) {
    while (!result.empty() && (static_cast<unsigned char>(result.back()) & 0x80U) != 0) {
      result.pop_back();
    }
    result += "...";
  }
  return result + "'";
}

}  // namespace quartz::qasm
