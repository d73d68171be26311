#include <quartz/quartz.h>
#include <stdio.h>

static void show(const quartz_progress* progress, void* user) {
  (void)user;
  fprintf(stderr, "%s: %s\n", quartz_progress_stage(progress), quartz_progress_cost(progress));
}

int main(int argc, char** argv) {
  quartz_error* error = NULL;
  quartz_circuit* circuit = NULL;
  quartz_options* options = NULL;
  quartz_result* result = NULL;
  char* text = NULL;
  if (argc == 2 && quartz_circuit_read(argv[1], &circuit, &error) == QUARTZ_OK &&
      quartz_options_create(&options, &error) == QUARTZ_OK &&
      quartz_options_set(options, "gate_set", "nam", &error) == QUARTZ_OK &&
      quartz_options_set(options, "time", "2", &error) == QUARTZ_OK &&
      quartz_options_on_progress(options, show, NULL, &error) == QUARTZ_OK &&
      quartz_optimize(circuit, options, &result, &error) == QUARTZ_OK &&
      quartz_circuit_write(quartz_result_circuit(result), 2, NULL, &text, NULL, &error) ==
          QUARTZ_OK) {
    printf("%s", text);
    fprintf(stderr, "%s: %g before, %g after; checked: %s\n", quartz_result_objective(result, 0),
            quartz_result_cost_before(result, 0), quartz_result_cost_after(result, 0),
            quartz_result_check(result));
  }
  const int status = error != NULL ? (int)quartz_error_status(error) : argc == 2 ? 0 : 2;
  if (error != NULL) fprintf(stderr, "error: %s\n", quartz_error_message(error));
  quartz_error_free(error);
  quartz_string_free(text);
  quartz_result_free(result);
  quartz_options_free(options);
  quartz_circuit_free(circuit);
  return status;
}
