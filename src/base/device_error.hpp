#pragma once

#include "quartz/base/errors.hpp"

namespace quartz {

/// A device (GPU) that failed, for example because its memory is in use.
class DeviceError : public Error {
 public:
  using Error::Error;
};

}  // namespace quartz
