#include <sys/stat.h>

#include <catch2/catch.hpp>
#include <optional>
#include <string>

#include "quartz/base/errors.hpp"
#include "quartz/base/files.hpp"
#include "quartz/base/mapped_file.hpp"
#include "temporary_folder.hpp"

using namespace quartz;
using namespace quartz::test;
using Catch::Matchers::Contains;

namespace {

std::string text_of(const MappedFile& file) {
  return {reinterpret_cast<const char*>(file.bytes().data()), file.bytes().size()};
}

}  // namespace

TEST_CASE("A mapping has the file's content and keeps it when the file is replaced") {
  const TemporaryFolder folder;
  std::string content(10'000, 'x');
  content += "end";
  write_text_file(folder / "a", content);
  std::optional<MappedFile> file(folder / "a");
  write_text_file(folder / "a", "something else");
  CHECK(text_of(*file) == content);
  MappedFile moved = std::move(*file);
  file.reset();
  CHECK(text_of(moved) == content);
  moved = MappedFile(folder / "a");
  CHECK(text_of(moved) == "something else");
}

TEST_CASE("An empty file can be mapped") {
  const TemporaryFolder folder;
  write_text_file(folder / "a", "");
  CHECK(MappedFile(folder / "a").bytes().empty());
}

TEST_CASE("The error for a file that cannot be mapped names the file") {
  const TemporaryFolder folder;
  const std::string missing = (folder / "missing").string();
  CHECK_THROWS_WITH(MappedFile(missing), missing + ": cannot read: No such file or directory");
  CHECK_THROWS_WITH(MappedFile(folder / ""), Contains("it is a directory, expected a file"));
  REQUIRE(::mkfifo((folder / "pipe").c_str(), 0600) == 0);
  CHECK_THROWS_WITH(MappedFile(folder / "pipe"), Contains("it is not a regular file"));
}
