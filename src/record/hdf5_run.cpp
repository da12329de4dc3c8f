#include "carom/record/hdf5_run.h"

#include "carom/base/error.h"
#include "carom/record/output_file.h"
#include "carom/record/shapes_json.h"

#ifdef CAROM_WITH_HDF5

#include <hdf5.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace carom::record {
namespace {

constexpr std::size_t kBlock = 1 << 16;     // bytes of a chunk, unless one row is more
constexpr std::size_t kMostRows = 1 << 13;  // of a chunk

/// Once a file could not be written, the library is left alone: what it still holds it would try to write again, and it
/// does not survive that.
bool failed = false;

[[noreturn]] void refuse(const std::string& file) {
  failed = true;
  throw OutputError(file, "cannot be written as HDF5; is the disk full?");
}

/// A handle of the library that closes itself.
class Handle {
 public:
  using Close = herr_t (*)(hid_t);
  Handle(hid_t id, Close close, const std::string& file) : id_(id), close_(close) {
    if (id < 0) refuse(file);
  }
  ~Handle() {
    if (id_ >= 0 && !failed) close_(id_);
  }
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Handle& operator=(Handle&&) = delete;
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  operator hid_t() const { return id_; }  // NOLINT(google-explicit-constructor): the library takes hid_t

 private:
  hid_t id_;
  Close close_;
};

void require(herr_t result, const std::string& file) {
  if (result < 0) refuse(file);
}

hid_t type_of(double) {
  return H5T_NATIVE_DOUBLE;
}
hid_t type_of(std::int32_t) {
  return H5T_NATIVE_INT32;
}
hid_t type_of(std::int64_t) {
  return H5T_NATIVE_INT64;
}
hid_t type_of(std::uint8_t) {
  return H5T_NATIVE_UINT8;
}

Handle text_type(std::size_t size, const std::string& file) {
  Handle type(H5Tcopy(H5T_C_S1), H5Tclose, file);
  require(H5Tset_size(type, std::max<std::size_t>(size, 1)), file);
  require(H5Tset_cset(type, H5T_CSET_UTF8), file);
  require(H5Tset_strpad(type, H5T_STR_NULLPAD), file);
  return type;
}

void set_attribute(hid_t object, const char* name, std::string_view text, const std::string& file) {
  const Handle type = text_type(text.size(), file), space(H5Screate(H5S_SCALAR), H5Sclose, file);
  const Handle attribute(H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose, file);
  const std::string padded(text.empty() ? std::string_view("\0", 1) : text);
  require(H5Awrite(attribute, type, padded.data()), file);
}

/// Properties without the time at which an object was made: the same run gives the same bytes.
Handle timeless(hid_t what, const std::string& file) {
  Handle properties(H5Pcreate(what), H5Pclose, file);
  require(H5Pset_obj_track_times(properties, false), file);
  return properties;
}

Handle make_group(hid_t parent, const char* name, const std::string& file) {
  return {H5Gcreate2(parent, name, H5P_DEFAULT, timeless(H5P_GROUP_CREATE, file), H5P_DEFAULT), H5Gclose, file};
}

/// A dataset that grows by rows along its first axis and is written a chunk at a time.
template <class T>
class Growing {
 public:
  Growing(hid_t parent, const char* name, std::vector<hsize_t> row, std::string_view unit, const std::string& file)
      : file_(file), shape_(std::move(row)), dataset_(make(parent, name)) {
    set_attribute(dataset_, "unit", unit, file_);
    buffer_.reserve(block_ * width());
  }

  void add(T value) { buffer_.push_back(value); }
  template <class List>
  void add_all(const List& values) {
    buffer_.insert(buffer_.end(), values.begin(), values.end());
  }

  void end_row() {
    if (buffer_.size() >= block_ * width()) flush();
  }

  void flush() {
    const hsize_t rows = width() > 0 ? buffer_.size() / width() : 0;
    if (rows == 0) return;
    std::vector<hsize_t> begin(1 + shape_.size(), 0), count = extent(rows);
    begin[0] = rows_;
    rows_ += rows;
    require(H5Dset_extent(dataset_, extent(rows_).data()), file_);
    const Handle all(H5Dget_space(dataset_), H5Sclose, file_);
    require(H5Sselect_hyperslab(all, H5S_SELECT_SET, begin.data(), nullptr, count.data(), nullptr), file_);
    const Handle block(H5Screate_simple(static_cast<int>(count.size()), count.data(), nullptr), H5Sclose, file_);
    require(H5Dwrite(dataset_, type_of(T{}), block, all, H5P_DEFAULT, buffer_.data()), file_);
    buffer_.clear();
  }

 private:
  std::size_t width() const {  // numbers of a row
    std::size_t product = 1;
    for (const hsize_t n : shape_) product *= n;
    return product;
  }
  std::vector<hsize_t> extent(hsize_t rows) const {
    std::vector<hsize_t> result = {rows};
    result.insert(result.end(), shape_.begin(), shape_.end());
    return result;
  }
  Handle make(hid_t parent, const char* name) {
    block_ = std::clamp<std::size_t>(kBlock / (sizeof(T) * std::max<std::size_t>(width(), 1)), 1, kMostRows);
    std::vector<hsize_t> most = extent(0);
    most[0] = H5S_UNLIMITED;
    const Handle space(H5Screate_simple(static_cast<int>(most.size()), extent(0).data(), most.data()), H5Sclose, file_);
    const Handle properties = timeless(H5P_DATASET_CREATE, file_);
    std::vector<hsize_t> chunk = extent(block_);
    for (hsize_t& n : chunk) n = std::max<hsize_t>(n, 1);  // rows may be empty, chunks not
    require(H5Pset_chunk(properties, static_cast<int>(most.size()), chunk.data()), file_);
    return {H5Dcreate2(parent, name, type_of(T{}), space, H5P_DEFAULT, properties, H5P_DEFAULT), H5Dclose, file_};
  }

  std::string file_;
  std::vector<hsize_t> shape_;  // of a row
  std::size_t block_ = 1;       // rows of a chunk
  Handle dataset_;
  std::vector<T> buffer_;
  hsize_t rows_ = 0;  // written
};

void write_texts(hid_t parent, const char* name, const std::vector<std::string>& texts, const std::string& file) {
  std::size_t longest = 1;
  for (const std::string& text : texts) longest = std::max(longest, text.size());
  std::string all;
  for (const std::string& text : texts) {
    all += text;
    all.resize(all.size() + longest - text.size(), '\0');
  }
  const hsize_t count = texts.size();
  const Handle type = text_type(longest, file), space(H5Screate_simple(1, &count, nullptr), H5Sclose, file);
  const Handle names(
      H5Dcreate2(parent, name, type, space, H5P_DEFAULT, timeless(H5P_DATASET_CREATE, file), H5P_DEFAULT), H5Dclose,
      file);
  if (count > 0) require(H5Dwrite(names, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, all.data()), file);
}

void write_numbers(hid_t parent, const char* name, const std::vector<double>& values, std::string_view unit,
                   const std::string& file) {
  const hsize_t count = values.size();
  const Handle space(H5Screate_simple(1, &count, nullptr), H5Sclose, file);
  const Handle numbers(
      H5Dcreate2(parent, name, H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, timeless(H5P_DATASET_CREATE, file), H5P_DEFAULT),
      H5Dclose, file);
  set_attribute(numbers, "unit", unit, file);
  if (count > 0) require(H5Dwrite(numbers, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), file);
}

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

using Numbers = Growing<double>;

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

/// One row per impact, and one row per contact of an impact.
struct ImpactTable {
  ImpactTable(hid_t parent, const std::string& file)
      : impacts(make_group(parent, "impacts", file)),
        time(impacts, "time", {}, "s", file),
        energy_before(impacts, "energy_before", {}, "J", file),
        energy_after(impacts, "energy_after", {}, "J", file),
        dissipated(impacts, "dissipated", {}, "J", file),
        contacts(impacts, "contacts", {}, "1", file),
        at_rest(impacts, "at_rest", {}, "1", file),
        consistent(impacts, "consistent", {}, "1", file),
        offset(impacts, "offset", {}, "1", file),
        body_a(impacts, "body_a", {}, "1", file),
        body_b(impacts, "body_b", {}, "1", file),
        gamma_minus(impacts, "gamma_minus", {}, "m/s", file),
        gamma_plus(impacts, "gamma_plus", {}, "m/s", file),
        impulse(impacts, "impulse", {}, "kg m/s", file) {
    offset.add(0);
  }

  void add(const ImpactEvent& event) {
    const ImpactOutcome& outcome = *event.outcome;
    const bool answered = outcome.u_plus.size() > 0;
    time.add(event.t);
    energy_before.add(outcome.energy.before);
    energy_after.add(outcome.energy.after);
    dissipated.add(answered ? outcome.energy.dissipated() : 0);
    contacts.add(static_cast<std::int32_t>(event.problem->contacts.size()));
    at_rest.add(event.at_rest ? 1 : 0);
    consistent.add(outcome.certificate.consistent ? 1 : 0);
    if (answered) add_contacts(event);
    offset.add(last_);
    each([](auto& one) { one.end_row(); });
  }
  void flush() {
    each([](auto& one) { one.flush(); });
  }

 private:
  void add_contacts(const ImpactEvent& event) {
    const ImpactOutcome& outcome = *event.outcome;
    for (const ContactPair& pair : event.pairs) {
      body_a.add(pair.parts.body_a);
      body_b.add(pair.parts.body_b);
    }
    gamma_minus.add_all(outcome.normal(outcome.gamma_minus));
    gamma_plus.add_all(outcome.normal(outcome.gamma_plus));
    impulse.add_all(outcome.normal(outcome.Lambda));
    last_ += static_cast<std::int64_t>(event.pairs.size());
  }
  template <class Act>
  void each(Act&& act) {
    for (Numbers* one : {&time, &energy_before, &energy_after, &dissipated, &gamma_minus, &gamma_plus, &impulse})
      act(*one);
    for (Growing<std::int32_t>* one : {&contacts, &body_a, &body_b}) act(*one);
    for (Growing<std::uint8_t>* one : {&at_rest, &consistent}) act(*one);
    act(offset);
  }

  Handle impacts;
  Numbers time, energy_before, energy_after, dissipated;
  Growing<std::int32_t> contacts;
  Growing<std::uint8_t> at_rest, consistent;
  Growing<std::int64_t> offset;
  Growing<std::int32_t> body_a, body_b;
  Numbers gamma_minus, gamma_plus, impulse;
  std::int64_t last_ = 0;  // contacts so far
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
  ForceTable forces;
};

Hdf5Run::Hdf5Run(const RunTitle& title, const Model& model, const std::filesystem::path& folder)
    : file_(std::make_unique<File>(title, model, folder)) {}

void Hdf5Run::state(const Model& model, const State& state, const Ledger& ledger) {
  file_->states.add(model, state, ledger);
}

void Hdf5Run::impact(const Model&, const ImpactEvent& event) {
  file_->impacts.add(event);
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
  file_->forces.flush();
  require(H5Fflush(file_->file, H5F_SCOPE_GLOBAL), file_->name);
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
void Hdf5Run::close() {}

}  // namespace carom::record

#endif

namespace carom::record {

Hdf5Run::~Hdf5Run() = default;

}  // namespace carom::record
