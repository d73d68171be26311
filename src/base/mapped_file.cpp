#include "quartz/base/mapped_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>

#include "base/descriptor.hpp"
#include "quartz/base/errors.hpp"

namespace quartz {
MappedFile::MappedFile(const std::filesystem::path& path) {
  const auto fail = [&](const std::string& why) {
    throw InputError({path.string()}, "cannot read: " + why);
  };
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file.number < 0) fail(std::strerror(errno));
  struct stat status {};
  if (::fstat(file.number, &status) != 0) fail(std::strerror(errno));
  if (S_ISDIR(status.st_mode)) fail("it is a directory, expected a file");
  if (!S_ISREG(status.st_mode)) fail("it is not a regular file and cannot be mapped");
  const auto size = static_cast<std::size_t>(status.st_size);
  if (size == 0) return;  // mmap refuses an empty range
  void* const address = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, file.number, 0);
  if (address == MAP_FAILED) fail(std::strerror(errno));
  bytes_ = {static_cast<const std::byte*>(address), size};
}

MappedFile::~MappedFile() {
  if (bytes_.empty()) return;
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast): munmap takes the pointer of mmap
  ::munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
}

}  // namespace quartz
