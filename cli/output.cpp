#include "output.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "carom/app/pages.h"
#include "carom/base/error.h"
#include "carom/record/output_file.h"

namespace carom::cli {

Option Output::svg_option(const std::string& what, const std::string& name) {
  return {.name = "--svg",
          .target = &svg,
          .help = fmt::format("draw {} into this file; left out: into {} in the folder of --out, and without one to "
                              "standard output, or in a terminal into {} here",
                              what, name, name),
          .value = "[FILE]",
          .may_be_bare = true};
}

Option Output::report_option(const std::string& what) {
  return {.name = "--report",
          .target = &report,
          .help =
              "write a page for browsers, which needs nothing else, into this file; left out: into report.html in the "
              "folder of --out, or here: " +
              what,
          .value = "[FILE]",
          .may_be_bare = true};
}

void Drawing::write(const std::string& text) const {
  if (printed())
    fmt::print("{}", text);
  else if (wanted)
    record::write_file(file, text);
}

std::string Drawing::told(const std::string& what) const {
  return file.empty() ? "" : fmt::format("{} in {}\n", what, file);
}

Drawing picture_of(const Output& output, const std::string& name, const std::string& input) {
  if (!output.svg) return {};
  Drawing picture{.wanted = true, .file = *output.svg};
  if (picture.file.empty() && !output.out.empty())
    picture.file = (std::filesystem::path(output.out) / name).string();
  else if (picture.file.empty() && isatty(STDOUT_FILENO) != 0)
    picture.file = name;
  else if (picture.file == "-")
    picture.file.clear();
  if (picture.printed() && (output.json || output.quiet))
    throw InputError("--svg", "prints the picture; with --json or --quiet name a file behind it, or a folder by --out");
  require_writable("--svg", picture.file, input);
  return picture;
}

Drawing page_of(const Output& output, const std::string& input) {
  if (!output.report) return {};
  app::require_page();
  Drawing page{.wanted = true, .file = *output.report};
  if (page.file.empty()) page.file = (std::filesystem::path(output.out) / "report.html").string();
  require_writable("--report", page.file, input);
  return page;
}

void deliver(const Output& output, const std::string& name, const Drawing& picture, const Found& found) {
  if (!output.out.empty()) write_into(output.out, name + ".json", found.document);
  picture.write(found.svg);
  if (picture.printed()) return;
  if (output.json)
    fmt::print("{}", found.document);
  else if (!output.quiet)
    fmt::print("{}{}", found.text, picture.told("picture"));
}

void write_into(const std::string& folder, const std::string& name, const std::string& text) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw InputError("--out " + folder, error.message());
  record::write_file(std::filesystem::path(folder) / name, text);
}

void require_writable(const std::string& option, const std::string& file, const std::string& input) {
  namespace fs = std::filesystem;
  if (file.empty()) return;
  const auto refuse = [&](const std::string& why) { throw InputError(option + " " + file, why); };
  std::error_code ignored;
  if (fs::is_directory(file, ignored)) refuse("is a folder; expected the name of a file");
  if (fs::equivalent(file, input, ignored)) refuse("is the input, which would be overwritten");
  fs::path folder = fs::absolute(file, ignored).parent_path();
  while (folder.has_relative_path() && !fs::exists(folder, ignored)) folder = folder.parent_path();
  if (!fs::is_directory(folder, ignored)) refuse(fmt::format("cannot be written: {} is no folder", folder.string()));
  const std::string place = fs::exists(file, ignored) ? file : folder.string();
  if (access(place.c_str(), W_OK) != 0) refuse(fmt::format("cannot be written: {}", std::strerror(errno)));
}

}  // namespace carom::cli
