#include "quartz/base/compression.hpp"
#include "quartz/base/files.hpp"
#include "quartz/rules/rule_set.hpp"

namespace quartz {

RuleSet read_rule_set_file(const std::filesystem::path& path, const std::stop_token& stop,
                           const CustomGates& custom_gates) {
  const std::string name = path == "-" ? "<standard input>" : path.string();
  const std::string content = read_text_file(path, {file_limit::rules, stop});
  if (!is_compressed(content)) return parse_rule_set(content, name, stop, custom_gates);
  return parse_rule_set(decompressed(content, name, file_limit::rules, stop), name, stop,
                        custom_gates);
}

std::string rule_set_file_content(const RuleSet& rules, const std::filesystem::path& path) {
  std::string text = write_rule_set(rules);
  return path.extension() == ".zst" ? compressed(text) : text;
}

}  // namespace quartz
