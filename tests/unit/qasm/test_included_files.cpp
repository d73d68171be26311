#include <sys/stat.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <string>
#include <vector>

#include "programs.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/base/files.hpp"
#include "quartz/qasm/include_path.hpp"
#include "temporary_folder.hpp"

using namespace quartz;
using namespace quartz::test;
using Catch::Matchers::Contains;

namespace fs = std::filesystem;

namespace {

/// A folder with a program and files beside it.
class Files {
 public:
  Files() {
    fs::create_directories(folder_ / "project/sub");
    fs::create_directories(folder_ / "shared/sub");
  }
  [[nodiscard]] fs::path path(const std::string& name) const { return folder_ / name; }
  void write(const std::string& name, const std::string& text) const {
    write_text_file(path(name), text);
  }
  /// Reads a program in the folder `project`.
  [[nodiscard]] Circuit read(const std::string& body, const IncludePath& include_path = {}) const {
    write("project/main.qasm", version_3 + body);
    return read_qasm_file(path("project/main.qasm"), include_path);
  }
  /// Returns the message of the error, without the folder.
  [[nodiscard]] std::string error(const std::string& body, const IncludePath& path = {}) const {
    try {
      (void)read(body, path);
    } catch (const InputError& failure) {
      std::string text = failure.what();
      const std::string name = folder_ / "";
      for (std::size_t at = 0; (at = text.find(name)) != std::string::npos;) {
        text.erase(at, name.size());
      }
      return text;
    }
    return "no error";
  }

 private:
  TemporaryFolder folder_;
};

}  // namespace

TEST_CASE("An included file is read in place of the statement", "[include]") {
  const Files files;
  files.write(
      "project/gates.inc",
      "gate twice(t) a { rz(t) a; rz(t) a; }\ndef flip(qubit a) { x a; }\nconst int n = 2;");
  files.write("project/sub/more.inc", "include \"deep.inc\";\nqubit[2] q;\n");
  files.write("project/sub/deep.inc", "const float half = pi/2;");
  const Circuit circuit = files.read(
      "include \"gates.inc\"; include \"sub/more.inc\";\n"
      "for int i in [1:n] { twice(half) q[0]; flip(q[1]); }\nflip(q[0]);");
  CHECK(circuit ==
        parse_3("gate twice(t) a { rz(t) a; rz(t) a; } def flip(qubit a) { x a; } const int n = 2;"
                "const float half = pi/2; qubit[2] q;"
                "for int i in [1:n] { twice(half) q[0]; flip(q[1]); } flip(q[0]);"));
  CHECK(parse_qasm(write_qasm(circuit)) == circuit);
  // A standard file is known, whatever files there are.
  files.write("project/stdgates.inc", "this is not read");
  CHECK(files.read("qubit q; h q;").operations.size() == 1);
}

TEST_CASE("Messages name the file in which a place is", "[include]") {
  const Files files;
  files.write("project/bad.inc", "gate g a { x a; }\n  nonsense q;\n");
  files.write("project/calls.inc", "def f(qubit a) {\n  rx(1/0) a;\n}\n");
  files.write("project/open.inc", "def f(qubit a) { x a;");
  files.write("project/version.inc", "OPENQASM 3.0;");
  files.write("project/zero.inc", std::string("x\0y", 3));
  CHECK(files.error("include \"bad.inc\";") == "project/bad.inc:2:3: unknown gate 'nonsense'");
  CHECK(files.error("include \"calls.inc\"; qubit q;\nf(q);") ==
        "project/calls.inc:2:7: division by zero");
  CHECK(files.error("include \"calls.inc\"; qubit q;\nnonsense q;") ==
        "project/main.qasm:4:1: unknown gate 'nonsense'");
  CHECK_THAT(files.error("include \"open.inc\";\n}"), Contains("project/open.inc:1:"));
  CHECK_THAT(files.error("include \"version.inc\";"),
             Contains("project/version.inc:1:1: 'OPENQASM' must be the first statement"));
  CHECK_THAT(files.error("include \"zero.inc\";"),
             Contains("project/zero.inc:1:2: found a zero byte"));
  files.write("project/bad.inc", "\ngate g a { x a; }");
  CHECK(files.error("include \"bad.inc\";\ngate g a { x a; }") ==
        "project/main.qasm:4:6: gate 'g' is already declared in line 2 of project/bad.inc");
}

TEST_CASE("No file outside of the folder is included without an include path", "[include]") {
  const Files files;
  files.write("secret.inc", "gate g a { x a; }");
  files.write("shared/lib.inc", "include \"sub/part.inc\"; gate g a { part a; }");
  files.write("shared/sub/part.inc", "gate part a { x a; }");
  files.write("project/sub/up.inc", "include \"../beside.inc\";");
  files.write("project/beside.inc", "gate g a { x a; }");
  fs::create_symlink(files.path("secret.inc"), files.path("project/link.inc"));
  fs::create_directory_symlink(files.path("shared"), files.path("project/linked"));
  fs::create_symlink("beside.inc", files.path("project/near.inc"));
  const IncludePath shared{{files.path("shared")}};
  const std::string outside = "it is outside of the folder of the file that includes it";
  const std::string use = " qubit q; g q;";
  for (const std::string& name :
       {std::string("../secret.inc"), files.path("secret.inc").string(), std::string("link.inc"),
        std::string("linked/lib.inc"), std::string("sub/../../secret.inc")}) {
    CAPTURE(name);
    CHECK_THAT(files.error("include \"" + name + "\";" + use),
               Contains("project/main.qasm:3:9: cannot include") && Contains(outside));
  }
  CHECK_THAT(
      files.error("include \"sub/up.inc\";" + use),
      Contains("project/sub/up.inc:1:9: cannot include '../beside.inc'") && Contains(outside));
  CHECK_THAT(files.error("include \"lib.inc\";" + use), Contains("there is no such file in"));
  CHECK(files.error("include \"near.inc\";" + use) == "no error");
  CHECK(files.error("include \"sub/../beside.inc\";" + use) == "no error");
  CHECK(files.error("include \"lib.inc\";" + use, shared) == "no error");
  CHECK(files.error("include \"linked/lib.inc\";" + use, shared) == "no error");
  CHECK_THAT(files.error("include \"../secret.inc\";" + use, shared), Contains(outside));
  // The folder of the file comes first.
  files.write("project/lib.inc", "gate g a { z a; }");
  CHECK(files.read("include \"lib.inc\";" + use, shared).operations[0].gate == GateKind::z);
}

TEST_CASE("A text includes files of the include path only", "[include]") {
  const Files files;
  files.write("shared/lib.inc", "gate g a { x a; }");
  const std::string program = version_3 + "include \"lib.inc\"; qubit q; g q;";
  CHECK_THAT(error_of(program),
             Contains("3:9: cannot include 'lib.inc': the program is not read from a file"));
  CHECK(parse_qasm(program, "test", {{files.path("shared")}}).operations.size() == 1);
}

TEST_CASE("Files that include themselves, and too many of them, are errors", "[include]") {
  const Files files;
  files.write("project/a.inc", "include \"b.inc\";");
  files.write("project/b.inc", "\ninclude \"a.inc\";");
  files.write("project/self.inc", "include \"main.qasm\";");
  files.write("project/empty.inc", "");
  CHECK(files.error("include \"a.inc\";") ==
        "project/b.inc:2:9: cannot include 'a.inc': the file includes itself");
  CHECK_THAT(files.error("include \"self.inc\";"), Contains("the file includes itself"));
  for (int i = 0; i < 20; ++i) {
    files.write("project/deep" + std::to_string(i) + ".inc",
                "include \"deep" + std::to_string(i + 1) + ".inc\";");
  }
  CHECK_THAT(files.error("include \"deep0.inc\";"),
             Contains("files are included more than 16 deep"));
  std::string many;
  for (int i = 0; i < 1025; ++i) many += "include \"empty.inc\";\n";
  CHECK_THAT(files.error(many), Contains("more than 1024 files are included"));
}

TEST_CASE("Only regular files are included", "[include]") {
  const Files files;
  REQUIRE(::mkfifo(files.path("project/pipe.inc").c_str(), 0600) == 0);
  CHECK_THAT(files.error("include \"pipe.inc\";"), Contains("it is not a regular file"));
  CHECK_THAT(files.error("include \"sub\";"), Contains("it is not a regular file"));
  CHECK_THAT(files.error("include \"\";"), Contains("expected the name of a file"));
}
