#pragma once

#include <sys/resource.h>

#include <fstream>
#include <string>

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace carom::bench {

/// The largest resident memory of this process since construction [MB]. Linux resets its high-water mark on request;
/// elsewhere it is the largest since the start of the process.
class PeakMemory {
 public:
  PeakMemory() {
#ifdef __GLIBC__
    malloc_trim(0);  // what earlier measurements freed does not count
#endif
    std::ofstream("/proc/self/clear_refs") << "5";
  }

  double megabytes() const {
    std::ifstream status("/proc/self/status");
    for (std::string word; status >> word;)
      if (double kilobytes = 0; word == "VmHWM:" && status >> kilobytes) return kilobytes / 1024;
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_maxrss) / 1024;
  }
};

}  // namespace carom::bench
