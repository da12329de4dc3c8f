#include <carom/files.h>

#include <cstdio>

// Moves a scene and tells what every impact took.
class Listener : public carom::Observer {
 public:
  void impact(const carom::Model&, const carom::ImpactEvent& event) override {
    const carom::ImpactOutcome& outcome = *event.outcome;
    const double lost = outcome.energy.before - outcome.energy.after;
    std::printf("%8.4f s  %zu contacts  %9.3g J  %s\n", event.t, event.pairs.size(), lost,
                outcome.certificate.consistent ? "consistent" : "not consistent");
  }
};

int main(int argc, char** argv) {
  if (argc != 2) return std::puts("scene FILE.toml"), 2;
  try {
    const carom::app::ReadyScene scene = carom::app::read_scene(argv[1]);
    Listener listener;
    const carom::RunOptions options = {.duration = scene.scene.duration};
    const carom::RunSummary summary =
        carom::run(scene.model, scene.start, scene.scene.scheme, scene.scene.law, options, listener);
    std::printf("%ld impacts, energy balance to %.1g J\n", summary.impacts, summary.ledger.error());
  } catch (const std::exception& error) {  // file:line:column, value, rule
    return std::fprintf(stderr, "%s\n", error.what()), 2;
  }
}
