#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "carom/geometry/pose.h"

namespace carom::record {

/// A PolyData file of VTK with numbers in binary (base64): points, cells of one kind after another, and arrays with one
/// entry per cell, in the order verts, lines, polys.
class VtkFile {
 public:
  int point(const Vector3& position);
  void vert(int point) { verts_.push_back({point}); }
  void line(int a, int b) { lines_.push_back({a, b}); }
  void poly(std::vector<int> points) { polys_.push_back(std::move(points)); }
  void cell_array(std::string_view name, int components, std::vector<double> values);
  void write(const std::filesystem::path& path) const;

 private:
  struct Array {
    std::string name;
    int components = 1;
    std::vector<double> values;
  };
  std::vector<double> points_;
  std::vector<std::vector<int>> verts_, lines_, polys_;
  std::vector<Array> arrays_;
};

/// A collection of files, each at its time.
void write_vtk_collection(const std::filesystem::path& path, const std::vector<double>& times,
                          std::string (*file_name)(std::size_t));

}  // namespace carom::record
