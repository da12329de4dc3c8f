#pragma once

#include <deque>
#include <optional>
#include <vector>

#include "carom/simulate/crowd/contact_sweeps.h"
#include "carom/simulate/near_contacts.h"

namespace carom::simulate {

/// Moves bodies of crowds apart, in models without joints. Work is done only where bodies move; keeps its room.
class CrowdOverlaps {
 public:
  /// How deep contacts may be, each (pairs) [m].
  struct Depths {
    Vector tolerated;  // an island none of whose contacts is deeper stays where it is
    Vector left;       // after the displacement of the others
  };

  /// The least displacement, in the kinetic metric: (velocities) over a unit of time. Contacts are relaxed one after
  /// the other as long as their bodies are pushed, to a small part of the deepest overlap. Nothing where that does not
  /// end.
  std::optional<Vector> displacement(const Model& model, const BodyFrames& frames,
                                     const std::vector<ContactPair>& pairs, const Depths& depths);

  const std::vector<int>& moved() const { return touched_; }  // bodies, the last time

 private:
  struct Relaxed {
    SweptContact contact;
    bool is_read = false, waits = false;  // in the queue
  };
  int place_of(const Model& model, const BodyFrames& frames, int body);
  void read(const Model& model, const BodyFrames& frames, const ContactPair& pair, double offset, Relaxed& one);
  void find_neighbours(const Model& model, const std::vector<ContactPair>& pairs);
  void find_deep_islands(const Model& model, const std::vector<ContactPair>& pairs, const Vector& tolerated);
  void wake(int body);
  Vector displacement_found(const Model& model, const BodyFrames& frames) const;

  SweptBodies bodies_;                   // (touched)
  std::vector<int> touched_;             // bodies that may move
  std::vector<double> pushed_;           // (touched) [m] since their contacts were asked again
  std::vector<int> place_;               // (bodies) among them; -1: none
  std::vector<std::size_t> first_;       // (bodies) of its contacts among the neighbours, and the end of the last one
  std::vector<std::size_t> neighbours_;  // pairs
  std::vector<int> deep_islands_;        // their bodies
  std::vector<char> in_deep_island_;     // (bodies)
  std::vector<Relaxed> contacts_;        // (pairs)
  std::deque<std::size_t> queue_;
};

}  // namespace carom::simulate
