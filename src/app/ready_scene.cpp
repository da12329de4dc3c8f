#include "carom/app/ready_scene.h"

namespace carom::app {
namespace {

constexpr double kStatesByDefault = 1000;

}  // namespace

RunOptions options_of(const ReadyScene& ready) {
  const scene::Scene& scene = ready.scene;
  return {.duration = scene.duration,
          .interval = scene.recording.interval.value_or(scene.duration / kStatesByDefault),
          .stop = scene.stop,
          .sets = scene.sets,
          .memory = ready.memory,
          .so_far = ready.so_far};
}

}  // namespace carom::app
