#pragma once

#include <string>

#include "quartz/quartz.h"
#include "quartz/workflow/superoptimize.hpp"

/// The options of quartz_optimize.
struct quartz_options {
  std::string gate_set;  ///< empty: not set
  std::string cost;      ///< empty: the default cost of the gate set
  quartz::SuperoptimizeOptions values;
  quartz_progress_callback on_progress = nullptr;
  void* progress_user = nullptr;
  quartz_stop_callback on_stop = nullptr;
  void* stop_user = nullptr;
};
