#pragma once

#include <unistd.h>

namespace quartz {

/// An open file descriptor of the operating system, which the destructor closes.
struct Descriptor {
  int number = -1;
  explicit Descriptor(int opened) : number(opened) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (number >= 0) ::close(number);
  }
};

}  // namespace quartz
