#pragma once

/// Problems and scenes from files, runs into files, reports: what the tool does, as a library.
///   const carom::app::ReadyScene scene = carom::app::read_scene("scenes/newtons_cradle.toml");
///   const carom::app::SceneRun run = carom::app::run_scene(scene, scene.scene.law, "results");

#include "carom/app/compare.h"
#include "carom/app/import.h"
#include "carom/app/problem.h"
#include "carom/app/rods.h"
#include "carom/app/scene_run.h"
#include "carom/carom.h"
#include "carom/record/outcome_text.h"
