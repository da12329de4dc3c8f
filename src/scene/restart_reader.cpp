#include "carom/scene/restart_reader.h"

#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <type_traits>

#include "carom/scene/checkpoints_reader.h"
#include "carom/scene/error.h"
#include "carom/scene/json.h"
#include "carom/scene/quantities.h"
#include "carom/scene/recorded_row.h"
#include "carom/scene/words.h"
#include "carom/simulate/summary_fields.h"

namespace carom::scene {
namespace {

constexpr std::string_view kRestartFile = "restart.json", kRestartFormat = "carom-restart/1";
constexpr double kSameTime = 1e-9;  // of the times: the end of a run, however many digits were written

Field needed(const Field& table, std::string_view key) {
  return required_member(table, key, "written by carom run");
}

double number_at(const Field& table, std::string_view key) {
  return value_of<double>(needed(table, key));
}

std::vector<Field> list_at(const Field& table, std::string_view key) {
  const Field list = needed(table, key);
  std::vector<Field> all;
  const std::size_t count = entries_of(list, "a list").size();
  for (std::size_t i = 0; i < count; ++i) all.push_back(entry(list, i));
  return all;
}

/// Whole numbers, so many.
std::vector<int> integers_at(const Field& table, std::string_view key, std::size_t count) {
  std::vector<int> values;
  for (const double value : read_numbers(needed(table, key), count)) values.push_back(static_cast<int>(value));
  return values;
}

void require_body(const Field& place, const RecordedRun& run, int body) {
  if (body < 0 || body >= static_cast<int>(run.bodies.size()))
    fail(place, fmt::format("names body {} of {}", body, run.bodies.size()));
}

/// q and u of a free body in the line, the plane and space.
std::array<Index, 2> sizes_of(Dimension dimension) {
  if (dimension == Dimension::line) return {1, 1};
  return dimension == Dimension::plane ? std::array<Index, 2>{3, 3} : std::array<Index, 2>{7, 6};
}

RecordedRun::BodyState read_body_state(const Field& table, Dimension dimension) {
  RecordedRun::BodyState body;
  body.name = value_of<std::string>(needed(table, "name"));
  body.moves = value_of<bool>(needed(table, "moves"));
  const std::optional<Field> q = member(table, "q"), u = member(table, "u");
  if (!q || !u) return body;
  body.q = value_of<Vector>(*q);
  body.u = value_of<Vector>(*u);
  const auto [positions, velocities] = sizes_of(dimension);
  if (body.q.size() != positions || body.u.size() != velocities)
    fail(table, fmt::format("has {} positions and {} velocities; a free body has {} and {}", body.q.size(),
                            body.u.size(), positions, velocities));
  return body;
}

simulate::RunMemory read_memory(const Field& table, const RecordedRun& run) {
  simulate::RunMemory memory;
  memory.speed = number_at(table, "speed");
  memory.approach = number_at(table, "approach");
  memory.stored = number_at(table, "stored");
  memory.joint_balance = value_of<Vector>(needed(table, "joint_balance"));
  memory.joint_energy = number_at(table, "joint_energy");
  for (const Field& one : list_at(table, "carried")) {
    const std::vector<int> parts = integers_at(one, "parts", 5), feature = integers_at(one, "feature", 6);
    require_body(one, run, parts[0]);
    require_body(one, run, parts[2]);
    const auto element = [&](std::size_t i) {
      return geometry::Element{static_cast<geometry::Element::Kind>(feature[i]), feature[i + 1], feature[i + 2]};
    };
    memory.carried.push_back({{parts[0], parts[1], parts[2], parts[3], parts[4]},
                              {element(0), element(3)},
                              read_three(needed(one, "impulse"))});
  }
  return memory;
}

simulate::RunSummary read_so_far(const Field& table, const RecordedRun& run) {
  simulate::RunSummary summary;
  const Field ledger = needed(table, "ledger"), counts = needed(table, "counts");
  simulate::for_each_energy(summary.ledger,
                            [&](std::string_view name, double& value) { value = number_at(ledger, name); });
  simulate::for_each_count(summary, [&](std::string_view name, auto& value) {
    value = static_cast<std::remove_reference_t<decltype(value)>>(number_at(counts, name));
  });
  for (const Field& one : list_at(table, "losses")) {
    const std::vector<int> bodies = integers_at(one, "bodies", 2);
    if (bodies != std::vector<int>{-1, -1})  // all other pairs
      for (const int body : bodies) require_body(one, run, body);
    summary.losses.push_back({bodies[0], bodies[1], static_cast<int>(number_at(one, "joint")),
                              static_cast<long>(number_at(one, "impacts")), number_at(one, "dissipated")});
  }
  const Vector times = value_of<Vector>(needed(table, "accumulation_times"));
  summary.accumulation_times.assign(times.begin(), times.end());
  return summary;
}

std::map<std::string, std::uint64_t> read_sizes(const Field& table) {
  constexpr double most = 1e15;
  std::map<std::string, std::uint64_t> sizes;
  if (const Node::Object* all = table.node->object())
    for (const Member& one : *all)
      if (const double* size = one.value.number(); size && *size >= 0 && *size < most)
        sizes[one.key] = static_cast<std::uint64_t>(*size);
  return sizes;
}

RecordedRun read_restart(const std::string& file, const std::string& folder) {
  const Document document = read_json(file);
  const Field root = root_of(document);
  if (const std::string format = value_of<std::string>(needed(root, "format")); format != kRestartFormat)
    fail(needed(root, "format"), fmt::format("= {}; expected {}", in_quotes(format), in_quotes(kRestartFormat)));
  RecordedRun run;
  run.folder = folder;
  run.scheme = value_of<std::string>(needed(root, "scheme"));
  const double dimension = number_at(root, "dimension");
  if (dimension != 1 && dimension != 2 && dimension != 3) fail(needed(root, "dimension"), "is none of 1, 2, 3");
  run.dimension = static_cast<Dimension>(static_cast<int>(dimension));
  run.begin = number_at(root, "begin");
  run.t = number_at(root, "t");
  for (const Field& one : list_at(root, "bodies")) run.bodies.push_back(read_body_state(one, run.dimension));
  run.joints = static_cast<long>(number_at(root, "joints"));
  run.memory = read_memory(needed(root, "memory"), run);
  run.so_far = read_so_far(needed(root, "so_far"), run);
  if (const std::optional<Field> of = member(root, "of")) run.of = value_of<std::string>(*of);
  if (run.of.empty()) return run;
  run.interval = number_at(root, "interval");
  run.earlier = read_sizes(needed(root, "earlier"));
  if (const std::optional<Field> beginning = member(root, "beginning"))
    run.beginning = State{number_at(*beginning, "t"), value_of<Vector>(needed(*beginning, "q")),
                          value_of<Vector>(needed(*beginning, "u"))};
  run.checkpoints = read_checkpoints(folder);
  return run;
}

std::string restart_path(const std::string& folder) {
  return (std::filesystem::path(folder) / std::string(kRestartFile)).string();
}

bool has_restart(const std::string& folder) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(restart_path(folder), ignored);
}

}  // namespace

RecordedRun read_end_of(const std::string& folder) {
  if (!has_restart(folder))
    throw ReadError(printable(folder), fmt::format("has no {}: no run has ended there", kRestartFile));
  return read_restart(restart_path(folder), folder);
}

RecordedRun read_start_of(const Field& table) {
  if (!table.node->object()) fail_expected(table, "a table such as {run = \"results/pour\", t = 2}");
  require_known_keys(table, std::array<std::string_view, 3>{"run", "t", "clock"});
  const Field run_field = required_member(table, "run", "the folder of a run's results");
  const std::string folder = value_of<std::string>(run_field);
  if (table.document->files.allowed != FilesBeside::Allowed::all)
    fail(run_field,
         fmt::format("= {}: results of runs cannot be read here; the tool, carom run, reads them", in_quotes(folder)));
  if (!has_restart(folder))
    fail(run_field, fmt::format("= {}: there are no results of a run, seen from the working folder (no {}); run that "
                                "scene first",
                                in_quotes(folder), kRestartFile));
  RecordedRun run = read_restart(restart_path(folder), folder);
  const std::optional<Field> t = member(table, "t");
  if (!t) return run;
  const double wanted = value_of<double>(*t);
  if (std::abs(wanted - run.t) > kSameTime * std::max(std::abs(run.t), run.t - run.begin)) {
    try {
      take_row(run, wanted);
    } catch (const ReadError&) {
      throw;
    } catch (const InputError& error) {
      fail(*t, fmt::format("= {} {}", wanted, error.rule));
    }
  }
  return run;
}

}  // namespace carom::scene
