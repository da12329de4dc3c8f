#include "carom/record/contacts_csv.h"

#include <fmt/format.h>

#include <iterator>

#include "carom/record/csv.h"

namespace carom::record {
namespace {

Index axes_of(const Model& model) {
  return model.dimension() == Dimension::space ? 3 : 2;
}

void add_vector(std::string& row, const Vector3& v, Index axes) {
  for (Index i = 0; i < axes; ++i) fmt::format_to(std::back_inserter(row), ",{}", v[i] == 0 ? 0 : v[i]);
}

/// Shapes are counted from 1 within their body.
void add_parts(std::string& row, const Model& model, const PartPair& parts) {
  const std::string& a = model.bodies()[parts.body_a].name;
  const std::string& b = model.bodies()[parts.body_b].name;
  fmt::format_to(std::back_inserter(row), ",{},{},{},{},{}", csv_field(a + "-" + b), csv_field(a), parts.part_a + 1,
                 csv_field(b), parts.part_b + 1);
}

}  // namespace

ContactsCsv::ContactsCsv(const RunTitle&, const Model& model, const std::filesystem::path& folder)
    : file_(folder / file) {
  file_.write(axes_of(model) == 3
                  ? "t [s],contact,body_a,shape_a,body_b,shape_b,x [m],y [m],z [m],nx,ny,nz,force_n [N],"
                    "force_tx [N],force_ty [N],force_tz [N],slip [m/s],mode,indentation [m]\n"
                  : "t [s],contact,body_a,shape_a,body_b,shape_b,x [m],y [m],nx,ny,force_n [N],"
                    "force_tx [N],force_ty [N],slip [m/s],mode,indentation [m]\n");
}

void ContactsCsv::contacts(const Model& model, double t, const std::vector<ContactForce>& forces) {
  rows_.clear();
  const Index axes = axes_of(model);
  for (const ContactForce& one : forces) {
    fmt::format_to(std::back_inserter(rows_), "{}", t);
    add_parts(rows_, model, one.parts);
    add_vector(rows_, one.point, axes);
    add_vector(rows_, one.normal, axes);
    fmt::format_to(std::back_inserter(rows_), ",{}", one.force);
    add_vector(rows_, one.tangential, axes);
    fmt::format_to(std::back_inserter(rows_), ",{},{},{}\n", one.slip.norm(), word_for(one.mode), one.indentation);
  }
  if (!rows_.empty()) file_.write(rows_);
}

ClosuresCsv::ClosuresCsv(const RunTitle&, const Model&, const std::filesystem::path& folder) : file_(folder / file) {
  file_.write(
      "t [s],contact,body_a,shape_a,body_b,shape_b,duration [s],peak_force [N],t_peak [s],deepest [m],impulse [N s],"
      "approach [m/s],departure [m/s],dissipated [J]\n");
}

void ClosuresCsv::closure(const Model& model, const ContactClosure& closure) {
  row_ = fmt::format("{}", closure.begin);
  add_parts(row_, model, closure.parts);
  fmt::format_to(std::back_inserter(row_), ",{},{},{},{},{},{},{},{}\n", closure.end - closure.begin,
                 closure.peak_force, closure.peak_time, closure.deepest, closure.impulse, closure.approach,
                 closure.departure, closure.dissipated);
  file_.write(row_);
}

}  // namespace carom::record
