#include "carom/simulate/crowd/crew.h"

#ifdef CAROM_WITH_TBB
#include <tbb/task_arena.h>

#include <algorithm>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>
#endif

namespace carom::simulate {

#ifdef CAROM_WITH_TBB
namespace {

constexpr int kPatience = 5000;           // looks for another loop, some 0.1 ms, before a thread leaves
constexpr int kLooksBeforeYielding = 50;  // for those who still work, before the processor is offered to them
constexpr std::size_t kCacheLine = 64;

int threads_there_are() {
  return std::max(1, tbb::this_task_arena::max_concurrency());
}

void pause_a_little() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#else
  std::this_thread::yield();
#endif
}

}  // namespace

/// The caller opens a loop, takes pieces of it like everybody, closes it and waits for those inside. Who goes inside
/// says so before looking whether the loop is still open, and the caller closes it before looking whether somebody is
/// inside: so nobody is left with a loop that is over.
///
/// Everybody begins with a part of his own, the same from loop to loop, whose data are still in the caches of his
/// processor, and helps with the others' when that is done. Others may arrive when the crew is gone: this is theirs,
/// too.
struct Crew::Shared {
  struct alignas(kCacheLine) Part {
    std::atomic<std::size_t> next = 0;
    std::size_t last = 0;
  };

  explicit Shared(int threads) : parts(static_cast<std::size_t>(threads)) {}

  Loop loop;
  std::vector<Part> parts;  // (threads)
  std::exception_ptr thrown;
  std::mutex throwing;
  long loops = 0;                                    // so far
  alignas(kCacheLine) std::atomic<long> open = 0;    // the number of the loop, 0: none is open
  alignas(kCacheLine) std::atomic<int> inside = 0;   // others
  alignas(kCacheLine) std::atomic<int> present = 0;  // others, those on their way among them
  std::atomic<std::size_t> arrived = 0;              // so far
  std::atomic<bool> over = false;

  void divide() {
    const std::size_t pieces = (loop.last - loop.first + loop.each - 1) / loop.each;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      parts[i].next = loop.first + loop.each * (pieces * i / parts.size());
      parts[i].last = std::min(loop.last, loop.first + loop.each * (pieces * (i + 1) / parts.size()));
    }
  }

  void take_pieces(std::size_t own) {
    try {
      for (std::size_t i = 0; i < parts.size(); ++i) {
        Part& part = parts[(own + i) % parts.size()];
        for (;;) {
          const std::size_t from = part.next.fetch_add(loop.each, std::memory_order_relaxed);
          if (from >= part.last) break;
          loop.use(loop.with, from, std::min(from + loop.each, part.last));
        }
      }
    } catch (...) {
      const std::lock_guard guard(throwing);
      if (!thrown) thrown = std::current_exception();
    }
  }

  void serve() {
    const std::size_t own = 1 + arrived++ % (parts.size() - 1);
    long done = 0;
    for (int looks = 0; looks < kPatience && !over; ++looks) {
      const long now = open;
      if (now == 0 || now == done) {
        pause_a_little();
        continue;
      }
      ++inside;
      if (open == now) take_pieces(own);
      --inside;
      done = now;
      looks = 0;
    }
    --present;
  }
};

/// Tasks that are enqueued get a thread, other than those that wait to be stolen; it may come late.
struct Crew::Others {
  explicit Others(int threads)
      : arena(std::min(threads, threads_there_are())), shared(std::make_shared<Shared>(threads)) {}

  tbb::task_arena arena;
  std::shared_ptr<Shared> shared;
};

Crew::Crew(int threads) : threads_(threads > 0 ? threads : threads_there_are()) {
  if (threads_ > 1) others_ = std::make_unique<Others>(threads_);
}

Crew::~Crew() {
  if (others_) others_->shared->over = true;
}

void Crew::share(const Loop& loop) {
  Shared& all = *others_->shared;
  all.loop = loop;
  all.divide();
  all.open = ++all.loops;
  while (all.present < threads_ - 1) {
    ++all.present;
    others_->arena.enqueue([shared = others_->shared] { shared->serve(); });
  }
  all.take_pieces(0);
  all.open = 0;
  for (int looks = 0; all.inside != 0; ++looks)
    if (looks < kLooksBeforeYielding)
      pause_a_little();
    else
      std::this_thread::yield();
  if (all.thrown) std::rethrow_exception(std::exchange(all.thrown, nullptr));
}

#else

struct Crew::Others {};

Crew::Crew(int) {}
Crew::~Crew() = default;
void Crew::share(const Loop& loop) {
  loop.use(loop.with, loop.first, loop.last);
}

#endif

}  // namespace carom::simulate
