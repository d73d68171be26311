#include "byte_mutations.hpp"

#include <algorithm>
#include <sstream>

#include "quartz/base/files.hpp"

namespace quartz::fuzz {
namespace {

/// Returns the words of a dictionary of libFuzzer: lines such as "\x00measure".
std::vector<std::string> words_of(std::string_view dictionary) {
  std::istringstream lines(read_text_file(repository_folder("fuzz/dictionaries") + "/" +
                                          std::string(dictionary) + ".dict"));
  std::vector<std::string> words;
  for (std::string line; std::getline(lines, line);) {
    if (line.size() < 2 || line.front() != '"') continue;
    std::string word;
    for (std::size_t i = 1; i + 1 < line.size(); ++i) {
      if (line[i] == '\\' && line[i + 1] == 'x') {
        word += static_cast<char>(std::stoi(line.substr(i + 2, 2), nullptr, 16));
        i += 3;
      } else {
        word += line[i];
      }
    }
    words.push_back(std::move(word));
  }
  return words;
}

}  // namespace

ByteMutations::ByteMutations(const Target& target, std::uint64_t seed)
    : seeds_(target.seeds()),
      words_(words_of(target.dictionary)),
      max_bytes_(target.max_bytes),
      random_(seed) {}

std::string ByteMutations::next() {
  std::string bytes = seeds_[below(seeds_.size())];
  const std::size_t changes = 1 + below(8);
  for (std::size_t i = 0; i < changes; ++i) change(bytes);
  bytes.resize(std::min(bytes.size(), max_bytes_));
  return bytes;
}

void ByteMutations::change(std::string& bytes) {
  const std::size_t place = below(bytes.size() + 1);
  const std::size_t length = std::min(1 + below(1 + below(64)), bytes.size() - place);
  switch (below(8)) {
    case 0:
      if (place < bytes.size()) bytes[place] ^= static_cast<char>(1U << below(8));
      break;
    case 1:
      if (place < bytes.size()) bytes[place] = static_cast<char>(random_());
      break;
    case 2:
      bytes.erase(place, length);
      break;
    case 3:
      bytes.insert(place, bytes.substr(below(bytes.size() + 1), length));
      break;
    case 4: {
      const std::string& other = seeds_[below(seeds_.size())];
      bytes.insert(place, other.substr(below(other.size() + 1), 1 + below(64)));
      break;
    }
    case 5:  // another digit keeps most texts valid
      if (const std::size_t digit = bytes.find_first_of("0123456789", place);
          digit != std::string::npos) {
        bytes[digit] = static_cast<char>('0' + below(10));
      }
      break;
    default:
      if (!words_.empty()) bytes.insert(place, words_[below(words_.size())]);
  }
}

}  // namespace quartz::fuzz
