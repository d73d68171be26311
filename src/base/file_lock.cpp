#include "quartz/base/file_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <thread>

#include "quartz/base/errors.hpp"

namespace quartz {
namespace {

constexpr std::chrono::milliseconds kBetweenTries{20};

/// Returns whether the open file still has its name, which its last holder may have removed since
/// it was opened.
bool has_name(int descriptor, const std::filesystem::path& name) {
  struct stat open_file {};
  struct stat named_file {};
  return ::fstat(descriptor, &open_file) == 0 && ::stat(name.c_str(), &named_file) == 0 &&
         open_file.st_dev == named_file.st_dev && open_file.st_ino == named_file.st_ino;
}

}  // namespace

std::optional<FileLock> FileLock::try_lock(const std::filesystem::path& path) {
  std::filesystem::path lock_file = path;
  lock_file += ".lock";
  constexpr mode_t kUsualMode = 0666;  // the umask is subtracted
  for (;;) {
    const int descriptor = ::open(lock_file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, kUsualMode);
    if (descriptor < 0) {
      throw InputError({lock_file.string()}, std::string("cannot write: ") + std::strerror(errno));
    }
    FileLock lock({}, descriptor);
    if (::flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
      if (errno == EWOULDBLOCK) return std::nullopt;
      throw InputError({lock_file.string()}, std::string("cannot lock: ") + std::strerror(errno));
    }
    if (!has_name(descriptor, lock_file)) continue;
    lock.lock_file_ = std::move(lock_file);
    return lock;
  }
}

std::optional<FileLock> FileLock::wait(const std::filesystem::path& path,
                                       const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    if (std::optional<FileLock> lock = try_lock(path)) return lock;
    std::this_thread::sleep_for(kBetweenTries);
  }
  return std::nullopt;
}

FileLock::~FileLock() {
  if (descriptor_ < 0) return;
  // The file is removed while the lock is held: a process that opened it in the meantime will find
  // that it has no name.
  std::error_code ignored;
  if (!lock_file_.empty()) std::filesystem::remove(lock_file_, ignored);
  ::close(descriptor_);
}

}  // namespace quartz
