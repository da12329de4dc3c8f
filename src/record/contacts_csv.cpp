#include "carom/record/contacts_csv.h"

#include <fmt/format.h>

#include <iterator>

#include "carom/base/word.h"
#include "carom/record/csv.h"

namespace carom::record {
namespace {

Index axes_of(const Model& model) {
  return model.dimension() == Dimension::space ? 3 : 2;
}

void add_vector(std::string& row, const Vector3& v, Index axes) {
  for (Index i = 0; i < axes; ++i) fmt::format_to(std::back_inserter(row), ",{}", v[i] == 0 ? 0 : v[i]);
}

void add_parts(std::string& row, const Model& model, const PartPair& parts) {
  const std::string& a = model.bodies()[parts.body_a].name;
  const std::string& b = model.bodies()[parts.body_b].name;
  fmt::format_to(std::back_inserter(row), ",{},{},{},{},{}", csv_field(name_of(model, parts, "-")), csv_field(a),
                 csv_field(parts.is_stop() ? "" : shape_text(model, parts.body_a, parts.part_a)), csv_field(b),
                 csv_field(parts.is_stop() ? "" : shape_text(model, parts.body_b, parts.part_b)));
}

std::string_view unique_word(Claim unique) {
  return !unique.is_known() ? "unknown" : unique ? "yes" : "no";
}

}  // namespace

std::string shape_text(const Model& model, int body, int part) {
  const std::string name = model.shape_name(body, part);
  return name.empty() ? fmt::format("{}", part + 1) : name;
}

ContactsCsv::ContactsCsv(const RunTitle&, const Model& model, const std::filesystem::path& folder)
    : file_(folder / file) {
  file_.write(axes_of(model) == 3
                  ? "t [s],contact,body_a,shape_a,body_b,shape_b,x [m],y [m],z [m],nx,ny,nz,force_n [N],"
                    "force_tx [N],force_ty [N],force_tz [N],slip [m/s],mode,indentation [m],unique\n"
                  : "t [s],contact,body_a,shape_a,body_b,shape_b,x [m],y [m],nx,ny,force_n [N],"
                    "force_tx [N],force_ty [N],slip [m/s],mode,indentation [m],unique\n");
}

void ContactsCsv::contacts(const Model& model, double t, const std::vector<ContactForce>& forces) {
  rows_.clear();
  const Index axes = axes_of(model);
  for (const ContactForce& one : forces) {
    fmt::format_to(std::back_inserter(rows_), "{}", t);
    add_parts(rows_, model, one.parts);
    add_vector(rows_, one.point, axes);
    add_vector(rows_, one.normal, axes);
    fmt::format_to(std::back_inserter(rows_), ",{}", one.force == 0 ? 0 : one.force);
    add_vector(rows_, one.tangential, axes);
    fmt::format_to(std::back_inserter(rows_), ",{},{},{},{}\n", one.slip.norm(), word_for(one.mode), one.indentation,
                   unique_word(one.unique));
  }
  if (!rows_.empty()) file_.write(rows_);
}

JointsCsv::JointsCsv(const RunTitle&, const Model& model, const std::filesystem::path& folder) : file_(folder / file) {
  std::string header = "t [s],joint,body_a,body_b,";
  switch (model.dimension()) {
    case Dimension::line:
      header += "fx [N],";
      break;
    case Dimension::plane:
      header += "fx [N],fy [N],tz [N m],";
      break;
    case Dimension::space:
      header += "fx [N],fy [N],fz [N],tx [N m],ty [N m],tz [N m],";
      break;
  }
  file_.write(header + "unique\n");
}

void JointsCsv::joints(const Model& model, double t, const std::vector<JointForce>& forces) {
  rows_.clear();
  const Index axes = static_cast<Index>(model.dimension());
  for (const JointForce& one : forces) {
    if (!one.force.allFinite()) continue;  // not known
    const Joint& joint = model.description().joints[one.joint];
    fmt::format_to(std::back_inserter(rows_), "{},{},{},{}", t, csv_field(joint.name),
                   csv_field(model.body_name(joint.a.body)), csv_field(model.body_name(joint.b.body)));
    add_vector(rows_, one.force, axes);
    if (axes == 2) fmt::format_to(std::back_inserter(rows_), ",{}", one.torque.z());
    if (axes == 3) add_vector(rows_, one.torque, axes);
    fmt::format_to(std::back_inserter(rows_), ",{}\n", unique_word(one.unique));
  }
  if (!rows_.empty()) file_.write(rows_);
}

EventsCsv::EventsCsv(const RunTitle&, const Model&, const std::filesystem::path& folder) : file_(folder / file) {
  file_.write("t [s],event,what,detail\n");
}

void EventsCsv::event(const Model&, const RunEvent& event) {
  file_.write(fmt::format("{},{},{},{}\n", event.t, word(event.kind), csv_field(event.what), csv_field(event.detail)));
}

ClosuresCsv::ClosuresCsv(const RunTitle&, const Model&, const std::filesystem::path& folder) : file_(folder / file) {
  file_.write(
      "t [s],contact,body_a,shape_a,body_b,shape_b,duration [s],peak_force [N],t_peak [s],deepest [m],impulse [N s],"
      "approach [m/s],departure [m/s],dissipated [J],opened\n");
}

void ClosuresCsv::closure(const Model& model, const ContactClosure& closure) {
  row_ = fmt::format("{}", closure.begin);
  add_parts(row_, model, closure.parts);
  fmt::format_to(std::back_inserter(row_), ",{},{},{},{},{},{},{},{},{}\n", closure.end - closure.begin,
                 closure.peak_force, closure.peak_time, closure.deepest, closure.impulse, closure.approach,
                 closure.departure, closure.dissipated, closure.opened ? "yes" : "no");
  file_.write(row_);
}

}  // namespace carom::record
