#pragma once

#include <optional>

#include "carom/robots/mjcf_settings.h"

namespace carom::robots {

/// A `geom`: its shape where it can be carried over, and whether it takes part in contacts.
struct MjcfGeom {
  std::optional<LinkShape> shape;
  bool collides = true;
};
MjcfGeom read_geom(const Element& whole, const MjcfSettings& settings, const ReadOptions& options,
                   const std::string& body, std::vector<std::string>& left_out);

/// The mass of the `geom`s of a body: `mass`, or `density` (1000 kg/m^3) times the volume.
class SummedMass {
 public:
  void add(const Element& whole, const MjcfGeom& geom);
  void write(Link& link) const;

 private:
  struct Lump {
    double mass = 0;
    Vector3 centre;
    Matrix3 inertia;
  };
  std::vector<Lump> lumps_;
};

}  // namespace carom::robots
