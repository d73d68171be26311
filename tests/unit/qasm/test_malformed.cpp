#include <catch2/catch.hpp>
#include <stop_token>
#include <string>
#include <vector>

#include "programs.hpp"

using namespace quartz;
using namespace quartz::test;

namespace {

struct Malformed {
  std::string program;
  std::string message;  ///< the message after the file name
};

// Complete programs.
const std::vector<Malformed> whole_programs{
    {"", "1:1: found end of file, expected 'OPENQASM 2.0;' or 'OPENQASM 3.0;'"},
    {"OPENQASM 4.0;", "1:10: found '4.0', expected the version 2.0 or 3.0"},
    {"OPENQASM 2.1;", "1:10: found '2.1', expected the version 2.0 or 3.0"},
    {"OPENQASM;", "1:9: found ';', expected the version 2.0 or 3.0"},
    {"OPENQASM 2.0\nqreg q[1];", "2:1: found 'qreg', expected ';'"},
    {"hello world", "1:1: unknown gate 'hello'"},
};

// These programs follow the two header lines of version 2, so their first line is line 3.
const std::vector<Malformed> programs_2{
    {"OPENQASM 2.0;", "3:1: 'OPENQASM' must be the first statement of a file"},
    {"include \"other.inc\";",
     "3:9: cannot include 'other.inc': the program is not read from a file, so it has no folder; "
     "expected the file in a folder of the include path"},
    {"include qelib1.inc;", "3:9: found 'qelib1', expected a string in quotes"},
    {"include \"qelib1.inc;\n",
     "3:9: the string that starts here has no closing quote in its line"},
    {"/* no end", "3:1: the comment that starts here with '/*' has no '*/'"},
    {"qreg q[0];", "3:8: found the register size 0, expected 1 or more"},
    {"qreg q[99999999999999999999];",
     "3:8: found the register size '99999999999999999999', expected at most 16777216 qubits in "
     "all"},
    {"qreg q[16777217];",
     "3:8: found the register size '16777217', expected at most 16777216 qubits in all"},
    {"qreg q[16777216]; qreg r[1];",
     "3:26: found the register size '1', expected at most 16777216 qubits in all"},
    {"qreg q[1]; rz(1e308*10) q[0];",
     "3:20: the value of the expression is out of range: its magnitude exceeds 1e300"},
    {"qreg q[1]; rz(-1e301) q[0];",
     "3:15: the value of the expression is out of range: its magnitude exceeds 1e300"},
    {"qreg q[1]; gate g(a) x { rz(1e10*a) x; } g(1e295) q[0];",
     "3:33: the value of the expression is out of range: its magnitude exceeds 1e300 (in the call "
     "of "
     "gate 'g' in line 3)"},
    {"qreg q[-1];", "3:8: found '-', expected an integer"},
    {"qreg q;", "3:7: found ';', expected '['"},
    {"qreg q[2.5];", "3:8: found '2.5', expected an integer"},
    {"qreg q[2", "3:9: found end of file, expected ']'"},
    {"qreg q[2]; qreg q[3];", "3:17: the name 'q' is already declared in line 3"},
    {"qreg q[2]; creg q[3];", "3:17: the name 'q' is already declared in line 3"},
    {"qreg q[2]; h q[2];", "3:16: index 2 is out of range: register 'q' has 2 qubits"},
    {"qreg q[2]; h q[99999999999999999999];",
     "3:16: index 99999999999999999999 is out of range: register 'q' has 2 qubits"},
    {"qreg q[2]; h r[0];", "3:14: unknown register 'r'"},
    {"qreg qubits[2]; h qbits[0];", "3:19: unknown register 'qbits'; did you mean 'qubits'?"},
    {"qreg q[2]; creg c[2]; h c[0];",
     "3:25: found the classical register 'c', expected a quantum one"},
    {"qreg q[2]; cx q[0];", "3:12: gate 'cx' takes 2 qubits, found 1"},
    {"qreg q[2]; h q[0],q[1];", "3:12: gate 'h' takes 1 qubit, found 2"},
    {"qreg q[2]; cx q[0],q[0];", "3:12: qubit 'q[0]' is used twice in one 'cx'"},
    {"qreg q[2]; cx q[1],q;", "3:12: qubit 'q[1]' is used twice in one 'cx'"},
    {"qreg q[2]; qreg r[3]; cx q,r;",
     "3:28: registers of one gate must have one size: 'q' has 2, 'r' has 3"},
    {"qreg q[2]; rz q[0];", "3:12: gate 'rz' takes 1 parameter, found 0"},
    {"qreg q[2]; rz(1,2) q[0];", "3:12: gate 'rz' takes 1 parameter, found 2"},
    {"qreg q[2]; h(1) q[0];", "3:12: gate 'h' takes 0 parameters, found 1"},
    {"qreg q[2]; hh q[0];", "3:12: unknown gate 'hh'; did you mean 'h'?"},
    {"qreg q[2]; H q[0];", "3:12: unknown gate 'H'; did you mean 'h'?"},
    {"qreg q[2]; frobnicate q[0];", "3:12: unknown gate 'frobnicate'"},
    {"qreg q[2]; sqg q[0];", "3:12: unknown gate 'sqg'; did you mean 'sdg'?"},
    {"qreg q[2];\nh q[0]\ncx q[0],q[1];", "5:1: found 'cx', expected ';'"},
    {"qreg q[2]; h q[0] q[1];", "3:19: found 'q', expected ';'"},
    {"qreg q[2]; h ;", "3:14: found ';', expected a name"},
    {"qreg q[2]; h q[0],;", "3:19: found ';', expected a name"},
    {"qreg q[2]; h q[];", "3:16: found ']', expected an integer"},
    {"qreg q[2]; h q[0;", "3:17: found ';', expected ']'"},
    {"qreg q[2]; h q[0]; }", "3:20: found '}', expected a statement"},
    {"qreg q[1]; rz( q[0];", "3:17: found '[', expected ')'"},
    {"qreg q[1]; rz(pi q[0];", "3:18: found 'q', expected ')'"},
    {"qreg q[1]; rz(1+) q[0];",
     "3:17: found ')', expected a number, 'pi', a parameter, a function or '('"},
    {"qreg q[1]; rz(theta) q[0];",
     "3:15: unknown name 'theta' in an expression, expected a number, 'pi', a parameter or a "
     "function"},
    {"qreg q[1]; rz(1/0) q[0];", "3:16: division by zero"},
    {"qreg q[1]; rz(1/(2-2)) q[0];", "3:16: division by zero"},
    {"qreg q[1]; rz(ln(0)) q[0];", "3:15: the value of the expression is not finite"},
    {"qreg q[1]; rz(sqrt(-1)) q[0];", "3:15: the value of the expression is not finite"},
    {"qreg q[1]; rz(tan(pi/2)) q[0];",
     "3:15: the tangent of an odd multiple of pi/2 is not finite"},
    {"qreg q[1]; rz(1e999) q[0];", "3:15: the number '1e999' is out of the range of a double"},
    {"qreg q[1]; rz(1e99999999999) q[0];", "3:15: the exponent of '1e99999999999' is out of range"},
    {"qreg q[1]; rz(1e-6000) q[0];", "3:15: the exponent of '1e-6000' is out of range"},
    {"qreg q[1]; rz(10^400) q[0];",
     "3:17: a power of integers of more than 996 bits is not supported"},
    {"qreg q[1]; rz(0^-1) q[0];", "3:16: division by zero"},
    {"qreg q[1]; rz(3q) q[0];", "3:15: found '3q', which is neither a number nor a name"},
    {"qreg q[1]; rz(sin) q[0];", "3:18: found ')', expected '('"},
    {"qreg q[1]; rz(foo(1)) q[0];",
     "3:15: unknown name 'foo' in an expression, expected a number, 'pi', a parameter or a "
     "function"},
    {"gate foo a { h a; ", "3:12: the gate body that starts here has no '}'"},
    {"gate foo a { h b; }", "3:16: 'b' is not a qubit of gate 'foo'"},
    {"gate foo a { foo a; }", "3:14: gate 'foo' is used in its own definition"},
    {"gate foo a { bar a; } gate bar a { h a; }", "3:14: unknown gate 'bar'"},
    {"gate foo a,a { }", "3:12: 'a' appears twice in one list"},
    {"gate foo a { } gate foo a { }", "3:21: gate 'foo' is already declared in line 3"},
    {"gate foo(t) a { rz(u) a; }",
     "3:20: unknown name 'u' in an expression, expected a number, 'pi', a parameter or a function"},
    {"gate foo a { measure a -> c; }", "3:14: 'measure' is not allowed in a gate definition"},
    {"gate foo a { h a[0]; }", "3:17: a qubit of a gate definition has no index"},
    {"gate foo a,b { cx a,a; }", "3:16: qubit 'a' is used twice in one 'cx'"},
    {"gate foo a { cx a; }", "3:14: gate 'cx' takes 2 qubits, found 1"},
    {"gate foo { }", "3:10: found '{', expected a name"},
    {"gate U a { }", "3:6: 'U' is a reserved word, expected a new name"},
    {"gate measure a { }", "3:6: 'measure' is a reserved word, expected a new name"},
    {"gate foo a { qreg q[1]; }", "3:14: 'qreg' is not allowed in a gate definition"},
    {"gate f(t) a { rz(1/t) a; }\nqreg q[1];\nf(0) q[0];",
     "3:19: division by zero (in the call of gate 'f' in line 5)"},
    {"opaque foo a; opaque foo a;", "3:22: gate 'foo' is already declared in line 3"},
    {"opaque foo;", "3:11: found ';', expected a name"},
    {"opaque h a;", "3:8: 'h' is a standard gate and cannot be declared opaque"},
    {"qreg q[2]; rzx(1) q[0],q[1]; opaque rzx(t) a,b;",
     "3:37: gate 'rzx' is declared opaque after its use by the standard gate 'rzx' in line 3"},
    {"opaque r(a,b) c; qreg q[1]; prx(1,2) q[0];",
     "3:29: the opaque declaration in line 3 hides the gate 'r' that the standard gate 'prx' is "
     "written with"},
    {"qreg q[2]; creg c[1]; measure q -> c;", "3:23: cannot measure 2 qubits into 1 bit"},
    {"qreg q[2]; creg c[1]; measure q[0];", "3:35: found ';', expected '->'"},
    {"qreg q[2]; measure q[0] -> q[1];",
     "3:28: found the quantum register 'q', expected a classical one"},
    {"qreg q[2]; creg c[1]; measure c[0] -> q[1];",
     "3:31: found the classical register 'c', expected a quantum one"},
    {"qreg q[2]; creg c[1]; measure q[0] = c[0];", "3:36: found '=', expected '->'"},
    {"qreg q[2]; creg c[2]; if(c=1) x q[0];",
     "3:27: found '=', expected '==': a condition compares a register with an integer"},
    {"qreg q[2]; creg c[2]; if(c==1.5) x q[0];", "3:29: found '1.5', expected an integer"},
    {"qreg q[2]; creg c[2]; if(c==99999999999999999999) x q[0];",
     "3:29: 2 measured bits are a number below 2^2, found a comparison with a larger one"},
    {"qreg q[2]; creg c[2]; if(q==1) x q[0];",
     "3:26: found the quantum register 'q', expected a classical one"},
    {"qreg q[2]; creg c[2]; if(d==1) x q[0];", "3:26: unknown register 'd'"},
    {"qreg q[2]; creg c[2]; if(c[0]==1) x q[0];",
     "3:27: a condition on one bit of 'c', which has 2, is not supported: expected a whole "
     "register"},
    {"qreg q[2]; creg c[2]; if(c==1) if(c==1) x q[0];",
     "3:32: OpenQASM 2 has no condition within a condition"},
    {"qreg q[2]; creg c[2]; if(c==1) qreg r[1];",
     "3:32: found 'qreg', expected an operation under the condition"},
    {"qreg q[2]; creg c[2]; if(c==1);",
     "3:31: found ';', expected an operation under the condition"},
    {"qreg q[2]; creg c[2];\nif(c==1) measure q -> c;",
     "4:10: a measurement under the condition of line 4 changes the register that it tests; an "
     "operation after it under the same condition is not supported"},
    {"qreg q[2]; creg c[2]; if(c==1) foo q[0];", "3:32: unknown gate 'foo'"},
    {"qubit[2] q;",
     "3:1: 'qubit' belongs to OpenQASM 3, but this is an OpenQASM 2 program: expected 'OPENQASM "
     "3.0;' in its first line"},
    {"for int i in [0:1] {}",
     "3:1: 'for' belongs to OpenQASM 3, but this is an OpenQASM 2 program: expected 'OPENQASM "
     "3.0;' in its first line"},
    {"qreg q[1]; barrier;", "3:19: found ';', expected a name"},
    {"qreg q[1]; reset;", "3:17: found ';', expected a name"},
    {"qreg q[1]; gphase q[0];", "3:12: gate 'gphase' takes 1 parameter, found 0"},
    {"@x", "3:1: found '@', expected a statement"},
    {"qreg q[1]; h $0;", "3:14: found '$', expected a name"},
    {"qreg q[1]; barrier q[1];", "3:22: index 1 is out of range: register 'q' has 1 qubit"},
};

// These programs follow the two header lines of version 3.
const std::vector<Malformed> programs_3{
    {"input int n;",
     "3:7: found an input of type 'int', expected 'float', 'angle', 'bool' or "
     "'duration'"},
    {"input array[angle,2] p;",
     "3:7: found an input of type 'array', expected 'float', "
     "'angle', 'bool' or 'duration'"},
    {"input float[64] pi;", "3:17: 'pi' is a reserved word, expected a new name"},
    {"input float[64] t; input angle t;", "3:32: the name 't' is already declared in line 3"},
    {"qubit t; input float t;", "3:22: the name 't' is already declared in line 3"},
    {"input float[64] t; qubit t;", "3:26: the name 't' is already declared in line 3"},
    {"qubit gate;", "3:7: 'gate' is a reserved word, expected a new name"},
    {"qubit[0] q;", "3:7: found the register size 0, expected 1 or more"},
    {"bit[2] c = \"021\";", "3:12: found '\"021\"', expected a string of up to 996 bits"},
    {"qubit q; bit c; c = 2;", "3:21: the number 2 does not fit 1 bits"},
    {"qubit q; bit c; c += 1;", "3:19: found '+=', expected '=' or an operator on bits"},
    {"qubit q; bit c; c ^= 2;", "3:22: found 2 bits, expected 1"},
    {"qubit q; bit[2] c; if (int[2](c) == 2) x q;",
     "3:34: 2 measured bits as an integer with a sign are a number from -2 to 1, found a "
     "comparison "
     "with 2"},
    {"qubit q; bit[2] c; if (int[2](c) + 1 == 0) x q;",
     "3:34: arithmetic of a signed integer from a value that depends on a measurement is not "
     "supported"},
    {"qubit q; bit[2] c; int[2] n = c; int[4] m = n;",
     "3:45: a conversion to another type of a signed integer from a value that depends on a "
     "measurement is not supported"},
    {"qubit q; bit[2] c; if (int[2](c) == uint[2](c)) x q;",
     "3:34: a comparison of integers of different types with a value that depends on a measurement "
     "is not supported"},
    {"qubit q; bit[2] c; int[2] n = 0; if (c[0]) { n = int[2](c); }",
     "3:50: a signed integer under a condition on measured bits is not supported"},
    {"extern f(complex[float[32]]);",
     "3:10: the type 'complex' of an external function is not supported"},
    {"extern f(int i);", "3:14: found 'i', expected ','"},
    {"extern x();", "3:8: the name 'x' is already that of a register, a parameter or a gate"},
    {"extern f(); gate f q {}", "3:18: the name 'f' is already that of an external function"},
    {"extern f(); int f;", "3:17: the name 'f' is already that of an external function"},
    {"bit c; extern c();", "3:15: the name 'c' is already declared in line 3"},
    {"if (true) { extern f(); }",
     "3:13: found 'extern', expected an operation under the condition"},
    {"extern f(bit[99999999]);", "3:13: found a type of 99999999 bits, expected at most 16777216"},
    {"extern f(); f(1);", "3:13: the function 'f' takes 0 arguments"},
    {"extern f(int) -> bit; f();", "3:23: the function 'f' takes 1 argument"},
    {"extern f(int); bit c; c = f(1);", "3:27: the function 'f' returns no value"},
    {"extern f() -> float; qubit q; rx(f()) q;",
     "3:34: a value of the type 'float' from an external function is not known, expected bits"},
    {"extern f() -> int; int n = f();",
     "3:28: a value of the type 'int' from an external function is not known, expected bits"},
    {"extern f() -> bit[2]; bit c; c = f();", "3:34: found 2 bits, expected 1"},
    {"extern f() -> uint[2]; bit[2] c; c = bit[3](f());", "3:38: found 3 bits, expected 2"},
    {"extern f() -> bit; int n = f(); const int m = f();",
     "3:47: a constant cannot depend on a measurement"},
    {"extern f(bit[2]); bit c; f(c);", "3:28: found 1 bits, expected 2"},
    {"extern f(int[8]); bit c; f(c);",
     "3:28: 1 measured bits as an argument of type 'int[8]' are not supported"},
    {"extern f(float); bit c; f(c);",
     "3:27: a number from a value that depends on a measurement is not supported"},
    {"extern f(float); input float x; f(x);", "3:35: found a free parameter, expected a number"},
    {"extern f(duration); f(2);", "3:23: found '2', expected a duration such as '100ns'"},
    {"extern f() -> bit; while (f()) { }",
     "3:27: a call of a subroutine in the condition of a 'while' on measured bits is not "
     "supported"},
    {"extern f() -> bit; bit c; if (c && f()) { }",
     "3:33: a call with operations on the right of '&&' may depend on the left operand: expected "
     "it in a statement before"},
    {"qubit[4] q; bit c; int n; if (c) { n = 1; } x q[n];",
     "3:49: the value of 'n' is not known: a value was assigned to it only under the condition of "
     "line 3"},
    {"qubit[4] q; bit[2] c; int n; if (c[0]) { if (c[1]) { n = 1; } x q[n]; }",
     "3:67: the value of 'n' is not known: a value was assigned to it only under the condition of "
     "line 3"},
    {"qubit[4] q; bit c; int n; if (c) { n = 1; } else { x q[n]; }",
     "3:56: the value of 'n' is not known: a value was assigned to it only under the condition of "
     "line 3"},
    {"qubit q; cc_prx(pi, 0, 7) q;", "3:10: no 'measure_ff' before this gate has the key 7"},
    {"qubit q; measure_ff q;", "3:10: gate 'measure_ff' takes 1 parameter, found 0"},
    {"qubit q; cc_prx(0) q;", "3:10: gate 'cc_prx' takes 3 parameters, found 1"},
    {"qubit q; measure_ff(0.5) q;", "3:10: the key of a feedback gate is an integer from 0 on"},
    {"qubit q; angle c = 0; measure q -> c[0];",
     "3:36: the bits of the angle 'c' are not supported: expected a type of 1 to 62 bits"},
    {"qubit q; input float t; angle[3] c = t; measure q -> c[0];",
     "3:54: the bits of the angle 'c' are not supported: its value before is not one of the type"},
    {"qubit q; input angle t; angle[3] c = t + pi/8; measure q -> c[0];",
     "3:61: the bits of the angle 'c' are not supported: its value before is not one of the type"},
    {"qubit q; bit b; angle[3] c = 0; if (b) { measure q -> c[0]; }",
     "3:55: the bits of the angle 'c' are not supported: the first of them is assigned under a "
     "condition, or the angle is declared in a block"},
    {"qubit q; angle[3] c; measure q -> c[0];",
     "3:35: the value of 'c' is not known: nothing was assigned to it"},
    {"qubit q; float[3] c = 0; measure q -> c[0];",
     "3:39: found the variable 'c', expected classical bits"},
    {"qubit q; angle[3] c = 0; measure q -> c[0]; c = pi;",
     "3:47: found '=' for an angle with measured bits, expected '<<=' or '>>='"},
    {"qubit q; angle[3] c = 0; measure q -> c[0]; c |= 1;",
     "3:47: found '|=' for an angle with measured bits, expected '<<=' or '>>='"},
    {"qubit q; angle[3] c = 0; measure q -> c[0]; if (c == 1) x q;",
     "3:51: this operation on an angle that depends on a measurement is not supported"},
    {"qubit q; angle[3] c = 0; measure q -> c[0]; angle[3] d = c;",
     "3:58: an angle that depends on a measurement is supported only as the angle of a gate"},
    {"qubit q; angle[3] c = 0; measure q -> c[0]; rx(2*c) q;",
     "3:49: this operation on an angle that depends on a measurement is not supported"},
    {"qubit q; angle[3] c = 0; measure q -> c[0]; U(c, 0, 0) q;",
     "3:45: an angle of the gate 'U' that depends on a measurement is not supported, expected 'p', "
     "'cp' or a rotation without controls"},
    {"qubit[2] q; angle[3] c = 0; measure q[0] -> c[0]; ctrl @ rx(c) q[0], q[1];",
     "3:58: an angle of the gate 'rx' that depends on a measurement is not supported, expected "
     "'p', "
     "'cp' or a rotation without controls"},
    {"qubit q; angle[3] c = 0; measure q -> c[0]; pow(0.5) @ p(c) q;",
     "3:56: an angle of the gate 'p' that depends on a measurement is not supported, expected 'p', "
     "'cp' or a rotation without controls"},
    {"qubit q; angle[3] c = 0; measure q -> c[0]; gphase(c);",
     "3:52: this value depends on a measurement, expected a known one"},
    {"opaque CX a, b;", "3:8: 'CX' is a reserved word, expected a new name"},
    {"qubit[2] q; bit c; c = measure q;", "3:24: cannot measure 2 qubits into 1 bit"},
    {"qubit q; bit c; d = measure q;", "3:17: unknown register 'd'"},
    {"qubit[2] q; h q[-3];", "3:17: index -3 is out of range: register 'q' has 2 qubits"},
    {"h $;", "3:3: expected a physical qubit '$0' to '$16777215'"},
    {"h $ 0;", "3:3: expected a physical qubit '$0' to '$16777215'"},
    {"h $16777216;", "3:3: expected a physical qubit '$0' to '$16777215'"},
    {"cx $1,$1;", "3:1: qubit '$1' is used twice in one 'cx'"},
    {"qubit q; h $0;", "3:12: registers and physical qubits in one program are not supported"},
    {"h $0; qubit q;", "3:13: registers and physical qubits in one program are not supported"},
    {"h $0; barrier;",
     "3:14: found ';', expected physical qubits, because their number is not declared"},
    {"bit c; c = measure q; $0 = measure q;", "3:20: unknown register 'q'"},
    {"unknown[0 = 1;", "3:1: unknown register 'unknown'"},
    {"qubit q; gate g a { x a; }\n@a\ng q;",
     "4:1: an operation with annotations names 'g', expected numbers, registers and gates of the "
     "standard file"},
    {"const int n = 2; qubit[2] q;\n@a\npow(n) @ x q[0];",
     "4:1: an operation with annotations names 'n', expected numbers, registers and gates of the "
     "standard file"},
    {"const int n = 2; qubit[2] q;\n@a\ninv /* why */ @ x q[n - 1];",
     "4:1: the modifiers of an operation with annotations must not contain comments"},
    {"def f() -> int { return 1; } qubit[2] q;\n@a\nx q[f()];",
     "4:1: an operation with annotations must not call subroutines"},
    {"qubit q; angle[3] c = 0; measure q -> c[0];\n@a\np(c) q;",
     "4:1: an angle of an operation with annotations depends on a measurement, expected a known "
     "one"},
    {"gate g a {\n@a\nx a; }",
     "4:1: annotations ('@') in the definition of a gate are not supported, because calls of the "
     "gate are expanded"},
    {"qubit q; if (true) { x q;\n@a\n}",
     "4:1: an annotation ('@') belongs to the statement after it, which must not be empty and no "
     "pragma"},
    {"@a\n;",
     "3:1: an annotation ('@') belongs to the statement after it, which must not be empty and no "
     "pragma"},
    {"@a\n#pragma vendor x",
     "3:1: an annotation ('@') belongs to the statement after it, which must not be empty and no "
     "pragma"},
    {"@a\n",
     "3:1: an annotation ('@') belongs to the statement after it, which must not be empty and no "
     "pragma"},
    {"#nonsense x", "3:1: found '#', expected a statement"},
    {"#pragma braket abcd", "3:1: the pragma 'braket abcd' is not supported"},
    {"const float p = 0.1; qubit q;\n#pragma braket noise bit_flip(p) q",
     "4:1: the pragma names 'p', expected numbers and registers of qubits"},
    {"#pragma braket noise bit_flip(0.1) q",
     "3:1: the pragma names 'q', expected numbers and registers of qubits"},
    {"qubit q; if (true) {\n#pragma braket noise bit_flip(0.1) q\n}",
     "4:1: a pragma that acts on qubits is supported only outside of blocks"},
    {"#pragma braket verbatim\nqubit q;",
     "4:1: found 'qubit', expected 'box' after '#pragma braket verbatim'"},
    {"box name { }", "3:5: found 'name', expected '{'"},
    {"input float a; qubit q; rz(a^2) q;", "3:29: found the value a, expected an integer"},
    {"input float a; qubit q; rz(9223372036854775807*a/7*11) q;",
     "3:51: the multiples of the free parameter 'a' do not fit 64-bit fractions"},
    {"qubit q; rz(3/4*pi) q;",
     "3:14: OpenQASM 3 truncates the quotient of the integers 3 and 4: write 3.0/4 for the "
     "fraction"},
    {"qubit q; rz(2.5^3) q;", "3:16: found the value 2.5, expected an integer"},
    {"qubit q; rz(pi", "3:15: found end of file, expected ')'"},
    {"qubit q; bit c; if (c) { c = measure q; } else { y q; }",
     "3:43: a measurement before this 'else' changes what it depends on"},
    {"qubit q; bit c; if (c) { c = measure q; x q; }",
     "3:41: a measurement under the condition of line 3 changes the register that it tests; an "
     "operation after it under the same condition is not supported"},
    {"qubit q; bit c; if (c) { x q;", "3:24: the block that starts here has no '}'"},
    {"qubit q; bit c; if (c) { qubit r; }",
     "3:26: found 'qubit', expected an operation under the condition"},
    {"qubit q; bit c; if (c * 2 == 1) x q;",
     "3:23: this operation on a value that depends on a measurement is not supported; bits that "
     "never change are known if they are declared 'const'"},
    {"qubit q; bit c; if (c) while (c) { c = measure q; }",
     "3:24: a 'while' on measured bits within a condition on measured bits is not supported"},
    {"gate foo a { reset a; }", "3:14: 'reset' is not allowed in a gate definition"},
    {"gate foo a { gphase(1,2); }", "3:14: gate 'gphase' takes 1 parameter, found 2"},
    {"gate foo(n) a { for int i in [0:n] { h a; } }",
     "3:33: expected a constant, found one that depends on a gate parameter"},
    {"gate foo(n) a { for int n in [0:1] { h a; } }",
     "3:25: the variable of the loop has the name of a parameter or a qubit of gate 'foo'"},
    {"gate foo a { for int a in [0:1] { h a; } }",
     "3:22: the variable of the loop has the name of a parameter or a qubit of gate 'foo'"},
    {"gate foo a { for int i in [0:1] { h a; break; } }",
     "3:40: 'break' is not allowed in a gate definition"},
    {"gate foo a { for int i in [0:1] { h a; }", "3:12: the gate body that starts here has no '}'"},
    {"gate foo a { for int i in [0:1] { h a;", "3:33: the block that starts here has no '}'"},
    {"qubit q; rx(pow(2)) q;", "3:18: found ')', expected ','"},
    {"qubit q; rx(pow(2, 3, 4)) q;", "3:21: found ',', expected ')'"},
    {"gate U a {}", "3:6: 'U' is a reserved word, expected a new name"},
    {"gate delay a {}", "3:6: 'delay' is a reserved word, expected a new name"},
    {"opaque rzz(t) a,b; qubit[2] q; rxx(1) q[0],q[1];",
     "3:32: the opaque declaration in line 3 hides the gate 'rzz' that the standard gate 'rxx' is "
     "written with"},
    {"qubit[2] q; rxx(1) q[0],q[1]; opaque rzz(t) a,b;",
     "3:38: gate 'rzz' is declared opaque after its use by the standard gate 'rxx' in line 3"},
    {"barrier;", "3:1: a barrier needs a qubit"},
    // Programs with modifiers.
    {"qubit[2] q; ctrl x q[0],q[1];", "3:18: found 'x', expected '@'"},
    {"qubit[2] q; ctrl @ x q[0];", "3:20: gate 'x' takes 2 qubits with its controls, found 1"},
    {"qubit[2] q; ctrl @ x q[0],q[0];", "3:20: qubit 'q[0]' is used twice in one 'x'"},
    {"qubit[2] q; ctrl(0) @ x q[0];", "3:18: found 0 for the modifier 'ctrl'"},
    {"qubit[2] q; ctrl(33) @ x q[0];", "3:13: more than 32 controls are not supported"},
    {"qubit[2] q; ctrl(20) @ negctrl(13) @ x q[0];",
     "3:24: more than 32 controls are not supported"},
    {"qubit q; pow @ x q;", "3:14: found '@', expected '(' and the exponent"},
    {"qubit q; pow((1/2)) @ x q;",
     "3:16: OpenQASM 3 truncates the quotient of the integers 1 and 2: write 1.0/2 for the "
     "fraction"},
    {"qubit q; pow(0.5) @ u2(0,1) q;", "3:10: a fractional power of this gate is not supported"},
    {"qubit q; pow(0.5) @ rx(2*pi) q;",
     "3:10: a fractional power of a rotation is supported only for a known angle between -2*pi and "
     "2*pi, for which the principal power is the rotation by a part of it"},
    {"input float t; qubit q; pow(0.5) @ p(t) q;",
     "3:25: a fractional power of a phase gate is supported only for a known angle, because its "
     "principal value depends on the angle modulo 2*pi"},
    {"qubit q; { qubit r; }", "3:12: found 'qubit', expected an operation under the block"},
    {"qubit q; { h q; int n = 1; } rx(n) q;",
     "3:33: unknown name 'n' in an expression, expected a number, 'pi', a parameter or a function"},
    {"qubit q; { h q;", "3:10: the block that starts here has no '}'"},
    {"qubit q; pow(pi) @ x q;", "3:14: found the value pi, expected an integer"},
    {"qubit q; pow(100000000) @ u2(0,1) q;",
     "3:10: the modified gate has more than 2097152 operations"},
    {"gate g a { pow(2000) @ u2(0,1) a; } qubit q; pow(9000000000000000000) @ inv @ g q;",
     "3:46: the modified gate has more than 2097152 operations"},
    {"qubit q; inv @ measure q;", "3:16: unknown gate 'measure'"},
    {"qubit q; inv @ frob q;", "3:16: unknown gate 'frob'"},
    {"qubit q; inv @ gphase(1) q;", "3:16: gate 'gphase' takes 0 qubits, found 1"},
    {"opaque magic a; qubit q; inv @ magic q;",
     "3:32: modifiers of the opaque gate 'magic' are not supported"},
    {"gate foo(t) a { pow(t) @ x a; }",
     "3:21: expected a constant, found one that depends on a gate parameter"},
    {"qubit[7] q; ctrl(6) @ p(0.123456789012345678) q[0],q[1],q[2],q[3],q[4],q[5],q[6];",
     "3:13: the angles of the modified gate 'p' do not fit 64-bit fractions"},
    {"opaque ccz a,b,c; qubit[3] q; ctrl(2) @ z q[0],q[1],q[2];",
     "3:41: the opaque declaration in line 3 hides the gate 'ccz' that the standard gate 'z' is "
     "written with"},
    // Programs with constants.
    {"const int n;", "3:12: found ';', expected '='"},
    {"const int n = 1.5;", "3:15: found the value 1.5, expected one of type 'int'"},
    {"const uint n = -1;", "3:16: found the value -1, expected one of type 'uint'"},
    {"const complex c = 1;",
     "3:7: found a constant of type 'complex', expected 'int', 'uint', 'float', 'angle', 'bool' or "
     "'bit'"},
    {"input float t; const float x = 2*t;",
     "3:32: a constant cannot depend on the free parameter 't'"},
    {"const int n = 1; const int n = 2;", "3:28: the name 'n' is already declared in line 3"},
    {"const int n = 2; qubit[n/3] q;",
     "3:25: OpenQASM 3 truncates the quotient of the integers 2 and 3: write 2.0/3 for the "
     "fraction"},
    {"const float n = 2; qubit[n] q;", "3:26: found the value 2, expected an integer"},
    {"input float t; gate foo a { rz(t) a; }",
     "3:32: unknown name 't' in an expression, expected a number, 'pi', a parameter or a "
     "function"},
    // Programs with indices, slices and aliases.
    {"let a = q;", "3:9: unknown register 'q'"},
    {"qubit[3] q; let a = q[0:1] ++ q[1];", "3:17: the alias 'a' contains an element twice"},
    {"qubit[3] q; let a = q[0] + q[1];", "3:28: found 'q', expected '+'"},
    {"qubit[3] q; let q = q[0];", "3:17: the name 'q' is already declared in line 3"},
    {"qubit[3] q; bit[3] c; let a = q[0] ++ c[0];",
     "3:39: found the classical register 'c', expected a quantum one"},
    {"qubit[3] q; let a = q[1:2]; h a[2];",
     "3:33: index 2 is out of range: register 'a' has 2 qubits"},
    {"qubit[3] q; h q[0:3];", "3:19: index 3 is out of range: register 'q' has 3 qubits"},
    {"qubit[3] q; h q[2:1];", "3:17: found an empty range"},
    {"qubit[3] q; h q[0:0:2];", "3:19: found the step 0 in a range"},
    {"qubit[3] q; h q[{0, 0}];", "3:17: the list contains an index twice"},
    {"qubit[3] q; h q[{0, 3}];", "3:21: index 3 is out of range: register 'q' has 3 qubits"},
    {"qubit[3] q; h q[0, 1];", "3:18: found ',', expected ']'"},
    {"qubit[3] q; h q[pi];", "3:17: found the value pi, expected an integer"},
    {"qubit[4] q; bit[4] c; c[0:1] = measure q[0:2];", "3:32: cannot measure 3 qubits into 2 bits"},
    {"qubit[2] q; bit[2] c; bit[2] e; let d = c ++ e; if (d == 1) x q;",
     "3:53: an alias of bits of several registers in an expression is not supported"},
    // Programs with loops.
    {"qubit q; for int i in [0:1] { x r; }", "3:33: unknown register 'r'"},
    {"qubit q; for int i in [0:0:1] x q;", "3:26: found the step 0 in a range"},
    {"qubit q; for int i in q x q;",
     "3:23: found 'q', expected a range such as [0:3], or a list in braces: loops over anything "
     "but "
     "constants are not supported"},
    {"qubit q; for int i of [0:1] x q;", "3:20: found 'of', expected 'in'"},
    {"qubit q; for int q in [0:1] x q;", "3:31: found the variable 'q', expected qubits"},
    {"qubit q; for int pi in [0:1] x q;", "3:18: 'pi' is a reserved word, expected a new name"},
    {"qubit q; for int i in [0:1] { qubit r; }",
     "3:31: found 'qubit', expected an operation under the loop"},
    {"break; qubit q;", "3:1: 'break' belongs in a loop"},
    {"qubit q; bit c; for int i in [0:1] { if (c) break; }",
     "3:45: 'break' under a condition on measured bits is not supported"},
    {"qubit q; for int i in [0:1] { x q;", "3:29: the block that starts here has no '}'"},
    {"qubit q; for int i in [1:0] { x q;", "3:29: the block that starts here has no '}'"},
    {"qubit q; for int i in [0:1] x q; rz(i) q;",
     "3:37: unknown name 'i' in an expression, expected a number, 'pi', a parameter or a "
     "function"},
    {"for int i in [0:1000000000000] {}",
     "3:14: the circuit is too large: expanded, it has more than 33554432 operations"},
    // Delays, and other statements that do not describe a circuit.
    {"qubit q; delay[10] q;", "3:16: found '10', expected a duration such as '100ns'"},
    {"delay[10ns];", "3:12: found ';', expected the qubits to wait"},
    {"qubit q; rz(10ns) q;",
     "3:13: found '10ns', expected a number, 'pi', a parameter, a function or '('"},
    {"cal { }", "3:1: 'cal' is not supported: circuits have no pulses"},
    {"defcal x $0 { }", "3:1: 'defcal' is not supported: circuits have no pulses"},
    {"output int c;", "3:8: found 'int', expected 'bit': outputs of other types are not supported"},
    {"output bit c = measure $0;", "3:14: found '=', expected ';'"},
    {"input bool b; if (b > 99999999999999999999) x $0;",
     "3:21: 1 measured bits are a number below 2^1, found a comparison with a larger one"},
    {"end;", "3:1: 'end' is not supported in OpenQASM 3 programs yet"},
    // Programs with variables.
    {"int[4] i = 8;", "3:12: the number 8 does not fit an integer of 4 bits"},
    {"int i; int i;", "3:12: the name 'i' is already declared in line 3"},
    {"int i; qubit[i] q;", "3:14: the value of 'i' is not known: nothing was assigned to it"},
    {"const int n = 1; n = 2;", "3:18: 'n' is not a variable and cannot be changed"},
    {"qubit q; bit c; int i = c; c = measure q; if (i == 1) x q;",
     "3:47: the value of 'i' is not known: it depends on a bit that has changed in line 3"},
    {"qubit q; bit c; bit d; def f(qubit a) -> bit { c = measure a; return c; } d = c ^ f(q);",
     "3:52: this changes a bit that the calling expression has read before, which is not "
     "supported"},
    {"qubit q; bit c; def f(qubit a) -> int { c = measure a; return 1; } int n = c; n = n + f(q);",
     "3:45: this changes a bit that the calling expression has read before, which is not "
     "supported"},
    {"qubit q; bit c; def f(qubit a) -> int { c = measure a; return 1; } def g(bit b, int n) { } "
     "g(c, f(q));",
     "3:45: this changes a bit that the calling expression has read before, which is not "
     "supported"},
    {"qubit q; bit c; def f(qubit a) -> bit { c = measure a; return c; } bit d = f(q) ^ f(q);",
     "3:45: this changes a bit that the calling expression has read before, which is not "
     "supported"},
    {"qubit q; bit c; def f(qubit a) -> bit { c = measure a; return c; } while (f(q)) { x q; }",
     "3:75: a call of a subroutine in the condition of a 'while' on measured bits is not "
     "supported"},
    // Also a variable that an inner scope hides is forgotten.
    {"qubit q; bit c; int n = c; def f(int n, qubit a) { c = measure a; } f(1, q); if (n == 1) x "
     "q;",
     "3:82: the value of 'n' is not known: it depends on a bit that has changed in line 3"},
    {"qubit q; bit c; int n = c; if (true) { int n; while (c) { c = measure q; } } if (n == 1) x "
     "q;",
     "3:82: the value of 'n' is not known: the loop of line 3 may change it"},
    {"qubit q; bit c; float f = 1; if (c) { f = 2; } rx(f) q;",
     "3:51: the value of 'f' is not known: line 3 assigns a number to it under a condition on "
     "measured bits"},
    {"qubit q; bit c; int i = c; rx(i) q;",
     "3:31: this value depends on a measurement, expected a known one"},
    {"qubit q; bit c; int n = 0; while (c && n < 2) { c = measure q; n += 1; }",
     "3:40: the value of 'n' is not known: the loop of line 3 may change it"},
    {"int i = 0; while (i < 1) { }",
     "3:19: the loop does not end: its body is empty, and its condition is true"},
    {"int i = 0; while (i < 1) { i = 0; }",
     "3:12: the circuit is too large: expanded, it has more than 33554432 operations"},
    {"int n; switch (1) { 0: { } }", "3:21: found '0', expected 'case' or 'default'"},
    {"qubit q; switch (3) { case 3 { x q; } case 3 { y q; } }",
     "3:44: found the label 3 of this switch a second time"},
    {"qubit q; switch (3) { case 1, 1 { x q; } }",
     "3:31: found the label 1 of this switch a second time"},
    {"qubit[2] q; bit[2] c; c = measure q; switch (c) { case 1 { x q; } case 2, 0x1 { y q; } }",
     "3:75: found the label 1 of this switch a second time"},
    {"qubit q; switch (3) { default { x q; } case 3 { y q; } }",
     "3:40: found 'case', expected '}': 'default' is the last case"},
    {"qubit q; rx((1 << 996) * 1e-300) q;",
     "3:16: the result of '<<' has more than 996 bits, which is not supported"},
    {"qubit q; uint[4] n = 3; if (n[4]) x q;",
     "3:30: found the index 4 of a bit, expected at most 3"},
    {"qubit q; int n = 1; n = uint[18446744073709551616 + 8](n);",
     "3:30: the integer 18446744073709551624 does not fit 64 bits"},
    // Programs with subroutines.
    {"def f(qubit q) { h q;", "3:16: the block that starts here has no '}'"},
    {"def f(qubit q) { h r; } qubit q; f(q);", "3:20: unknown register 'r'"},
    {"def f(qubit q) { f(q); } qubit q; f(q);", "3:18: calls are nested more than 50 deep"},
    {"def f(qubit[2] q) { h q; } qubit q; f(q);", "3:39: found 1 qubit, expected 2"},
    {"def f(qubit a, qubit b) { } qubit q; f(q, q);",
     "3:38: a qubit is used twice in the arguments of 'f'"},
    {"def f(qubit a) { } qubit q; f(q, q);", "3:29: the subroutine 'f' takes 1 argument"},
    {"def f(int n) { } int k = f(1);", "3:26: the subroutine 'f' returns no value"},
    {"if (true) { duration d = 1ns; }",
     "3:13: a duration is declared outside of blocks, except boxes"},
    {"const duration d;", "3:17: found ';', expected '='"},
    {"qubit[3] q; h q[{0, 2}][2];", "3:25: index 2 is out of range: register 'q' has 2 qubits"},
    {"qubit[3] q; h q[0][0];", "3:19: found '[', expected ';'"},
    {"duration d = 1;", "3:14: found '1', expected a duration such as '100ns'"},
    {"stretch s; qubit q; delay[s + n] q;", "3:31: found 'n', expected a duration such as '100ns'"},
    {"stretch s; qubit q; delay[s + 1] q;",
     "3:29: found a duration and a number at '+', expected two durations"},
    {"qubit q; delay[2ns*3ns] q;",
     "3:19: found the product of two durations, expected one and a number"},
    {"qubit q; delay[2/3ns] q;", "3:17: a number cannot be divided by a duration"},
    {"qubit q; delay[4ns/2ns] q;", "3:16: found '4ns', expected a duration such as '100ns'"},
    {"qubit q; const duration d = 5ns; delay[2*d - 0.1us] q;",
     "3:40: found the negative duration '2*d-0.1us', expected 0 or more"},
    {"box[-3dt] { }", "3:5: found the negative duration '-3dt', expected 0 or more"},
    {"stretch s = -1ns;", "3:13: found the negative duration '-1ns', expected 0 or more"},
    {"duration d = duration(200ns);",
     "3:14: found 'duration', expected a duration such as '100ns'"},
    {"stretch s; s = 5ns;", "3:12: 's' is not a variable and cannot be changed"},
    {"const duration d = 1ns; d = 5ns;", "3:25: 'd' is not a variable and cannot be changed"},
    {"input duration d = 1ns;", "3:18: found '=', expected ';'"},
    {"duration d; d = 2;", "3:17: found '2', expected a duration such as '100ns'"},
    {"duration d; d *= 2ns;", "3:18: found a duration, expected a number for '*='"},
    {"duration d; d ^= 2;", "3:15: found '^=', expected '=', '+=', '-=', '*=' or '/='"},
    {"box { duration d = 1ns; } d = 2ns;", "3:27: unknown register 'd'"},
    {"box { duration d = 1ns; } bit d;", "3:31: the name 'd' is already that of a duration"},
    {"input float x; qubit q; delay[x*1ns] q;",
     "3:31: found a free parameter in a duration, expected a known number"},
    {"bit c; qubit q; int n = c; delay[n*1ns] q;",
     "3:34: this value depends on a measurement, expected a known one"},
    {"duration d = durationof(x);", "3:25: found 'x', expected '{'"},
    {"duration d = durationof({});", "3:25: found no gate whose duration to take"},
    {"duration d = durationof({x $0, $1;});", "3:26: gate 'x' takes 1 qubit, found 2"},
    {"qubit[2] q; duration d = durationof({x q;});", "3:40: found a register, expected a qubit"},
    {"gate f a { } qubit q; duration d = durationof({f q;});",
     "3:48: the duration of 'f' is not supported: expected a gate of 'stdgates.inc', which the "
     "program includes"},
    {"qubit h; duration d = durationof({x h;});",
     "3:35: the duration of a standard gate is not supported in a program that gives the name of "
     "one another meaning"},
    {"box { nop; }", "3:10: found ';', expected the qubits of the box"},
    {"stretch s; int s;", "3:16: the name 's' is already that of a duration"},
    {"return;", "3:1: 'return' belongs in a subroutine"},
};

void check(const std::string& header, const std::vector<Malformed>& programs) {
  for (const Malformed& each : programs) {
    INFO(each.program);
    CHECK(error_of(header + each.program) == "test:" + each.message);
  }
}

/// Returns definitions g0, g1, ..., each of which calls the previous one `calls` times.
std::string tower_of_definitions(int levels, int calls) {
  std::string program = "gate g0 a { }\n";
  for (int i = 1; i < levels; ++i) {
    program += "gate g" + std::to_string(i) + " a {";
    for (int call = 0; call < calls; ++call) program += " g" + std::to_string(i - 1) + " a;";
    program += " }\n";
  }
  return program;
}

}  // namespace

TEST_CASE("Errors of malformed programs name the location, what was found and what was expected") {
  check("", whole_programs);
  check(version_2, programs_2);
  check(version_3, programs_3);
}

TEST_CASE("Bytes that are not text are refused") {
  CHECK(error_of(std::string("OPENQASM 2.0;\0", 14)) ==
        "test:1:14: found a zero byte, expected OpenQASM text");
  CHECK(error_of("\x7F"
                 "ELF\x01") == "test:1:1: found the byte 0x7f, expected OpenQASM text");
  CHECK(error_of("\xFF\xFEO") == "test:1:1: found the byte 0xff, which is not valid UTF-8");
  CHECK(error_of(version_2 + "qreg q[1]; h q\xC3;") ==
        "test:3:15: found the byte 0xc3, which is not valid UTF-8");
}

TEST_CASE("Columns count characters, and long texts are shortened in messages") {
  CHECK(error_of(version_3 + "qubit θ; /* é */ hh θ;") ==
        "test:3:18: unknown gate 'hh'; did you mean 'h'?");
  CHECK(error_of(version_2 + std::string(1000, 'x') + " q[0];") ==
        "test:3:1: unknown gate '" + std::string(40, 'x') + "...'");
}

TEST_CASE("Deep nesting is refused without a stack overflow") {
  const std::string message = "test:3:216: the expression is nested more than 200 deep";
  const std::string start = version_2 + "qreg q[1]; rz(";
  CHECK(error_of(start + std::string(100000, '(') + "1" + std::string(100000, ')') + ") q[0];") ==
        message);
  CHECK(error_of(start + std::string(100000, '-') + "1) q[0];") == message);
  CHECK(error_of(version_2 + tower_of_definitions(256, 1) + "qreg q[1]; g255 q[0];") == "no error");
  CHECK(error_of(version_2 + tower_of_definitions(300, 1)) ==
        "test:259:15: gate definitions are nested more than 256 deep");
}

TEST_CASE("A small file that expands to an extremely large circuit is refused") {
  CHECK(error_of(version_2 + tower_of_definitions(60, 2) + "qreg q[1];\ng59 q[0];") ==
        "test:64:1: the circuit is too large: expanded, it has more than 33554432 operations");
  // The definition alone is not an error.
  CHECK(error_of(version_2 + tower_of_definitions(60, 2)) == "no error");
}

TEST_CASE("Sums of very many free parameters are refused") {
  std::string program = version_3;
  std::string sum = "0";
  for (int i = 0; i < 300; ++i) {
    program += "input float p" + std::to_string(i) + ";";
    sum += "+p" + std::to_string(i);
  }
  CHECK_THAT(error_of(program + "\nqubit q; rz(" + sum + ") q;"),
             Catch::EndsWith("an expression with more than 256 free parameters is not supported"));
}

TEST_CASE("Excessive modifiers are refused at the first one beyond the limit") {
  std::string modifiers;
  for (int i = 0; i < 200'000; ++i) modifiers += "inv @ ";
  CHECK(error_of(version_3 + "qubit q; " + modifiers + "x q;") ==
        "test:3:1546: a gate with more than 256 modifiers is not supported");
  CHECK(error_of(version_3 + "gate g q { " + modifiers + "x q; }") ==
        "test:3:1548: a gate with more than 256 modifiers is not supported");
  CHECK(parse_3("qubit q; " + modifiers.substr(0, std::string("inv @ ").size() * 256) + "s q;")
            .operations.size() == 1);
}

TEST_CASE("Small programs of large circuits are refused immediately") {
  const std::vector<std::string> programs{
      "qubit q; for int i in [0:1000000000000] { x q; }",
      "qubit q; for int i in [0:1000000000000] { }",
      "qubit q; for int i in [0:1000000] { for int j in [0:1000000] { x q; } }",
      "gate g q { h q; t q; } qubit q; pow(1000000000000) @ g q;",
      "gate g q { h q; t q; } qubit q; pow(3000) @ pow(3000) @ g q;",
      "qubit[99999999999999999999999999] q;",
      "const int n = 1000000000000; qubit[n] q;",
      "qubit q; rx(" + std::string(100'000, '(') + "1" + std::string(100'000, ')') + ") q;",
      "qubit q; rx(" + std::string(100'000, '-') + "1) q;",
      "bit c; qubit q; if (" + std::string(100'000, '(') + "c" + std::string(100'000, ')') +
          ") { x q; }",
      "bit c; qubit q; if (" + std::string(100'000, '!') + "c) { x q; }",
  };
  for (const std::string& program : programs) {
    INFO(program.substr(0, 100));
    CHECK(error_of(version_3 + program).starts_with("test:3:"));
  }
  std::string doubling = "gate g0 q { x q; }\n";
  for (int i = 1; i < 64; ++i) {
    const std::string before = "g" + std::to_string(i - 1) + " q; ";
    doubling += "gate g" + std::to_string(i) + " q { " + before + before + "}\n";
  }
  CHECK(error_of(version_3 + doubling + "qubit q; g63 q;").find("the circuit is too large") !=
        std::string::npos);
}

TEST_CASE("Reading and writing programs stop when a stop is requested") {
  std::stop_source source;
  source.request_stop();
  CHECK_THROWS_AS(parse_qasm(version_2 + "qreg q[1]; h q;", "test", source.get_token()), Stopped);
  const Circuit circuit = parse_2("qreg q[2048]; h q;");
  CHECK_THROWS_AS(write_qasm(circuit, source.get_token()), Stopped);
}
