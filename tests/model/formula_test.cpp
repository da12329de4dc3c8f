#include "carom/model/formula.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "carom/base/error.h"

namespace carom {
namespace {

struct Closed {
  const char* text;
  double (*value)(double);
  double (*rate)(double);
  double (*acceleration)(double);
};

class Derivatives : public ::testing::TestWithParam<Closed> {};

TEST_P(Derivatives, AreThoseOfTheClosedForm) {
  const Formula formula(GetParam().text);
  for (const double t : {0.1, 0.37, 0.8}) {
    const Jet jet = formula.at(t);
    const auto near = [](double a, double b) { return std::abs(a - b) <= 1e-13 * (1 + std::abs(b)); };
    EXPECT_TRUE(near(jet.value, GetParam().value(t))) << jet.value << " at " << t;
    EXPECT_TRUE(near(jet.rate, GetParam().rate(t))) << jet.rate << " at " << t;
    EXPECT_TRUE(near(jet.acceleration, GetParam().acceleration(t))) << jet.acceleration << " at " << t;
  }
}

using std::cos;
using std::cosh;
using std::exp;
using std::log;
using std::pow;
using std::sin;
using std::sinh;
using std::sqrt;
using std::tan;
using std::tanh;
using T = double;
const std::vector<Closed> kClosed = {
    Closed{"0.01*sin(2*pi*5*t)", [](T t) { return 0.01 * sin(10 * std::numbers::pi * t); },
           [](T t) { return 0.1 * std::numbers::pi * cos(10 * std::numbers::pi * t); },
           [](T t) { return -std::numbers::pi * std::numbers::pi * sin(10 * std::numbers::pi * t); }},
    Closed{"3", [](T) { return 3.0; }, [](T) { return 0.0; }, [](T) { return 0.0; }},
    Closed{"-t^2", [](T t) { return -t * t; }, [](T t) { return -2 * t; }, [](T) { return -2.0; }},
    Closed{"2 - 3*t + t*t/4", [](T t) { return 2 - 3 * t + t * t / 4; }, [](T t) { return -3 + t / 2; },
           [](T) { return 0.5; }},
    Closed{"1/(1+t)", [](T t) { return 1 / (1 + t); }, [](T t) { return -1 / pow(1 + t, 2); },
           [](T t) { return 2 / pow(1 + t, 3); }},
    Closed{"t^t", [](T t) { return pow(t, t); }, [](T t) { return pow(t, t) * (log(t) + 1); },
           [](T t) { return pow(t, t) * (pow(log(t) + 1, 2) + 1 / t); }},
    Closed{"t^2.5", [](T t) { return pow(t, 2.5); }, [](T t) { return 2.5 * pow(t, 1.5); },
           [](T t) { return 3.75 * sqrt(t); }},
    Closed{"2^t", [](T t) { return pow(2, t); }, [](T t) { return pow(2, t) * log(2); },
           [](T t) { return pow(2, t) * log(2) * log(2); }},
    Closed{"exp(-3*t)", [](T t) { return exp(-3 * t); }, [](T t) { return -3 * exp(-3 * t); },
           [](T t) { return 9 * exp(-3 * t); }},
    Closed{"log(1+t)", [](T t) { return log(1 + t); }, [](T t) { return 1 / (1 + t); },
           [](T t) { return -1 / pow(1 + t, 2); }},
    Closed{"sqrt(t)", [](T t) { return sqrt(t); }, [](T t) { return 0.5 / sqrt(t); },
           [](T t) { return -0.25 / (t * sqrt(t)); }},
    Closed{"tan(t)", [](T t) { return tan(t); }, [](T t) { return 1 / pow(cos(t), 2); },
           [](T t) { return 2 * tan(t) / pow(cos(t), 2); }},
    Closed{"asin(t)", [](T t) { return std::asin(t); }, [](T t) { return 1 / sqrt(1 - t * t); },
           [](T t) { return t / pow(1 - t * t, 1.5); }},
    Closed{"acos(t)", [](T t) { return std::acos(t); }, [](T t) { return -1 / sqrt(1 - t * t); },
           [](T t) { return -t / pow(1 - t * t, 1.5); }},
    Closed{"atan(t)", [](T t) { return std::atan(t); }, [](T t) { return 1 / (1 + t * t); },
           [](T t) { return -2 * t / pow(1 + t * t, 2); }},
    Closed{"sinh(t)", [](T t) { return sinh(t); }, [](T t) { return cosh(t); }, [](T t) { return sinh(t); }},
    Closed{"cosh(2*t)", [](T t) { return cosh(2 * t); }, [](T t) { return 2 * sinh(2 * t); },
           [](T t) { return 4 * cosh(2 * t); }},
    Closed{"tanh(t)", [](T t) { return tanh(t); }, [](T t) { return 1 / pow(cosh(t), 2); },
           [](T t) { return -2 * tanh(t) / pow(cosh(t), 2); }},
    Closed{"abs(t-0.5)*1", [](T t) { return std::abs(t - 0.5); }, [](T t) { return t < 0.5 ? -1.0 : 1.0; },
           [](T) { return 0.0; }},
    Closed{"step(t-0.5)", [](T t) { return t > 0.5 ? 1.0 : 0.0; }, [](T) { return 0.0; }, [](T) { return 0.0; }},
    Closed{"min(t, 0.3) + max(t, 0.3)", [](T t) { return t + 0.3; }, [](T) { return 1.0; }, [](T) { return 0.0; }},
    Closed{"sin(t)*exp(t)/(2+cos(t))", [](T t) { return sin(t) * exp(t) / (2 + cos(t)); },
           [](T t) {
             const T n = 2 + cos(t);
             return exp(t) * (sin(t) + cos(t)) / n + exp(t) * sin(t) * sin(t) / (n * n);
           },
           [](T t) {
             const T n = 2 + cos(t), s = sin(t), c = cos(t);
             return exp(t) *
                    (2 * c / n + (s + c) * s / (n * n) + (s * s + 2 * s * c) / (n * n) + 2 * s * s * s / (n * n * n));
           }}};

INSTANTIATE_TEST_SUITE_P(Formulas, Derivatives, ::testing::ValuesIn(kClosed));

TEST(Formula, PrecedenceIsThatOfMathematics) {
  EXPECT_EQ(evaluate("2+3*4^2/8-1"), 7);
  EXPECT_EQ(evaluate("2^3^2"), 512);
  EXPECT_EQ(evaluate("-2^2"), -4);
  EXPECT_EQ(evaluate("2^-1"), 0.5);
  EXPECT_EQ(evaluate("--1 - -(+2)"), 3);
  EXPECT_EQ(evaluate("8/4/2"), 1);
  EXPECT_EQ(evaluate(" ( 1 + 2 ) * 3 "), 9);
  EXPECT_EQ(evaluate("1e-3*1E3"), 1);
  EXPECT_EQ(evaluate("0^0 + 0^2 + 0^1"), 1);
}

TEST(Formula, WhatDoesNotMoveHasNoRateEvenWhereSlopesAreInfinite) {
  const Jet jet = Formula("sqrt(0) + abs(0)^0.5").at(3);
  EXPECT_EQ(jet.value, 0);
  EXPECT_EQ(jet.rate, 0);
  EXPECT_EQ(jet.acceleration, 0);
  EXPECT_EQ(Formula("t^2").at(0).acceleration, 2);
  EXPECT_EQ(Formula("t^3").at(0).acceleration, 0);
}

TEST(Formula, ConstantsHaveNames) {
  const Constants constants = {{"R", 0.02}, {"gap_2", 1}};
  EXPECT_EQ(evaluate("R/2 + gap_2", constants), 1.01);
  EXPECT_EQ(Formula("R*t", constants).at(1).rate, 0.02);
}

TEST(Formula, ADeepStackIsNoTrouble) {
  std::string text = "t";
  for (int i = 0; i < 25; ++i) text = "1+(" + text + ")";
  EXPECT_EQ(Formula(text).at(2).value, 27);
}

struct Mistake {
  const char *text, *message;
};

class MalformedFormula : public ::testing::TestWithParam<Mistake> {};

TEST_P(MalformedFormula, SaysColumnTextAndRule) {
  const Constants constants = {{"radius", 1}};
  try {
    evaluate(GetParam().text, constants);
    FAIL() << "no error";
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), GetParam().message);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Rules, MalformedFormula,
    ::testing::Values(
        Mistake{"", "1: the formula is empty"}, Mistake{"  ", "3: the formula is empty"},
        Mistake{"1+", "3: the formula ends where a value is expected"},
        Mistake{"1 2", "3: \"2\" where an operator or the end is expected"},
        Mistake{"2pi", "2: \"pi\" directly after a number; write * between them"},
        Mistake{"1.2.3", "4: \".3\" directly after a number; write * between them"},
        Mistake{"1e", "2: \"e\" directly after a number; write * between them"},
        Mistake{"1e999", "1: \"1e999\" is not a number"}, Mistake{".", "1: \".\" is not a number"},
        Mistake{"(1", "3: the formula ends where ')' is expected for the '(' at column 1"},
        Mistake{"sin(1]", "6: ']' where ')' is expected for the '(' at column 4"},
        Mistake{"1)", "2: ')' where an operator or the end is expected"},
        Mistake{"sin 1", "5: sin is a function; its argument follows in parentheses"},
        Mistake{"sin(1, 2)", "6: sin takes one argument"},
        Mistake{"max(1)", "6: max takes two arguments, separated by a comma"},
        Mistake{"max(1, 2, 3)", "9: max takes two arguments"},
        Mistake{"sni(1)", "1: unknown name \"sni\"; did you mean \"sin\"?"},
        Mistake{"1 + raduis", "5: unknown name \"raduis\"; did you mean \"radius\"?"},
        Mistake{"2*t", "3: t is time, and this number does not change with it"},
        Mistake{"qqqqq",
                "1: unknown name \"qqqqq\"; known are sin, cos, tan, asin, acos, atan, sinh, cosh, tanh, exp, log, "
                "sqrt, abs, step, min, max, pi, radius"},
        Mistake{"1 $ 2", "3: '$' where an operator or the end is expected"},
        Mistake{"\xC3\xA9", "1: '\\xC3' where a value is expected"}, Mistake{"1/0", "is inf; numbers must be finite"},
        Mistake{"log(-1)", "is not a number"}));

TEST(Formula, Limits) {
  EXPECT_THROW(evaluate(std::string(1000, '(') + "1" + std::string(1000, ')')), InputError);
  EXPECT_THROW(evaluate(std::string(1000, '-') + "1"), InputError);
  std::string sum = "1";
  for (int i = 0; i < 20'000; ++i) sum += "+1";
  EXPECT_THROW(evaluate(sum), InputError);
}

}  // namespace
}  // namespace carom
