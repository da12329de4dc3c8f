#pragma once

#include <array>
#include <cmath>
#include <vector>

#include "carom/laws/springs/system.h"
#include "carom/numerics/bernstein.h"

namespace carom::springs {

/// What contacts outside a window do to the velocity of one inside: gamma - G Lambda as a polynomial in time.
struct Drive {
  Index l;
  std::array<double, 8> powers{};

  double at(double t) const {
    double sum = 0;
    for (std::size_t k = powers.size(); k-- > 0;) sum = sum * t + powers[k];
    return sum;
  }
  /// The powers of time since t.
  std::array<double, 8> shifted(double t) const;
  /// Adds a multiple of a polynomial on [0, h].
  template <std::size_t n>
  void add(double factor, const std::array<double, n>& bernstein, double h) {
    const std::array<double, n> parts = numerics::to_powers(bernstein);
    for (std::size_t k = 0; k < n; ++k, factor /= h) powers[k] += factor * parts[k];
  }
};

/// The contacts that are followed, in arrays of their own, so that an evaluation touches nothing else. The state is
/// y = (s, Lambda since the window was made).
struct Window {
  std::vector<Index> contact;           // (n) of the problem, ascending
  std::vector<double> k, eta;           // (n)
  std::vector<double> phi_in, phi_out;  // (n) factor of -gamma in s', while gamma < 0, while gamma > 0
  std::vector<double> base;             // (n) gamma when the window was made
  std::vector<double> gamma;            // (n) at the end of the last step
  std::vector<double> gamma_start;      // (n) at its start
  std::vector<double> latest;           // (n) at the last evaluation
  std::vector<int> start, column;       // G inside the window, by rows
  std::vector<double> value;
  std::vector<Drive> drives;      // ascending, of those contacts that have some
  std::vector<double> y, weight;  // (2 n) state; what makes its errors comparable
  double allowed = 0;             // error of a step, relative
  bool located = true;            // kinks of the motion end a step; else the sign of gamma decides at once
  bool changed = false;           // phi has since the last evaluation at the start of a step
  long evaluations = 0;

  Index size() const { return static_cast<Index>(contact.size()); }
  void resize(Index n);

  /// Sets phi of a contact, and the weight of its s, for its phase.
  void set_phase(Index l, const Spring& spring, const SpringState& state);

  /// Row l of G times a vector with one entry per contact. The row starts with its diagonal, so that what a contact's
  /// two neighbours in a row of bodies contribute is the same, to the last digit, seen from either side.
  double row_times(Index l, const double* values) const {
    double sum = 0;
    for (int entry = start[l] + 1; entry < start[l + 1]; ++entry) sum += value[entry] * values[column[entry]];
    return value[start[l]] * values[l] + sum;
  }
  void drive(double t) {
    for (const Drive& each : drives) base[each.l] = each.at(t);
  }
  const Drive* drive_of(Index l) const;
  double gamma_at(Index l, const double* state) const { return base[l] + row_times(l, state + size()); }
};

/// The motion: s' = -phi gamma, Lambda' = k s^eta.
struct Motion {
  Window& window;
  Exponents exponents;

  void operator()(double t, const double* __restrict y, double* __restrict dy) const {
    const Index n = window.size();
    window.drive(t);
    const double *stiffness = window.k.data(), *eta = window.eta.data(), *Lambda = y + n;
    double* force = dy + n;
    const auto set_forces = [&](auto&& power) {
      for (Index i = 0; i < n; ++i) force[i] = power(stiffness[i], y[i] > 0 ? y[i] : 0, i);
    };
    switch (exponents) {
      case Exponents::linear:
        set_forces([](double k, double s, Index) { return k * s; });
        break;
      case Exponents::hertz:
        set_forces([](double k, double s, Index) { return k * s * std::sqrt(s); });
        break;
      case Exponents::any:
        set_forces([eta](double k, double s, Index i) {
          return eta[i] == 1.5 ? k * s * std::sqrt(s) : eta[i] == 1 ? k * s : k * std::pow(s, eta[i]);
        });
    }
    const double *in = window.phi_in.data(), *out = window.phi_out.data(), *base = window.base.data();
    double* gamma = window.latest.data();
    for (Index i = 0; i < n; ++i) {
      const double now = base[i] + window.row_times(i, Lambda);
      gamma[i] = now;
      dy[i] = -now * (now < 0 ? in[i] : out[i]);
    }
    ++window.evaluations;
  }
};

/// Time as a function of the variable x in which a step is made. Where a force t^eta starts or ends, a quadratic clock
/// slows down towards that end: there s is a square in x, and s^(3/2) smooth.
struct Clock {
  enum class Kind { plain, starts, ends };
  Kind kind = Kind::plain;
  double length = 0;  // of the step in time

  bool is_plain() const { return kind == Kind::plain; }
  double span() const { return is_plain() ? length : 1; }  // of the step in x
  double time(double part) const {                         // since its start, at a part of its span
    if (is_plain()) return part * length;
    return length * (kind == Kind::starts ? part * part : part * (2 - part));
  }
  double rate(double x) const { return 2 * length * (kind == Kind::starts ? x : 1 - x); }
};

/// The motion in the variable of a clock.
struct ClockedMotion {
  Motion motion;
  const Clock& clock;

  void operator()(double x, const double* y, double* dy) const {
    motion(x, y, dy);
    if (clock.is_plain()) return;
    const double rate = clock.rate(x);
    for (Index i = 0; i < 2 * motion.window.size(); ++i) dy[i] *= rate;
  }
};

}  // namespace carom::springs
