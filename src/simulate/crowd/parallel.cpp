#include "carom/simulate/crowd/parallel.h"

#ifdef CAROM_WITH_TBB
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#endif

namespace carom::simulate {

int available_threads() {
#ifdef CAROM_WITH_TBB
  return std::max(1, tbb::this_task_arena::max_concurrency());
#else
  return 1;
#endif
}

void in_pieces(std::size_t first, std::size_t last, int threads,
               const std::function<void(std::size_t from, std::size_t to, std::size_t piece)>& use) {
  const std::size_t count = static_cast<std::size_t>(threads);
  const auto piece = [&](std::size_t i) {
    use(first + (last - first) * i / count, first + (last - first) * (i + 1) / count, i);
  };
#ifdef CAROM_WITH_TBB
  tbb::parallel_for(std::size_t{0}, count, piece, tbb::static_partitioner());
#else
  for (std::size_t i = 0; i < count; ++i) piece(i);
#endif
}

}  // namespace carom::simulate
