#pragma once

#include <array>
#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>

/// Text that declarations and operations share.
namespace quartz::qasm {

inline void append_number(std::string& text, std::uint64_t value) {
  std::array<char, 24> buffer;
  const auto [end, error] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  text.append(buffer.data(), end);
}

/// Appends `open` item, item, ... `close`; appends nothing for an empty list.
template <typename AppendItem>
void append_list(std::string& text, std::string_view open, std::size_t count,
                 AppendItem append_item, std::string_view close) {
  if (count == 0) return;
  text += open;
  for (std::size_t i = 0; i < count; ++i) {
    if (i != 0) text += ',';
    append_item(i);
  }
  text += close;
}

}  // namespace quartz::qasm
