#include "carom/analysis/outcome_cloud.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "carom/analysis/impact_orders.h"
#include "carom/base/random.h"

namespace carom::analysis {
namespace {

constexpr double kFollowed = 1e-6;  // tolerance of laws that follow the impact: a cloud needs no more

void require_options(const CloudOptions& options) {
  const auto require = [](bool holds, const char* place, double value, const char* rule) {
    if (!holds) throw InputError(place, fmt::format("{} {}", value, rule));
  };
  require(options.samples >= 1, "samples", options.samples, "is no number of samples; expected at least 1");
  require(options.stiffness >= 1 && std::isfinite(options.stiffness), "stiffness", options.stiffness,
          "is no factor; expected a finite number >= 1");
  require(options.gap >= 0 && std::isfinite(options.gap), "gap", options.gap, "is no gap; expected a length >= 0");
  require(options.e >= 0 && options.e <= 1, "e", options.e, "is no change of e; expected a number in [0, 1]");
  require(options.mu >= 0 && std::isfinite(options.mu), "mu", options.mu, "is no change of mu; expected >= 0");
}

double within(Random& random, double low, double high) {
  return low + random.uniform() * (high - low);
}

/// A number changes by so much. A function of the impact is multiplied so that its largest value does.
void vary_restitution(Contact& contact, double change) {
  if (!contact.e_of) {
    contact.e = std::clamp(contact.e + change, 0.0, 1.0);
    return;
  }
  RestitutionFunction varied = *contact.e_of;
  if (const double largest = varied.largest(); largest > 0) varied.factor *= std::max(0.0, 1 + change / largest);
  contact.e_of = std::make_shared<const RestitutionFunction>(std::move(varied));
}

/// [m] (m) how far a contact is indented where it stops the fastest approach by itself.
Vector usual_indentations(const ImpactProblem& problem) {
  const ContactProblem reduced = reduce(problem);
  double speed = 0;
  for (const Index row : reduced.row) speed = std::max(speed, -reduced.gamma_free[row]);
  Vector result(reduced.size());
  for (Index i = 0; i < reduced.size(); ++i) {
    const Contact& contact = problem.contacts[i];
    const double mobility = reduced.G.coeff(reduced.row[i], reduced.row[i]);
    result[i] = mobility > 0
                    ? std::pow((contact.eta + 1) * speed * speed / (2 * mobility * contact.k), 1 / (contact.eta + 1))
                    : 0;
  }
  return result;
}

/// Sample number i of an unknown; the first one is the problem itself.
class Sampler {
 public:
  Sampler(const ImpactProblem& problem, const ImpactLaw& law, const CloudOptions& options)
      : problem_(problem), law_(law), options_(options), orders_(problem) {}

  /// Samples of an unknown. Throws InputError where the law refuses the problem. `goes_on` gets the share of it.
  int count(Unknown unknown, const ImpactOrders::GoesOn& goes_on) {
    if (unknown != Unknown::order) return options_.samples;
    courses_ = orders_.all(static_cast<std::size_t>(options_.samples), goes_on);
    return courses_.empty() ? options_.samples : static_cast<int>(courses_.size());
  }

  std::string how(Unknown unknown) const {
    switch (unknown) {
      case Unknown::order:
        return courses_.empty() ? "sequential, one contact after the other, orders at random"
                                : "sequential, one contact after the other, every order";
      case Unknown::stiffness:
        return fmt::format("lzb, stiffnesses times 1/{0:g} to {0:g}", options_.stiffness);
      case Unknown::gaps:
        return options_.gap > 0 ? fmt::format("compliant, gaps up to {:g} m", options_.gap)
                                : "compliant, gaps up to an indentation";
      default:
        return fmt::format("{}, e +- {:g}, mu +- {:g}", name_of(law_), options_.e, options_.mu);
    }
  }

  ImpactOutcome solve_one(Unknown unknown, int sample, Random& random, const ImpactOrders::GoesOn& goes_on) {
    switch (unknown) {
      case Unknown::order:
        return with_order(sample, random, goes_on);
      case Unknown::stiffness:
        return with_stiffness(sample, random);
      case Unknown::gaps:
        return with_gaps(sample, random);
      default:
        return with_coefficients(sample, random);
    }
  }

 private:
  ImpactOutcome with_order(int sample, Random& random, const ImpactOrders::GoesOn& goes_on) const {
    if (!courses_.empty()) return courses_[static_cast<std::size_t>(sample)];
    return orders_.course(
        [&](std::size_t count) {
          return sample == 0 ? 0 : static_cast<std::size_t>(random.uniform() * static_cast<double>(count));
        },
        goes_on);
  }

  ImpactOutcome with_stiffness(int sample, Random& random) const {
    ImpactProblem changed = problem_;
    for (Contact& contact : changed.contacts)
      if (sample > 0) contact.k *= std::pow(options_.stiffness, within(random, -1, 1));
    return solve(changed, Lzb{.stiffness = Lzb::Stiffness::bi, .tolerance = kFollowed});
  }

  ImpactOutcome with_gaps(int sample, Random& random) {
    if (gaps_.size() == 0) gaps_ = usual_indentations(problem_);
    Compliant law;
    law.tolerance = kFollowed;
    const bool plastic = std::any_of(problem_.contacts.begin(), problem_.contacts.end(),
                                     [](const Contact& contact) { return contact.e == 0; });
    const bool elastic = std::all_of(problem_.contacts.begin(), problem_.contacts.end(),
                                     [](const Contact& contact) { return contact.e == 1; });
    if (!elastic) law.force = plastic ? Compliant::Force::hysteretic : Compliant::Force::exact;
    law.gaps = Vector::Zero(gaps_.size());
    if (sample > 0) {
      for (Index i = 0; i < gaps_.size(); ++i)
        law.gaps[i] = random.uniform() * (options_.gap > 0 ? options_.gap : gaps_[i]);
      law.gaps.array() -= law.gaps.minCoeff();
    }
    return solve(problem_, law);
  }

  ImpactOutcome with_coefficients(int sample, Random& random) const {
    ImpactProblem changed = problem_;
    for (Contact& contact : changed.contacts)
      if (sample > 0) {
        vary_restitution(contact, within(random, -options_.e, options_.e));
        if (contact.tangents > 0 && contact.mu > 0)
          contact.mu = std::max(0.0, contact.mu + within(random, -options_.mu, options_.mu));
        if (contact.mu_s) contact.mu_s = std::max(*contact.mu_s, contact.mu);
      }
    return solve(changed, law_);
  }

  const ImpactProblem& problem_;
  const ImpactLaw& law_;
  const CloudOptions& options_;
  const ImpactOrders orders_;
  std::vector<ImpactOutcome> courses_;  // every one, if they are few enough
  Vector gaps_;                         // (m)
};

void widen(const Vector& value, Vector& least, Vector& largest) {
  least = least.size() == 0 ? value : Vector(least.cwiseMin(value));
  largest = largest.size() == 0 ? value : Vector(largest.cwiseMax(value));
}

/// The farthest of the points from the first, of the largest there is, in the kinetic metric.
double spread_of(const ImpactProblem& problem, const std::vector<CloudPoint>& points) {
  double apart = 0, size = problem.M.kinetic_energy(problem.u_minus);
  for (const CloudPoint& a : points) {
    size = std::max(size, a.energy);
    apart = std::max(apart, problem.M.kinetic_energy(a.u_plus - points.front().u_plus));
  }
  return size > 0 ? std::sqrt(apart / size) : 0;
}

}  // namespace

OutcomeCloud outcome_cloud(const ImpactProblem& problem, const ImpactLaw& law, const CloudOptions& options,
                           const std::function<bool(double share)>& goes_on) {
  require_options(options);
  validate(problem);
  Sampler sampler(problem, law, options);
  OutcomeCloud cloud;
  for (std::size_t k = 0; k < options.unknowns.size() && !cloud.cancelled; ++k) {
    const Unknown unknown = options.unknowns[k];
    CloudPart part{.unknown = unknown};
    Random random(options.seed + static_cast<std::uint64_t>(unknown));
    const auto go_on = [&](double share) {  // of this unknown
      if (!cloud.cancelled && goes_on)
        cloud.cancelled = !goes_on((static_cast<double>(k) + share) / static_cast<double>(options.unknowns.size()));
      return !cloud.cancelled;
    };
    // All orders are tried first, which is half of the work where they are too many.
    const double begin = unknown == Unknown::order ? 0.5 : 0;
    int count = 1;
    try {
      count = sampler.count(unknown, [&](double share) { return go_on(begin * share); });
    } catch (const InputError&) {  // which the first sample tells
    }
    part.law = sampler.how(unknown);
    for (int i = 0; i < count; ++i) {
      const auto in_sample = [&](double share) { return go_on(begin + (1 - begin) * (i + share) / count); };
      if (!in_sample(0)) break;
      ++part.tried;
      try {
        const ImpactOutcome outcome = sampler.solve_one(unknown, i, random, in_sample);
        if (!outcome.solved()) {
          part.why = outcome.message;
          continue;
        }
        ++part.solved;
        const double energy = outcome.energy.after;
        part.least_energy = part.solved == 1 ? energy : std::min(part.least_energy, energy);
        part.largest_energy = std::max(part.largest_energy, energy);
        widen(outcome.u_plus, part.least, part.largest);
        cloud.points.push_back({unknown, outcome.u_plus, outcome.gamma_plus, energy});
      } catch (const InputError& error) {
        part.why = error.what();
        break;  // the law refuses the problem
      }
    }
    if (part.solved > 0) {
      widen(part.least, cloud.least, cloud.largest);
      widen(part.largest, cloud.least, cloud.largest);
    }
    cloud.parts.push_back(std::move(part));
  }
  if (!cloud.points.empty()) cloud.spread = spread_of(problem, cloud.points);
  return cloud;
}

}  // namespace carom::analysis
