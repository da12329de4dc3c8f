// Piles beside Bullet: processor time of one core, and how well the pile rests at the end.
//   carom_bench_bullet [balls | boxes | mixed] [SIDE ...]     4 SIDE^2 bodies; 16 makes 1024, 50 makes 10 000
// Mixed are boxes, balls, capsules and octahedra.

#include <btBulletDynamicsCommon.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "carom/scene/scene.h"
#include "carom/simulate/run.h"
#include "last_translation.h"
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

/// What a pile has at the end [J].
struct Left {
  double kinetic = 0, translation = 0;
};

void tell(const char* who, double seconds, const Left& left, double start, double deepest) {
  fmt::print("  {:<26} {:>9.2f} s   {:.1e} of the energy left, {:.1e} without spin   overlap {:.4f} mm\n", who, seconds,
             left.kinetic / start, left.translation / start, 1e3 * deepest);
  std::fflush(stdout);
}

struct Fallen {
  Model model;
  State start;
  double energy = 0;  // [J] of all at the start
};

Fallen run_carom(bench::PileOf kind, int side) {
  const scene::Scene scene = scene::parse_scene(bench::pile(kind, side, kLayers), "bench.toml");
  Fallen fallen{Model(scene.description), {}, 0};
  fallen.start = fallen.model.state(scene.placement);
  bench::LastTranslation last;
  RunSummary summary;
  RunOptions options{.duration = scene.duration, .interval = scene.duration};
  options.threads = 1;
  const double seconds =
      processor_seconds([&] { summary = run(fallen.model, fallen.start, scene.scheme, scene.law, options, last); });
  tell("Carom", seconds, {summary.ledger.kinetic, last.energy}, summary.ledger.start, summary.deepest_penetration);
  fallen.energy = summary.ledger.start;
  return fallen;
}

/// The same shape for Bullet.
std::unique_ptr<btCollisionShape> shape_of(const geometry::Shape& shape) {
  if (const auto* ball = std::get_if<geometry::Sphere>(&shape))
    return std::make_unique<btSphereShape>(scalar(ball->radius));
  if (const auto* box = std::get_if<geometry::Box>(&shape)) {
    const Vector3& half = box->half;
    return std::make_unique<btBoxShape>(btVector3(scalar(half.x()), scalar(half.y()), scalar(half.z())));
  }
  if (const auto* capsule = std::get_if<geometry::Capsule>(&shape))
    return std::make_unique<btCapsuleShapeX>(scalar(capsule->radius), scalar(2 * capsule->half_length));
  auto hull = std::make_unique<btConvexHullShape>();
  hull->setMargin(scalar(1e-4));
  for (const Vector3& corner : std::get<geometry::Polytope>(shape).corners)
    hull->addPoint({scalar(corner.x()), scalar(corner.y()), scalar(corner.z())});
  return hull;
}

/// Bullet's world, which owns nothing that is put into it.
class BulletPile {
 public:
  BulletPile(const Fallen& fallen, int side, int iterations)
      : dispatcher_(&configuration_), world_(&dispatcher_, &broad_phase_, &solver_, &configuration_) {
    gContactBreakingThreshold = gDbvtMargin =
        scalar(1e-3);  // [m] the defaults pair a body of 20 mm with half of the pile
    world_.setGravity({0, 0, scalar(-9.81)});
    world_.getSolverInfo().m_numIterations = iterations;
    const btScalar box = scalar(bench::box_side(side));
    wall({0, 0, 1}, 0);
    wall({1, 0, 0}, 0);
    wall({-1, 0, 0}, -box);
    wall({0, 1, 0}, 0);
    wall({0, -1, 0}, -box);
    const Model& model = fallen.model;
    for (int i = 0; i < static_cast<int>(model.bodies().size()); ++i) {
      if (model.first_position(i) < 0) continue;
      const Body& body = model.bodies()[i];
      shapes_.push_back(shape_of(body.parts.front().shape));
      const Pose pose = model.pose(i, fallen.start);
      const btTransform place(
          btQuaternion(scalar(pose.orientation.x()), scalar(pose.orientation.y()), scalar(pose.orientation.z()),
                       scalar(pose.orientation.w())),
          btVector3(scalar(pose.position.x()), scalar(pose.position.y()), scalar(pose.position.z())));
      motions_.push_back(std::make_unique<btDefaultMotionState>(place));
      const Vector3 inertia = body.inertia.diagonal();
      add({scalar(body.mass), motions_.back().get(), shapes_.back().get(),
           btVector3(scalar(inertia.x()), scalar(inertia.y()), scalar(inertia.z()))});
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

  Left left() const {
    Left result;
    for (const auto& body : bodies_) {
      if (!(body->getInvMass() > 0)) continue;
      const btVector3 spin = body->getWorldTransform().getBasis().transpose() * body->getAngularVelocity();
      const btVector3& inverse = body->getInvInertiaDiagLocal();
      result.translation += 0.5 * body->getLinearVelocity().length2() / body->getInvMass();
      for (int k = 0; k < 3; ++k) result.kinetic += 0.5 * spin[k] * spin[k] / inverse[k];
    }
    result.kinetic += result.translation;
    return result;
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
  /// A block before which the pile lies: with planes, which have no bounds, Bullet pairs every body with every wall.
  void wall(const btVector3& normal, btScalar place) {
    const btScalar half = scalar(100);  // [m]
    shapes_.push_back(std::make_unique<btBoxShape>(btVector3(half, half, half)));
    add({0, nullptr, shapes_.back().get()});
    bodies_.back()->setWorldTransform(btTransform(btQuaternion::getIdentity(), (place - half) * normal));
    world_.updateSingleAabb(bodies_.back().get());
  }

  btDefaultCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_;
  btDbvtBroadphase broad_phase_;
  btSequentialImpulseConstraintSolver solver_;
  btDiscreteDynamicsWorld world_;
  std::vector<std::unique_ptr<btCollisionShape>> shapes_;
  std::vector<std::unique_ptr<btDefaultMotionState>> motions_;
  std::vector<std::unique_ptr<btRigidBody>> bodies_;
};

}  // namespace

int main(int count, char** arguments) {
  const std::vector<std::pair<std::string_view, bench::PileOf>> kinds = {
      {"balls", bench::PileOf::balls}, {"boxes", bench::PileOf::boxes}, {"mixed", bench::PileOf::mixed}};
  std::pair<std::string_view, bench::PileOf> kind = kinds.front();
  std::vector<int> sides;
  for (int i = 1; i < count; ++i) {
    const std::string_view word = arguments[i];
    const auto known = std::find_if(kinds.begin(), kinds.end(), [&](const auto& one) { return one.first == word; });
    if (known != kinds.end())
      kind = *known;
    else
      sides.push_back(std::atoi(arguments[i]));
  }
  if (sides.empty()) sides = {8, 16};
  for (const int side : sides) {
    if (side < 1) {
      fmt::print(stderr, "sides of piles are whole numbers from 1 on\n");
      return 2;
    }
    fmt::print("{} {}, {} s in steps of {} s\n", kLayers * side * side, kind.first, kDuration, kStep);
    const Fallen fallen = run_carom(kind.second, side);
    for (const int iterations : {10, 50}) {
      BulletPile pile(fallen, side, iterations);
      const double seconds = processor_seconds([&] { pile.run(); });
      tell(fmt::format("Bullet, {} iterations", iterations).c_str(), seconds, pile.left(), fallen.energy,
           pile.deepest());
    }
  }
}
