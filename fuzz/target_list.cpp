#include <algorithm>
#include <array>

#include "target.hpp"

#define QUARTZ_FUZZ_TARGET(name, dictionary, max_bytes, readers) \
  namespace quartz::fuzz::name {                                 \
  void run(std::string_view input);                              \
  std::vector<std::string> seeds();                              \
  }
#include "targets.inc"
#undef QUARTZ_FUZZ_TARGET

namespace quartz::fuzz {
namespace {

#define QUARTZ_FUZZ_TARGET(name, dictionary, max_bytes, readers) \
  Target{#name, #dictionary, max_bytes, readers, name::run, name::seeds},
constexpr std::array kTargets = {
#include "targets.inc"
};
#undef QUARTZ_FUZZ_TARGET

}  // namespace

std::span<const Target> targets() { return kTargets; }

const Target* find_target(std::string_view name) {
  const auto found = std::ranges::find(targets(), name, &Target::name);
  return found == targets().end() ? nullptr : &*found;
}

}  // namespace quartz::fuzz
