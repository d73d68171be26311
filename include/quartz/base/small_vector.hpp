#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <new>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

namespace quartz {

/// A vector that keeps up to `kInPlace` elements in itself and allocates memory only for more. It
/// needs 4 bytes besides these elements and is aligned to 4 bytes, so that records of a few small
/// lists stay small. Its interface is that of std::vector, as far as it goes. The capacity follows
/// from the size: a removed element may move all others, and reserve() does not exist.
template <typename Value, std::uint32_t kInPlace>
class SmallVector {
 public:
  using value_type = Value;
  using size_type = std::size_t;
  using difference_type = std::ptrdiff_t;
  using reference = Value&;
  using const_reference = const Value&;
  using iterator = Value*;
  using const_iterator = const Value*;

  SmallVector() noexcept = default;
  explicit SmallVector(std::size_t count) { resize(count); }
  SmallVector(std::size_t count, const Value& value) {
    for (std::size_t i = 0; i < count; ++i) push_back(value);
  }
  SmallVector(std::initializer_list<Value> values) : SmallVector(values.begin(), values.end()) {}
  template <std::forward_iterator Iterator>
  SmallVector(Iterator first, Iterator last) {
    construct(first, last);
  }
  /// Lists of elements are often made as vectors.
  SmallVector(const std::vector<Value>& values)  // NOLINT: the same elements
      : SmallVector(values.begin(), values.end()) {}
  SmallVector(const SmallVector& other) {
    if constexpr (std::is_trivially_copyable_v<Value>) {
      if (other.is_in_place()) {
        size_ = other.size_;
        storage_ = other.storage_;
        return;
      }
    }
    construct(other.begin(), other.end());
  }
  SmallVector(SmallVector&& other) noexcept { take(other); }
  SmallVector& operator=(const SmallVector& other) {
    if (this != &other) *this = SmallVector(other);
    return *this;
  }
  SmallVector& operator=(SmallVector&& other) noexcept {
    if (this == &other) return *this;
    clear();
    take(other);
    return *this;
  }
  SmallVector& operator=(std::initializer_list<Value> values) {
    return *this = SmallVector(values);
  }
  ~SmallVector() { clear(); }

  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
  [[nodiscard]] Value* data() noexcept {
    return is_in_place() ? std::launder(reinterpret_cast<Value*>(storage_.data())) : block();
  }
  [[nodiscard]] const Value* data() const noexcept {
    return is_in_place() ? std::launder(reinterpret_cast<const Value*>(storage_.data())) : block();
  }
  [[nodiscard]] iterator begin() noexcept { return data(); }
  [[nodiscard]] iterator end() noexcept { return data() + size_; }
  [[nodiscard]] const_iterator begin() const noexcept { return data(); }
  [[nodiscard]] const_iterator end() const noexcept { return data() + size_; }
  [[nodiscard]] auto rbegin() const noexcept { return std::make_reverse_iterator(end()); }
  [[nodiscard]] auto rend() const noexcept { return std::make_reverse_iterator(begin()); }
  [[nodiscard]] Value& operator[](std::size_t index) noexcept { return data()[index]; }
  [[nodiscard]] const Value& operator[](std::size_t index) const noexcept { return data()[index]; }
  [[nodiscard]] Value& front() noexcept { return *begin(); }
  [[nodiscard]] const Value& front() const noexcept { return *begin(); }
  [[nodiscard]] Value& back() noexcept { return *(end() - 1); }
  [[nodiscard]] const Value& back() const noexcept { return *(end() - 1); }
  /// Throws std::out_of_range if there is no such element.
  [[nodiscard]] Value& at(std::size_t index) { return data()[checked(index)]; }
  [[nodiscard]] const Value& at(std::size_t index) const { return data()[checked(index)]; }

  void push_back(Value value) {
    ::new (static_cast<void*>(room_for_one())) Value(std::move(value));
    ++size_;
  }
  template <typename... Arguments>
  Value& emplace_back(Arguments&&... arguments) {
    push_back(Value(std::forward<Arguments>(arguments)...));
    return back();
  }
  void pop_back() { shrink_to(size_ - 1); }
  void clear() noexcept {
    if constexpr (std::is_trivially_destructible_v<Value>) {
      if (!is_in_place()) ::operator delete(block());
    } else if (size_ != 0) {
      Value* const values = data();
      std::destroy_n(values, size_);
      if (!is_in_place()) ::operator delete(values);
    }
    size_ = 0;
  }
  void resize(std::size_t count) {
    if (count < size_) shrink_to(count);
    while (size_ < count) push_back(Value());
  }
  template <std::forward_iterator Iterator>
  void assign(Iterator first, Iterator last) {
    *this = SmallVector(first, last);
  }
  void assign(std::initializer_list<Value> values) { *this = values; }
  iterator insert(const_iterator place, Value value) {
    const std::ptrdiff_t index = place - begin();
    push_back(std::move(value));
    std::rotate(begin() + index, end() - 1, end());
    return begin() + index;
  }
  template <std::forward_iterator Iterator>
  iterator insert(const_iterator place, Iterator first, Iterator last) {
    const std::ptrdiff_t index = place - begin();
    const std::ptrdiff_t before = std::ssize(*this);
    for (; first != last; ++first) push_back(*first);
    std::rotate(begin() + index, begin() + before, end());
    return begin() + index;
  }
  iterator erase(const_iterator place) { return erase(place, place + 1); }
  iterator erase(const_iterator first, const_iterator last) {
    const std::ptrdiff_t index = first - begin();
    const std::ptrdiff_t end_index = last - begin();
    std::move(begin() + end_index, end(), begin() + index);
    shrink_to(size_ - static_cast<std::size_t>(end_index - index));
    return begin() + index;
  }

  friend bool operator==(const SmallVector& a, const SmallVector& b) {
    return a.size_ == b.size_ && std::equal(a.begin(), a.end(), b.begin());
  }
  friend auto operator<=>(const SmallVector& a,
                          const SmallVector& b) requires std::three_way_comparable<Value> {
    return std::lexicographical_compare_three_way(a.begin(), a.end(), b.begin(), b.end());
  }

 private:
  static_assert(alignof(Value) <= alignof(std::uint32_t));
  static_assert(kInPlace * sizeof(Value) >= sizeof(Value*));
  static_assert(std::is_nothrow_move_constructible_v<Value>);

  [[nodiscard]] bool is_in_place() const noexcept { return size_ <= kInPlace; }
  /// Returns the elements in allocated memory, a pointer to which is in the storage.
  [[nodiscard]] Value* block() const noexcept {
    Value* values = nullptr;
    std::memcpy(&values, storage_.data(), sizeof values);
    return values;
  }
  void set_block(Value* values) noexcept { std::memcpy(storage_.data(), &values, sizeof values); }
  /// Returns the number of elements for which there is room when there are this many.
  [[nodiscard]] static constexpr std::size_t capacity_for(std::size_t size) noexcept {
    return size <= kInPlace ? kInPlace : std::bit_ceil(size);
  }
  [[nodiscard]] static Value* allocate(std::size_t size) {
    return static_cast<Value*>(::operator new(capacity_for(size) * sizeof(Value)));
  }
  [[nodiscard]] std::size_t checked(std::size_t index) const {
    if (index >= size_) throw std::out_of_range("a small vector has no such element");
    return index;
  }

  /// Fills an empty vector.
  template <typename Iterator>
  void construct(Iterator first, Iterator last) {
    const auto count = static_cast<std::size_t>(std::distance(first, last));
    if (count <= kInPlace) {
      std::uninitialized_copy(first, last, reinterpret_cast<Value*>(storage_.data()));
    } else {
      std::unique_ptr<Value, FreeBlock> values(allocate(count));
      std::uninitialized_copy(first, last, values.get());
      set_block(values.release());
    }
    size_ = static_cast<std::uint32_t>(count);
  }
  /// Fills an empty vector with the elements of another one, which becomes empty.
  void take(SmallVector& other) noexcept {
    if (std::is_trivially_copyable_v<Value> || !other.is_in_place()) {
      storage_ = other.storage_;
    } else {
      relocate(other.data(), other.size_, reinterpret_cast<Value*>(storage_.data()));
    }
    size_ = std::exchange(other.size_, 0U);
  }
  static void relocate(Value* from, std::size_t count, Value* to) noexcept {
    std::uninitialized_move_n(from, count, to);
    std::destroy_n(from, count);
  }
  /// Returns the place behind the last element, after making room there.
  [[nodiscard]] Value* room_for_one() {
    const std::size_t next = std::size_t{size_} + 1;
    if (capacity_for(next) == capacity_for(size_)) return data() + size_;
    Value* const values = allocate(next);
    Value* const old = data();
    relocate(old, size_, values);
    if (!is_in_place()) ::operator delete(old);
    set_block(values);
    return values + size_;
  }
  void shrink_to(std::size_t count) noexcept {
    Value* const values = data();
    std::destroy(values + count, values + size_);
    if (!is_in_place() && count <= kInPlace) {
      relocate(values, count, reinterpret_cast<Value*>(storage_.data()));
      ::operator delete(values);
    }
    size_ = static_cast<std::uint32_t>(count);
  }

  struct FreeBlock {
    void operator()(Value* values) const noexcept { ::operator delete(values); }
  };

  std::uint32_t size_ = 0;
  alignas(std::uint32_t) std::array<std::byte, kInPlace * sizeof(Value)> storage_{};
};

}  // namespace quartz
