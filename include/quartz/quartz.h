#ifndef QUARTZ_QUARTZ_H
#define QUARTZ_QUARTZ_H

/// \file
/// The C interface of Quartz (docs/c.md), for programs in C and for the foreign-function interfaces
/// of other languages. It compiles as C11 and as C++.
///
/// Objects are opaque and belong to the caller, who frees each with the function of its type;
/// freeing NULL does nothing. Strings are UTF-8 and end with a null byte. A string that a function
/// returns as `const char*` belongs to the object and lives as long as the object does. Where a
/// function needs an object or a string, NULL is QUARTZ_USAGE_ERROR; the functions that return a
/// property of an object return 0, NULL or QUARTZ_INTERNAL_ERROR for NULL.
///
/// Functions that can fail return a status, set their output to NULL on failure, and describe the
/// error in `*error` if `error` is not NULL; the caller frees it with quartz_error_free. On success
/// `*error` is NULL. No C++ exception leaves the library.
///
/// Different threads may call all functions at the same time on different objects, and functions
/// that only read (those with const arguments) on the same object.

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define QUARTZ_API __attribute__((visibility("default")))
#else
#define QUARTZ_API
#endif

#ifdef __cplusplus
#define QUARTZ_NOEXCEPT noexcept
extern "C" {
#else
#define QUARTZ_NOEXCEPT
#endif

// NOLINTBEGIN(readability-identifier-naming): the names are those of C.

/// The outcome of a call. The numbers are the exit codes of the commands where these have one, and
/// never change; later versions may add some.
typedef enum quartz_status {
  QUARTZ_OK = 0,
  QUARTZ_INTERNAL_ERROR = 1,  ///< a bug in the library
  QUARTZ_USAGE_ERROR = 2,     ///< an invalid argument, such as an unknown option
  QUARTZ_INPUT_ERROR = 3,     ///< a circuit or a file is malformed, unsupported or unreadable
  QUARTZ_STOPPED = 4,         ///< the caller requested a stop, and there is no result
  QUARTZ_OUT_OF_MEMORY = 5,
  QUARTZ_UNVERIFIED = 12  ///< a check was required and could not decide
} quartz_status;

/// The outcome of comparing two circuits.
typedef enum quartz_verdict {
  QUARTZ_NOT_CHECKED = 0,
  QUARTZ_EQUAL = 1,
  QUARTZ_EQUAL_UP_TO_PHASE = 2,
  QUARTZ_NOT_EQUAL = 3,
  QUARTZ_UNDECIDED = 4,
  QUARTZ_WITHIN_EPSILON = 5  ///< not equal, but no further apart than the option epsilon permits
} quartz_verdict;

/// In place of the number of a qubit: there is no such qubit.
#define QUARTZ_NO_QUBIT SIZE_MAX

typedef struct quartz_error quartz_error;        ///< why a call failed
typedef struct quartz_circuit quartz_circuit;    ///< a circuit, which never changes
typedef struct quartz_options quartz_options;    ///< options of reading, optimizing and comparing
typedef struct quartz_progress quartz_progress;  ///< how far quartz_optimize is
typedef struct quartz_result quartz_result;      ///< what quartz_optimize found
typedef struct quartz_comparison quartz_comparison;  ///< what quartz_compare found

/// Returns the version of the library, such as "0.1.0".
QUARTZ_API const char* quartz_version(void) QUARTZ_NOEXCEPT;

/// Frees a text that quartz_circuit_write returned.
QUARTZ_API void quartz_string_free(char* text) QUARTZ_NOEXCEPT;

// --- errors ---

/// Returns one sentence without a full stop: what was found, what was expected, and where.
QUARTZ_API const char* quartz_error_message(const quartz_error* error) QUARTZ_NOEXCEPT;
QUARTZ_API quartz_status quartz_error_status(const quartz_error* error) QUARTZ_NOEXCEPT;
/// Returns the name of the text in which the error is; empty if it is in none.
QUARTZ_API const char* quartz_error_file(const quartz_error* error) QUARTZ_NOEXCEPT;
/// Returns the line of the error, from 1; 0 if it is not known.
QUARTZ_API size_t quartz_error_line(const quartz_error* error) QUARTZ_NOEXCEPT;
/// Returns the column of the error in bytes, from 1; 0 if it is not known.
QUARTZ_API size_t quartz_error_column(const quartz_error* error) QUARTZ_NOEXCEPT;
QUARTZ_API void quartz_error_free(quartz_error* error) QUARTZ_NOEXCEPT;

// --- circuits ---

/// Parses `size` bytes of OpenQASM 2 or 3. `name` is what messages call the text; NULL: "<input>".
QUARTZ_API quartz_status quartz_circuit_parse(const char* text, size_t size, const char* name,
                                              quartz_circuit** circuit,
                                              quartz_error** error) QUARTZ_NOEXCEPT;
/// Parses a file; "-" is standard input.
QUARTZ_API quartz_status quartz_circuit_read(const char* path, quartz_circuit** circuit,
                                             quartz_error** error) QUARTZ_NOEXCEPT;
/// Parses a text as quartz_circuit_parse does, with the files that it includes and the custom gates
/// of the option "gate_set", if it is set. The text has no folder, so the files must be in the
/// folders of the option "include_path". Other options have no effect.
QUARTZ_API quartz_status quartz_circuit_parse_with(const char* text, size_t size, const char* name,
                                                   const quartz_options* options,
                                                   quartz_circuit** circuit,
                                                   quartz_error** error) QUARTZ_NOEXCEPT;
/// Parses a file as quartz_circuit_read does, with the custom gates of the option "gate_set", if it
/// is set. The files that it includes may also be in the folders of the option "include_path".
/// Other options have no effect.
QUARTZ_API quartz_status quartz_circuit_read_with(const char* path, const quartz_options* options,
                                                  quartz_circuit** circuit,
                                                  quartz_error** error) QUARTZ_NOEXCEPT;
/// Writes the circuit as OpenQASM. `version` is 2 or 3; 0: the version of the dialect, or else the
/// circuit's. `dialect` is one of those of quartz-opt --dialect; NULL: the default. The caller
/// frees the text with quartz_string_free. `size`, unless it is NULL, becomes its number of bytes
/// without the null byte.
QUARTZ_API quartz_status quartz_circuit_write(const quartz_circuit* circuit, unsigned version,
                                              const char* dialect, char** text, size_t* size,
                                              quartz_error** error) QUARTZ_NOEXCEPT;
QUARTZ_API size_t quartz_circuit_qubits(const quartz_circuit* circuit) QUARTZ_NOEXCEPT;
/// Returns the number of measurements of a circuit, wherever their outcomes go.
QUARTZ_API size_t quartz_circuit_measurements(const quartz_circuit* circuit) QUARTZ_NOEXCEPT;
/// Computes a named cost: "total", "two-qubit", "t", "depth", "two-qubit-depth" or "t-depth".
QUARTZ_API quartz_status quartz_circuit_cost(const quartz_circuit* circuit, const char* name,
                                             uint64_t* value, quartz_error** error) QUARTZ_NOEXCEPT;
QUARTZ_API void quartz_circuit_free(quartz_circuit* circuit) QUARTZ_NOEXCEPT;

// --- options ---

/// Creates options, all with their defaults except "gate_set", which must be set for
/// quartz_optimize unless "backend_json" is.
QUARTZ_API quartz_status quartz_options_create(quartz_options** options,
                                               quartz_error** error) QUARTZ_NOEXCEPT;
/// Sets an option from text, as on the command line of quartz-opt, but with numbers without units.
/// An empty text sets the default. A value that is not valid leaves the option as it was.
QUARTZ_API quartz_status quartz_options_set(quartz_options* options, const char* name,
                                            const char* value,
                                            quartz_error** error) QUARTZ_NOEXCEPT;
/// Returns the number of options.
QUARTZ_API size_t quartz_options_count(void) QUARTZ_NOEXCEPT;
/// Returns the name of an option by its number, from 0; NULL if there is no such option.
QUARTZ_API const char* quartz_options_name(size_t index) QUARTZ_NOEXCEPT;
/// Returns the meaning of an option by its number, from 0; NULL if there is no such option.
QUARTZ_API const char* quartz_options_description(size_t index) QUARTZ_NOEXCEPT;

typedef void (*quartz_progress_callback)(const quartz_progress* progress, void* user);
typedef int (*quartz_stop_callback)(void* user);

/// Has quartz_optimize call a function whenever there is progress to show, about 20 times a second
/// at most, and at least once. It is called in the thread that called quartz_optimize. NULL: none.
QUARTZ_API quartz_status quartz_options_on_progress(quartz_options* options,
                                                    quartz_progress_callback callback, void* user,
                                                    quartz_error** error) QUARTZ_NOEXCEPT;
/// Has quartz_optimize ask a function about 20 times a second whether to stop: it returns 0 to go
/// on. It is called in the thread that called quartz_optimize. After a stop, the best circuit so
/// far is checked and returned; before the search there is none, and the status is QUARTZ_STOPPED.
/// NULL: none.
QUARTZ_API quartz_status quartz_options_on_stop(quartz_options* options,
                                                quartz_stop_callback callback, void* user,
                                                quartz_error** error) QUARTZ_NOEXCEPT;
QUARTZ_API void quartz_options_free(quartz_options* options) QUARTZ_NOEXCEPT;

/// Returns what is being done: "translate", "rules", "search", "journal" or "check".
QUARTZ_API const char* quartz_progress_stage(const quartz_progress* progress) QUARTZ_NOEXCEPT;
/// Returns the seconds since the start of the search; 0 in other stages.
QUARTZ_API double quartz_progress_seconds(const quartz_progress* progress) QUARTZ_NOEXCEPT;
/// Returns the least cost so far, such as "t 12, two-qubit 34"; empty before the search.
QUARTZ_API const char* quartz_progress_cost(const quartz_progress* progress) QUARTZ_NOEXCEPT;

// --- optimization ---

/// Searches for an equal circuit of lower cost in the gate set of the options, and compares the
/// result with the input by code that shares nothing with the search. A circuit that is not equal
/// to the input is never returned.
QUARTZ_API quartz_status quartz_optimize(const quartz_circuit* circuit,
                                         const quartz_options* options, quartz_result** result,
                                         quartz_error** error) QUARTZ_NOEXCEPT;
/// Returns the optimized circuit, which belongs to the result.
QUARTZ_API const quartz_circuit* quartz_result_circuit(const quartz_result* result) QUARTZ_NOEXCEPT;
/// Returns the qubit of the result on which a qubit of the input ends. It is the same one unless
/// the option "permutation" is "free"; QUARTZ_NO_QUBIT for a qubit that the circuit does not have.
QUARTZ_API size_t quartz_result_output(const quartz_result* result, size_t qubit) QUARTZ_NOEXCEPT;
/// Returns the journal of the rewrites (docs/formats/journal.md; compound_journal.md with ancillas
/// and approximated rotations), which belongs to the result, and sets `size`, unless it is NULL, to
/// its number of bytes; NULL unless the option "journal" is "on".
QUARTZ_API const void* quartz_result_journal(const quartz_result* result,
                                             size_t* size) QUARTZ_NOEXCEPT;
/// Returns the number of objectives of the cost, of which each breaks the ties of those before it.
QUARTZ_API size_t quartz_result_objectives(const quartz_result* result) QUARTZ_NOEXCEPT;
/// Returns the name of an objective by its number, from 0; NULL if there is no such objective.
QUARTZ_API const char* quartz_result_objective(const quartz_result* result,
                                               size_t index) QUARTZ_NOEXCEPT;
/// Returns the value of an objective for the input after its translation into the gate set, before
/// the search. The gates of the input itself need not be in the set.
QUARTZ_API double quartz_result_cost_before(const quartz_result* result,
                                            size_t index) QUARTZ_NOEXCEPT;
/// Returns the value of an objective for the result.
QUARTZ_API double quartz_result_cost_after(const quartz_result* result,
                                           size_t index) QUARTZ_NOEXCEPT;
/// Returns how the result compares with the input; QUARTZ_NOT_CHECKED if "check" is "off".
QUARTZ_API quartz_verdict quartz_result_verdict(const quartz_result* result) QUARTZ_NOEXCEPT;
/// Returns the verdict and how it was reached, for a person to read.
QUARTZ_API const char* quartz_result_check(const quartz_result* result) QUARTZ_NOEXCEPT;
/// Returns the number of gates that were removed because of what is known of states: a reset, or
/// the options "initial_state" and "final_state", prepare them or say that nothing sees them.
QUARTZ_API size_t quartz_result_known_states_removed(const quartz_result* result) QUARTZ_NOEXCEPT;
/// Returns the number of gates that gates on fewer qubits replaced for the same reason.
QUARTZ_API size_t quartz_result_known_states_replaced(const quartz_result* result) QUARTZ_NOEXCEPT;
/// Returns the number of qubits that the option "ancillas" has added, after those of the input; 0
/// if the result has none.
QUARTZ_API size_t quartz_result_ancillas(const quartz_result* result) QUARTZ_NOEXCEPT;
/// Returns the bound that the check has proved on the distance of the result from the input, as the
/// operator norm of the difference up to a global phase: 0 for exact methods, and at most "epsilon"
/// for QUARTZ_WITHIN_EPSILON. It is -1 if no bound is proved, and for NULL.
QUARTZ_API double quartz_result_distance(const quartz_result* result) QUARTZ_NOEXCEPT;
/// Returns the number of rotations that were approximated, because the gate set lacks their angles
/// and the option "epsilon" permits it.
QUARTZ_API size_t quartz_result_approximated_rotations(const quartz_result* result) QUARTZ_NOEXCEPT;
/// Returns why the search ended, such as "time limit".
QUARTZ_API const char* quartz_result_stop_reason(const quartz_result* result) QUARTZ_NOEXCEPT;
/// Returns the seconds that the search took.
QUARTZ_API double quartz_result_seconds(const quartz_result* result) QUARTZ_NOEXCEPT;
/// Returns the number of warnings, such as that of a cache that cannot be written.
QUARTZ_API size_t quartz_result_warnings(const quartz_result* result) QUARTZ_NOEXCEPT;
/// Returns a warning by its number, from 0; NULL if there is no such warning.
QUARTZ_API const char* quartz_result_warning(const quartz_result* result,
                                             size_t index) QUARTZ_NOEXCEPT;
QUARTZ_API void quartz_result_free(quartz_result* result) QUARTZ_NOEXCEPT;

// --- comparison ---

/// Compares two circuits in at most `seconds`. It never guesses: what it cannot decide is
/// QUARTZ_UNDECIDED.
QUARTZ_API quartz_status quartz_compare(const quartz_circuit* left, const quartz_circuit* right,
                                        double seconds, quartz_comparison** comparison,
                                        quartz_error** error) QUARTZ_NOEXCEPT;
/// Compares two circuits as these options say: check_time (60 seconds by default), check_memory,
/// seed, epsilon, barriers, initial_state, final_state, permutation and ancillas. With ancillas,
/// the second circuit may have up to that many more qubits, after those of the first: they start in
/// |0> and are discarded, and the circuits are equal if they do the same to the others for every
/// outcome of their measurements. Other options have no effect.
QUARTZ_API quartz_status quartz_compare_with(const quartz_circuit* left,
                                             const quartz_circuit* right,
                                             const quartz_options* options,
                                             quartz_comparison** comparison,
                                             quartz_error** error) QUARTZ_NOEXCEPT;
QUARTZ_API quartz_verdict quartz_comparison_verdict(const quartz_comparison* comparison)
    QUARTZ_NOEXCEPT;
/// Returns the method that decided, for a person to read.
QUARTZ_API const char* quartz_comparison_method(const quartz_comparison* comparison)
    QUARTZ_NOEXCEPT;
/// Returns the bound that is proved on the distance of the circuits, as quartz_result_distance does
/// for a result.
QUARTZ_API double quartz_comparison_distance(const quartz_comparison* comparison) QUARTZ_NOEXCEPT;
/// Returns how the circuits differ, or why no method could decide; empty otherwise.
QUARTZ_API const char* quartz_comparison_witness(const quartz_comparison* comparison)
    QUARTZ_NOEXCEPT;
QUARTZ_API void quartz_comparison_free(quartz_comparison* comparison) QUARTZ_NOEXCEPT;

// NOLINTEND(readability-identifier-naming)

#ifdef __cplusplus
}
#endif

#endif
