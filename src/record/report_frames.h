#pragma once

#include <array>
#include <vector>

#include "carom/record/json.h"
#include "carom/record/run_summary.h"

namespace carom::record {

/// The states of a run for a page, thinned while the run goes on: when there are too many, every other recorded state
/// is left out, the last never. Between them stand states right before and after impacts, as long as there is room.
/// Memory and the page hold at most some ten megabytes, whatever the number of bodies.
class ReportFrames {
 public:
  explicit ReportFrames(const Model& model);

  void state(const Model& model, const State& state, const Ledger& ledger);
  void impact(const Model& model, const ImpactEvent& event);
  void contacts(const Model& model, const std::vector<ContactForce>& forces);  // at the last state
  void joints(const Model& model, const std::vector<JointForce>& forces);      // the same

  /// "moving", "columns", "times", "recorded", "poses", "velocities", "energies", "contacts", "joints", "loads",
  /// "thinned".
  Json json(const Model& model) const;

 private:
  struct Frame {
    double t = 0;
    bool recorded = true;                 // else beside an impact
    std::vector<float> pose, velocity;    // of the moving bodies, one after another
    std::vector<float> contacts, joints;  // of contacts the strongest first
    std::vector<float> loads;
    std::array<double, 7> energy = {};
  };
  Frame frame_at(const Model& model, const State& state) const;
  void thin();
  void thin_contacts();

  std::vector<int> moving_;
  bool turns_ = true, has_velocities_ = true;
  std::size_t most_frames_ = 0, most_jumps_ = 0, jumps_ = 0;
  long states_ = 0, stride_ = 1;
  std::size_t contact_width_ = 0, contacts_ = 0, most_contacts_ = 0;  // most: in one frame
  long left_out_contacts_ = 0;
  std::vector<Frame> frames_;
};

}  // namespace carom::record
