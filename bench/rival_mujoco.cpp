// Standing and falling boxes, and a pile of balls, beside MuJoCo: processor time of one core, and what came of it.
//   carom_bench_mujoco [dominoes | tower | pile]...
// MuJoCo has no restitution to ask for: its contacts are the default springs, as stiff as its step allows.

#include <fmt/format.h>
#include <mujoco/mujoco.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "carom/scene/scene.h"
#include "carom/simulate/run.h"
#include "piles.h"
#include "standing_boxes.h"
#include "timing.h"

namespace {

using namespace carom;

struct Fallen {
  Model model;
  State start;
  RunSummary summary;
  double seconds = 0;
};

Fallen run_carom(const std::string& toml) {
  const scene::Scene scene = scene::parse_scene(toml, "bench.toml");
  Fallen fallen{Model(scene.description), {}, {}};
  fallen.start = fallen.model.state(scene.placement);
  NoObserver nobody;
  RunOptions options{.duration = scene.duration, .interval = scene.duration};
  options.threads = 1;
  fallen.seconds = bench::seconds_of(
      [&] { fallen.summary = run(fallen.model, fallen.start, scene.scheme, scene.law, options, nobody); });
  return fallen;
}

/// A model of MuJoCo and its state.
class MujocoWorld {
 public:
  explicit MujocoWorld(const std::string& mjcf) {
    const auto files = std::make_unique<mjVFS>();
    mj_defaultVFS(files.get());
    mj_makeEmptyFileVFS(files.get(), "scene.xml", static_cast<int>(mjcf.size()));
    std::memcpy(files->filedata[0], mjcf.data(), mjcf.size());
    char error[500] = "";
    model_.reset(mj_loadXML("scene.xml", files.get(), error, sizeof error));
    mj_deleteVFS(files.get());
    if (!model_) throw std::runtime_error(error);
    data_.reset(mj_makeData(model_.get()));
  }

  double run(double duration) {
    const int steps = static_cast<int>(duration / model_->opt.timestep + 0.5);
    const double seconds = bench::seconds_of([&] {
      for (int i = 0; i < steps; ++i) mj_step(model_.get(), data_.get());
    });
    for (int i = 0; i < mjNWARNING; ++i)  // memory that was too small, or a state that was not a number and was reset
      if (const int count = data_->warning[i].number; count > 0)
        fmt::print("  MuJoCo warned {} times: {}\n", count, mju_warningText(i, data_->warning[i].lastinfo));
    return seconds;
  }

  double* positions() { return data_->qpos; }
  double* velocities() { return data_->qvel; }
  const double* place(int body) const { return data_->xpos + 3 * body; }  // body 0 is the world

  double deepest() const {
    double most = 0;
    for (int i = 0; i < data_->ncon; ++i) most = std::max(most, -data_->contact[i].dist);
    return most;
  }
  double kinetic() {
    std::vector<double> momentum(static_cast<std::size_t>(model_->nv));
    mj_mulM(model_.get(), data_.get(), momentum.data(), data_->qvel);
    return 0.5 * mju_dot(momentum.data(), data_->qvel, model_->nv);
  }

 private:
  struct Delete {
    void operator()(mjModel* model) const { mj_deleteModel(model); }
    void operator()(mjData* data) const { mj_deleteData(data); }
  };
  std::unique_ptr<mjModel, Delete> model_;
  std::unique_ptr<mjData, Delete> data_;
};

constexpr int kMostContacts = 2'000,
              kMostMemory = 40'000'000;  // what MuJoCo reserves; the latter in numbers of 8 bytes

std::string world(const std::string& options, const std::string& bodies) {
  return fmt::format(
      R"(<mujoco><size njmax="{}" nconmax="{}" nstack="{}"/><option {}/><worldbody>{}</worldbody></mujoco>)",
      4 * kMostContacts, kMostContacts, kMostMemory, options, bodies);
}

void dominoes() {
  for (const int count : {12, 30}) {
    const Fallen ours = run_carom(bench::free_dominoes(count));
    fmt::print("{} dominoes, {} s\n  {:<26} {:>9.4f} s   first one turned by {:.4f} rad, {} impacts\n", count,
               bench::kDominoTime, "Carom", ours.seconds, ours.summary.end.q[2], ours.summary.impacts);
    std::string bodies = R"(<geom type="plane" size="0 0 1" friction="0.9" condim="3"/>)";
    for (int i = 0; i < count; ++i)
      bodies +=
          fmt::format(R"(<body pos="{} 0 0.0216"><joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 0 1"/>
        <joint type="hinge" axis="0 -1 0"/><geom type="box" size="0.00385 0.01095 0.0216" density="631" friction="0.11"/></body>)",
                      i * (0.0077 + 0.01386));
    MujocoWorld theirs(world(R"(timestep="0.001" gravity="0 0 -9.80665")", bodies));
    theirs.velocities()[0] = 0.2592;
    theirs.velocities()[1] = 0.0462;
    theirs.velocities()[2] = -12;
    const double seconds = theirs.run(bench::kDominoTime);
    fmt::print("  {:<26} {:>9.4f} s   first one turned by {:.4f} rad\n", "MuJoCo, 1 ms", seconds,
               theirs.positions()[2]);
  }
}

void tower() {
  constexpr double kDuration = 10;  // [s]
  const Fallen ours = run_carom(bench::tower_of_boxes(kDuration));
  const auto tell = [](const char* who, double seconds, const Vector3& top) {
    fmt::print("  {:<26} {:>9.4f} s   top box {:.1e} m aside, {:.1e} m lower\n", who, seconds,
               std::hypot(top.x(), top.y()), 0.95 - top.z());
  };
  fmt::print("tower of ten boxes, {} s in steps of {} s\n", kDuration, bench::kTowerStep);
  tell("Carom", ours.seconds, ours.model.pose(9, ours.summary.end).position);
  std::string bodies = R"(<geom type="plane" size="0 0 1" friction="0.5"/>)";
  for (int i = 0; i < 10; ++i)
    bodies += fmt::format(
        R"(<body pos="0 0 {}"><freejoint/><geom type="box" size="0.15 0.1 0.05" mass="1" friction="0.5"/></body>)",
        0.05 + 0.1 * i);
  for (const char* solver : {"Newton", "PGS"}) {
    MujocoWorld theirs(world(fmt::format(R"(timestep="{}" solver="{}")", bench::kTowerStep, solver), bodies));
    const double seconds = theirs.run(kDuration);
    tell(fmt::format("MuJoCo, {}", solver).c_str(), seconds, Eigen::Map<const Vector3>(theirs.place(10)));
  }
}

void pile() {
  constexpr int kSide = 8, kLayers = 4;
  const Fallen ours = run_carom(bench::pile_of_balls(kSide, kLayers));
  const double start = ours.summary.ledger.start, box = bench::box_side(kSide);
  const auto tell = [&](const char* who, double seconds, double kinetic, double deepest) {
    fmt::print("  {:<26} {:>9.4f} s   {:.1e} of the energy left   overlap {:.4f} mm\n", who, seconds, kinetic / start,
               1e3 * deepest);
    std::fflush(stdout);
  };
  fmt::print("{} balls, 2 s in steps of 0.002 s\n", kLayers * kSide * kSide);
  tell("Carom", ours.seconds, ours.summary.ledger.kinetic, ours.summary.deepest_penetration);
  std::string bodies = fmt::format(R"(<geom type="plane" size="0 0 1" friction="0.3"/>
    <geom type="plane" size="0 0 1" friction="0.3" zaxis="1 0 0"/><geom type="plane" size="0 0 1" friction="0.3" zaxis="0 1 0"/>
    <geom type="plane" size="0 0 1" friction="0.3" zaxis="-1 0 0" pos="{0} 0 0"/>
    <geom type="plane" size="0 0 1" friction="0.3" zaxis="0 -1 0" pos="0 {0} 0"/>)",
                                   box);
  for (int i = 0; i < static_cast<int>(ours.model.bodies().size()); ++i) {
    if (ours.model.first_position(i) < 0) continue;
    const Vector3 at = ours.model.pose(i, ours.start).position;
    bodies += fmt::format(
        R"(<body pos="{} {} {}"><freejoint/><geom type="sphere" size="{}" density="1000" friction="0.3"/></body>)",
        at.x(), at.y(), at.z(), bench::kBallRadius);
  }
  MujocoWorld theirs(world(R"(timestep="0.002" gravity="0 0 -9.81" solver="CG")", bodies));
  const double seconds = theirs.run(2);
  tell("MuJoCo, CG", seconds, theirs.kinetic(), theirs.deepest());
}

}  // namespace

int main(int count, char** arguments) {
  const std::vector<std::pair<std::string_view, void (*)()>> all = {
      {"dominoes", dominoes}, {"tower", tower}, {"pile", pile}};
  for (int i = 1; i < count; ++i)
    if (std::none_of(all.begin(), all.end(), [&](const auto& one) { return one.first == arguments[i]; })) {
      fmt::print(stderr, "{}: not one of dominoes, tower, pile\n", arguments[i]);
      return 2;
    }
  for (const auto& [name, measure] : all)
    if (count == 1 || std::find(arguments + 1, arguments + count, name) != arguments + count) measure();
}
