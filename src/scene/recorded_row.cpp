#include "carom/scene/recorded_row.h"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <limits>

#include "carom/base/number.h"
#include "carom/scene/error.h"
#include "carom/scene/input.h"
#include "carom/scene/words.h"

namespace carom::scene {
namespace {

constexpr double kSameRow = 1e-6;  // of the run's length: a time that is meant

/// The numbers of a line, separated by commas; `count` of them, or fewer if there is something else.
std::vector<double> numbers_of_line(std::string_view line, std::size_t count) {
  std::vector<double> values;
  const char* at = line.data();
  const char* const end = line.data() + line.size();
  while (values.size() < count) {
    double value = 0;
    const auto [after, error] = read_number(at, end, value);
    if (error != std::errc() || !std::isfinite(value)) break;
    values.push_back(value);
    at = after;
    if (at == end || *at != ',') break;
    ++at;
  }
  return values;
}

struct FoundRow {
  std::string_view line;
  double t = 0, before = -std::numeric_limits<double>::infinity(), after = std::numeric_limits<double>::infinity();
  bool found = false;
};

/// The line whose time is nearest, if that is the one that is meant.
FoundRow find_row(std::string_view text, double t, double near) {
  FoundRow row;
  double distance = near;
  std::size_t begin = std::min(text.find('\n'), text.size() - 1) + 1;  // the names
  while (begin < text.size()) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = text.substr(begin, end - begin);
    begin = end + 1;
    const std::vector<double> time = numbers_of_line(line, 1);
    if (time.empty()) continue;
    if (time[0] <= t) row.before = std::max(row.before, time[0]);
    if (time[0] >= t) row.after = std::min(row.after, time[0]);
    if (std::abs(time[0] - t) > distance) continue;
    distance = std::abs(time[0] - t);
    row.line = line;
    row.t = time[0];
    row.found = true;
  }
  return row;
}

std::string times_near(const FoundRow& row) {
  if (!std::isfinite(row.after)) return fmt::format("the last recorded is {}", row.before);
  if (!std::isfinite(row.before)) return fmt::format("the first recorded is {}", row.after);
  return fmt::format("recorded are {} and {}", row.before, row.after);
}

/// Columns of a body: x | x, y, angle | x, y, z and a quaternion; then velocities, in the world.
void take(const double* cells, Dimension dimension, RecordedRun::BodyState& body) {
  const Index q = body.q.size(), u = body.u.size();
  body.q = Eigen::Map<const Vector>(cells, q);
  body.u = Eigen::Map<const Vector>(cells + q, u);
  if (dimension != Dimension::space) return;
  const Quaternion turn = Quaternion(body.q[3], body.q[4], body.q[5], body.q[6]).normalized();
  body.u.tail<3>() = turn.conjugate() * Vector3(body.u.tail<3>());
}

}  // namespace

void take_row(RecordedRun& run, double t) {
  const std::filesystem::path path = std::filesystem::path(run.folder) / "trajectory.csv";
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored))
    throw InputError("", fmt::format("is not the end of {}, which has no trajectory.csv with states before that; leave "
                                     "t out, or record \"csv\" there",
                                     printable(run.folder)));
  const std::string text = read_input(path.string(), any_byte);
  const FoundRow row = find_row(text, t, kSameRow * (run.t - run.begin));
  if (!row.found)
    throw InputError("", fmt::format("is no recorded time of {}; {}", printable(run.folder), times_near(row)));
  const std::size_t width = run.dimension == Dimension::line ? 2 : run.dimension == Dimension::plane ? 6 : 13;
  std::size_t columns = 1;
  for (const RecordedRun::BodyState& body : run.bodies) columns += body.moves ? width : 0;
  const std::vector<double> cells = numbers_of_line(row.line, columns);
  if (cells.size() != columns)
    throw ReadError(printable(path.string()), fmt::format("the line of t = {} has {} numbers; the bodies of {} need {}",
                                                          row.t, cells.size(), "restart.json", columns));
  std::size_t first = 1;
  for (RecordedRun::BodyState& body : run.bodies) {
    if (!body.moves) continue;
    if (body.q.size() > 0) take(cells.data() + first, run.dimension, body);
    first += width;
  }
  run.t = row.t;
  run.memory = {};
  run.so_far = {};
}

}  // namespace carom::scene
