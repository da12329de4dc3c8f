#include "verbs.h"

int main(int argc, char** argv) {
  using namespace carom::cli;
  return run_command_line(
      argc, argv,
      {run_verb(), impact_verb(), compare_verb(), laws_verb(), admissible_verb(), plane_verb(), forces_verb(),
       force_verb(), rods_verb(), block_verb(), outcomes_verb(), import_verb(), serve_verb()});
}
