#include <cstddef>
#include <cstdint>
#include <string_view>

#include "target.hpp"

// libFuzzer calls this function with inputs that it changes to reach new code. An exception that
// leaves it ends the program, and libFuzzer writes the input to a file.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const quartz::fuzz::Target& target = *quartz::fuzz::find_target(QUARTZ_FUZZ_TARGET_NAME);
  target.run({reinterpret_cast<const char*>(data), size});
  return 0;
}
