// Impacts of many contacts, of which a window is followed at a time.

#include <cmath>
#include <numeric>

#include "carom/impact/path.h"
#include "support.h"

namespace carom::testing {
namespace {

/// Balls in a row, the first hits it.
ImpactProblem row_of_balls(int count, double e, const std::vector<int>& order = {}) {
  ImpactProblem result;
  Vector masses(count);
  for (int i = 0; i < count; ++i) masses[i] = 1 + 0.3 * std::sin(2.0 * i);
  result.M = MassMatrix::diagonal(masses);
  result.u_minus = Vector::Unit(count, 0);
  std::vector<Eigen::Triplet<double>> entries;
  for (int j = 0; j + 1 < count; ++j) {
    const int i = order.empty() ? j : order[static_cast<std::size_t>(j)];
    entries.emplace_back(i, j, -1);
    entries.emplace_back(i + 1, j, 1);
    result.contacts.push_back({.name = std::to_string(i), .e = e, .k = 1 + 0.2 * std::cos(3.0 * i)});
  }
  result.W.resize(count, count - 1);
  result.W.setFromTriplets(entries.begin(), entries.end());
  return result;
}

TEST(ForceWindows, GiveWhatAllContactsTogetherGive) {
  for (const Compliant::Force force : {Compliant::Force::hunt_crossley, Compliant::Force::spring_dashpot,
                                       Compliant::Force::hysteretic, Compliant::Force::exact})
    for (const int count : {20, 40}) {
      const Compliant law{.force = force, .tolerance = 1e-10};  // long rattles amplify errors
      const ImpactProblem problem = row_of_balls(count, 0.8);
      const ContactProblem contacts = reduce(problem);
      Path path;  // where it is asked for, all contacts are followed
      const Impulses all = law.impulses(contacts, &path), windows = law.impulses(contacts);
      ASSERT_EQ(all.status, Status::solved) << all.message;
      ASSERT_EQ(windows.status, Status::solved) << windows.message;
      EXPECT_LT((contacts.G * Vector(all.Lambda - windows.Lambda)).cwiseAbs().maxCoeff(), 1e-6) << count;
      EXPECT_NEAR(*all.duration, *windows.duration, 1e-2 * *all.duration) << "until forces vanish in noise";
      EXPECT_LT((*all.peak_force - *windows.peak_force).cwiseAbs().maxCoeff(), 1e-5);
    }
}

TEST(ForceWindows, DoNotDependOnTheOrderOfContacts) {
  const int count = 60;
  std::vector<int> order(count - 1);
  std::iota(order.begin(), order.end(), 0);
  for (std::size_t i = 0; i < order.size(); ++i) std::swap(order[i], order[(i * 37 + 11) % order.size()]);
  const Compliant law{.force = Compliant::Force::hunt_crossley, .tolerance = 1e-7};
  const ImpactOutcome first = solve(row_of_balls(count, 0.9), law),
                      second = solve(row_of_balls(count, 0.9, order), law);
  ASSERT_TRUE(first.solved() && second.solved());
  EXPECT_LT((first.u_plus - second.u_plus).cwiseAbs().maxCoeff(), 1e-7);
  EXPECT_TRUE(first.certificate.consistent);
  EXPECT_NEAR(first.energy.before, first.energy.after + first.energy.dissipated(), 1e-7 * first.energy.before);
}

}  // namespace
}  // namespace carom::testing
