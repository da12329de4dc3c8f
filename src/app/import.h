#pragma once

#include <map>
#include <string>
#include <vector>

namespace carom::app {

struct ImportOptions {
  std::map<std::string, double> pose;           // joints at the start, [rad] or [m]
  std::map<std::string, std::string> packages;  // folders that package://name/ stands for
  std::string meshes;                           // the folder that meshes may be in; empty: that of the file
  bool fixed_base = false;                      // the roots stand in the world
  bool ground = false;                          // a plane at z = 0
  double above = 0;                             // [m] how high over it the lowest point of a robot that moves is
  double e = 0, mu = 0.8;                       // [-] of contacts that the file says nothing of
  double duration = 1;                          // [s]
};

/// A robot as a scene.
struct ImportedScene {
  std::string text;                   // TOML
  std::vector<std::string> left_out;  // what was not carried over, or changed
  int bodies = 0, joints = 0, shapes = 0;
};

/// Reads a URDF or MJCF file. Links that fixed joints connect are one body; links that overlap at the start are kept
/// from touching; the scene that comes of it is ready to run. Throws InputError.
ImportedScene import_robot(const std::string& file, const ImportOptions& options = {});

}  // namespace carom::app
