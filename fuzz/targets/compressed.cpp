#include <string>
#include <vector>

#include "quartz/base/compression.hpp"
#include "target.hpp"

namespace quartz::fuzz::compressed {

void run(std::string_view input) {
  constexpr std::size_t most = std::size_t{1} << 16U;
  const auto content = read([&] { return decompressed(input, input_name, most); });
  if (!content) return;
  require(content->size() <= most, "the content is within its limit");
  require(is_compressed(input), "what is decompressed looks compressed");
}

std::vector<std::string> seeds() {
  std::vector<std::string> seeds = repository_files("gatesets/rules", ".zst", 1024);
  // Frames without a checksum: with one, only the content that it belongs to would be read.
  constexpr char checksum_flag = 1 << 2;
  for (const char* content : {"", "a", "abcabcabcabcabcabcabcabcabcabcabcabcabcabcabcabcabcabc"}) {
    std::string frame = quartz::compressed(content);
    frame[4] = static_cast<char>(frame[4] & ~checksum_flag);
    frame.resize(frame.size() - 4);
    seeds.push_back(frame);
    seeds.push_back(frame + frame);
  }
  return seeds;
}

}  // namespace quartz::fuzz::compressed
