#include "report/drawing/escape_html.hpp"

namespace quartz::report {

std::string escape_html(std::string_view text) {
  std::string escaped;
  escaped.reserve(text.size());
  for (const char c : text) {
    switch (c) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      case '\'':
        escaped += "&#39;";
        break;
      default: {
        const auto code = static_cast<unsigned char>(c);
        const bool is_control = (code < 0x20 && c != '\n' && c != '\t') || code == 0x7f;
        escaped += is_control ? ' ' : c;
      }
    }
  }
  return escaped;
}

}  // namespace quartz::report
