"""Functions, classes, folders and optimize.cpp keep the sizes that scripts/check_sizes.py allows."""

import pathlib
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
import check_sizes  # noqa: E402  (the path comes first)


class House(unittest.TestCase):
    """The sources of the repository."""

    def found(self, word):
        return [line for line in check_sizes.violations(ROOT) if word in line]

    def test_no_function_is_too_long(self):
        long = [line for line in self.found(" lines") if "the file has" not in line]
        self.assertEqual(long, [])

    def test_no_class_has_too_many_data_members(self):
        self.assertEqual(self.found("data members"), [])

    def test_no_folder_has_too_many_files(self):
        self.assertEqual(self.found("the folder has"), [])

    def test_the_file_of_the_optimizer_is_short(self):
        self.assertEqual(self.found("the file has"), [])


def functions(text):
    return {each.name: each.lines for each in check_sizes.Scanner(text).functions}


def members(text):
    return {each.name: list(each.members) for each in check_sizes.Scanner(text).classes}


class Functions(unittest.TestCase):
    def test_lines_from_the_declaration_to_the_closing_brace(self):
        self.assertEqual(functions("int f(\n    int a) {\n  return a;\n}\nint g() { return 1; }\n"),
                         {"f": 4, "g": 1})  # fmt: skip

    def test_declarations_and_initializers_are_not_functions(self):
        for text in ("int f(int a);", "auto x = f(1);", "int a[] = {1, 2};", "S s{1, {2}};",
                     "const std::map<int, int> m = {{1, f(2)}};", "enum class E { a, b };",
                     "auto f = [](int a) { return a; };", "struct S { int a = g(1); };"):  # fmt: skip
            with self.subTest(text):
                self.assertEqual(functions(text), {})

    def test_constructors_with_initializers(self):
        for body in ("S(int a) : a_(a) {}", "S() : a_{1}, b_{g(2)} {}", "explicit S() noexcept : A<int>(1) {}",
                     "S() : a_([] { return 1; }()), b_(2) {}", "S() {}"):  # fmt: skip
            with self.subTest(body):
                self.assertEqual(functions(f"struct S {{\n{body}\n}};\nvoid after() {{}}"),
                                 {"S": 1, "after": 1})  # fmt: skip

    def test_kinds_of_functions(self):
        for text, name in {
            "template <class T, int n = (1 > 0)>\nauto f(T t) -> std::vector<T> { return {}; }": "f",
            "bool S::operator==(const S& o) const { return true; }": "operator==",
            "void operator()(int a) { }": "operator()",
            "S::~S() { }": "S::~S",
            "int A::B<int>::f() const& noexcept(true) override { return 1; }": "A::B::f",
            "[[nodiscard]] constexpr int f(int a = g({1})) { return a; }": "f",
            "__global__ void __launch_bounds__(256) kernel(int* a) { }": "kernel",
            "template <class T> requires(sizeof(T) > 1) void f(T) { }": "f",
            "extern \"C\" { void f() { } }": "f",
            "namespace a::b { namespace { void f() { if (1) { } } } }": "f",
        }.items():
            with self.subTest(text):
                self.assertEqual(list(functions(text)), [name])

    def test_literals_comments_and_preprocessor_lines_do_not_confuse(self):
        text = 'void f() {\n  // {\n  /* { */ g("{\\"", \'{\', R"x({")")x", 1\'000);\n#if A\n  if (a) {\n' \
               "#else\n  if (b) {\n#endif\n  }\n}\n#define OPEN \\\n  {\nvoid g() {}"  # fmt: skip
        self.assertEqual(functions(text), {"f": 10, "g": 1})

    def test_functions_in_classes_count(self):
        text = "class C {\n public:\n  int f() const {\n    return 1;\n  }\n\n private:\n  int a_ = 0;\n};"
        self.assertEqual(functions(text), {"f": 3})
        self.assertEqual(members(text), {"C": ["a_"]})


class DataMembers(unittest.TestCase):
    def test_what_is_a_data_member(self):
        for declaration, names in {
            "int a;": ["a"],
            "int a = f(1, 2), b{3}, c[4];": ["a", "b", "c"],
            "std::vector<std::pair<int, int>> a_;": ["a_"],
            "std::function<void(int, int)> call;": ["call"],
            "alignas(64) std::atomic<int> a{0};": ["a"],
            "int (*function)(int, int) = nullptr;": ["function"],
            "[[maybe_unused]] unsigned a : 3 = 1;": ["a"],
            "mutable a::b::C c = a::b::make({1, 2});": ["c"],
            "const bool* const a = b < c ? &d : &e;": ["a"],
            "struct { int x; } a;": ["a"],
        }.items():
            with self.subTest(declaration):
                self.assertEqual(members(f"struct S {{ {declaration} }};")["S"], names)

    def test_what_is_not(self):
        for declaration in (
            "static int a;", "static constexpr int a = 1;", "using A = int;", "typedef int A;",
            "friend class B;", "class B;", "struct B { };", "struct B final : A<int> { };", "void f();",
            "S(const S&) = delete;", "S& operator=(S&&) = default;", "enum class E { a, b };",
            "template <class T> void f(T t);", "static_assert(sizeof(int) == 4);", "int f() const;",
            "explicit operator bool() const;", "auto operator<=>(const S&) const = default;",
            "virtual int f() = 0;", "std::vector<int> f(std::map<int, int> a = {});",
        ):  # fmt: skip
            with self.subTest(declaration):
                self.assertEqual(members(f"struct S {{ {declaration} }};")["S"], [])

    def test_nested_classes_have_their_own(self):
        text = "class A : public B {\n  struct N : M { int x; int y; };\n public:\n  N n_;\n};"
        self.assertEqual(members(text), {"N": ["x", "y"], "A": ["n_"]})


class Rules(unittest.TestCase):
    def check(self, files):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            for name, text in files.items():
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                (root / name).write_text(text)
            return list(check_sizes.violations(root))

    def test_each_violation_is_found(self):
        lines = "  g();\n"
        for files, expected in (
            ({"src/a/f.cpp": "\nvoid f() {\n" + lines * 59 + "}\n"}, "src/a/f.cpp:2: f has 61 lines"),
            ({"src/a/s.hpp": "struct S {\n" + "".join(f"int a{i};\n" for i in range(16)) + "};"},
             "src/a/s.hpp:1: S has 16 data members"),
            ({f"src/a/{i}.cpp": "" for i in range(26)}, "src/a:1: the folder has 26 source files"),
            ({"src/optimize/optimize.cpp": "\n" * 151},
             "src/optimize/optimize.cpp:1: the file has 151 lines, at most 150 are allowed"),
        ):  # fmt: skip
            with self.subTest(expected):
                self.assertEqual(self.check(files), [expected])

    def test_structs_of_the_public_api_may_have_many_members(self):
        text = "struct S {\n" + "".join(f"int a{i};\n" for i in range(16)) + "};"
        self.assertEqual(self.check({"include/quartz/s.hpp": text}), [])
        self.assertEqual(len(self.check({"apps/s.hpp": text})), 1)

    def test_what_is_within_the_limits_is_not(self):
        files = {f"src/a/{i}.cpp": "" for i in range(24)}
        files["src/a/f.cpp"] = "void f() {\n" + "  g();\n" * 58 + "}\n"
        files["src/a/README.md"] = ""
        files["src/optimize/optimize.cpp"] = "\n" * 150
        self.assertEqual(self.check(files), [])


if __name__ == "__main__":
    unittest.main()
