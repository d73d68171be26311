#include "optimize/resynthesis/one_qubit_rotation.hpp"

#include <cmath>
#include <complex>
#include <numbers>

namespace quartz::optimizer {

Eigen::Vector3d unit_vector(Axis axis) { return Eigen::Vector3d::Unit(static_cast<int>(axis)); }

Eigen::Quaterniond rotation_about(Axis axis, double angle) {
  return Eigen::Quaterniond(Eigen::AngleAxisd(angle, unit_vector(axis)));
}

Eigen::Quaterniond rotation_between(Axis from, Axis to) {
  if (from == to) return Eigen::Quaterniond::Identity();
  const Eigen::Vector3d normal = unit_vector(from).cross(unit_vector(to));
  return Eigen::Quaterniond(Eigen::AngleAxisd(std::numbers::pi / 2, normal));
}

Eigen::Quaterniond quaternion_of(const Eigen::Matrix2cd& unitary) {
  const Eigen::Matrix2cd special = unitary / std::sqrt(unitary.determinant());
  Eigen::Quaterniond result((special(0, 0).real() + special(1, 1).real()) / 2,
                            -(special(0, 1).imag() + special(1, 0).imag()) / 2,
                            (special(1, 0).real() - special(0, 1).real()) / 2,
                            (special(1, 1).imag() - special(0, 0).imag()) / 2);
  result.normalize();
  return result;
}

Eigen::Matrix2cd matrix_of(const Eigen::Quaterniond& rotation) {
  using Entry = std::complex<double>;
  Eigen::Matrix2cd result;
  result << Entry(rotation.w(), -rotation.z()), Entry(-rotation.y(), -rotation.x()),
      Entry(rotation.y(), -rotation.x()), Entry(rotation.w(), rotation.z());
  return result;
}

}  // namespace quartz::optimizer
