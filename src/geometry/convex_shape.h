#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

#include "carom/geometry/curvature.h"
#include "carom/geometry/dimension.h"
#include "carom/geometry/feature.h"
#include "carom/geometry/mass_properties.h"
#include "carom/geometry/plane/outline.h"
#include "carom/geometry/pose.h"
#include "carom/geometry/space/solid.h"
#include "carom/geometry/surface.h"

namespace carom::geometry {

/// The box around a shape, parallel to the axes of the world; infinite for half-spaces.
struct Bounds {
  Vector3 low = Vector3::Constant(std::numeric_limits<double>::infinity());
  Vector3 high = Vector3::Constant(-std::numeric_limits<double>::infinity());
};

/// How a surface bends as a whole: with two curvatures everywhere, nowhere but at edges, or in one direction.
enum class Bending { smooth, flat, straight };

/// What a scene calls a shape, and where it may be. Of two forms of a shape the flat one is a plate: it lives in the
/// plane, and weighs its section times a thickness.
struct Form {
  std::string_view name;
  bool line = false, plane = false, space = false;
  bool plate = false;

  constexpr bool is_for(Dimension dimension) const {
    return dimension == Dimension::line ? line : dimension == Dimension::plane ? plane : space;
  }
};
constexpr Form anywhere(std::string_view name) {
  return {name, true, true, true};
}
constexpr Form but_not_on_line(std::string_view name) {
  return {name, false, true, true};
}
constexpr Form plate(std::string_view name) {
  return {.name = name, .plane = true, .plate = true};
}

/// What an author gives for a shape, each with the place in the shape where it goes.
struct Numbers {  // one number, or a list of as many as there are places
  std::vector<double*> places;
  double factor = 1;                                 // from what is given to what the shape has
  std::optional<double> least = {}, otherwise = {};  // least: >= this, instead of > 0; otherwise: if left out
};
struct Direction {  // of length 1; upwards if left out
  Vector3* place;
};
struct Corners {  // a list of points; `take` throws InputError on what makes no shape
  std::function<void(const std::vector<Vector3>&)> take;
};
struct MeshFile {  // the text of a file, instead of `instead_of`, which may have several solids: takes one of them,
                   // counted from 0, and returns how many there are. Throws InputError with "line 7" for a place
  std::function<std::size_t(std::string_view, std::size_t)> take;
  std::string_view instead_of;
};
struct ShapeField {
  std::string_view key;
  std::variant<Numbers, Direction, Corners, MeshFile> value;
  std::string_view meaning;
};

/// A shape that ends; its farthest point along a direction, in its frame: the x that maximises direction . x. Where a
/// face or an edge is farthest, one of its points; on flat ends of round shapes their centre. With direction_z = 0 the
/// point lies in the section z = 0 of every shape but a Polytope.
template <class S>
concept BoundedShape = requires(const S shape, const Vector3& direction) {
  { shape.support_point(direction) } -> std::same_as<Vector3>;
};
template <class S>
concept UnboundedShape = !BoundedShape<S> && requires(const S shape, const Pose& pose) {
  { shape.bounds(pose) } -> std::same_as<Bounds>;
};

/// All points within a radius of the hull of some corners, in the plane (of the section z = 0) and in space. corner(i)
/// is where the i-th corner of the solid is in the frame of the shape.
template <class S>
concept HullInPlane = requires(const S shape, const Pose& pose) {
  { shape.outline(pose) } -> std::same_as<plane::Outline>;
};
template <class S>
concept HullInSpace = requires(const S shape, const Pose& pose) {
  { shape.solid(pose) } -> std::same_as<space::Solid>;
  { shape.corner(0) } -> std::same_as<Vector3>;
};

/// A shape with a normal that turns all along: the level set of a function; its gauge, which is 1 on the surface and
/// proportional to the distance from the centre; the derivative of its support point with respect to the direction.
template <class S>
concept SmoothShape = requires(const S shape, const Vector3& x) {
  { shape.level_set(x) } -> std::same_as<LevelSet>;
  { shape.gauge(x) } -> std::same_as<double>;
  { shape.support_slopes(x) } -> std::same_as<Matrix3>;
  { shape.surface_point(0.5, 0.5) } -> std::same_as<SurfacePoint>;
};

/// A shape that rests on rims: the points that may touch a plane below. Its contacts with other shapes are found by
/// functions of its own (space/cylinder_contacts.h).
template <class S>
concept RimmedShape = requires(const S shape, const Pose& pose, const Vector3& down) {
  { shape.rim_points(pose, down) } -> std::same_as<std::vector<SurfacePlace>>;
};

template <class S>
inline constexpr bool is_in_space = std::any_of(std::begin(S::forms), std::end(S::forms),
                                                [](const Form& form) { return form.space; });

/// What contacts need of a shape in the plane, and what a shape offers that lives in space, too.
template <class S>
concept WithContactsInPlane = HullInPlane<S> || SmoothShape<S> || UnboundedShape<S>;
template <class S>
concept WithContactsInSpace = HullInSpace<S> || SmoothShape<S> || RimmedShape<S> || UnboundedShape<S>;
template <class S>
concept InSpace = WithContactsInSpace<S> && requires(const S shape) {
  { shape.in_space() } -> std::same_as<MassProperties>;
};

/// A shape is a closed convex solid in its own frame, and a plain value with
/// - `forms`, what scenes call it; `fields(form)`, what they say of it
/// - `reach`, the largest distance of its points from the origin; `scale(factor)`, which makes it larger
/// - mass properties of density 1 of its section `in_plane` and, where it lives there, `in_space`
/// - how its surface bends: as a whole, and at a point x with outward unit normal n, both in its frame; the radius of
///   its balls, tubes and rims (feature.h), 0 if it has none
/// - what contacts need, by its kind.
/// In planar scenes it is the section with z = 0 and moves in that plane: a sphere is a disc, a box a rectangle. In
/// curvature(), which counts for stiffness, it is a solid there, too; a polygon is a prism along z.
template <class S>
concept ConvexShape = (BoundedShape<S> || UnboundedShape<S>)&&WithContactsInPlane<S> &&
                      (InSpace<S> || !is_in_space<S>)&&requires(S shape, const S fixed, const Form& form,
                                                                const Vector3& x, double factor) {
  {std::span<const Form>(S::forms)};
  { shape.fields(form) } -> std::same_as<std::vector<ShapeField>>;
  { S::bending } -> std::convertible_to<Bending>;
  { fixed.reach() } -> std::same_as<double>;
  { shape.scale(factor) } -> std::same_as<void>;
  { fixed.in_plane() } -> std::same_as<MassProperties>;
  { fixed.curvature(x, x) } -> std::same_as<Curvature>;
  { fixed.round_radius() } -> std::same_as<double>;
};

}  // namespace carom::geometry
