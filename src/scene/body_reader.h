#pragma once

#include "carom/scene/draft.h"

namespace carom::scene {

/// [[body]] and [[wall]].
void read_bodies(Draft& draft, const Field& root);
void read_walls(Draft& draft, const Field& root);

/// A body from what is given for it, its sizes multiplied by `scale`; its mass, if it is given, is that of scale 1.
MadeBody make_body(const Draft& draft, const Given& given, std::string name, double scale = 1);

/// Point masses, bodies without shape and inertia, may have nothing that would turn them. After all else was read.
void require_points(const Draft& draft);

/// Velocity and angular velocity of a body at that place.
Start read_start(const Draft& draft, const Given& given, const Pose& pose);

/// The keys of one body apart from its name.
std::vector<std::string_view> body_keys();

/// A body that is fixed stands where it starts, without a velocity.
void stand(MadeBody& made, const Given& given, const Start& start);

}  // namespace carom::scene
