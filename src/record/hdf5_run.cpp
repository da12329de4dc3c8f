#include "carom/record/hdf5_run.h"

#include "carom/base/error.h"
#include "carom/record/hdf5_file.h"
#include "carom/record/hdf5_impacts.h"
#include "carom/record/output_file.h"
#include "carom/record/shapes_json.h"

#ifdef CAROM_WITH_HDF5

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace carom::record {
namespace {

using hdf5::EventTable;
using hdf5::Growing;
using hdf5::Handle;
using hdf5::ImpactTable;
using hdf5::make_group;
using hdf5::Numbers;
using hdf5::set_attribute;
using hdf5::write_numbers;
using hdf5::write_texts;

/// What bodies are: names, masses (0: not free), the radius of balls (else NaN) and all shapes as JSON.
void write_bodies(hid_t parent, const Model& model, const std::string& file) {
  std::vector<std::string> names, shapes, joints;
  std::vector<double> mass, radius;
  for (const Body& body : model.bodies()) {
    names.push_back(body.name);
    mass.push_back(body.is_free() ? body.mass : 0);
    radius.push_back(body.parts.size() == 1 ? geometry::ball_radius(body.parts[0].shape).value_or(std::nan(""))
                                            : std::nan(""));
    shapes.push_back(shapes_json(body, model.dimension()).dump());
  }
  for (const Joint& joint : model.description().joints) joints.push_back(joint.name);
  write_texts(parent, "body", names, file);
  write_texts(parent, "shapes", shapes, file);
  write_texts(parent, "joint", joints, file);
  write_numbers(parent, "mass", mass, "kg", file);
  write_numbers(parent, "radius", radius, "m", file);
}

std::string prepared(const std::filesystem::path& folder) {
  make_folder(folder);
  H5dont_atexit();                              // what could not be written stays unwritten
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);  // its messages are ours
  return (folder / "run.h5").string();
}

/// A row a recorded state.
struct States {
  States(hid_t parent, hsize_t bodies, const std::string& file)
      : time(parent, "time", {}, "s", file),
        position(parent, "position", {bodies, 3}, "m", file),
        orientation(parent, "orientation", {bodies, 4}, "1", file),
        velocity(parent, "velocity", {bodies, 3}, "m/s", file),
        angular_velocity(parent, "angular_velocity", {bodies, 3}, "rad/s", file),
        energy(make_group(parent, "energy", file)),
        kinetic(energy, "kinetic", {}, "J", file),
        potential(energy, "potential", {}, "J", file),
        dissipated_impacts(energy, "dissipated_impacts", {}, "J", file),
        dissipated_dampers(energy, "dissipated_dampers", {}, "J", file),
        dissipated_slip(energy, "dissipated_slip", {}, "J", file),
        work(energy, "work", {}, "J", file),
        stored(energy, "stored", {}, "J", file) {}

  void add(const Model& model, const State& state, const Ledger& ledger) {
    time.add(state.t);
    for (int body = 0; body < static_cast<int>(model.bodies().size()); ++body) {
      const Pose pose = model.pose(body, state);
      const Twist twist = model.twist(body, state);
      const Quaternion& turn = pose.orientation;
      position.add_all(pose.position);
      orientation.add_all(std::array{turn.w(), turn.x(), turn.y(), turn.z()});
      velocity.add_all(twist.velocity);
      angular_velocity.add_all(twist.angular);
    }
    kinetic.add(ledger.kinetic);
    potential.add(ledger.potential);
    dissipated_impacts.add(ledger.dissipated_impacts);
    dissipated_dampers.add(ledger.dissipated_dampers);
    dissipated_slip.add(ledger.dissipated_slip);
    work.add(ledger.work);
    stored.add(ledger.stored);
    for (Numbers* one : all()) one->end_row();
  }
  void flush() {
    for (Numbers* one : all()) one->flush();
  }

 private:
  std::array<Numbers*, 12> all() {
    return {&time,    &position,  &orientation,        &velocity,           &angular_velocity,
            &kinetic, &potential, &dissipated_impacts, &dissipated_dampers, &dissipated_slip,
            &work,    &stored};
  }

  Numbers time, position, orientation, velocity, angular_velocity;
  Handle energy;
  Numbers kinetic, potential, dissipated_impacts, dissipated_dampers, dissipated_slip, work, stored;
};

/// One row per recorded time in `time` and `offset`, one per closed contact and time in the others.
struct ForceTable {
  ForceTable(hid_t parent, hsize_t joint_count, const std::string& file)
      : contacts(make_group(parent, "contacts", file)),
        time(contacts, "time", {}, "s", file),
        point(contacts, "point", {3}, "m", file),
        normal(contacts, "normal", {3}, "1", file),
        force_n(contacts, "force_n", {}, "N", file),
        force_t(contacts, "force_t", {3}, "N", file),
        slip(contacts, "slip", {3}, "m/s", file),
        offset(contacts, "offset", {}, "1", file),
        body_a(contacts, "body_a", {}, "1", file),
        shape_a(contacts, "shape_a", {}, "1", file),
        body_b(contacts, "body_b", {}, "1", file),
        shape_b(contacts, "shape_b", {}, "1", file),
        mode(contacts, "mode", {}, "1", file),
        joints(make_group(parent, "joints", file)),
        force(joints, "force", {joint_count, 3}, "N", file),
        torque(joints, "torque", {joint_count, 3}, "N m", file) {
    offset.add(0);
  }

  void add(double t, const std::vector<ContactForce>& forces) {
    time.add(t);
    for (const ContactForce& one : forces) {
      point.add_all(one.point);
      normal.add_all(one.normal);
      force_n.add(one.force);
      force_t.add_all(one.tangential);
      slip.add_all(one.slip);
      body_a.add(one.parts.body_a);
      shape_a.add(one.parts.part_a);
      body_b.add(one.parts.body_b);
      shape_b.add(one.parts.part_b);
      const std::string_view word = word_for(one.mode);
      mode.add(word == word_for(ContactMode::slip) ? 2 : word == word_for(ContactMode::stick) ? 1 : 0);
      ++last_;
    }
    offset.add(last_);
    each([](auto& one) { one.end_row(); });
  }
  void add(const std::vector<JointForce>& forces) {
    for (const JointForce& one : forces) {
      force.add_all(one.force);
      torque.add_all(one.torque);
    }
    force.end_row();
    torque.end_row();
  }
  void flush() {
    each([](auto& one) { one.flush(); });
  }

 private:
  template <class Act>
  void each(Act&& act) {
    for (Numbers* one : {&time, &point, &normal, &force_n, &force_t, &slip, &force, &torque}) act(*one);
    for (Growing<std::int32_t>* one : {&body_a, &shape_a, &body_b, &shape_b}) act(*one);
    act(mode);
    act(offset);
  }

  Handle contacts;
  Numbers time, point, normal, force_n, force_t, slip;
  Growing<std::int64_t> offset;
  Growing<std::int32_t> body_a, shape_a, body_b, shape_b;
  Growing<std::uint8_t> mode;
  Handle joints;
  Numbers force, torque;
  std::int64_t last_ = 0;  // contacts so far
};

}  // namespace

bool has_hdf5() {
  return true;
}

struct Hdf5Run::File {
  File(const RunTitle& title, const Model& model, const std::filesystem::path& folder)
      : name(prepared(folder)),
        file(H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose, name),
        states(file, model.bodies().size(), name),
        impacts(file, name),
        events(file, name),
        forces(file, model.description().joints.size(), name) {
    set_attribute(file, "format", "carom-run/1", name);
    set_attribute(file, "title", title.title, name);
    set_attribute(file, "law", title.law, name);
    set_attribute(file, "scheme", name_of(title.scheme), name);
    write_bodies(file, model, name);
  }

  std::string name;
  Handle file;
  States states;
  ImpactTable impacts;
  EventTable events;
  ForceTable forces;
};

Hdf5Run::Hdf5Run(const RunTitle& title, const Model& model, const std::filesystem::path& folder)
    : file_(std::make_unique<File>(title, model, folder)) {}

void Hdf5Run::state(const Model& model, const State& state, const Ledger& ledger) {
  file_->states.add(model, state, ledger);
}

void Hdf5Run::impact(const Model& model, const ImpactEvent& event) {
  file_->impacts.add(model, event);
}

void Hdf5Run::event(const Model&, const RunEvent& event) {
  file_->events.add(event);
}

void Hdf5Run::contacts(const Model&, double t, const std::vector<ContactForce>& forces) {
  file_->forces.add(t, forces);
}

void Hdf5Run::joints(const Model&, double, const std::vector<JointForce>& forces) {
  file_->forces.add(forces);
}

void Hdf5Run::close() {
  file_->states.flush();
  file_->impacts.flush();
  file_->events.flush();
  file_->forces.flush();
  hdf5::require(H5Fflush(file_->file, H5F_SCOPE_GLOBAL), file_->name);
  file_.reset();
}

}  // namespace carom::record

#else

namespace carom::record {

struct Hdf5Run::File {};

bool has_hdf5() {
  return false;
}

Hdf5Run::Hdf5Run(const RunTitle&, const Model&, const std::filesystem::path&) {
  throw InputError("record.formats", "\"hdf5\" was asked for; Carom was built without HDF5");
}
void Hdf5Run::state(const Model&, const State&, const Ledger&) {}
void Hdf5Run::impact(const Model&, const ImpactEvent&) {}
void Hdf5Run::contacts(const Model&, double, const std::vector<ContactForce>&) {}
void Hdf5Run::joints(const Model&, double, const std::vector<JointForce>&) {}
void Hdf5Run::event(const Model&, const RunEvent&) {}
void Hdf5Run::close() {}

}  // namespace carom::record

#endif

namespace carom::record {

Hdf5Run::~Hdf5Run() = default;

}  // namespace carom::record
