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

/// Zero bytes straight from the operating system, in huge pages where it has them, for what is
/// accessed at random: with pages of 4 KiB nearly every access to a table of some 100 MB misses the
/// address translation too, which takes longer than the data. Pages become memory when they are
/// first written, by the thread that does. Throws std::bad_alloc.
class HugePages {
 public:
  HugePages() = default;
  explicit HugePages(std::size_t bytes);
  [[nodiscard]] std::byte* data() const { return memory_.get(); }

 private:
  std::unique_ptr<std::byte, UnmapPages> memory_;
};

/// An array of zeros in such memory.
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
