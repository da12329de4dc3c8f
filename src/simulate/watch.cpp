#include "carom/simulate/watch.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace carom::simulate {
namespace {

constexpr int kSamples = 7;       // of what is watched of a step, with its ends
constexpr int kFine = 8;          // looks at the polynomial between two samples
constexpr double kNear = 0.02;    // of the range of a margin over the step: so near to zero it is looked at again
constexpr int kLooks = 4;         // at one dip
constexpr double kWidth = 1e-14;  // of that, to which a change is located
constexpr int kMostLocatingSteps = 100;  // towards it

struct Sample {
  double theta = 0;
  Margins margins;
};

/// The polynomial through the samples at equal distances on [0, 1], by Newton's differences.
class Interpolation {
 public:
  Interpolation(const std::array<double, kSamples>& values) : differences_(values) {
    for (int order = 1; order < kSamples; ++order)
      for (int i = kSamples - 1; i >= order; --i) differences_[i] = (differences_[i] - differences_[i - 1]) / order;
  }
  double at(double theta) const {
    const double x = theta * (kSamples - 1);
    double value = differences_[kSamples - 1];
    for (int i = kSamples - 2; i >= 0; --i) value = value * (x - i) + differences_[i];
    return value;
  }

 private:
  std::array<double, kSamples> differences_;
};

class Watch {
 public:
  Watch(const Model& model, const TrajectoryStep& step, double until, const Mode& mode, const Scales& scales)
      : model_(model), step_(step), until_(until), mode_(mode), scales_(scales) {}

  std::optional<double> first() {
    std::vector<Sample> samples;
    samples.reserve(kSamples);
    for (int k = 0; k < kSamples; ++k) {
      samples.push_back(sample(static_cast<double>(k) / (kSamples - 1)));
      if (k > 0 && samples[k].margins.least() < 0) return until_ * locate(samples[k - 1], samples[k]);
    }
    add_dips(samples);
    for (std::size_t k = 1; k < samples.size(); ++k)
      if (samples[k].margins.least() < 0) return until_ * locate(samples[k - 1], samples[k]);
    return std::nullopt;
  }

 private:
  Sample sample(double theta) { return {theta, margins(model_, step_.at(until_ * theta), mode_, scales_, order_)}; }

  /// Looks again where some margin may dip below zero between two samples.
  void add_dips(std::vector<Sample>& samples) {
    std::vector<Sample> added;
    const std::vector<Sample> even = samples;
    for (Index i = 0; i < even.front().margins.value.size(); ++i) {
      std::array<double, kSamples> values{};
      for (std::size_t k = 0; k < even.size(); ++k) values[k] = even[k].margins.value[i];
      const auto [low, high] = std::minmax_element(values.begin(), values.end());
      const Interpolation curve(values);
      double theta = 0, least = *high;
      for (int k = 1; k < (kSamples - 1) * kFine; ++k)
        if (const double x = static_cast<double>(k) / ((kSamples - 1) * kFine); curve.at(x) < least) {
          theta = x;
          least = curve.at(x);
        }
      if (*low - least <= 0 || least > kNear * (*high - *low)) continue;
      look_around(theta, 1.0 / ((kSamples - 1) * kFine), i, added);
    }
    samples.insert(samples.end(), added.begin(), added.end());
    std::sort(samples.begin(), samples.end(), [](const Sample& a, const Sample& b) { return a.theta < b.theta; });
  }

  /// The lowest point of one margin near theta, by parabolas through three of its values.
  void look_around(double theta, double width, Index i, std::vector<Sample>& added) {
    for (int look = 0; look < kLooks; ++look, width *= 0.25) {
      std::array<double, 3> value{};
      for (int k = 0; k < 3; ++k) {
        const Sample here = sample(std::clamp(theta + (k - 1) * width, 0.0, 1.0));
        value[k] = here.margins.value[i];
        if (here.margins.least() < 0) return added.push_back(here);
      }
      const double bend = value[0] - 2 * value[1] + value[2];
      if (!(bend > 0)) return;
      theta = std::clamp(theta + std::clamp(0.5 * (value[0] - value[2]) / bend, -1.0, 1.0) * width, 0.0, 1.0);
    }
  }

  /// Between a time when the mode holds and one when it does not: secants that give less weight to an end that stays,
  /// and a halving now and then.
  double locate(const Sample& from, const Sample& to) {
    double low = from.theta, high = to.theta, good = from.margins.least(), bad = to.margins.least();
    if (good < 0) return low;
    int side = 0;
    for (int k = 1; k <= kMostLocatingSteps && high - low > kWidth; ++k) {
      const double secant = low + (high - low) * good / (good - bad);
      const double theta = k % 4 == 0 || !(secant > low && secant < high) ? 0.5 * (low + high) : secant;
      const double least = sample(theta).margins.least();
      const int now = least < 0 ? 1 : -1;
      (least < 0 ? high : low) = theta;
      (least < 0 ? bad : good) = least;
      if (now == side) (least < 0 ? good : bad) *= 0.5;
      side = now;
    }
    return high;
  }

  const Model& model_;
  const TrajectoryStep& step_;
  const double until_;  // of the step: all other fractions here are of this part
  const Mode& mode_;
  const Scales& scales_;
  ForceOrder order_;
};

}  // namespace

std::optional<double> first_change(const Model& model, const TrajectoryStep& step, double until, const Mode& mode,
                                   const Scales& scales) {
  if (mode.empty()) return std::nullopt;
  return Watch(model, step, until, mode, scales).first();
}

bool look_at_slip(const Model& model, const State& state, bool crawls, const Scales& scales, Mode& mode) {
  const bool space = model.dimension() == Dimension::space;
  bool stopped = false;
  for (std::size_t i = 0; i < mode.closed.size(); ++i) {
    TangentialState& tangential = mode.tangential[i];
    if (tangential.mode != ContactMode::slip) continue;
    const Vector3 slip = slip_velocity(model, state, mode.closed[i]);
    if (tangential.starting && slip.dot(tangential.heading) < 0 && slip.norm() <= slip_of_rest(scales)) continue;
    if (slip.norm() > slow_slip(scales)) {
      tangential.starting = false;
      tangential.heading = slip.normalized();
      stopped = stopped || (space && crawls && slip.norm() <= slip_of_rest(scales));
    } else if (!tangential.starting && space) {
      stopped = true;
    }
  }
  return stopped;
}

}  // namespace carom::simulate
