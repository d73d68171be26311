#include <sys/stat.h>

#include <algorithm>
#include <atomic>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <sstream>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "quartz/base/errors.hpp"
#include "quartz/base/files.hpp"
#include "temporary_folder.hpp"

using namespace quartz;
using namespace quartz::test;
namespace fs = std::filesystem;

namespace {

std::string error_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace

TEST_CASE("Written content is read back byte for byte") {
  const TemporaryFolder folder;
  std::string content("line\r\n\0\xFF end", 12);
  for (const std::size_t size : {std::size_t{0}, std::size_t{12}, std::size_t{700'001}}) {
    content.resize(size, 'x');
    write_text_file(folder / "a", content);
    CHECK(read_text_file(folder / "a") == content);
  }
  CHECK(folder.names() == std::vector<std::string>{"a"});
}

TEST_CASE("Reading a missing file or a directory is an error") {
  const TemporaryFolder folder;
  const std::string missing = (folder / "missing").string();
  CHECK(error_of([&] { (void)read_text_file(missing); }) ==
        missing + ": cannot read: No such file or directory");
  const std::string directory = (folder / "").string();
  CHECK(error_of([&] { (void)read_text_file(directory); }) ==
        directory + ": cannot read: it is a directory, expected a file");
}

TEST_CASE("A failed write leaves nothing behind") {
  const TemporaryFolder folder;
  fs::create_directory(folder / "directory");
  const std::string directory = (folder / "directory").string();
  const std::string nowhere = (folder / "no/such/file").string();
  for (const auto& action : std::vector<std::function<void(const std::string&)>>{
           [](const std::string& path) { write_text_file(path, "x"); },
           [](const std::string& path) { require_writable(path); }}) {
    CHECK(error_of([&] { action(directory); }) ==
          directory + ": cannot write: it is a directory, expected a file");
    CHECK(error_of([&] { action(nowhere); }) ==
          nowhere + ": cannot write: No such file or directory");
  }
  CHECK(folder.names() == std::vector<std::string>{"directory"});
}

TEST_CASE("A new file has the permissions that other programs would give it") {
  const TemporaryFolder folder;
  write_text_file(folder / "ours", "content");
  std::ofstream(folder / "theirs") << "content";
  CHECK(fs::status(folder / "ours").permissions() == fs::status(folder / "theirs").permissions());
}

TEST_CASE("A new file has the default permissions") {
  const TemporaryFolder folder;
  std::ofstream(folder / "usual") << "x";
  write_text_file(folder / "new", "x");
  CHECK(fs::status(folder / "new").permissions() == fs::status(folder / "usual").permissions());
}

TEST_CASE("A file that is replaced keeps its permissions, and a link to it stays a link") {
  const TemporaryFolder folder;
  write_text_file(folder / "file", "old");
  fs::permissions(folder / "file", fs::perms::owner_read | fs::perms::owner_write);
  fs::create_symlink("file", folder / "link");
  write_text_file(folder / "link", "new");
  CHECK(fs::is_symlink(folder / "link"));
  CHECK(read_text_file(folder / "file") == "new");
  CHECK(fs::status(folder / "file").permissions() ==
        (fs::perms::owner_read | fs::perms::owner_write));
  CHECK(folder.names() == std::vector<std::string>{"file", "link"});
}

TEST_CASE("Threads that write the same file do not disturb each other") {
  const TemporaryFolder folder;
  const std::string content(100'000, 'x');
  std::atomic<int> failures = 0;
  const auto write = [&] {
    for (int i = 0; i < 100; ++i) {
      const std::string error = error_of([&] {
        require_writable(folder / "file");
        write_text_file(folder / "file", content);
      });
      if (error != "no error") ++failures;
    }
  };
  {
    const std::jthread first(write);
    const std::jthread second(write);
  }
  CHECK(failures == 0);
  CHECK(read_text_file(folder / "file") == content);
  CHECK(folder.names() == std::vector<std::string>{"file"});
}

TEST_CASE("A device is written to, not replaced") {
  require_writable("/dev/null");
  write_text_file("/dev/null", "into the void");
  CHECK(fs::is_character_file("/dev/null"));
}

TEST_CASE("require_writable does not change anything") {
  const TemporaryFolder folder;
  require_writable(folder / "new");
  CHECK(folder.names().empty());
  write_text_file(folder / "old", "content");
  require_writable(folder / "old");
  CHECK(read_text_file(folder / "old") == "content");
  require_writable("-");
}

TEST_CASE("A hyphen means standard input and standard output") {
  std::istringstream input("from the pipe");
  std::ostringstream output;
  std::streambuf* const cin_buffer = std::cin.rdbuf(input.rdbuf());
  std::streambuf* const cout_buffer = std::cout.rdbuf(output.rdbuf());
  const std::string read = read_text_file("-");
  write_text_file("-", "to the pipe");
  std::cin.rdbuf(cin_buffer);
  std::cin.clear();
  std::cout.rdbuf(cout_buffer);
  CHECK(read == "from the pipe");
  CHECK(output.str() == "to the pipe");
}

TEST_CASE("Digests are XXH3 of 128 bits and distinguish contents") {
  CHECK(digest_of("") == "xxh128:99aa06d3014798d86001c324468d497f");
  CHECK(digest_of("a") != digest_of("b"));
  CHECK(digest_of("quartz") == digest_of(std::string("quartz")));
}

TEST_CASE("Parts are written one after the other") {
  const TemporaryFolder folder;
  const std::string first = "ab";
  const std::string last = "c";
  const std::vector<std::span<const std::byte>> parts{
      std::as_bytes(std::span(first)), {}, std::as_bytes(std::span(last))};
  write_file(folder / "a", parts);
  CHECK(read_text_file(folder / "a") == "abc");
}

TEST_CASE("Checksums distinguish contents") {
  std::vector<std::byte> content(1000);
  const std::uint64_t before = checksum_of(content);
  content[500] = std::byte{1};
  CHECK(checksum_of(content) != before);
  content[500] = std::byte{0};
  CHECK(checksum_of(content) == before);
  CHECK(checksum_of({content.data(), 999}) != before);
}

TEST_CASE("A file that is larger than the limit is refused") {
  const TemporaryFolder folder;
  const std::string content(3 << 20, 'x');
  write_text_file(folder / "a", content);
  CHECK(read_text_file(folder / "a", {.max_bytes = 3 << 20}) == content);
  const ReadOptions small{.max_bytes = 2 << 20};
  CHECK(error_of([&] { (void)read_text_file(folder / "a", small); }) ==
        (folder / "a").string() +
            ": cannot read: it has more than 2 MiB, which is the limit for such a file");
  CHECK(error_of([&] { (void)read_text_file("/dev/zero", small); }) ==
        "/dev/zero: cannot read: it has more than 2 MiB, which is the limit for such a file");
}

TEST_CASE("Text is not read beyond the block with a zero byte") {
  const std::string read = read_text_file("/dev/zero", {.ends_at_zero = true});
  CHECK(!read.empty());
  CHECK(read.size() <= 1 << 20);
}

TEST_CASE("Reading and writing stop when a stop is requested") {
  const TemporaryFolder folder;
  std::stop_source source;
  source.request_stop();
  const std::stop_token stop = source.get_token();
  CHECK_THROWS_AS(read_text_file("/dev/zero", {.stop = stop}), Stopped);
  // No process writes to this pipe.
  REQUIRE(::mkfifo((folder / "pipe").c_str(), 0600) == 0);
  CHECK_THROWS_WITH(read_text_file(folder / "pipe", {.stop = stop}),
                    "stopped while reading " + (folder / "pipe").string());
  CHECK_THROWS_AS(write_text_file(folder / "new", "content", stop), Stopped);
  CHECK(folder.names() == std::vector<std::string>{"pipe"});
}

TEST_CASE("A pipe that is written in parts is read to its end") {
  const TemporaryFolder folder;
  const fs::path pipe = folder / "pipe";
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  const std::string part(100'000, 'p');
  std::jthread writer([&] {
    std::ofstream file(pipe);
    file << part << std::flush << part;
  });
  CHECK(read_text_file(pipe) == part + part);
}
