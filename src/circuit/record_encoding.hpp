#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <span>
#include <string>
#include <vector>

#include "base/leb128.hpp"

/// Encodings of what histories consist of. Histories and journals write the parts of a rewrite as a
/// sequence of numbers, each of which is passed to `put`. A history and a journal number gates and
/// wires differently.
namespace quartz::circuit {

/// Writes the numbers of gates, which are near each other: how many there are, and differences.
template <typename Put, typename Numbers>
void encode_gate_numbers(Put&& put, const Numbers& numbers) {
  put(numbers.size());
  std::int64_t last = 0;
  for (const auto number : numbers) {
    put(zigzag(static_cast<std::int64_t>(number) - last));
    last = static_cast<std::int64_t>(number);
  }
}

/// Writes the place directly behind a gate on one of its wires.
template <typename Put, typename Place>
void encode_place(Put&& put, const Place& place) {
  put(place.wire);
  put(place.after);
}

/// Writes places, and how many there are.
template <typename Put, typename Places>
void encode_places(Put&& put, const Places& places) {
  put(places.size());
  for (const auto& place : places) encode_place(put, place);
}

/// Writes inserted gates, and how many there are; `put_operand` writes an operand.
template <typename Put, typename Gates, typename PutOperand>
void encode_inserted(Put&& put, const Gates& gates, PutOperand&& put_operand) {
  put(gates.size());
  for (const auto& gate : gates) {
    put(gate.code);
    put(gate.qubits.size());
    for (const auto qubit : gate.qubits) put_operand(qubit);
  }
}

/// A list of numbers most of which follow the one before, as those of the gates of a circuit after
/// some rewrites. Its memory is in proportion to the number of runs of consecutive numbers, not to
/// that of the numbers.
class NumberList {
 public:
  using value_type = std::uint32_t;

  NumberList() = default;
  NumberList(std::initializer_list<std::uint32_t> numbers)
      : NumberList(std::span(numbers.begin(), numbers.size())) {}
  NumberList(std::span<const std::uint32_t> numbers) {  // NOLINT: the same numbers
    for (const std::uint32_t number : numbers) push_back(number);
    runs_.shrink_to_fit();
  }
  NumberList(const std::vector<std::uint32_t>& numbers)  // NOLINT: the same numbers
      : NumberList(std::span(numbers)) {}

  void push_back(std::uint32_t number) {
    if (size_ == 0 || number != last_.first + last_.size) {
      if (size_ != 0) append(last_);
      last_ = {number, 0};
    }
    ++last_.size;
    ++size_;
  }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] bool empty() const noexcept { return size_ == 0; }

  /// Reads the numbers in their order.
  class Iterator {
   public:
    using value_type = std::uint32_t;
    using difference_type = std::ptrdiff_t;
    using iterator_category = std::input_iterator_tag;
    using pointer = const std::uint32_t*;
    using reference = std::uint32_t;

    Iterator() = default;
    explicit Iterator(const NumberList& list) : list_(&list), left_(list.size_) { read_run(); }

    std::uint32_t operator*() const { return number_; }
    Iterator& operator++() {
      ++number_;
      --left_;
      if (--left_in_run_ == 0) read_run();
      return *this;
    }
    Iterator operator++(int) {
      const Iterator before = *this;
      ++*this;
      return before;
    }
    /// Iterators of one list are equal if as many numbers follow.
    friend bool operator==(const Iterator& a, const Iterator& b) { return a.left_ == b.left_; }

   private:
    void read_run() {
      if (left_ == 0) return;
      if (place_ == list_->runs_.size()) {
        number_ = list_->last_.first;
        left_in_run_ = list_->last_.size;
        return;
      }
      const char* const begin = list_->runs_.data();
      const char* place = begin + place_;
      number_ += static_cast<std::uint32_t>(unzigzag(take_leb128(place)));
      left_in_run_ = static_cast<std::uint32_t>(take_leb128(place));
      place_ = static_cast<std::size_t>(place - begin);
    }

    const NumberList* list_ = nullptr;
    std::size_t place_ = 0;          ///< in NumberList::runs_
    std::uint32_t number_ = 0;       ///< the current one; at the end of a run, the next one
    std::uint32_t left_in_run_ = 0;  ///< including the current one
    std::size_t left_ = 0;
  };
  [[nodiscard]] Iterator begin() const { return Iterator(*this); }
  [[nodiscard]] Iterator end() const { return {}; }

  friend bool operator==(const NumberList& a, const NumberList& b) {
    return a.size_ == b.size_ && a.last_ == b.last_ && a.runs_ == b.runs_;
  }

 private:
  struct Run {
    std::uint32_t first = 0;
    std::uint32_t size = 0;
    friend bool operator==(const Run&, const Run&) = default;
  };

  void append(const Run& run) {
    append_leb128(runs_, zigzag(std::int64_t{run.first} - std::int64_t{expected_}));
    append_leb128(runs_, run.size);
    expected_ = run.first + run.size;
  }

  /// All runs but the last one: the difference of the first number from the one that would follow
  /// the run before, and the size.
  std::string runs_;
  Run last_;
  std::uint32_t expected_ = 0;
  std::size_t size_ = 0;
};

}  // namespace quartz::circuit
