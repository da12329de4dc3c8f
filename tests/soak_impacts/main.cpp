// Solves many random impacts and tells which answers are not what they claim to be.

#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <charconv>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>

#include "carom/record/problem_json.h"
#include "carom/record/table.h"
#include "impact_judge.h"

namespace carom::soak {
namespace {

constexpr int kFaults = 200;  // that are printed

struct Orders {
  std::uint64_t from = 1, to = 10000;
  int jobs = 1;
  double budget = 2;  // [s] of processor time for one answer
  std::uint64_t again_every = 4;
  std::string keep = "soak_failures";
  bool limits = false;  // a line for every answer that was not found to the end
  bool print = false;
  bool tangential = false;

  RandomImpact draw(std::uint64_t seed) const {
    return tangential ? random_tangential_impact(seed) : random_impact(seed);
  }
};

/// What a child has counted so far, where its parent sees it too, even if it crashes.
struct Counts {
  static constexpr std::size_t kLaws = std::variant_size_v<ImpactLaw>;
  enum { solved, no_solution, iteration_limit, refused, most };
  long by_status[2][kLaws][most] = {};  // by range of masses
  long compared = 0, faults = 0;
  double slowest[kLaws] = {}, spent[kLaws] = {};  // [s]
  std::uint64_t slowest_seed[kLaws] = {};
  std::uint64_t seed = 0;  // being solved
};

int place_of(const std::string& status) {
  return status == "solved"            ? Counts::solved
         : status == "no-solution"     ? Counts::no_solution
         : status == "iteration-limit" ? Counts::iteration_limit
                                       : Counts::refused;
}

void keep(const Orders& orders, const RandomImpact& impact, const std::string& fault) {
  std::filesystem::create_directories(orders.keep);
  std::ofstream(std::filesystem::path(orders.keep) / fmt::format("impact_{}.json", impact.seed))
      << record::problem_json(impact.problem, impact.law, fmt::format("seed {}: {}", impact.seed, fault)).dump(1)
      << "\n";
}

void report(const Orders& orders, const RandomImpact& impact, const std::string& fault, Counts& counts) {
  if (++counts.faults > kFaults) return;
  fmt::print("seed {} ({}, {}, {} contacts): {}\n", impact.seed, name_of(impact.law), impact.kind,
             impact.problem.contacts.size(), fault);
  std::fflush(stdout);
  keep(orders, impact, fault);
}

/// An answer that takes longer than this ends the child.
void allow(double seconds) {
  itimerval timer{};
  timer.it_value.tv_sec = static_cast<time_t>(seconds);
  timer.it_value.tv_usec = static_cast<suseconds_t>(1e6 * (seconds - std::floor(seconds)));
  setitimer(ITIMER_PROF, &timer, nullptr);
}

void work(const Orders& orders, std::uint64_t from, std::uint64_t stride, Counts& counts) {
  for (std::uint64_t seed = from; seed <= orders.to; seed += stride) {
    counts.seed = seed;
    const RandomImpact impact = orders.draw(seed);
    const bool again = orders.tangential || seed / stride % orders.again_every == 0;
    allow((orders.tangential ? 12 : again ? 4 : 1) * orders.budget + 0.5);  // as often as the judge solves it
    const JudgedImpact judged = judge_impact(impact, again);
    allow(0);
    const std::size_t law = impact.law.index();
    ++counts.by_status[static_cast<int>(impact.masses)][law][place_of(judged.status)];
    counts.compared += judged.compared;
    counts.spent[law] += judged.seconds;
    if (judged.seconds > counts.slowest[law]) {
      counts.slowest[law] = judged.seconds;
      counts.slowest_seed[law] = seed;
    }
    if (orders.limits && place_of(judged.status) == Counts::iteration_limit)
      fmt::print("limit: seed {} ({}, {}, {} contacts, {} masses): {}\n", seed, name_of(impact.law), impact.kind,
                 impact.problem.contacts.size(), impact.masses == Masses::ordinary ? "ordinary" : "broad",
                 judged.message);
    std::string fault = judged.fault;
    if (fault.empty() && judged.seconds > orders.budget) fault = fmt::format("time: {:.1f} s", judged.seconds);
    if (!fault.empty()) report(orders, impact, fault, counts);
  }
  counts.seed = 0;
}

/// Goes on behind what kills a child.
void guard(const Orders& orders, int job, Counts& counts) {
  const std::uint64_t stride = static_cast<std::uint64_t>(orders.jobs);
  std::uint64_t from = orders.from + static_cast<std::uint64_t>(job);
  while (from <= orders.to) {
    const pid_t child = fork();
    if (child == 0) {
      work(orders, from, stride, counts);
      _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    if (!WIFSIGNALED(status)) return;
    const RandomImpact impact = orders.draw(counts.seed);
    report(orders, impact,
           WTERMSIG(status) == SIGPROF ? fmt::format("time: more than {} s", orders.budget)
                                       : fmt::format("crash: {}", strsignal(WTERMSIG(status))),
           counts);
    from = counts.seed + stride;
  }
}

void add(Counts& sum, const Counts& one) {
  for (std::size_t law = 0; law < Counts::kLaws; ++law) {
    for (int masses = 0; masses < 2; ++masses)
      for (int status = 0; status < Counts::most; ++status)
        sum.by_status[masses][law][status] += one.by_status[masses][law][status];
    sum.spent[law] += one.spent[law];
    if (one.slowest[law] <= sum.slowest[law]) continue;
    sum.slowest[law] = one.slowest[law];
    sum.slowest_seed[law] = one.slowest_seed[law];
  }
  sum.compared += one.compared;
  sum.faults += one.faults;
}

void print(const Orders& orders, const Counts& counts) {
  std::vector<std::string> names;
  for_each_law([&](auto law) { names.emplace_back(law.name); });
  record::Table table({"law", "solved", "no-solution", "iteration-limit", "of them masses 1e-6..1e6", "refused",
                       "mean [ms]", "slowest [s]", "seed"});
  long limit[2] = {}, all[2] = {};
  for (std::size_t law = 0; law < Counts::kLaws; ++law) {
    const auto both = [&](int status) { return counts.by_status[0][law][status] + counts.by_status[1][law][status]; };
    long total = 0;
    for (int masses = 0; masses < 2; ++masses) {
      limit[masses] += counts.by_status[masses][law][Counts::iteration_limit];
      for (int status = 0; status < Counts::most; ++status) {
        all[masses] += counts.by_status[masses][law][status];
        total += counts.by_status[masses][law][status];
      }
    }
    table.add({names[law], fmt::format("{}", both(Counts::solved)), fmt::format("{}", both(Counts::no_solution)),
               fmt::format("{}", both(Counts::iteration_limit)),
               fmt::format("{}", counts.by_status[0][law][Counts::iteration_limit]),
               fmt::format("{}", both(Counts::refused)),
               fmt::format("{:.3f}", 1e3 * counts.spent[law] / static_cast<double>(std::max(1l, total))),
               fmt::format("{:.3f}", counts.slowest[law]), fmt::format("{}", counts.slowest_seed[law])});
  }
  fmt::print("\n{}", table.text());
  for (int masses = 0; masses < 2; ++masses)
    fmt::print("iteration-limit: {} of {} impacts with masses {}\n", limit[masses], all[masses],
               masses == 0 ? "1e-6..1e6" : "1e-9..1e9");
  fmt::print("{} of {} impacts have a fault; {} unique answers were compared in other units, mirrored and reordered\n",
             counts.faults, all[0] + all[1], counts.compared);
  if (counts.faults > 0) fmt::print("those with faults are in {}\n", orders.keep);
}

int soak(const Orders& orders) {
  const std::size_t size = sizeof(Counts) * static_cast<std::size_t>(orders.jobs);
  void* shared = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) throw std::runtime_error("no shared memory");
  Counts* counts = new (shared) Counts[orders.jobs];
  std::vector<pid_t> guards;
  for (int job = 0; job < orders.jobs; ++job) {
    const pid_t child = fork();
    if (child == 0) {
      guard(orders, job, counts[job]);
      _exit(0);
    }
    guards.push_back(child);
  }
  for (const pid_t one : guards) waitpid(one, nullptr, 0);
  Counts sum;
  for (int job = 0; job < orders.jobs; ++job) add(sum, counts[job]);
  print(orders, sum);
  const auto limits = [&](int masses) {
    long limit = 0, all = 0;
    for (std::size_t law = 0; law < Counts::kLaws; ++law)
      for (int status = 0; status < Counts::most; ++status) {
        all += sum.by_status[masses][law][status];
        if (status == Counts::iteration_limit) limit += sum.by_status[masses][law][status];
      }
    return 10000 * limit <= all;
  };
  return sum.faults == 0 && limits(0) ? 0 : 1;
}

constexpr std::string_view kUsage =
    "carom_soak_impacts --seeds FROM:TO [--jobs N] [--budget SECONDS] [--keep DIR] [--limits] [--tangential]\n"
    "carom_soak_impacts --seeds FROM:TO --print [--tangential]\n";

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
    bool* const flag = words[i] == "--print"        ? &orders.print
                       : words[i] == "--limits"     ? &orders.limits
                       : words[i] == "--tangential" ? &orders.tangential
                                                    : nullptr;
    if (flag != nullptr) {
      *flag = true;
      continue;
    }
    if (i + 1 == words.size()) throw std::runtime_error(fmt::format("{} needs a value\n{}", words[i], kUsage));
    const std::string key = words[i], value = words[++i];
    if (key == "--seeds") {
      const std::size_t colon = value.find(':');
      orders.from = whole_number(value.substr(0, colon));
      orders.to = colon == std::string::npos ? orders.from : whole_number(value.substr(colon + 1));
    } else if (key == "--jobs") {
      orders.jobs = std::max(1, static_cast<int>(whole_number(value)));
    } else if (key == "--budget") {
      orders.budget = static_cast<double>(whole_number(value));
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
  using namespace carom;
  try {
    const soak::Orders orders = soak::read_orders({words + 1, words + count});
    if (!orders.print) return soak::soak(orders);
    for (std::uint64_t seed = orders.from; seed <= orders.to; ++seed) {
      const soak::RandomImpact impact = orders.draw(seed);
      fmt::print("{}\n", record::problem_json(impact.problem, impact.law, fmt::format("seed {}", seed)).dump(1));
    }
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "carom_soak_impacts: {}\n", error.what());
    return 2;
  }
}
