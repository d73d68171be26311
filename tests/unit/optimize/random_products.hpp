#pragma once

#include <vector>

#include "base/random.hpp"
#include "optimize/products/product_network.hpp"

namespace quartz::optimizer {

inline LinearForm form_of(std::size_t wires, std::uint64_t bits) {
  LinearForm form(wires);
  for (std::size_t i = 0; i < wires && i < 64; ++i) form[i] = (bits >> i & 1U) != 0;
  return form;
}

inline Product product_of(std::size_t wires, std::uint64_t f, std::uint64_t g, std::uint64_t h) {
  return {{form_of(wires, f), form_of(wires, g), form_of(wires, h)}};
}

inline LinearForm random_form(FastRandom& random, std::size_t wires) {
  LinearForm form(wires);
  for (std::size_t i = 0; i < wires; ++i) form[i] = random.below(2) != 0;
  return form;
}

inline std::vector<Product> random_products(FastRandom& random, std::size_t wires,
                                            std::size_t number) {
  std::vector<Product> products;
  for (std::size_t i = 0; i < number; ++i) {
    products.push_back(
        {{random_form(random, wires), random_form(random, wires), random_form(random, wires)}});
  }
  return products;
}

}  // namespace quartz::optimizer
