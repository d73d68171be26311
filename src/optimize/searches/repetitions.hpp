#pragma once

#include "optimize/search/search_list.hpp"

namespace quartz::optimizer {

/// Which circuits a search for better fragments is for.
enum class RepetitionsIn : bool {
  all_circuits,  ///< all in which gates are repeated
  long_circuits  ///< those in which most gates are, and for which other searches have little time
};

/// Returns a search that optimizes fragments that a circuit repeats (repetitions/fragments.hpp),
/// each as a circuit of its own by the search that `make` returns, and puts the result in place of
/// all copies, in rounds in which the copies begin at different places. `polish`, which may be
/// null, then runs on the whole circuit. Has no result for other circuits.
[[nodiscard]] SearchPointer make_repetitions(MakeSearch make, RepetitionsIn circuits,
                                             SearchPointer polish);

}  // namespace quartz::optimizer
