#pragma once

#include <Eigen/Core>

#include "optimize/resynthesis/block_unitary.hpp"
#include "optimize/resynthesis/weyl_decomposition.hpp"
#include "random_unitaries.hpp"

namespace quartz::test {

/// Returns the unitary of a random gate on each of two qubits.
inline Eigen::Matrix4cd random_local(Random& random) {
  using namespace quartz::optimizer;
  return matrix_of(LocalGates{quaternion_of(random_unitary<2>(random)),
                              quaternion_of(random_unitary<2>(random))});
}

}  // namespace quartz::test
