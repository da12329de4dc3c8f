#pragma once

#include <algorithm>
#include <cmath>
#include <deque>
#include <optional>
#include <utility>
#include <vector>

#include "carom/laws/springs/driver.h"
#include "carom/laws/springs/waves.h"
#include "carom/numerics/runge_kutta.h"

namespace carom::springs {

/// A method: each contact of a large window makes steps of its own length. A step is tried with the whole
/// window. The contacts whose error is too large make a window of their own, with those that they may move meanwhile,
/// that goes through the same time in shorter steps, driven by the interpolated impulses of the others; and so on.
/// Kinks are left to the error estimate.             [Savcenco, Hundsdorfer, Verwer 2007]
template <class Pair>
class Multirate {
 public:
  explicit Multirate(Waves& waves) : waves_(waves), coarse_(waves.is_coarse()) {
    layers_.emplace_back();
    begin_window(waves.next_step);
  }

  bool anything_alive() const { return waves_.anything_alive(); }
  bool is_exhausted() const { return waves_.is_exhausted(); }
  bool may_end(double share) { return waves_.dies_out(share); }
  bool prepare() {
    length_ = std::min(layers_.front().length, reach_);
    return true;
  }
  bool attempt() { return step(0, waves_.state.time, 0, length_); }
  double first_event() const { return 1; }  // each layer has passed its own
  void take(double /*part*/) { reach_ -= length_; }

  bool has_ended() {
    if (--until_look_ > 0) return false;
    until_look_ = kStepsPerLook;
    return waves_.dies_out(kLook);
  }

  /// Makes another window where waves may have reached the end of this one; false if another method suits that better.
  bool still_suits() {
    const double next = layers_.front().length;
    if (reach_ > 0.5 * std::min(next, length_)) return true;
    waves_.next_step = next;
    waves_.leave();
    waves_.follow();
    if (!waves_.is_multirate() || waves_.is_coarse() != coarse_) return false;
    begin_window(waves_.next_step);
    return true;
  }

 private:
  using Stepper = numerics::RungeKutta<Pair>;

  static constexpr double kFinest = 1e-4;  // step, in units of the quickest contact's time: shorter ones are not tried
  static constexpr double kEasy = 0.7 / (2 << Pair::error_order);  // error of one that may be twice as long
  static constexpr int kPatience = 8;                              // steps, after one that was too long
  static constexpr int kStepsPerLook = 32;                         // at whether the impact is dying out

  /// A window, and the step that it makes.
  struct Layer {
    Window own;  // of the inner layers; the window of the first is that of the impact
    Stepper stepper;
    double length = 0;       // of the next step
    int patience = 0;        // steps before a longer one is tried
    std::vector<int> rough;  // its contacts that make the present step again in the next layer
    std::vector<int> inner;  // (n) their places there, -1 for the others
    std::vector<double> s_start, gamma_start, gamma_end;  // (n) over the present step
  };

  Window& window(std::size_t depth) { return depth == 0 ? waves_.window : layers_[depth].own; }

  void begin_window(double length) {
    Layer& top = layers_.front();
    top.stepper.resize(2 * waves_.window.size());
    reach_ = waves_.reach();
    top.length = std::min(length, reach_);
  }

  /// Tries a step of a layer from t to t + h after `origin`, and takes it unless most contacts need a shorter one.
  bool step(std::size_t depth, double origin, double t, double h) {
    Layer& layer = layers_[depth];
    Window& w = window(depth);
    const Motion motion{w, waves_.system().exponents};
    ++waves_.state.steps;
    if (w.changed) layer.stepper.start(motion, t, w.y.data());
    w.changed = false;
    const double error = layer.stepper.attempt(motion, t, h, w.y.data(), w.weight.data());
    const bool divisible = h > kFinest * waves_.system().least_e * waves_.system().time_scale;
    const Index needed = find_rough(layer, w, h, error);
    if (divisible && 2 * layer.rough.size() > static_cast<std::size_t>(w.size())) {
      layer.length = 0.5 * h;
      layer.patience = kPatience;
      return false;
    }
    layer.length = --layer.patience <= 0 && 4 * needed <= w.size() ? 2 * h : h;
    layer.s_start.assign(w.y.begin(), w.y.begin() + w.size());
    layer.gamma_start = w.gamma;
    if (divisible && !layer.rough.empty())
      refine(depth, origin, t, h);
    else
      accept(layer, w, t + h);
    waves_.state.time = origin + t + h;
    pass_events(layer, w, origin + t);
    return true;
  }

  /// Finds the contacts that need a shorter step, and those that a wave from them may reach in this one. Returns how
  /// many would need a shorter step if this were twice as long.
  Index find_rough(Layer& layer, const Window& w, double h, double error) {
    const Index n = w.size();
    layer.rough.clear();
    layer.inner.assign(n, -1);
    if (error <= kEasy) return 0;
    Index needed = 0;
    const auto add = [&](int l) {
      if (layer.inner[l] >= 0) return;
      layer.inner[l] = 0;
      layer.rough.push_back(l);
    };
    for (Index l = 0; l < n; ++l) {
      const double of_contact =
          std::max(layer.stepper.error_at(l, h, w.weight.data()), layer.stepper.error_at(n + l, h, w.weight.data()));
      if (of_contact <= kEasy) continue;
      ++needed;
      if (of_contact <= 1) continue;
      add(static_cast<int>(l));
    }
    std::size_t inside = 0;  // of those whose neighbours have been added
    for (double row = waves_.rows_passed(h); row > 0 && inside < layer.rough.size(); --row)
      for (const std::size_t end = layer.rough.size(); inside < end; ++inside)
        for (int l = layer.rough[inside], entry = w.start[l]; entry < w.start[l + 1]; ++entry) add(w.column[entry]);
    std::sort(layer.rough.begin(), layer.rough.end());
    for (std::size_t i = 0; i < layer.rough.size(); ++i) layer.inner[layer.rough[i]] = static_cast<int>(i);
    return needed;
  }

  void accept(Layer& layer, Window& w, double t_end) {
    layer.rough.clear();
    std::fill(layer.inner.begin(), layer.inner.end(), -1);
    std::copy(layer.stepper.end(), layer.stepper.end() + 2 * w.size(), w.y.begin());
    layer.stepper.finish(Motion{w, waves_.system().exponents}, t_end);
    w.gamma = w.latest;
    layer.stepper.advance();
  }

  /// Takes the step, but lets its rough contacts make it again in shorter ones.
  void refine(std::size_t depth, double origin, double t, double h) {
    if (layers_.size() == depth + 1) layers_.emplace_back();
    Layer& layer = layers_[depth];
    Window& w = window(depth);
    Window& inner = layers_[depth + 1].own;
    const Motion motion{w, waves_.system().exponents};
    layer.stepper.finish(motion, t + h);
    layer.gamma_end = w.latest;
    layer.stepper.interpolate(motion, t, h, w.y.data());
    make_inner(layer, w, inner, t, h);
    cover(depth + 1, origin + t, h);

    const Index n = w.size(), m = inner.size();
    w.gamma = layer.gamma_end;
    w.drive(t + h);
    std::copy(layer.stepper.end(), layer.stepper.end() + 2 * n, w.y.begin());
    for (Index i = 0; i < m; ++i) {
      const int l = layer.rough[i];
      w.y[l] = inner.y[i];
      w.y[n + l] = inner.y[m + i];
      w.phi_in[l] = inner.phi_in[i];
      w.phi_out[l] = inner.phi_out[i];
      w.weight[l] = inner.weight[i];
    }
    for (const int l : layer.rough)
      for (int entry = w.start[l]; entry < w.start[l + 1]; ++entry)
        w.gamma[w.column[entry]] = w.gamma_at(w.column[entry], w.y.data());
    waves_.window.evaluations += std::exchange(inner.evaluations, 0);
    w.changed = true;
  }

  /// The window of a layer's rough contacts during its step.
  void make_inner(const Layer& layer, const Window& w, Window& inner, double t, double h) {
    const Index n = w.size(), m = static_cast<Index>(layer.rough.size());
    inner.contact.resize(m);
    inner.resize(m);
    inner.located = false;
    inner.allowed = w.allowed;
    inner.changed = true;
    inner.drives.clear();
    for (Index i = 0; i < m; ++i) {
      const int l = layer.rough[i];
      inner.contact[i] = w.contact[l];
      inner.k[i] = w.k[l];
      inner.eta[i] = w.eta[l];
      inner.phi_in[i] = w.phi_in[l];
      inner.phi_out[i] = w.phi_out[l];
      inner.gamma[i] = w.gamma[l];
      inner.base[i] = w.base[l];
      inner.y[i] = w.y[l];
      inner.y[m + i] = w.y[n + l];
      inner.weight[i] = w.weight[l];
      inner.weight[m + i] = w.weight[n + l];
      Drive drive{i, {w.base[l]}};
      const Drive* outer = w.drive_of(l);
      if (outer != nullptr) drive.powers = outer->shifted(t);
      bool driven = outer != nullptr;
      for (int entry = w.start[l]; entry < w.start[l + 1]; ++entry) {
        const int other = w.column[entry];
        if (layer.inner[other] >= 0) {
          inner.column.push_back(layer.inner[other]);
          inner.value.push_back(w.value[entry]);
        } else {
          drive.add(w.value[entry], layer.stepper.polynomial(n + other), h);
          driven = true;
        }
      }
      inner.start.push_back(static_cast<int>(inner.column.size()));
      if (driven) inner.drives.push_back(drive);
    }
  }

  /// Moves a layer through a time, in as many steps as it takes.
  void cover(std::size_t depth, double origin, double time) {
    layers_[depth].stepper.resize(2 * window(depth).size());
    layers_[depth].length = 0.5 * time;
    layers_[depth].patience = 0;
    for (double t = 0; t < time;) {
      const double left = time - t;
      const double count = std::ceil(left / layers_[depth].length - 1e-6);
      if (!step(depth, origin, t, left / count)) continue;
      t = count <= 1 ? time : t + left / count;
    }
  }

  /// Moves the contacts that this layer alone follows into the phase that the end of the step belongs to.
  void pass_events(const Layer& layer, Window& w, double start) {
    for (Index l = 0; l < w.size(); ++l) {
      if (layer.inner[l] >= 0) continue;
      SpringState& contact = waves_.contact(w, l);
      if (contact.phase == Phase::compression) contact.top = std::max(contact.top, w.y[l]);
      const Event event = waves_.spring(w, l).missed(contact, w.y[l], w.gamma[l]);
      if (event != Event::none) waves_.pass(w, l, event, false, {start, layer.s_start[l], layer.gamma_start[l]});
    }
  }

  Waves& waves_;
  const bool coarse_;
  std::deque<Layer> layers_;
  double reach_ = 0;   // time that the window is good for
  double length_ = 0;  // of the present step
  int until_look_ = kStepsPerLook;
};

}  // namespace carom::springs
