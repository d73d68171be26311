#pragma once

#include "quartz/qasm/dialect.hpp"

namespace CLI {
class App;
}  // namespace CLI

namespace quartz::cli {

/// Declares --dialect, which says what a written program may use.
void add_dialect_option(CLI::App& app, const Dialect*& value);

}  // namespace quartz::cli
