#pragma once

#include <string>
#include <vector>

#include "carom/impact/outcome.h"
#include "carom/impact/path.h"
#include "carom/impact/problem.h"
#include "carom/model/contact_pair.h"
#include "carom/record/column.h"
#include "carom/record/json.h"

namespace carom::record {

/// Where an impact of a scene happens.
struct ImpactScene {
  std::string title;  // of the scene, and which impact
  Json picture;       // "carom-report/1" of this moment alone
  Dimension dimension = Dimension::space;
  std::vector<ContactPair> pairs;       // (m)
  std::vector<int> bodies;              // whose velocities u has, one after another
  std::vector<std::string> velocities;  // (n) names of the entries of u
};

/// One impact under one law or several.
struct ImpactsToSee {
  std::string title, about;
  const ImpactProblem* problem = nullptr;
  std::vector<ColumnTitle> columns;
  std::vector<ImpactOutcome> outcomes;  // (columns)
  std::vector<Path> paths;              // (columns) empty for laws that jump
  std::vector<std::string> sentences;   // who agrees, who is left out
  const ImpactScene* scene = nullptr;   // where it is of one
};

/// The data of a page that shows them, "carom-impact-report/1" (docs/report.md).
Json impact_report(const ImpactsToSee& impacts);

}  // namespace carom::record
