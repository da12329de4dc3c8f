#include "scene_generator.h"

#include <array>

#include "scene_draft.h"

namespace carom::soak {
namespace {

struct Kind {
  const char* name;
  double (*write)(SceneDraft&);
  bool plane, space;  // where it is at home; neither: on a line
};

constexpr std::array kKinds = {
    Kind{"drop", drop, true, true},
    Kind{"slide", slide, true, true},
    Kind{"stack", stack, true, true},
    Kind{"slope", slope, true, true},
    Kind{"wedge", wedge, true, true},
    Kind{"rolling", rolling, true, true},
    Kind{"bowling", bowling, true, true},
    Kind{"gas", gas, true, true},
    Kind{"robot", robot, true, true},
    Kind{"ladder", ladder, true, true},
    Kind{"dominoes", dominoes, true, true},
    Kind{"pouring", pouring, true, true},
    Kind{"spinning", spinning, true, true},
    Kind{"rocking", rocking, true, true},
    Kind{"resting", resting, true, true},
    Kind{"line", row_on_a_line, false, false},
    Kind{"pendulum", pendulum, true, true},
    Kind{"double pendulum", double_pendulum, true, true},
    Kind{"hanging chain", hanging_chain, true, true},
    Kind{"slider", slider, true, true},
    Kind{"four-bar", four_bar, true, true},
    Kind{"cradle", cradle, true, false},
};

constexpr std::uint64_t kDrivenFrom = 1'000'000;
constexpr std::array kDriven = {
    Kind{"motor arm", motor_arm, true, true},   Kind{"controlled block", controlled_block, true, true},
    Kind{"earthquake", earthquake, true, true}, Kind{"uneven row", uneven_row, true, true},
    Kind{"stones", stones, true, true},
};

}  // namespace

RandomScene random_scene(std::uint64_t seed) {
  const bool driven = seed >= kDrivenFrom;
  const std::size_t kinds = driven ? kDriven.size() : kKinds.size();
  const Kind& kind = driven ? kDriven[seed % kinds] : kKinds[seed % kinds];
  const bool in_space = kind.space && (seed / kinds) % 2 == 1;
  SceneDraft draft(seed, in_space ? 3 : kind.plane ? 2 : 1);
  draft.scene.kind = kind.name;
  const double duration = kind.write(draft);
  return draft.finished(duration);
}

}  // namespace carom::soak
