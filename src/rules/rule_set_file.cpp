#include "quartz/compression.hpp"
#include "quartz/files.hpp"
#include "quartz/rules/rule_set.hpp"

namespace quartz {

RuleSet read_rule_set_file(const std::filesystem::path& path) {
  const std::string name = path == "-" ? "<standard input>" : path.string();
  const std::string content = read_text_file(path);
  if (!is_compressed(content)) return parse_rule_set(content, name);
  return parse_rule_set(decompressed(content, name), name);
}

std::string rule_set_file_content(const RuleSet& rules, const std::filesystem::path& path) {
  std::string text = write_rule_set(rules);
  return path.extension() == ".zst" ? compressed(text) : text;
}

}  // namespace quartz
