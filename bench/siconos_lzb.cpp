#include "siconos_lzb.h"

#include <SiconosKernel.hpp>
#include <limits>
#include <memory>

#include "timing.h"

namespace carom::bench {
namespace {

/// Notes how long the impact takes, without the simulation around it.
class TimedImpact : public MultipleImpact {
 public:
  using MultipleImpact::MultipleImpact;
  double seconds = 0;

  int compute(double time) override {
    int info = 0;
    seconds += seconds_of([&] { info = MultipleImpact::compute(time); });
    return info;
  }
};

std::shared_ptr<SiconosVector> one(double value) {
  auto vector = std::make_shared<SiconosVector>(1);
  (*vector)(0) = value;
  return vector;
}

}  // namespace

SiconosAnswer siconos_lzb(const BallRow& row, double dP) {
  SiconosAnswer answer;
  try {
    const auto system = std::make_shared<NonSmoothDynamicalSystem>(0, 1);
    std::vector<std::shared_ptr<LagrangianLinearTIDS>> balls;
    for (std::size_t i = 0; i < row.masses.size(); ++i) {
      const auto mass = std::make_shared<SimpleMatrix>(1, 1);
      (*mass)(0, 0) = row.masses[i];
      balls.push_back(
          std::make_shared<LagrangianLinearTIDS>(one(static_cast<double>(i)), one(row.velocities[i]), mass));
      system->insertDynamicalSystem(balls.back());
    }
    for (std::size_t j = 0; j + 1 < balls.size(); ++j) {
      const auto direction = std::make_shared<SimpleMatrix>(1, 2);
      (*direction)(0, 0) = -1;
      (*direction)(0, 1) = 1;
      const auto law = std::make_shared<MultipleImpactNSL>(row.e[j], row.k[j], row.eta[j]);
      const auto relation = std::make_shared<LagrangianLinearTIR>(direction, one(-1));  // gap: x' - x - 1
      system->link(std::make_shared<Interaction>(law, relation), balls[j], balls[j + 1]);
    }
    const auto simulation = std::make_shared<EventDriven>(system, std::make_shared<TimeDiscretisation>(0, 1e-3));
    simulation->insertIntegrator(std::make_shared<LsodarOSI>());
    const auto impact = std::make_shared<TimedImpact>("BiStiffness", dP);
    impact->SetNstepMax(std::numeric_limits<unsigned>::max() - 1);
    simulation->insertNonSmoothProblem(impact, SICONOS_OSNSP_ED_IMPACT);
    simulation->insertNonSmoothProblem(std::make_shared<LCP>(), SICONOS_OSNSP_ED_SMOOTH_ACC);
    simulation->initialize();
    simulation->advanceToEvent();  // the balls touch from the beginning: the impact is the first event
    simulation->processEvents();
    for (const auto& ball : balls) answer.u_plus.push_back((*ball->velocity())(0));
    answer.seconds = impact->seconds;
  } catch (const std::exception& error) {
    answer.failure = error.what();
  } catch (...) {
    answer.failure = "exception";
  }
  return answer;
}

}  // namespace carom::bench
