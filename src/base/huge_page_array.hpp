#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <type_traits>

namespace quartz {

struct UnmapPages {
  std::size_t bytes = 0;
  void operator()(std::byte* memory) const noexcept;
};

/// Zero-initialized memory directly from the operating system, in huge pages where available, for
/// random access: with pages of 4 KiB, nearly every access to a table of about 100 MB also misses
/// the address translation cache, which takes longer than fetching the data. A page is allocated
/// when it is first written, by the thread that writes to it. Throws std::bad_alloc.
class HugePages {
 public:
  HugePages() = default;
  explicit HugePages(std::size_t bytes);
  [[nodiscard]] std::byte* data() const { return memory_.get(); }

 private:
  std::unique_ptr<std::byte, UnmapPages> memory_;
};

/// A zero-initialized array in huge pages.
template <typename Element>
class HugePageArray {
  static_assert(std::is_trivially_copyable_v<Element> && std::is_trivially_destructible_v<Element>);

 public:
  HugePageArray() = default;
  explicit HugePageArray(std::size_t size) : pages_(size * sizeof(Element)), size_(size) {}

  [[nodiscard]] std::size_t size() const { return data() == nullptr ? 0 : size_; }
  [[nodiscard]] std::size_t bytes() const { return size() * sizeof(Element); }
  [[nodiscard]] Element* data() const { return reinterpret_cast<Element*>(pages_.data()); }
  [[nodiscard]] Element& operator[](std::size_t index) const { return data()[index]; }
  [[nodiscard]] std::span<Element> elements() const { return {data(), size()}; }

 private:
  HugePages pages_;
  std::size_t size_ = 0;
};

}  // namespace quartz
