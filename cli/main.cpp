#include "verbs.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif

int main(int argc, char** argv) {
  using namespace carom::cli;
#ifdef __GLIBC__
  // Matrices of one step are those of the next: what they take is not given back to the system in between.
  mallopt(M_MMAP_THRESHOLD, 64 << 20);
  mallopt(M_TRIM_THRESHOLD, 256 << 20);
#endif
  return run_command_line(argc, argv,
                          {run_verb(), impact_verb(), compare_verb(), laws_verb(), admissible_verb(), plane_verb(),
                           forces_verb(), force_verb(), rods_verb(), block_verb(), outcomes_verb(), distance_verb(),
                           geodesic_verb(), import_verb(), serve_verb()});
}
