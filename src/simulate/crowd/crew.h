#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <type_traits>

namespace carom::simulate {

/// Threads that share loops. Others than the caller's come when there is something to do, stay while one loop follows
/// another, and leave soon after; a loop never waits for one that has not come. Every loop over disjoint entries gives
/// the same for every number of threads, to the last bit.
class Crew {
 public:
  explicit Crew(int threads);  // with the caller's; 0: all there are. One where Carom is built without threads
  ~Crew();
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;

  /// use(from, to) for pieces of `each` entries that make up [first, last), at the same time; all at once where that is
  /// less than two pieces. What it throws is thrown to the caller.
  template <class Use>
  void for_ranges(std::size_t first, std::size_t last, std::size_t each, Use&& use) {
    if (threads_ < 2 || last - first < 2 * each) {
      if (first < last) use(first, last);
      return;
    }
    share({first, last, each, &use, [](void* with, std::size_t from, std::size_t to) {
             (*static_cast<std::remove_reference_t<Use>*>(with))(from, to);
           }});
  }

  /// The largest of what use(from, to) returns, and of 0.
  template <class Use>
  double largest_of_ranges(std::size_t first, std::size_t last, std::size_t each, Use&& use) {
    std::atomic<double> most = 0;
    for_ranges(first, last, each, [&](std::size_t from, std::size_t to) {
      const double found = use(from, to);
      double known = most.load(std::memory_order_relaxed);
      while (!(known >= found) && !most.compare_exchange_weak(known, found, std::memory_order_relaxed)) {
      }
    });
    return most.load(std::memory_order_relaxed);
  }

 private:
  struct Loop {
    std::size_t first = 0, last = 0, each = 1;
    void* with = nullptr;
    void (*use)(void* with, std::size_t from, std::size_t to) = nullptr;
  };
  struct Others;
  struct Shared;
  void share(const Loop& loop);

  int threads_ = 1;
  std::unique_ptr<Others> others_;  // none where there is one thread
};

}  // namespace carom::simulate
