// A slider with clearance between two stops that are shaken: an impact pair.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "carom/scene/scene.h"
#include "simulate/running.h"

namespace carom::testing {

using namespace simulate;
namespace {

constexpr double kClearance = 0.02, kAmplitude = 0.006, kRate = 2 * std::numbers::pi * 5, kRestitution = 0.5;

/// The motion with one impact a side and period, of rigid stops. The slider flies with V between them; at the right
/// stop, at the phase p, Newton's law says A w cos p = -r V with r = (1 - e) / (1 + e), and a flight takes half a
/// period, 2 (A sin p + c / 2) = pi V / w. With s = V / w:
///   (r^2 + pi^2 / 4) s^2 - (pi c / 2) s + c^2 / 4 - A^2 = 0.
double rigid_speed() {
  const double r = (1 - kRestitution) / (1 + kRestitution), pi = std::numbers::pi;
  const double a = r * r + pi * pi / 4, b = -pi * kClearance / 2,
               c = kClearance * kClearance / 4 - kAmplitude * kAmplitude;
  return kRate * (-b + std::sqrt(b * b - 4 * a * c)) / (2 * a);
}

Played shaken(const std::vector<std::string>& settings) {
  const scene::Scene scene =
      scene::read_scene(std::string(CAROM_SOURCE_DIR) + "/scenes/impact_pair.toml", {std::nullopt, settings});
  Played played{Model(scene.description), {}, {}};
  played.summary = run(played.model, played.model.state(scene.placement), scene.scheme, scene.law,
                       {scene.duration, scene.duration / 1000}, played.seen);
  return played;
}

/// Mean speed between the last impacts.
double speed_at_the_end(const Played& played) {
  const auto& closures = played.seen.closures;
  double sum = 0;
  constexpr std::size_t kLast = 8;
  for (std::size_t i = closures.size() - kLast; i < closures.size(); ++i) sum += std::abs(closures[i].impulse);
  return sum / kLast / 2;  // of 1 kg, whose velocity turns round
}

TEST(ImpactPair, SettlesIntoOneImpactASideAndPeriod) {
  const Played played = shaken({});
  ASSERT_EQ(played.summary.status, RunStatus::solved) << played.summary.message;
  const auto& closures = played.seen.closures;
  ASSERT_GT(closures.size(), 30u);
  for (std::size_t i = closures.size() - 8; i < closures.size(); ++i) {
    EXPECT_NE(closures[i].parts.part_b, closures[i - 1].parts.part_b) << "from side to side";
    EXPECT_NEAR(closures[i].begin - closures[i - 1].begin, std::numbers::pi / kRate, 1e-3 * std::numbers::pi / kRate);
    EXPECT_NEAR(closures[i].departure, kRestitution * closures[i].approach, 0.05 * closures[i].approach);
  }
  EXPECT_NEAR(played.summary.ledger.error(), 0, 1e-7 * played.summary.ledger.dissipated());
}

TEST(ImpactPair, TendsToRigidStopsAsStiffnessGrows) {
  double before = 1;
  for (const double k : {1e6, 1e8, 1e10}) {
    const double error = std::abs(speed_at_the_end(shaken({fmt::format("contact.k={}", k)})) / rigid_speed() - 1);
    EXPECT_LT(error, 0.5 * before) << k;
    before = error;
  }
  EXPECT_LT(before, 5e-3);
  const Played rigid = shaken({"law=newton", "scheme=event-driven"});
  EXPECT_NEAR(std::abs(rigid.summary.end.u[0]), rigid_speed(), 1e-6);
}

}  // namespace
}  // namespace carom::testing
