#include "optimize/product_reduction/recursive_forms.hpp"

#include <algorithm>

namespace quartz::optimizer {

namespace {

/// Returns a form on a part of the coefficients as one on all of them.
LinearForm shifted(LinearForm form, std::size_t terms, std::size_t first) {
  form.resize(terms);
  form <<= first;
  return form;
}

}  // namespace

std::vector<LinearForm> recursive_forms(std::size_t terms) {
  if (terms == 1) return {LinearForm(1, 1)};
  const std::size_t parts = terms % 3 == 0 && terms % 2 != 0 ? 3 : 2;
  const std::size_t size = (terms + parts - 1) / parts;
  const std::vector<LinearForm> forms = recursive_forms(size);
  const std::size_t last_size = terms - (parts - 1) * size;
  const std::vector<LinearForm> last_forms = last_size == size ? forms : recursive_forms(last_size);
  std::vector<LinearForm> result;
  for (std::size_t part = 0; part < parts; ++part) {
    for (const LinearForm& form : part + 1 < parts ? forms : last_forms) {
      result.push_back(shifted(form, terms, part * size));
    }
    // The sum of this part and an earlier one; a shorter last part has zeros at its end.
    for (std::size_t other = 0; other < part; ++other) {
      for (const LinearForm& form : forms) {
        result.push_back(shifted(form, terms, part * size) ^ shifted(form, terms, other * size));
      }
    }
  }
  return result;
}

}  // namespace quartz::optimizer
