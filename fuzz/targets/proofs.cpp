#include <fmt/core.h>

#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "enumerate/checkpoint.hpp"
#include "quartz/base/files.hpp"
#include "quartz/verify/proof_cache.hpp"
#include "target.hpp"

namespace quartz::fuzz::proofs {
namespace {

class NoProver final : public Prover {
 public:
  [[nodiscard]] std::string_view name() const override { return "none"; }
  [[nodiscard]] ProofResult prove(const Claim&) override { return {}; }
};

const std::string& folder() {
  static const std::string path = [] {
    std::string created = scratch_file("checkpoint");
    std::filesystem::create_directories(created);
    return created;
  }();
  return path;
}
const std::string& file() {
  static const std::string path = folder() + "/proofs";
  return path;
}

/// Opens the file as `quartz-gen --checkpoint` does.
std::unique_ptr<ProofCache> open() {
  return enumerate::open_proofs(folder(), [] { return std::make_unique<NoProver>(); });
}

std::string content_of_new_file() {
  std::filesystem::remove(file());
  open();
  return read_text_file(file());
}

/// Returns the first line of every file of this release, with its end.
const std::string& right_header() {
  static const std::string header = [] {
    const std::string content = content_of_new_file();
    return content.substr(0, content.find('\n') + 1);
  }();
  return header;
}

/// Returns the text with the right first line and right checksums, in place of those that are
/// there. A line of "=!" remains as it is, so that wrong checksums occur, too.
std::string with_right_checksums(std::string_view text) {
  std::string result = right_header();
  text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1);
  std::uint64_t checksum = 0;
  std::size_t block_begin = 0;
  while (!text.empty()) {
    const std::size_t length = std::min(text.find('\n'), text.size() - 1) + 1;
    const std::string_view line = text.substr(0, length);
    text.remove_prefix(length);
    if (!line.starts_with('=') || line.starts_with("=!") || !line.ends_with('\n')) {
      result += line;
      continue;
    }
    const std::string covered = fmt::format("{:016x}\n", checksum) + result.substr(block_begin);
    checksum = checksum_of(std::as_bytes(std::span(covered)));
    result += fmt::format("= {:016x}\n", checksum);
    block_begin = result.size();
  }
  return result;
}

void run_on(std::string_view content, const ProofResult& added) {
  write_scratch_file(file(), content);
  const ClaimKey key{1, 2};
  constexpr double seconds = 20;
  const auto known = read(
      [&] {
        const std::unique_ptr<ProofCache> cache = open();
        cache->add(key, added, seconds);
        cache->flush();
        return cache->from_earlier_runs() + cache->added();
      },
      file());
  if (!known) return;
  const std::unique_ptr<ProofCache> again = open();
  require(again->find(key, seconds).has_value(), "a result that was added is known");
  // A result that replaces one of an earlier run is added, and is not one more.
  require(again->from_earlier_runs() == *known || again->from_earlier_runs() + 1 == *known,
          "all results are known when the file is opened again");
}

}  // namespace

void run(std::string_view input) {
  if (input.empty()) return;
  run_on(input, {ProofVerdict::proved, {}});
  run_on(with_right_checksums(input),
         {ProofVerdict::unknown, std::string(input.substr(input.size() / 2))});
}

std::vector<std::string> seeds() {
  std::vector<std::string> seeds{content_of_new_file()};
  {
    const std::unique_ptr<ProofCache> cache = open();
    cache->add({0xef9c27fe8025afe7, 0xd45a5f7c8c1ba54f}, {ProofVerdict::proved, {}}, 1);
    cache->flush();
    cache->add({0x8bd02fbd5daa86ab, 1}, {ProofVerdict::unknown, "z3: timeout"}, 10);
    cache->add({0, 1}, {ProofVerdict::unknown, ""}, 0.5);
    cache->flush();
    cache->add({0, 1}, {ProofVerdict::proved, {}}, 0.5);
  }
  seeds.push_back(read_text_file(file()));
  seeds.push_back(seeds.back() + "8bd02fbd5daa86ab2c0d252fd2e994e2 pro");
  std::filesystem::remove(file());
  return seeds;
}

}  // namespace quartz::fuzz::proofs
