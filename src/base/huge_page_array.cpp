#include "base/huge_page_array.hpp"

#include <sys/mman.h>

#include <new>

namespace quartz {

HugePages::HugePages(std::size_t bytes) {
  if (bytes == 0) return;
  void* const memory =
      ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  // Only advice: if it is not followed, the memory consists of small pages.
  static_cast<void>(::madvise(memory, bytes, MADV_HUGEPAGE));
  memory_ = std::unique_ptr<std::byte, UnmapPages>(static_cast<std::byte*>(memory), {bytes});
}

void UnmapPages::operator()(std::byte* memory) const noexcept { ::munmap(memory, bytes); }

}  // namespace quartz
