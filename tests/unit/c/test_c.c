/* Uses the C interface as a program in C does. Prints each expectation that is not met. */
#include <quartz/quartz.h>
#include <stdio.h>
#include <string.h>

static int failures = 0;

#define EXPECT(condition)                                             \
  do {                                                                \
    if (!(condition)) {                                               \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition); \
      ++failures;                                                     \
    }                                                                 \
  } while (0)

static const char kPair[] =
    "OPENQASM 2.0; include \"qelib1.inc\"; qreg q[2]; t q[0]; cx q[0],q[1]; tdg q[0]; cx "
    "q[0],q[1]; "
    "x q[1];";
static const char kSingle[] = "OPENQASM 2.0; include \"qelib1.inc\"; qreg q[2]; x q[1];";
static const char kOther[] = "OPENQASM 2.0; include \"qelib1.inc\"; qreg q[2]; x q[0];";

static quartz_circuit* parse(const char* text) {
  quartz_circuit* circuit = NULL;
  quartz_error* error = NULL;
  EXPECT(quartz_circuit_parse(text, strlen(text), NULL, &circuit, &error) == QUARTZ_OK);
  EXPECT(circuit != NULL);
  EXPECT(error == NULL);
  return circuit;
}

/* Returns options that make a search deterministic and quick. */
static quartz_options* quick_options(void) {
  quartz_options* options = NULL;
  EXPECT(quartz_options_create(&options, NULL) == QUARTZ_OK);
  EXPECT(quartz_options_set(options, "gate_set", "nam", NULL) == QUARTZ_OK);
  EXPECT(quartz_options_set(options, "time", "0", NULL) == QUARTZ_OK);
  EXPECT(quartz_options_set(options, "threads", "1", NULL) == QUARTZ_OK);
  EXPECT(quartz_options_set(options, "cache", "off", NULL) == QUARTZ_OK);
  EXPECT(quartz_options_set(options, "check_time", "600", NULL) == QUARTZ_OK);
  return options;
}

static void test_circuits(void) {
  quartz_circuit* circuit = parse(kPair);
  uint64_t gates = 0;
  char* text = NULL;
  size_t size = 0;
  quartz_error* error = NULL;
  EXPECT(quartz_circuit_qubits(circuit) == 2);
  EXPECT(quartz_circuit_cost(circuit, "total", &gates, NULL) == QUARTZ_OK && gates == 5);
  EXPECT(quartz_circuit_cost(circuit, "two-qubit", &gates, NULL) == QUARTZ_OK && gates == 2);
  EXPECT(quartz_circuit_cost(circuit, "price", &gates, NULL) == QUARTZ_USAGE_ERROR && gates == 0);
  EXPECT(quartz_circuit_write(circuit, 3, NULL, &text, &size, NULL) == QUARTZ_OK);
  EXPECT(text != NULL && strlen(text) == size && strstr(text, "OPENQASM 3") != NULL);
  quartz_string_free(text);
  EXPECT(quartz_circuit_write(circuit, 4, NULL, &text, &size, NULL) == QUARTZ_USAGE_ERROR);
  EXPECT(text == NULL && size == 0);
  EXPECT(quartz_circuit_write(circuit, 0, "klingon", &text, NULL, &error) == QUARTZ_USAGE_ERROR);
  EXPECT(strstr(quartz_error_message(error), "klingon") != NULL);
  quartz_error_free(error);
  quartz_circuit_free(circuit);
}

static void test_errors_have_locations(void) {
  const char text[] = "OPENQASM 2.0;\ninclude \"qelib1.inc\";\nqreg q[2];\n  frob q[0];\n";
  quartz_circuit* circuit = NULL;
  quartz_error* error = NULL;
  EXPECT(quartz_circuit_parse(text, strlen(text), "mine.qasm", &circuit, &error) ==
         QUARTZ_INPUT_ERROR);
  EXPECT(circuit == NULL);
  EXPECT(error != NULL && quartz_error_status(error) == QUARTZ_INPUT_ERROR);
  EXPECT(strcmp(quartz_error_file(error), "mine.qasm") == 0);
  EXPECT(quartz_error_line(error) == 4);
  EXPECT(quartz_error_column(error) == 3);
  EXPECT(strstr(quartz_error_message(error), "mine.qasm:4:3") != NULL);
  quartz_error_free(error);
  EXPECT(quartz_circuit_read("/nonexistent/circuit.qasm", &circuit, &error) == QUARTZ_INPUT_ERROR);
  EXPECT(circuit == NULL && error != NULL);
  quartz_error_free(error);
}

static void test_null_arguments(void) {
  quartz_circuit* circuit = NULL;
  quartz_result* result = NULL;
  quartz_comparison* comparison = NULL;
  quartz_error* error = NULL;
  char* text = NULL;
  EXPECT(quartz_circuit_parse(NULL, 0, NULL, &circuit, &error) == QUARTZ_USAGE_ERROR);
  EXPECT(error != NULL && strcmp(quartz_error_message(error), "text is NULL") == 0);
  quartz_error_free(error);
  EXPECT(quartz_circuit_parse("", 0, NULL, NULL, NULL) == QUARTZ_USAGE_ERROR);
  EXPECT(quartz_circuit_read(NULL, &circuit, NULL) == QUARTZ_USAGE_ERROR);
  EXPECT(quartz_circuit_parse_with("", 0, NULL, NULL, &circuit, NULL) == QUARTZ_USAGE_ERROR);
  EXPECT(quartz_circuit_read_with("a.qasm", NULL, &circuit, NULL) == QUARTZ_USAGE_ERROR);
  EXPECT(quartz_circuit_write(NULL, 0, NULL, &text, NULL, NULL) == QUARTZ_USAGE_ERROR);
  EXPECT(quartz_circuit_cost(NULL, "total", NULL, NULL) == QUARTZ_USAGE_ERROR);
  EXPECT(quartz_options_create(NULL, NULL) == QUARTZ_USAGE_ERROR);
  EXPECT(quartz_options_set(NULL, "seed", "1", NULL) == QUARTZ_USAGE_ERROR);
  EXPECT(quartz_options_on_progress(NULL, NULL, NULL, NULL) == QUARTZ_USAGE_ERROR);
  EXPECT(quartz_options_on_stop(NULL, NULL, NULL, NULL) == QUARTZ_USAGE_ERROR);
  EXPECT(quartz_optimize(NULL, NULL, &result, NULL) == QUARTZ_USAGE_ERROR && result == NULL);
  EXPECT(quartz_compare(NULL, NULL, 1, &comparison, NULL) == QUARTZ_USAGE_ERROR);
  EXPECT(quartz_circuit_qubits(NULL) == 0);
  EXPECT(quartz_error_message(NULL) == NULL && quartz_error_line(NULL) == 0);
  EXPECT(quartz_result_circuit(NULL) == NULL && quartz_result_objectives(NULL) == 0);
  EXPECT(quartz_comparison_method(NULL) == NULL);
  quartz_error_free(NULL);
  quartz_circuit_free(NULL);
  quartz_options_free(NULL);
  quartz_result_free(NULL);
  quartz_comparison_free(NULL);
  quartz_string_free(NULL);
}

/* A text has no folder: what it includes is only found in the folders of the option. */
static void test_include_path(void) {
  const char path[] = "test_c_gates.inc";
  const char text[] =
      "OPENQASM 3.0; include \"stdgates.inc\"; include \"test_c_gates.inc\"; qubit[2] q; twice "
      "q[1];";
  FILE* file = fopen(path, "w");
  quartz_options* options = NULL;
  quartz_circuit* circuit = NULL;
  quartz_error* error = NULL;
  uint64_t gates = 0;
  EXPECT(file != NULL && fputs("gate twice a { x a; x a; }", file) >= 0 && fclose(file) == 0);
  EXPECT(quartz_circuit_parse(text, strlen(text), NULL, &circuit, NULL) == QUARTZ_INPUT_ERROR);
  EXPECT(quartz_options_create(&options, NULL) == QUARTZ_OK);
  EXPECT(quartz_circuit_parse_with(text, strlen(text), NULL, options, &circuit, &error) ==
         QUARTZ_INPUT_ERROR);
  EXPECT(circuit == NULL && error != NULL && quartz_error_line(error) == 1);
  quartz_error_free(error);
  EXPECT(quartz_options_set(options, "include_path", "/nonexistent", NULL) == QUARTZ_OK);
  EXPECT(quartz_options_set(options, "include_path", ".", NULL) == QUARTZ_OK);
  EXPECT(quartz_circuit_parse_with(text, strlen(text), NULL, options, &circuit, NULL) == QUARTZ_OK);
  EXPECT(quartz_circuit_cost(circuit, "total", &gates, NULL) == QUARTZ_OK && gates == 2);
  quartz_circuit_free(circuit);
  EXPECT(quartz_options_set(options, "include_path", "", NULL) == QUARTZ_OK);
  EXPECT(quartz_circuit_parse_with(text, strlen(text), NULL, options, &circuit, NULL) ==
         QUARTZ_INPUT_ERROR);
  (void)remove(path);
  quartz_options_free(options);
}

/* The included file is in another folder. It is a whole program, so the error is in that file. */
static void test_include_path_of_a_file(const char* circuit_path) {
  const char path[] = "test_c_program.qasm";
  char folder[4096] = "";
  const char* const name = strrchr(circuit_path, '/') + 1;
  FILE* file = fopen(path, "w");
  quartz_options* options = NULL;
  quartz_circuit* circuit = NULL;
  quartz_error* error = NULL;
  EXPECT(file != NULL && fprintf(file, "OPENQASM 2.0;\ninclude \"%s\";\n", name) > 0 &&
         fclose(file) == 0);
  memcpy(folder, circuit_path, (size_t)(name - circuit_path));
  EXPECT(quartz_options_create(&options, NULL) == QUARTZ_OK);
  EXPECT(quartz_circuit_read_with(path, options, &circuit, &error) == QUARTZ_INPUT_ERROR);
  EXPECT(strcmp(quartz_error_file(error), path) == 0);
  quartz_error_free(error);
  EXPECT(quartz_options_set(options, "include_path", folder, NULL) == QUARTZ_OK);
  EXPECT(quartz_circuit_read_with(path, options, &circuit, &error) == QUARTZ_INPUT_ERROR);
  EXPECT(strstr(quartz_error_file(error), name) != NULL);
  quartz_error_free(error);
  (void)remove(path);
  quartz_options_free(options);
}

static void test_options(void) {
  quartz_options* options = quick_options();
  quartz_error* error = NULL;
  size_t i = 0;
  EXPECT(quartz_options_count() > 0);
  for (i = 0; i < quartz_options_count(); ++i) {
    EXPECT(strlen(quartz_options_name(i)) > 0);
    EXPECT(strlen(quartz_options_description(i)) > 0);
  }
  EXPECT(quartz_options_name(i) == NULL && quartz_options_description(i) == NULL);
  EXPECT(quartz_options_set(options, "colour", "red", &error) == QUARTZ_USAGE_ERROR);
  EXPECT(strcmp(quartz_error_message(error), "unknown option \"colour\"") == 0);
  quartz_error_free(error);
  EXPECT(quartz_options_set(options, "time", "soon", NULL) == QUARTZ_USAGE_ERROR);
  EXPECT(quartz_options_set(options, "time", "-1", NULL) == QUARTZ_USAGE_ERROR);
  EXPECT(quartz_options_set(options, "time", "inf", NULL) == QUARTZ_USAGE_ERROR);
  EXPECT(quartz_options_set(options, "time", "1 ", NULL) == QUARTZ_USAGE_ERROR);
  EXPECT(quartz_options_set(options, "threads", "4294967296", NULL) == QUARTZ_USAGE_ERROR);
  EXPECT(quartz_options_set(options, "seed", "18446744073709551615", NULL) == QUARTZ_OK);
  EXPECT(quartz_options_set(options, "search", "guessing", NULL) == QUARTZ_USAGE_ERROR);
  EXPECT(quartz_options_set(options, "exactness", "vague", NULL) == QUARTZ_USAGE_ERROR);
  EXPECT(quartz_options_set(options, "check", "maybe", NULL) == QUARTZ_USAGE_ERROR);
  quartz_options_free(options);
}

struct calls {
  int progress;
  int searches; /* calls during the search */
  int stop;
  int bad_stages;
};

static void count_progress(const quartz_progress* progress, void* user) {
  struct calls* calls = user;
  ++calls->progress;
  if (strcmp(quartz_progress_stage(progress), "search") == 0) ++calls->searches;
  if (strlen(quartz_progress_stage(progress)) == 0 || quartz_progress_seconds(progress) < 0 ||
      quartz_progress_cost(progress) == NULL ||
      (strcmp(quartz_progress_stage(progress), "check") == 0 &&
       strlen(quartz_progress_cost(progress)) == 0)) {
    ++calls->bad_stages;
  }
}

/* Returns whether the search has begun. */
static int stop_in_search(void* user) {
  struct calls* calls = user;
  ++calls->stop;
  return calls->searches > 0;
}

static void test_optimize(void) {
  quartz_circuit* circuit = parse(kPair);
  quartz_options* options = quick_options();
  quartz_result* result = NULL;
  quartz_error* error = NULL;
  struct calls calls = {0, 0, 0, 0};
  uint64_t gates = 0;
  EXPECT(quartz_options_on_progress(options, count_progress, &calls, NULL) == QUARTZ_OK);
  EXPECT(quartz_optimize(circuit, options, &result, &error) == QUARTZ_OK);
  EXPECT(error == NULL);
  EXPECT(calls.progress > 0 && calls.bad_stages == 0);
  EXPECT(quartz_circuit_cost(quartz_result_circuit(result), "total", &gates, NULL) == QUARTZ_OK);
  EXPECT(gates < 5);
  EXPECT(quartz_result_objectives(result) == 1);
  EXPECT(strcmp(quartz_result_objective(result, 0), "total") == 0);
  EXPECT(quartz_result_objective(result, 1) == NULL);
  EXPECT(quartz_result_cost_before(result, 0) == 5);
  EXPECT(quartz_result_cost_after(result, 0) == (double)gates);
  EXPECT(quartz_result_verdict(result) == QUARTZ_EQUAL);
  EXPECT(strstr(quartz_result_check(result), "equal") != NULL);
  EXPECT(strlen(quartz_result_stop_reason(result)) > 0);
  EXPECT(quartz_result_seconds(result) >= 0);
  EXPECT(quartz_result_warning(result, quartz_result_warnings(result)) == NULL);
  quartz_result_free(result);
  EXPECT(quartz_options_set(options, "check", "off", NULL) == QUARTZ_OK);
  EXPECT(quartz_optimize(circuit, options, &result, NULL) == QUARTZ_OK);
  EXPECT(quartz_result_verdict(result) == QUARTZ_NOT_CHECKED);
  quartz_result_free(result);
  quartz_options_free(options);
  quartz_circuit_free(circuit);
}

/* Returns the number of gates that are left of two CNOTs from |0> between barriers. */
static uint64_t gates_between_barriers(const char* barriers, size_t removed) {
  static const char experiment[] =
      "OPENQASM 2.0; include \"qelib1.inc\"; qreg q[2]; creg c[2]; barrier q; cx q[0],q[1]; "
      "barrier q; cx q[0],q[1]; barrier q; measure q -> c;";
  quartz_circuit* circuit = parse(experiment);
  quartz_options* options = quick_options();
  quartz_result* result = NULL;
  uint64_t gates = 0;
  EXPECT(quartz_options_set(options, "initial_state", "zero", NULL) == QUARTZ_OK);
  EXPECT(quartz_options_set(options, "final_state", "discarded", NULL) == QUARTZ_OK);
  EXPECT(quartz_options_set(options, "barriers", barriers, NULL) == QUARTZ_OK);
  EXPECT(quartz_optimize(circuit, options, &result, NULL) == QUARTZ_OK);
  EXPECT(quartz_circuit_cost(quartz_result_circuit(result), "total", &gates, NULL) == QUARTZ_OK);
  EXPECT(quartz_result_known_states_removed(result) == removed);
  EXPECT(quartz_result_known_states_replaced(result) == 0);
  quartz_result_free(result);
  quartz_options_free(options);
  quartz_circuit_free(circuit);
  return gates;
}

static void test_known_states_end_at_barriers(void) {
  EXPECT(gates_between_barriers("keep", 0) == 2);
  EXPECT(gates_between_barriers("ignore", 2) == 0);
  EXPECT(quartz_result_known_states_removed(NULL) == 0);
  EXPECT(quartz_result_known_states_replaced(NULL) == 0);
}

/* An epsilon has angles approximated that the gate set lacks. */
static void test_approximated_rotations(void) {
  static const char rotations[] =
      "OPENQASM 2.0; include \"qelib1.inc\"; qreg q[2]; rz(0.3) q[0]; h q[0]; rz(0.3) q[0]; "
      "rz(pi/4) q[1];";
  quartz_circuit* circuit = parse(rotations);
  quartz_options* options = quick_options();
  quartz_result* result = NULL;
  EXPECT(quartz_options_set(options, "gate_set", "clifford_t", NULL) == QUARTZ_OK);
  EXPECT(quartz_options_set(options, "epsilon", "1e-3", NULL) == QUARTZ_OK);
  EXPECT(quartz_optimize(circuit, options, &result, NULL) == QUARTZ_OK);
  EXPECT(quartz_result_verdict(result) == QUARTZ_WITHIN_EPSILON);
  EXPECT(quartz_result_approximated_rotations(result) == 2);
  EXPECT(quartz_result_approximated_rotations(NULL) == 0);
  EXPECT(quartz_result_distance(result) > 0);
  EXPECT(quartz_result_distance(result) <= 1e-3);
  EXPECT(quartz_result_distance(NULL) == -1);
  EXPECT(quartz_result_ancillas(result) == 0);
  quartz_result_free(result);
  quartz_options_free(options);
  quartz_circuit_free(circuit);
}

/* A Toffoli gate has four T gates with an ancilla and a measurement. */
static void test_ancillas(void) {
  quartz_circuit* circuit =
      parse("OPENQASM 2.0; include \"qelib1.inc\"; qreg q[3]; ccx q[0],q[1],q[2];");
  quartz_options* options = quick_options();
  quartz_result* result = NULL;
  EXPECT(quartz_options_set(options, "gate_set", "clifford_t", NULL) == QUARTZ_OK);
  EXPECT(quartz_options_set(options, "steps", "20000", NULL) == QUARTZ_OK);
  EXPECT(quartz_options_set(options, "ancillas", "1", NULL) == QUARTZ_OK);
  EXPECT(quartz_optimize(circuit, options, &result, NULL) == QUARTZ_OK);
  EXPECT(quartz_result_ancillas(result) == 1);
  EXPECT(quartz_result_ancillas(NULL) == 0);
  EXPECT(quartz_circuit_qubits(quartz_result_circuit(result)) == 4);
  EXPECT(quartz_circuit_measurements(quartz_result_circuit(result)) == 1);
  EXPECT(quartz_circuit_measurements(circuit) == 0);
  EXPECT(quartz_circuit_measurements(NULL) == 0);
  quartz_result_free(result);
  quartz_options_free(options);
  quartz_circuit_free(circuit);
}

static void test_permutation_and_journal(void) {
  static const char swapped[] =
      "OPENQASM 2.0; include \"qelib1.inc\"; qreg q[2]; h q[0]; swap q[0],q[1]; x q[1];";
  quartz_circuit* circuit = parse(swapped);
  quartz_options* options = quick_options();
  quartz_result* result = NULL;
  size_t size = 1;
  uint64_t gates = 0;
  EXPECT(quartz_optimize(circuit, options, &result, NULL) == QUARTZ_OK);
  EXPECT(quartz_result_output(result, 0) == 0 && quartz_result_output(result, 1) == 1);
  EXPECT(quartz_result_output(result, 2) == QUARTZ_NO_QUBIT);
  EXPECT(quartz_result_journal(result, &size) == NULL && size == 0);
  quartz_result_free(result);
  EXPECT(quartz_options_set(options, "permutation", "free", NULL) == QUARTZ_OK);
  EXPECT(quartz_options_set(options, "journal", "on", NULL) == QUARTZ_OK);
  EXPECT(quartz_options_set(options, "qasm", "3", NULL) == QUARTZ_OK);
  EXPECT(quartz_optimize(circuit, options, &result, NULL) == QUARTZ_OK);
  EXPECT(quartz_result_verdict(result) == QUARTZ_EQUAL);
  EXPECT(quartz_result_output(result, 0) == 1 && quartz_result_output(result, 1) == 0);
  EXPECT(quartz_circuit_cost(quartz_result_circuit(result), "two-qubit", &gates, NULL) ==
         QUARTZ_OK);
  EXPECT(gates == 0);
  EXPECT(quartz_result_journal(result, &size) != NULL && size > 0);
  quartz_result_free(result);
  quartz_options_free(options);
  quartz_circuit_free(circuit);
}

/// Returns the name of a file with a gate set whose gate "entangle" consists of one gate.
static const char* write_gate_set(const char* path, const char* body) {
  FILE* file = fopen(path, "w");
  EXPECT(file != NULL &&
         fprintf(file,
                 "{\"format\": \"quartz-gate-set\", \"version\": 1, \"name\": \"own\", "
                 "\"gates\": [{\"gate\": \"h\"}, {\"gate\": \"gate entangle a, b { %s a, b; }\"}]}",
                 body) > 0 &&
         fclose(file) == 0);
  return path;
}

static void test_custom_gates_of_the_gate_set(void) {
  const char* sets[] = {write_gate_set("test_c_by_cx.json", "cx"),
                        write_gate_set("test_c_by_cz.json", "cz")};
  const char* bodies[] = {"cx q[0],q[1];", "cz q[0],q[1];"};
  const char* text = "OPENQASM 2.0; include \"qelib1.inc\"; qreg q[2]; entangle q[0],q[1];";
  quartz_options* options = NULL;
  quartz_circuit* circuit = NULL;
  EXPECT(quartz_options_create(&options, NULL) == QUARTZ_OK);
  EXPECT(quartz_circuit_parse_with(text, strlen(text), NULL, options, &circuit, NULL) ==
         QUARTZ_INPUT_ERROR);
  for (int i = 0; i < 3; ++i) {
    char plain[200];
    quartz_circuit* expected = NULL;
    quartz_comparison* comparison = NULL;
    EXPECT(quartz_options_set(options, "gate_set", sets[i % 2], NULL) == QUARTZ_OK);
    EXPECT(quartz_circuit_parse_with(text, strlen(text), NULL, options, &circuit, NULL) ==
           QUARTZ_OK);
    (void)snprintf(plain, sizeof plain, "OPENQASM 2.0; include \"qelib1.inc\"; qreg q[2]; %s",
                   bodies[i % 2]);
    EXPECT(quartz_circuit_parse(plain, strlen(plain), NULL, &expected, NULL) == QUARTZ_OK);
    EXPECT(quartz_compare(circuit, expected, 10, &comparison, NULL) == QUARTZ_OK);
    EXPECT(quartz_comparison_verdict(comparison) == QUARTZ_EQUAL);
    quartz_comparison_free(comparison);
    quartz_circuit_free(expected);
    quartz_circuit_free(circuit);
  }
  EXPECT(quartz_circuit_parse(text, strlen(text), NULL, &circuit, NULL) == QUARTZ_INPUT_ERROR);
  quartz_options_free(options);
  (void)remove(sets[0]);
  (void)remove(sets[1]);
}

static void test_optimize_without_a_gate_set(void) {
  quartz_circuit* circuit = parse(kPair);
  quartz_options* options = NULL;
  quartz_result* result = NULL;
  quartz_error* error = NULL;
  EXPECT(quartz_options_create(&options, NULL) == QUARTZ_OK);
  EXPECT(quartz_optimize(circuit, options, &result, &error) == QUARTZ_USAGE_ERROR);
  EXPECT(result == NULL);
  EXPECT(strcmp(quartz_error_message(error), "neither gate_set nor backend_json is set") == 0);
  quartz_error_free(error);
  EXPECT(quartz_options_set(options, "gate_set", "no_such_set", NULL) == QUARTZ_OK);
  EXPECT(quartz_optimize(circuit, options, &result, NULL) == QUARTZ_USAGE_ERROR);
  quartz_options_free(options);
  quartz_circuit_free(circuit);
}

/* A device's file gives the gate set, the pairs of qubits and the costs. */
static void test_device(void) {
  static const char path[] = "test_c_device.json";
  static const char properties[] =
      "{\"backend_name\": \"toy\", \"general\": [], \"qubits\": [[], []], \"gates\": ["
      "{\"gate\": \"rz\", \"qubits\": [0], \"parameters\": [{\"name\": \"gate_error\","
      " \"unit\": \"\", \"value\": 0}]},"
      "{\"gate\": \"sx\", \"qubits\": [0], \"parameters\": [{\"name\": \"gate_error\","
      " \"unit\": \"\", \"value\": 0.001}]},"
      "{\"gate\": \"x\", \"qubits\": [0], \"parameters\": [{\"name\": \"gate_error\","
      " \"unit\": \"\", \"value\": 0.001}]},"
      "{\"gate\": \"cz\", \"qubits\": [0, 1], \"parameters\": [{\"name\": \"gate_error\","
      " \"unit\": \"\", \"value\": 0.01}]}]}";
  FILE* file = fopen(path, "w");
  quartz_circuit* circuit = parse(
      "OPENQASM 2.0; include \"qelib1.inc\"; qreg q[2]; cz q[0],q[1]; sx q[0]; sx q[0]; x q[0];"
      "cz q[0],q[1];");
  quartz_circuit* large = parse("OPENQASM 2.0; include \"qelib1.inc\"; qreg q[3]; x q[2];");
  quartz_options* options = quick_options();
  quartz_result* result = NULL;
  quartz_error* error = NULL;
  EXPECT(file != NULL && fputs(properties, file) >= 0 && fclose(file) == 0);
  EXPECT(quartz_options_set(options, "gate_set", "", NULL) == QUARTZ_OK);
  EXPECT(quartz_options_set(options, "backend_json", path, NULL) == QUARTZ_OK);
  EXPECT(quartz_options_set(options, "cost", "two-qubit,error", NULL) == QUARTZ_OK);
  EXPECT(quartz_options_set(options, "steps", "0", NULL) == QUARTZ_USAGE_ERROR);
  EXPECT(quartz_options_set(options, "steps", "", NULL) == QUARTZ_OK);
  EXPECT(quartz_options_set(options, "steps", "2000", NULL) == QUARTZ_OK);
  EXPECT(quartz_optimize(circuit, options, &result, &error) == QUARTZ_OK);
  EXPECT(error == NULL || (fprintf(stderr, "%s\n", quartz_error_message(error)), 0));
  EXPECT(quartz_result_objectives(result) == 2);
  EXPECT(strcmp(quartz_result_objective(result, 1), "error") == 0);
  EXPECT(quartz_result_cost_before(result, 0) == 2 && quartz_result_cost_after(result, 0) == 0);
  EXPECT(quartz_result_cost_before(result, 1) > quartz_result_cost_after(result, 1));
  quartz_result_free(result);
  EXPECT(quartz_optimize(large, options, &result, NULL) == QUARTZ_INPUT_ERROR);
  EXPECT(quartz_options_set(options, "backend_json", "", NULL) == QUARTZ_OK);
  EXPECT(quartz_optimize(circuit, options, &result, NULL) == QUARTZ_USAGE_ERROR);
  (void)remove(path);
  quartz_options_free(options);
  quartz_circuit_free(circuit);
  quartz_circuit_free(large);
}

/* A search of practically unlimited length ends because a callback stops it. */
static void test_stop(const char* path) {
  quartz_circuit* circuit = NULL;
  quartz_options* options = quick_options();
  quartz_result* result = NULL;
  struct calls calls = {0, 0, 0, 0};
  EXPECT(quartz_circuit_read(path, &circuit, NULL) == QUARTZ_OK);
  EXPECT(quartz_options_set(options, "steps", "1000000000000", NULL) == QUARTZ_OK);
  EXPECT(quartz_options_set(options, "search", "backtrack", NULL) == QUARTZ_OK);
  EXPECT(quartz_options_on_progress(options, count_progress, &calls, NULL) == QUARTZ_OK);
  EXPECT(quartz_options_on_stop(options, stop_in_search, &calls, NULL) == QUARTZ_OK);
  EXPECT(quartz_optimize(circuit, options, &result, NULL) == QUARTZ_OK);
  EXPECT(calls.searches > 0 && calls.stop > 0);
  EXPECT(result != NULL && strcmp(quartz_result_stop_reason(result), "interrupted") == 0);
  EXPECT(quartz_result_verdict(result) == QUARTZ_EQUAL);
  quartz_result_free(result);
  quartz_options_free(options);
  quartz_circuit_free(circuit);
}

static void test_compare(void) {
  quartz_circuit* pair = parse(kPair);
  quartz_circuit* single = parse(kSingle);
  quartz_circuit* other = parse(kOther);
  quartz_comparison* comparison = NULL;
  EXPECT(quartz_compare(pair, single, 10, &comparison, NULL) == QUARTZ_OK);
  EXPECT(quartz_comparison_verdict(comparison) == QUARTZ_EQUAL);
  EXPECT(strlen(quartz_comparison_method(comparison)) > 0);
  EXPECT(strlen(quartz_comparison_witness(comparison)) == 0);
  quartz_comparison_free(comparison);
  EXPECT(quartz_compare(pair, other, 10, &comparison, NULL) == QUARTZ_OK);
  EXPECT(quartz_comparison_verdict(comparison) == QUARTZ_NOT_EQUAL);
  EXPECT(strlen(quartz_comparison_witness(comparison)) > 0);
  quartz_comparison_free(comparison);
  EXPECT(quartz_compare(pair, other, -1, &comparison, NULL) == QUARTZ_USAGE_ERROR);
  EXPECT(comparison == NULL);
  quartz_circuit_free(pair);
  quartz_circuit_free(single);
  quartz_circuit_free(other);
}

/* A Hadamard gate by an ancilla, a measurement and corrections. */
static void test_compare_with_ancillas(void) {
  quartz_circuit* plain = parse("OPENQASM 2.0; include \"qelib1.inc\"; qreg q[1]; h q[0];");
  quartz_circuit* gadget = parse(
      "OPENQASM 2.0; include \"qelib1.inc\"; qreg q[1]; qreg a[1]; creg c[1]; h a[0]; "
      "cz q[0],a[0]; h q[0]; measure q[0] -> c[0]; if (c == 1) x a[0]; if (c == 1) x q[0]; "
      "cx a[0],q[0]; cx q[0],a[0];");
  quartz_comparison* comparison = NULL;
  quartz_options* options = NULL;
  quartz_error* error = NULL;
  EXPECT(quartz_options_create(&options, NULL) == QUARTZ_OK);
  EXPECT(quartz_options_set(options, "check_time", "10", NULL) == QUARTZ_OK);
  EXPECT(quartz_compare_with(plain, gadget, options, &comparison, NULL) == QUARTZ_OK);
  EXPECT(quartz_comparison_verdict(comparison) == QUARTZ_NOT_EQUAL);
  quartz_comparison_free(comparison);
  EXPECT(quartz_options_set(options, "ancillas", "1", NULL) == QUARTZ_OK);
  EXPECT(quartz_compare_with(plain, gadget, options, &comparison, NULL) == QUARTZ_OK);
  EXPECT(quartz_comparison_verdict(comparison) == QUARTZ_EQUAL_UP_TO_PHASE);
  quartz_comparison_free(comparison);
  EXPECT(quartz_options_set(options, "permutation", "free", NULL) == QUARTZ_OK);
  EXPECT(quartz_compare_with(plain, gadget, options, &comparison, &error) == QUARTZ_USAGE_ERROR);
  EXPECT(comparison == NULL);
  EXPECT(strncmp(quartz_error_message(error),
                 "ancillas cannot be combined with permutation free: ", 51) == 0);
  quartz_error_free(error);
  quartz_options_free(options);
  quartz_circuit_free(plain);
  quartz_circuit_free(gadget);
}

static void test_compare_with_options(void) {
  quartz_circuit* pair = parse("OPENQASM 2.0; include \"qelib1.inc\"; qreg q[2]; cz q[0],q[1];");
  quartz_circuit* empty = parse("OPENQASM 2.0; include \"qelib1.inc\"; qreg q[2];");
  quartz_comparison* comparison = NULL;
  quartz_options* options = NULL;
  EXPECT(quartz_options_create(&options, NULL) == QUARTZ_OK);
  EXPECT(quartz_compare_with(pair, empty, options, &comparison, NULL) == QUARTZ_OK);
  EXPECT(quartz_comparison_verdict(comparison) == QUARTZ_NOT_EQUAL);
  quartz_comparison_free(comparison);
  EXPECT(quartz_options_set(options, "initial_state", "zero", NULL) == QUARTZ_OK);
  EXPECT(quartz_compare_with(pair, empty, options, &comparison, NULL) == QUARTZ_OK);
  EXPECT(quartz_comparison_verdict(comparison) == QUARTZ_EQUAL);
  EXPECT(quartz_comparison_distance(comparison) == 0);
  EXPECT(quartz_comparison_distance(NULL) == -1);
  quartz_comparison_free(comparison);
  EXPECT(quartz_compare_with(pair, empty, NULL, &comparison, NULL) == QUARTZ_USAGE_ERROR);
  EXPECT(comparison == NULL);
  quartz_options_free(options);
  quartz_circuit_free(pair);
  quartz_circuit_free(empty);
}

int main(int argc, char** argv) {
  if (argc != 2) {
    fprintf(stderr, "usage: test_c CIRCUIT\n");
    return 2;
  }
  EXPECT(strchr(quartz_version(), '.') != NULL);
  test_circuits();
  test_errors_have_locations();
  test_null_arguments();
  test_options();
  test_include_path();
  test_include_path_of_a_file(argv[1]);
  test_optimize();
  test_known_states_end_at_barriers();
  test_approximated_rotations();
  test_ancillas();
  test_permutation_and_journal();
  test_optimize_without_a_gate_set();
  test_custom_gates_of_the_gate_set();
  test_device();
  test_stop(argv[1]);
  test_compare();
  test_compare_with_ancillas();
  test_compare_with_options();
  return failures == 0 ? 0 : 1;
}
