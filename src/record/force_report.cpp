#include "carom/record/force_report.h"

#include <fmt/format.h>

#include "carom/record/json.h"
#include "carom/record/table.h"

namespace carom::record {
namespace {

template <class Variant>
void add_names(std::string& text) {
  forces::for_each_force<Variant>(
      [&]<class F>(const F&) { text += fmt::format("  {:<20} {}\n", F::name, F::summary); });
}

Json parameters_of(const forces::Normal& force) {
  Json result = Json::object();
  std::visit(
      [&]<class F>(const F& own) {
        F::fields(own, [&](std::string_view key, const auto& value, std::string_view) {
          if constexpr (Word<std::decay_t<decltype(value)>>)
            result[std::string(key)] = carom::word(value);
          else if constexpr (requires { value.has_value(); })
            result[std::string(key)] = or_null(value);
          else
            result[std::string(key)] = value;
        });
      },
      force);
  return result;
}

std::string in_unit(double value, std::string_view si_unit) {
  const Unit unit = readable_unit(value, si_unit);
  return fmt::format("{} {}", number(value / unit.factor), unit.name);
}

}  // namespace

std::string forces_list() {
  std::string text = "Normal forces of the law compliant:\n";
  add_names<forces::Normal>(text);
  text += "Friction forces:\n";
  add_names<forces::Friction>(text);
  return text + "carom force NAME --k K --m MASS --v SPEED shows a normal force at work.\n";
}

std::string force_text(const ForceQuestion& question, const ForceCourse& course) {
  constexpr std::size_t kSpeedsShown = 10;  // every so many of them is told
  std::string text = fmt::format("{}: {}\n\n", name_of(question.force), summary_of(question.force));
  Table result({"a body of " + in_unit(question.mass, "kg") + " at " + in_unit(question.speed, "m/s"), ""});
  result.add({"restitution asked for", course.asked ? number(*course.asked) : "-"});
  result.add({"restitution obtained", number(course.returned, 1)});
  result.add({"deepest", in_unit(course.deepest, "m")});
  result.add({"largest force", in_unit(course.peak, "N")});
  result.add({"duration", in_unit(course.duration, "s")});
  result.add({"energy lost", fmt::format("{} of {}", in_unit(course.lost, "J"), in_unit(course.before, "J"))});
  text += result.text() + "\n";
  Table speeds({"at other speeds [m/s]", "restitution"});
  for (std::size_t i = 0; i < course.at_speeds.size(); i += kSpeedsShown)
    speeds.add({number(course.at_speeds[i].first), number(course.at_speeds[i].second, 1)});
  return text + speeds.text();
}

std::string force_json(const ForceQuestion& question, const ForceCourse& course) {
  Json result = {
      {"format", "carom-force/1"}, {"force", name_of(question.force)}, {"m", question.mass}, {"v", question.speed}};
  result["parameters"] = parameters_of(question.force);
  result["e_asked"] = or_null(course.asked);
  result["e_obtained"] = course.returned;
  result["deepest"] = course.deepest;
  result["peak_force"] = course.peak;
  result["duration"] = course.duration;
  result["energy"] = {{"before", course.before}, {"lost", course.lost}};
  Json time = Json::array(), indentation = Json::array(), rate = Json::array(), force = Json::array();
  for (const ForceCourse::Point& point : course.points) {
    time.push_back(point.time);
    indentation.push_back(point.indentation);
    rate.push_back(point.rate);
    force.push_back(point.force);
  }
  result["course"] = {{"time", time}, {"indentation", indentation}, {"rate", rate}, {"force", force}};
  Json speed = Json::array(), e = Json::array();
  for (const auto& [at, returned] : course.at_speeds) {
    speed.push_back(at);
    e.push_back(returned);
  }
  result["restitution"] = {{"speed", speed}, {"e", e}};
  return result.dump(2) + "\n";
}

}  // namespace carom::record
