#include "carom/impact/outcome.h"

namespace carom {

std::string_view to_string(Status status) {
  switch (status) {
    case Status::solved:
      return "solved";
    case Status::no_solution:
      return "no-solution";
    case Status::iteration_limit:
      return "iteration-limit";
  }
  return "";
}

Vector ImpactOutcome::normal(const Vector& rows) const {
  if (rows.size() == static_cast<Index>(row.size()) || rows.size() == 0) return rows;
  return rows(row);
}

Vector ImpactOutcome::tangential(const Vector& rows, std::size_t contact) const {
  if (rows.size() == 0) return {};
  const Index first = row[contact] + 1;
  const Index end = contact + 1 < row.size() ? row[contact + 1] : rows.size();
  return rows.segment(first, end - first);
}

}  // namespace carom
