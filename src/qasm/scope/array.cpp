#include "qasm/scope/array.hpp"

#include "qasm/scope/declared_names.hpp"
#include "quartz/base/errors.hpp"

namespace quartz::qasm {

Array Array::declared(CastType type, std::uint64_t width, const std::vector<std::uint32_t>& sizes,
                      std::size_t depth) {
  Array array;
  array.type = type;
  array.width = width;
  NamedValue element;
  element.kind = NamedValue::Kind::element;
  element.type = type;
  element.width = width;
  element.depth = depth;
  element.unknown_because = "nothing was assigned to it";
  std::int64_t count = 1;
  array.dimensions.resize(sizes.size());
  for (std::size_t i = sizes.size(); i-- > 0;) {
    array.dimensions[i] = {sizes[i], count};
    count *= sizes[i];
  }
  array.elements =
      std::make_shared<std::vector<NamedValue>>(static_cast<std::size_t>(count), element);
  return array;
}

std::vector<std::uint32_t> Array::sizes() const {
  std::vector<std::uint32_t> result;
  for (const Dimension& each : dimensions) result.push_back(each.size);
  return result;
}

std::vector<std::size_t> Array::indices() const {
  std::vector<std::size_t> result{static_cast<std::size_t>(first)};
  for (const Dimension& dimension : dimensions) {
    std::vector<std::size_t> next;
    next.reserve(result.size() * dimension.size);
    for (const std::size_t index : result) {
      for (std::uint32_t i = 0; i < dimension.size; ++i) {
        next.push_back(
            static_cast<std::size_t>(static_cast<std::int64_t>(index) + i * dimension.stride));
      }
    }
    result = std::move(next);
  }
  return result;
}

NamedValue& Array::element() const {
  ensure(dimensions.empty(), "a part of an array is one element");
  return elements->at(static_cast<std::size_t>(first));
}

}  // namespace quartz::qasm
