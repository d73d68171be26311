#include <catch2/catch.hpp>
#include <string>

#include "quartz/base/compression.hpp"
#include "quartz/base/errors.hpp"

using namespace quartz;

namespace {

/// Returns text that compresses well, followed by bytes that do not.
std::string some_content(std::size_t size) {
  std::string content(size / 2, 'x');
  std::uint32_t state = 1;
  while (content.size() < size) {
    state = state * 1664525U + 1013904223U;
    content += static_cast<char>(state >> 24U);
  }
  return content;
}

}  // namespace

TEST_CASE("decompressing restores the content", "[compression]") {
  for (const std::size_t size : {0U, 1U, 1000U, 1'000'000U}) {
    const std::string content = some_content(size);
    const std::string bytes = compressed(content);
    CHECK(is_compressed(bytes));
    CHECK(decompressed(bytes, "x") == content);
    // The bytes may have several frames, like the files of `cat a.zst b.zst`.
    CHECK(decompressed(bytes + bytes, "x") == content + content);
    if (size > 1000) CHECK(bytes.size() < size * 6 / 10);
  }
  CHECK_FALSE(is_compressed(""));
  CHECK_FALSE(is_compressed("{\"format\""));
}

TEST_CASE("the error for damaged compressed bytes names the file", "[compression]") {
  const std::string bytes = compressed(some_content(10'000));
  const auto fails = [](const std::string& broken) {
    CHECK_THROWS_WITH(decompressed(broken, "rules.zst"), Catch::StartsWith("rules.zst: cannot"));
    CHECK_THROWS_AS(decompressed(broken, "rules.zst"), InputError);
  };
  fails("");
  fails("no such thing");
  for (std::size_t size = 0; size < bytes.size(); size += 97) fails(bytes.substr(0, size));
  for (std::size_t i = 0; i < bytes.size(); i += 97) {
    std::string broken = bytes;
    broken[i] = static_cast<char>(broken[i] ^ 4);
    INFO("byte " << i);
    // Some bits of the header do not affect the content.
    std::string content;
    try {
      content = decompressed(broken, "rules.zst");
    } catch (const InputError&) {
      continue;
    }
    CHECK(content == some_content(10'000));
  }
  fails(bytes + "trailing");
}

TEST_CASE("a small file cannot fill the memory", "[compression]") {
  const std::string bytes = compressed(std::string(std::size_t{64} << 20U, '0'));
  CHECK(bytes.size() < 10'000);
  CHECK_THROWS_WITH(decompressed(bytes, "bomb", std::size_t{1} << 20U),
                    Catch::Contains("more than 1048576 bytes"));
}

TEST_CASE("bytes that are stored as they are can be decompressed", "[compression]") {
  for (const std::size_t size : {0U, 1U, 131'072U, 131'073U, 1'000'000U}) {
    const std::string content = some_content(size);
    const std::string bytes = compressed(content, CompressionEffort::none);
    CHECK(is_compressed(bytes));
    CHECK(bytes.size() < size + 50);
    CHECK(decompressed(bytes, "x") == content);
    CHECK(decompressed(bytes + compressed(content), "x") == content + content);
    CHECK_THROWS_AS(decompressed(bytes.substr(0, bytes.size() - 1), "x"), InputError);
  }
}
