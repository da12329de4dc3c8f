// A pile of balls beside Bullet: processor time, and how well the pile rests at the end.
//   carom_bench_bullet [SIDE ...]     4 SIDE^2 balls; 16 makes 1024, 50 makes 10 000

#include <btBulletDynamicsCommon.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <vector>

#include "carom/scene/scene.h"
#include "carom/simulate/run.h"
#include "piles.h"

namespace {

using namespace carom;

constexpr int kLayers = 4;
constexpr double kDuration = 2, kStep = 2e-3, kFriction = 0.3;  // [s], [s], [-]

btScalar scalar(double x) {
  return static_cast<btScalar>(x);  // Bullet's are of single precision, if it was built so
}

template <class Call>
double processor_seconds(Call&& call) {
  const std::clock_t start = std::clock();
  call();
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

void tell(const char* who, double seconds, double kinetic, double start, double deepest) {
  fmt::print("  {:<26} {:>9.2f} s   {:.1e} of the energy left   overlap {:.4f} mm\n", who, seconds, kinetic / start,
             1e3 * deepest);
}

struct Balls {
  std::vector<Vector3> centres;
  double mass = 0, energy = 0;  // [kg] of one, [J] of all at the start
};

Balls run_carom(int side) {
  const scene::Scene scene = scene::parse_scene(bench::pile_of_balls(side, kLayers), "bench.toml");
  const Model model(scene.description);
  const State start = model.state(scene.placement);
  Observer nobody;
  RunSummary summary;
  const double seconds = processor_seconds([&] {
    summary = run(model, start, scene.scheme, scene.law, {scene.duration, scene.duration}, nobody);
  });
  tell("Carom", seconds, summary.ledger.kinetic, summary.ledger.start, summary.deepest_penetration);
  Balls balls;
  for (int body = 0; body < static_cast<int>(model.bodies().size()); ++body) {
    if (model.first_position(body) < 0) continue;
    balls.centres.push_back(model.pose(body, start).position);
    balls.mass = model.bodies()[body].mass;
  }
  balls.energy = summary.ledger.start;
  return balls;
}

/// Bullet's world, which owns nothing that is put into it.
class BulletPile {
 public:
  BulletPile(const Balls& balls, int side, int iterations)
      : dispatcher_(&configuration_),
        world_(&dispatcher_, &broad_phase_, &solver_, &configuration_),
        ball_(scalar(bench::kBallRadius)),
        mass_(balls.mass) {
    world_.setGravity({0, 0, scalar(-9.81)});
    world_.getSolverInfo().m_numIterations = iterations;
    const btScalar box = scalar(bench::box_side(side));
    wall({0, 0, 1}, 0);
    wall({1, 0, 0}, 0);
    wall({-1, 0, 0}, -box);
    wall({0, 1, 0}, 0);
    wall({0, -1, 0}, -box);
    btVector3 inertia;
    ball_.calculateLocalInertia(scalar(mass_), inertia);
    for (const Vector3& centre : balls.centres) {
      btTransform place(btQuaternion::getIdentity(),
                        btVector3(scalar(centre.x()), scalar(centre.y()), scalar(centre.z())));
      motions_.push_back(std::make_unique<btDefaultMotionState>(place));
      add({scalar(mass_), motions_.back().get(), &ball_, inertia});
    }
  }
  ~BulletPile() {
    for (const auto& body : bodies_) world_.removeRigidBody(body.get());
  }
  BulletPile(const BulletPile&) = delete;
  BulletPile& operator=(const BulletPile&) = delete;

  void run() {
    for (int i = 0; i < static_cast<int>(kDuration / kStep + 0.5); ++i) world_.stepSimulation(scalar(kStep), 0);
  }

  double kinetic() const {
    double energy = 0;
    const double inertia = 0.4 * mass_ * bench::kBallRadius * bench::kBallRadius;
    for (const auto& body : bodies_)
      if (body->getInvMass() > 0)
        energy +=
            0.5 * mass_ * body->getLinearVelocity().length2() + 0.5 * inertia * body->getAngularVelocity().length2();
    return energy;
  }

  double deepest() const {
    double most = 0;
    for (int i = 0; i < dispatcher_.getNumManifolds(); ++i) {
      const btPersistentManifold* manifold =
          const_cast<btCollisionDispatcher&>(dispatcher_).getManifoldByIndexInternal(i);
      for (int k = 0; k < manifold->getNumContacts(); ++k)
        most = std::max(most, -static_cast<double>(manifold->getContactPoint(k).getDistance()));
    }
    return most;
  }

 private:
  void add(const btRigidBody::btRigidBodyConstructionInfo& made_of) {
    bodies_.push_back(std::make_unique<btRigidBody>(made_of));
    bodies_.back()->setFriction(scalar(std::sqrt(kFriction)));  // Bullet multiplies those of the two bodies
    bodies_.back()->setActivationState(DISABLE_DEACTIVATION);
    world_.addRigidBody(bodies_.back().get());
  }
  void wall(const btVector3& normal, btScalar place) {
    walls_.push_back(std::make_unique<btStaticPlaneShape>(normal, place));
    add({0, nullptr, walls_.back().get()});
  }

  btDefaultCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_;
  btDbvtBroadphase broad_phase_;
  btSequentialImpulseConstraintSolver solver_;
  btDiscreteDynamicsWorld world_;
  btSphereShape ball_;
  double mass_;
  std::vector<std::unique_ptr<btStaticPlaneShape>> walls_;
  std::vector<std::unique_ptr<btDefaultMotionState>> motions_;
  std::vector<std::unique_ptr<btRigidBody>> bodies_;
};

}  // namespace

int main(int count, char** arguments) {
  std::vector<int> sides;
  for (int i = 1; i < count; ++i) sides.push_back(std::atoi(arguments[i]));
  if (sides.empty()) sides = {8, 16};
  for (const int side : sides) {
    if (side < 1) {
      fmt::print(stderr, "sides of piles are whole numbers from 1 on\n");
      return 2;
    }
    fmt::print("{} balls, {} s in steps of {} s\n", kLayers * side * side, kDuration, kStep);
    const Balls balls = run_carom(side);
    for (const int iterations : {10, 50}) {
      BulletPile pile(balls, side, iterations);
      const double seconds = processor_seconds([&] { pile.run(); });
      tell(fmt::format("Bullet, {} iterations", iterations).c_str(), seconds, pile.kinetic(), balls.energy,
           pile.deepest());
    }
  }
}
