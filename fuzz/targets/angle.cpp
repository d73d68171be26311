#include "quartz/algebra/angle.hpp"

#include <string>
#include <vector>

#include "target.hpp"

namespace quartz::fuzz::angle {

void run(std::string_view input) {
  const auto angle = read([&] { return parse_angle(input); }, "");
  if (!angle) return;
  const std::string written = angle->to_string();
  const auto again = read([&] { return parse_angle(written); }, "");
  require(again == angle, "what to_string writes is read as the same angle: " + written);
}

std::vector<std::string> seeds() {
  return {"0",           "pi",        "-3*pi/4",       "2*(p0 + pi/2) - p1/3", "0.25*pi + 1e-3",
          "theta/2+phi", "-(-(+1.))", "7.853981634e2", "pi*(1/3 + 1/7)/2",     "1/0"};
}

}  // namespace quartz::fuzz::angle
