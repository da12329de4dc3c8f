#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/model/formula.h"

namespace carom {
namespace {

constexpr int kSamples = 32;        // of an interval, before any is looked at more closely
constexpr int kDeepestSplit = 10;   // halvings of a part between two samples
constexpr double kFollowed = 0.02;  // part of an argument and its change to which a polynomial must follow it

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();

/// A jet and a bound on its value's rounding error: |df/da| error_a + |df/db| error_b + eps |f|.
struct Rounded {
  Jet jet;
  double noise = 0;
};
double noise_through(double slope, double noise) {
  return noise == 0 ? 0 : std::abs(slope) * noise;
}
Rounded rounded(Jet (*f)(const Jet&), const Rounded& x) {
  const Jet value = f(x.jet);
  const double slope = f({x.jet.value, 1, 0}).rate;
  return {value, noise_through(slope, x.noise) + kEpsilon * std::abs(value.value)};
}
Rounded rounded(Jet (*f)(const Jet&, const Jet&), const Rounded& a, const Rounded& b) {
  const Jet value = f(a.jet, b.jet);
  const double slope_a = f({a.jet.value, 1, 0}, {b.jet.value, 0, 0}).rate;
  const double slope_b = b.noise == 0 ? 0 : f({a.jet.value, 0, 0}, {b.jet.value, 1, 0}).rate;
  return {value, noise_through(slope_a, a.noise) + noise_through(slope_b, b.noise) + kEpsilon * std::abs(value.value)};
}

bool is_whole(const Jet& exponent) {
  return exponent.rate == 0 && exponent.acceleration == 0 && exponent.value >= 0 &&
         exponent.value == std::floor(exponent.value);
}

/// The quintic through value, rate and acceleration at both ends of an interval of length h, halfway.
double halfway(const Jet& l, const Jet& r, double h) {
  return (l.value + r.value) / 2 + 5 * h / 32 * (l.rate - r.rate) + h * h / 64 * (l.acceleration + r.acceleration);
}

}  // namespace

std::vector<Formula::Switch> Formula::switches(double t) const {
  using Kind = Switch::Kind;
  std::vector<Switch> found;
  std::vector<Rounded> stack;
  stack.reserve(deepest_);
  const auto add = [&](Kind kind, const Rounded& x) { found.push_back({kind, x.jet, x.noise}); };
  for (const Instruction& one : program_) {
    if (one.of_one) {
      Rounded& x = stack.back();
      if (one.of_one == jets::abs) add(Kind::below_zero, x);
      if (one.of_one == jets::step) add(Kind::above_zero, x);
      if (one.of_one == jets::sqrt) add(Kind::end_of_range, x);
      if (one.of_one == jets::asin || one.of_one == jets::acos)
        add(Kind::end_of_range, {Jet{1, 0, 0} - x.jet * x.jet, 2 * std::abs(x.jet.value) * x.noise + kEpsilon});
      x = rounded(one.of_one, x);
    } else if (one.of_two) {
      const Rounded b = stack.back();
      stack.pop_back();
      Rounded& a = stack.back();
      if (one.of_two == jets::max) add(Kind::below_zero, {a.jet - b.jet, a.noise + b.noise});
      if (one.of_two == jets::min) add(Kind::above_zero, {a.jet - b.jet, a.noise + b.noise});
      if (one.of_two == jets::power && !is_whole(b.jet)) add(Kind::end_of_range, a);
      a = rounded(one.of_two, a, b);
    } else {
      stack.push_back(one.time ? Rounded{{t, 1, 0}, kEpsilon * std::abs(t)} : Rounded{{one.constant, 0, 0}, 0});
    }
  }
  return found;
}

class KinkSearch {
 public:
  explicit KinkSearch(const Formula& formula) : formula_(formula) {}

  std::optional<double> first(double from, double to) const {
    Sample left = sample(from);
    if (left.switches.empty()) return {};
    for (int i = 1; i <= kSamples; ++i) {
      Sample right = sample(i == kSamples ? to : from + (to - from) * i / kSamples);
      if (const auto kink = between(left, right, 0)) return kink;
      left = std::move(right);
    }
    return {};
  }

 private:
  using Switch = Formula::Switch;
  struct Sample {
    double t = 0;
    std::vector<Switch> switches;
  };
  Sample sample(double t) const { return {t, formula_.switches(t)}; }

  std::optional<double> between(const Sample& left, const Sample& right, int depth) const {
    const Sample middle = sample(left.t + (right.t - left.t) / 2);
    if (depth < kDeepestSplit && !followed(left, middle, right)) {
      if (const auto kink = between(left, middle, depth + 1)) return kink;
      return between(middle, right, depth + 1);
    }
    std::optional<double> earliest;
    for (std::size_t i = 0; i < left.switches.size(); ++i)
      if (const auto kink = kink_of(i, left, right); kink && (!earliest || *kink < *earliest)) earliest = kink;
    return earliest;
  }

  static bool followed(const Sample& left, const Sample& middle, const Sample& right) {
    const double h = right.t - left.t;
    for (std::size_t i = 0; i < left.switches.size(); ++i) {
      const Jet &l = left.switches[i].s, &m = middle.switches[i].s, &r = right.switches[i].s;
      const double change = std::abs(m.value - l.value) + std::abs(r.value - m.value);
      const double from_zero = std::min({std::abs(l.value), std::abs(m.value), std::abs(r.value)});
      const double noise = left.switches[i].noise + middle.switches[i].noise + right.switches[i].noise;
      if (std::abs(m.value - halfway(l, r, h)) > kFollowed * (change + from_zero) + noise) return false;
    }
    return true;
  }

  std::optional<double> kink_of(std::size_t i, const Sample& left, const Sample& right) const {
    const Switch &l = left.switches[i], &r = right.switches[i];
    const auto is_on = [&](double t) { return formula_.switches(t)[i].on(); };
    if (l.on() != r.on()) return first_with(left.t, right.t, [&](double t) { return is_on(t) == r.on(); });
    // On the same side: it may go to zero and come back.
    const double towards = -std::copysign(1.0, l.s.value);
    if (!(towards * l.s.rate > 0 && towards * r.s.rate <= 0)) return {};
    const double turn =
        first_with(left.t, right.t, [&](double t) { return !(towards * formula_.switches(t)[i].s.rate > 0); });
    const Switch nearest = formula_.switches(turn)[i];
    if (std::abs(nearest.s.value) <= nearest.noise)  // as far as one can tell it touches zero
      return nearest.kind == Switch::Kind::end_of_range ? std::optional(turn) : std::nullopt;
    if (nearest.on() == l.on()) return {};
    return first_with(left.t, turn, [&](double t) { return is_on(t) == nearest.on(); });
  }

  /// By bisection down to neighbouring numbers; holds(before) is false, holds(after) true.
  template <class Holds>
  static double first_with(double before, double after, Holds holds) {
    for (;;) {
      const double middle = before + (after - before) / 2;
      if (!(middle > before && middle < after)) return after;
      (holds(middle) ? after : before) = middle;
    }
  }

  const Formula& formula_;
};

std::optional<double> Formula::next_kink(double from, double to) const {
  return to > from ? KinkSearch(*this).first(from, to) : std::nullopt;
}

}  // namespace carom
