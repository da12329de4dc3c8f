#include "carom/record/vtk_file.h"

#include <fmt/format.h>

#include <bit>
#include <cstring>

#include "carom/record/output_file.h"

namespace carom::record {
namespace {

std::string base64(const std::string& bytes) {
  static constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve(bytes.size() / 3 * 4 + 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k)
      group = group << 8 | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0U);
    for (std::size_t k = 0; k < 4; ++k) text += i + k <= bytes.size() ? digits[group >> (18 - 6 * k) & 63U] : '=';
  }
  return text;
}

template <class T>
void put(std::string& bytes, T value) {
  static_assert(std::endian::native == std::endian::little);
  char raw[sizeof(T)];
  std::memcpy(raw, &value, sizeof(T));
  bytes.append(raw, sizeof(T));
}

template <class T>
std::string data_array(std::string_view type, std::string_view name, int components, const std::vector<T>& values) {
  std::string bytes;
  bytes.reserve(8 + values.size() * sizeof(T));
  put(bytes, static_cast<std::uint64_t>(values.size() * sizeof(T)));
  for (const T value : values) put(bytes, value);
  return fmt::format(
      "<DataArray type=\"{}\" Name=\"{}\" NumberOfComponents=\"{}\" format=\"binary\">\n{}\n</DataArray>\n", type, name,
      components, base64(bytes));
}

std::string cells(std::string_view element, const std::vector<std::vector<int>>& lists) {
  std::vector<std::int64_t> connectivity, offsets;
  for (const std::vector<int>& list : lists) {
    connectivity.insert(connectivity.end(), list.begin(), list.end());
    offsets.push_back(static_cast<std::int64_t>(connectivity.size()));
  }
  return fmt::format("<{0}>\n{1}{2}</{0}>\n", element, data_array("Int64", "connectivity", 1, connectivity),
                     data_array("Int64", "offsets", 1, offsets));
}

}  // namespace

int VtkFile::point(const Vector3& position) {
  points_.insert(points_.end(), position.begin(), position.end());
  return static_cast<int>(points_.size() / 3) - 1;
}

void VtkFile::cell_array(std::string_view name, int components, std::vector<double> values) {
  arrays_.push_back({std::string(name), components, std::move(values)});
}

void VtkFile::write(const std::filesystem::path& path) const {
  std::string text = fmt::format(
      "<?xml version=\"1.0\"?>\n"
      "<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n<PolyData>\n"
      "<Piece NumberOfPoints=\"{}\" NumberOfVerts=\"{}\" NumberOfLines=\"{}\" NumberOfStrips=\"0\" "
      "NumberOfPolys=\"{}\">\n",
      points_.size() / 3, verts_.size(), lines_.size(), polys_.size());
  text += "<CellData>\n";
  for (const Array& array : arrays_) text += data_array("Float64", array.name, array.components, array.values);
  text += "</CellData>\n<Points>\n" + data_array("Float64", "position", 3, points_) + "</Points>\n";
  text += cells("Verts", verts_) + cells("Lines", lines_) + cells("Polys", polys_);
  write_file(path, text + "</Piece>\n</PolyData>\n</VTKFile>\n");
}

void write_vtk_collection(const std::filesystem::path& path, const std::vector<double>& times,
                          std::string (*file_name)(std::size_t)) {
  std::string text = "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\">\n<Collection>\n";
  for (std::size_t i = 0; i < times.size(); ++i)
    text += fmt::format("<DataSet timestep=\"{}\" file=\"{}\"/>\n", times[i], file_name(i));
  write_file(path, text + "</Collection>\n</VTKFile>\n");
}

}  // namespace carom::record
