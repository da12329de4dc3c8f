#pragma once

#include <vector>

#include "carom/simulate/body_frames.h"
#include "carom/simulate/contact_search.h"
#include "carom/simulate/crowd/crew.h"

namespace carom::simulate {

/// The touches of bodies from step to step. Which pairs of parts are near each other is looked for with a skin around
/// the bodies, and again only when one of them has moved through it.
class NearContacts {
 public:
  NearContacts(const Model& model, const ContactSearch& search, Crew& crew);  // all outlive this

  /// Every touch, as ContactSearch::touching finds it, whose gap is at most `margin` times the size of the smaller body
  /// plus what both move in a time at their speeds [m/s]. Good until the next question.
  const std::vector<ContactPair>& within(const State& state, const BodyFrames& frames, double margin, double time,
                                         const std::vector<double>& speeds);

 private:
  /// Parts that may touch, and what is asked of them again and again.
  struct Near {
    PartPair parts;
    double size = 0;                                         // [m] the smaller one
    double reach = 0;                                        // [m] of both parts
    Vector3 at_a = Vector3::Zero(), at_b = Vector3::Zero();  // [m] their origins, in the frames of their bodies
    bool in_the_middle = true;                               // of their bodies, both
    double radius_a = 0, radius_b = 0;                       // [m] of two balls in the middle of their bodies, else 0
    bool is_of_balls() const { return radius_a > 0 && radius_b > 0; }
    std::size_t last = 0;          // its place in last_, if it is not that
    double apart = 0, travel = 0;  // [m] how far the parts were at least, and both bodies had come, then
  };

  /// What was found the last time: bodies that stand still have it again.
  struct Last {
    Pose pose_a, pose_b;
    double limit = -1;  // [m] of gaps; less: it was not asked
    std::vector<ContactPair> found;
  };

  static double gap_of_balls(double distance, const Near& near);
  Vector3 from_a_to_b(const BodyFrames& frames, const Near& near) const;
  double way(int body, const Pose& from, const Pose& to) const;
  double moved(const BodyFrames& frames) const;
  void look(const State& state, const BodyFrames& frames, double margin, double distance);
  std::size_t touches(const State& state, const BodyFrames& frames, Near& near, double limit);  // how many
  void find_touching(const State& state, const BodyFrames& frames, Near& near, double limit);
  void travel(const BodyFrames& frames);
  ContactPair touch_of_balls(const Near& near, const BodyFrames& frames) const;

  const Model& model_;
  const ContactSearch& search_;
  Crew& crew_;
  const bool has_grain_;    // some body
  std::vector<Near> near_;  // within the margin and the distance of then
  std::vector<Last> last_;
  std::vector<Pose> then_;         // (bodies)
  std::vector<Pose> now_;          // (bodies) at the last question
  std::vector<double> travelled_;  // (bodies) [m] at most, its points, from question to question
  double margin_ = 0, distance_ = 0;
  std::vector<std::size_t> places_;  // (near_) of its first one among those found, and the end of the last ones
  std::vector<ContactPair> found_;
};

}  // namespace carom::simulate
