// Runs many random scenes, each in a process of its own, and tells which do not arrive with a sane answer.

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "carom/record/table.h"
#include "judge.h"

namespace carom::soak {
namespace {

using Json = nlohmann::json;
using Clock = std::chrono::steady_clock;

constexpr rlim_t kSecondsToCompare = 30;    // of processor time for what is run again to judge a run
constexpr std::uint64_t kCompareEvery = 5;  // scenes: the ends of both schemes

struct Orders {
  std::uint64_t from = 1, to = 100;
  double budget = INFINITY;  // [s]
  int jobs = 1;
  std::string keep = "soak_failures";
  rlim_t limit = 20;   // [s] of processor time for a run
  bool quick = false;  // every scene runs once: gains of time steps and the ends of both schemes are not judged
  bool list = false;   // a line for good scenes too
  bool print = false;  // the scenes themselves; nothing runs
};

/// A scene that was run: what the child told, and how it ended.
struct Report {
  RandomScene scene;
  std::string fault;  // empty: none
  Json told = Json::object();
  double seconds = 0;
  bool arrived() const { return told.value("arrived", false); }
};

double processor_seconds() {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  return seconds(used.ru_utime) + seconds(used.ru_stime);
}

void limit_processor(rlim_t seconds) {
  const rlimit limit{seconds, RLIM_INFINITY};
  setrlimit(RLIMIT_CPU, &limit);
}

void tell(int pipe, const Json& line) {
  const std::string text = line.dump() + "\n";
  for (std::size_t sent = 0; sent < text.size();) {
    const ssize_t done = write(pipe, text.data() + sent, text.size() - sent);
    if (done <= 0) _exit(3);
    sent += static_cast<std::size_t>(done);
  }
}

/// What the child does: each line it writes adds to what is known.
void judge_in_child(const RandomScene& scene, const Orders& orders, int pipe) {
  limit_processor(orders.limit);
  try {
    const Judged judged = run_and_measure(scene);
    const Approximations& below = judged.summary.approximations;
    const bool arrived = judged.summary.status == RunStatus::solved || judged.summary.status == RunStatus::approximate;
    tell(pipe, {{"arrived", arrived && judged.finite},
                {"by_rung", below.by_rung},
                {"residual", below.worst_residual},
                {"seconds", processor_seconds()},
                {"growth", judged.growth},
                {"penetration", judged.penetration}});
    limit_processor(static_cast<rlim_t>(processor_seconds()) + kSecondsToCompare);
    tell(pipe, {{"fault", fault_of(scene, judged, orders.quick ? Judging::once : Judging::fully)}});
    if (orders.quick || scene.seed % kCompareEvery != 0) return;
    if (const std::optional<Ends> ends = compare_ends(scene)) {
      tell(pipe, {{"compared", true}});
      if (!ends->agree())
        tell(pipe, {{"ends", fmt::format("ends of the schemes, with h, h/4, ..., are {:.2g} sizes apart",
                                         fmt::join(ends->apart, ", "))}});
    }
  } catch (const std::exception& error) {
    tell(pipe, {{"fault", fmt::format("refused: {}", error.what())}});
  }
}

struct Child {
  pid_t pid = 0;
  int pipe = -1;
  RandomScene scene;
  std::string text;
};

Child start(std::uint64_t seed, const Orders& orders) {
  int ends[2];
  if (pipe(ends) != 0) throw std::runtime_error(fmt::format("no pipe: {}", std::strerror(errno)));
  Child child{0, ends[0], random_scene(seed), ""};
  child.pid = fork();
  if (child.pid < 0) throw std::runtime_error(fmt::format("no process: {}", std::strerror(errno)));
  if (child.pid == 0) {
    close(ends[0]);
    judge_in_child(child.scene, orders, ends[1]);
    _exit(0);
  }
  close(ends[1]);
  return child;
}

/// Reads what has come; false at the end.
bool listen(Child& child) {
  char buffer[4096];
  const ssize_t got = read(child.pipe, buffer, sizeof buffer);
  if (got <= 0) return false;
  child.text.append(buffer, static_cast<std::size_t>(got));
  return true;
}

Report ended(const Child& child, const Orders& orders) {
  close(child.pipe);
  int status = 0;
  waitpid(child.pid, &status, 0);
  Report report{child.scene, "", Json::object(), 0};
  for (std::size_t at = 0, next; (next = child.text.find('\n', at)) != std::string::npos; at = next + 1)
    report.told.update(Json::parse(child.text.substr(at, next - at)));
  report.fault = report.told.value("fault", "");
  if (report.fault.empty()) report.fault = report.told.value("ends", "");
  report.seconds = report.told.value("seconds", static_cast<double>(orders.limit));
  if (!WIFSIGNALED(status)) return report;
  const bool ran = report.told.contains("arrived");
  if (WTERMSIG(status) != SIGXCPU)
    report.fault = fmt::format("crash: {}", strsignal(WTERMSIG(status)));
  else if (!ran)
    report.fault = fmt::format("time limit: more than {} s", orders.limit);
  return report;  // a comparison that took too long is no fault of the run
}

// ---- The tables at the end

std::string kind_of_fault(const std::string& fault) {
  return fault.substr(0, fault.find_first_of(" :"));
}

void print_arrivals(const std::vector<Report>& reports) {
  std::map<std::string, std::map<std::string, std::array<long, 2>>> counts;  // by row and scheme: all, good
  for (const Report& report : reports)
    for (const std::string& row :
         {std::string("all"), fmt::format("{}-D{}", report.scene.dimension, report.scene.mu > 0 ? ", friction" : ""),
          "law " + report.scene.law, report.scene.kind}) {
      std::array<long, 2>& count = counts[row][report.scene.scheme];
      ++count[0];
      count[1] += report.fault.empty();
    }
  record::Table table({"arrived with a sane answer", "event-driven", "time-stepping"});
  for (auto& [row, schemes] : counts)
    table.add({row, fmt::format("{} of {}", schemes["event-driven"][1], schemes["event-driven"][0]),
               fmt::format("{} of {}", schemes["time-stepping"][1], schemes["time-stepping"][0])});
  fmt::print("\n{}", table.text());
}

void print_faults(const std::vector<Report>& reports) {
  std::map<std::string, std::map<std::string, std::set<std::uint64_t>>> seeds;
  for (const Report& report : reports)
    if (!report.fault.empty()) seeds[kind_of_fault(report.fault)][report.scene.scheme].insert(report.scene.seed);
  if (seeds.empty()) return;
  record::Table table({"fault", "event-driven", "time-stepping"});
  for (auto& [fault, schemes] : seeds)
    table.add(
        {fault, fmt::format("{}", schemes["event-driven"].size()), fmt::format("{}", schemes["time-stepping"].size())});
  fmt::print("\n{}", table.text());
}

void print_rungs(const std::vector<Report>& reports) {
  std::array<long, 5> scenes{}, steps{};
  long below = 0, compared = 0;
  double worst = 0, slowest = 0;
  std::uint64_t worst_seed = 0, slowest_seed = 0;
  for (const Report& report : reports) {
    if (report.seconds > slowest) slowest = report.seconds, slowest_seed = report.scene.seed;
    compared += report.told.value("compared", false);
    if (!report.told.contains("by_rung")) continue;
    const auto by_rung = report.told["by_rung"].get<std::array<long, 5>>();
    for (std::size_t i = 0; i < 5; ++i) scenes[i] += by_rung[i] > 0, steps[i] += by_rung[i];
    below += std::any_of(by_rung.begin(), by_rung.end(), [](long count) { return count > 0; });
    const double residual = report.told["residual"].is_number() ? report.told["residual"].get<double>() : INFINITY;
    if (residual > worst) worst = residual, worst_seed = report.scene.seed;
  }
  fmt::print("\n{} of {} scenes needed a lower rung ({:.1f} %)", below, reports.size(),
             100.0 * static_cast<double>(below) / static_cast<double>(std::max<std::size_t>(1, reports.size())));
  for (std::size_t i = 1; i < 5; ++i)
    fmt::print("; {}: {} scenes, {} steps", to_string(static_cast<Rung>(i)), scenes[i], steps[i]);
  fmt::print("\nworst residual {:.2g} (seed {}); slowest run {:.1f} s (seed {}); both schemes compared in {} scenes\n",
             worst, worst_seed, slowest, slowest_seed, compared);
}

void keep(const Orders& orders, const Report& report) {
  std::filesystem::create_directories(orders.keep);
  std::ofstream file(std::filesystem::path(orders.keep) /
                     fmt::format("{}_{}.toml", kind_of_fault(report.fault), report.scene.seed));
  file << "# " << report.fault << "\n" << report.scene.toml;
}

int soak(const Orders& orders) {
  const auto begin = Clock::now();
  const auto elapsed = [&] { return std::chrono::duration<double>(Clock::now() - begin).count(); };
  std::vector<Report> reports;
  std::vector<Child> running;
  std::uint64_t next = orders.from;
  while (!running.empty() || (next <= orders.to && elapsed() < orders.budget)) {
    while (static_cast<int>(running.size()) < orders.jobs && next <= orders.to && elapsed() < orders.budget)
      running.push_back(start(next++, orders));
    std::vector<pollfd> waiting;
    for (const Child& child : running) waiting.push_back({child.pipe, POLLIN, 0});
    poll(waiting.data(), waiting.size(), -1);
    for (std::size_t i = running.size(); i-- > 0;) {
      if (waiting[i].revents == 0 || listen(running[i])) continue;
      reports.push_back(ended(running[i], orders));
      running.erase(running.begin() + static_cast<std::ptrdiff_t>(i));
      const Report& report = reports.back();
      if (report.fault.empty() && !orders.list) continue;
      fmt::print("seed {} ({}, {}-D, {}, {}, mu {:.3g}, e {:.3g}, {:.1f} s): {}\n", report.scene.seed,
                 report.scene.kind, report.scene.dimension, report.scene.scheme, report.scene.law, report.scene.mu,
                 report.scene.e, report.seconds, report.fault.empty() ? "good" : report.fault);
      std::fflush(stdout);
      if (!report.fault.empty()) keep(orders, report);
    }
  }
  print_arrivals(reports);
  print_faults(reports);
  print_rungs(reports);
  const long bad = std::count_if(reports.begin(), reports.end(), [](const Report& one) { return !one.fault.empty(); });
  fmt::print("{} of {} scenes arrived with a sane answer, in {:.0f} s\n", static_cast<long>(reports.size()) - bad,
             reports.size(), elapsed());
  if (next <= orders.to) fmt::print("the budget ended before seed {}\n", next);
  if (bad > 0) fmt::print("the others are in {}\n", orders.keep);
  return bad == 0 ? 0 : 1;
}

constexpr std::string_view kUsage =
    "carom_soak --seeds FROM:TO [--budget SECONDS] [--limit SECONDS] [--jobs N] [--keep DIR] [--quick] [--list]\n"
    "carom_soak --seeds FROM:TO --print\n";

std::uint64_t whole_number(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size())
    throw std::runtime_error(fmt::format("'{}' is no whole number\n{}", text, kUsage));
  return value;
}

Orders read_orders(const std::vector<std::string>& words) {
  Orders orders;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "--print" || words[i] == "--quick" || words[i] == "--list") {
      (words[i] == "--print" ? orders.print : words[i] == "--quick" ? orders.quick : orders.list) = true;
      continue;
    }
    if (i + 1 == words.size()) throw std::runtime_error(fmt::format("{} needs a value\n{}", words[i], kUsage));
    const std::string key = words[i], value = words[++i];
    if (key == "--seeds") {
      const std::size_t colon = value.find(':');
      orders.from = whole_number(value.substr(0, colon));
      orders.to = colon == std::string::npos ? orders.from : whole_number(value.substr(colon + 1));
    } else if (key == "--budget") {
      orders.budget = static_cast<double>(whole_number(value));
    } else if (key == "--limit") {
      orders.limit = whole_number(value);
    } else if (key == "--jobs") {
      orders.jobs = std::max(1, static_cast<int>(whole_number(value)));
    } else if (key == "--keep") {
      orders.keep = value;
    } else {
      throw std::runtime_error(fmt::format("{} is no option\n{}", key, kUsage));
    }
  }
  return orders;
}

}  // namespace
}  // namespace carom::soak

int main(int count, char** words) {
  try {
    const carom::soak::Orders orders = carom::soak::read_orders({words + 1, words + count});
    if (!orders.print) return carom::soak::soak(orders);
    for (std::uint64_t seed = orders.from; seed <= orders.to; ++seed)
      fmt::print("{}\n", carom::soak::random_scene(seed).toml);
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "carom_soak: {}\n", error.what());
    return 2;
  }
}
