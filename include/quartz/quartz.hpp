#pragma once

/// All stable headers of the library.
///
/// Public headers come in two tiers. Those included here are stable: a change that breaks a program
/// is announced in CHANGELOG.md and waits for the next minor version (0.x) or major version. All
/// others are internal and may change at any time; they are installed for tests and tools:
///
///   quartz/base/compression.hpp     quartz/certify/journal.hpp
///   quartz/base/counted.hpp         quartz/certify/qubit_order.hpp
///   quartz/base/file_lock.hpp       quartz/circuit/canonical.hpp
///   quartz/base/files.hpp           quartz/circuit/unitary.hpp
///   quartz/base/mapped_file.hpp     quartz/classes/class_count.hpp
///   quartz/base/nearest_name.hpp    quartz/compound_journal/compound_journal.hpp
///   quartz/base/parallel_for.hpp    quartz/optimize/search_workers.hpp
///   quartz/base/parallel_sort.hpp   quartz/verify/proof_cache.hpp
///   quartz/certify/fault.hpp        quartz/workflow/search_job.hpp

#include "quartz/algebra/angle.hpp"
#include "quartz/algebra/rational.hpp"
#include "quartz/approximation/one_qubit_product.hpp"
#include "quartz/approximation/rotation.hpp"
#include "quartz/base/communicator.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/base/small_vector.hpp"
#include "quartz/certify/equivalence.hpp"
#include "quartz/circuit/bit_expression.hpp"
#include "quartz/circuit/circuit.hpp"
#include "quartz/circuit/cost.hpp"
#include "quartz/circuit/coupling.hpp"
#include "quartz/circuit/custom_gate.hpp"
#include "quartz/circuit/declared_gate.hpp"
#include "quartz/circuit/gate.hpp"
#include "quartz/circuit/gate_weights.hpp"
#include "quartz/circuit/operation.hpp"
#include "quartz/circuit/output_permutation.hpp"
#include "quartz/circuit/program_assumptions.hpp"
#include "quartz/classes/class_table.hpp"
#include "quartz/enumerate/generate.hpp"
#include "quartz/enumerate/import_rules.hpp"
#include "quartz/enumerate/prove.hpp"
#include "quartz/optimize/exactness.hpp"
#include "quartz/optimize/known_states.hpp"
#include "quartz/optimize/optimize.hpp"
#include "quartz/qasm/dialect.hpp"
#include "quartz/qasm/include_path.hpp"
#include "quartz/qasm/qasm.hpp"
#include "quartz/report/html_report.hpp"
#include "quartz/report/statistics.hpp"
#include "quartz/report/text_drawing.hpp"
#include "quartz/rules/ecc_set.hpp"
#include "quartz/rules/rule_set.hpp"
#include "quartz/rules/tket_rules.hpp"
#include "quartz/target/backend.hpp"
#include "quartz/target/cost_file.hpp"
#include "quartz/target/coupling_file.hpp"
#include "quartz/target/gate_set.hpp"
#include "quartz/verify/prover.hpp"
#include "quartz/workflow/cache.hpp"
#include "quartz/workflow/class_table_source.hpp"
#include "quartz/workflow/control_expansion.hpp"
#include "quartz/workflow/options.hpp"
#include "quartz/workflow/rule_set_source.hpp"
#include "quartz/workflow/superoptimize.hpp"
