#pragma once

#include <optional>
#include <string>

#include "command_line.h"

namespace carom::cli {

/// Where what a verb finds goes.
struct Output {
  bool json = false;
  bool quiet = false;
  std::string out;                    // the folder of --out; empty: none
  std::optional<std::string> svg;     // the file of --svg; empty: none was named
  std::optional<std::string> report;  // the file of --report; empty: none was named

  /// --svg and --report of verbs that draw; `what` is told in their help, `name` is the file's where none is named.
  Option svg_option(const std::string& what, const std::string& name);
  Option report_option(const std::string& what);
};

/// The file of --svg or --report, known before any work.
struct Drawing {
  bool wanted = false;
  std::string file = {};  // empty: standard output

  bool printed() const { return wanted && file.empty(); }
  void write(const std::string& text) const;        // if it is wanted; to its file, or to standard output
  std::string told(const std::string& what) const;  // "picture in FILE\n", or nothing
};

/// The picture of a verb: the file of --svg, else `name` in the folder of --out, else standard output, or in a terminal
/// `name` in the current folder. Throws InputError where it is clear that it cannot be written, would take the place of
/// `input`, or where --json or --quiet want nothing else on standard output.
Drawing picture_of(const Output& output, const std::string& name, const std::string& input);

/// The page of a verb: the file of --report, else report.html in the folder of --out or in the current one. Throws
/// as picture_of does, and where the tool was built without pages.
Drawing page_of(const Output& output, const std::string& input);

/// What a verb has found.
struct Found {
  std::string document;  // JSON
  std::string text;      // for people
  std::string svg = {};  // if it is wanted
};

/// The document NAME.json into the folder of --out, the picture to its place, and to standard output what is asked for
/// there.
void deliver(const Output& output, const std::string& name, const Drawing& picture, const Found& found);

/// Writes a document into the folder of --out, which is made if it does not exist.
void write_into(const std::string& folder, const std::string& name, const std::string& text);

/// Throws InputError, with the option's name as the place, if it is clear before any work that the file cannot be
/// written, or if it is the input. No file: nothing to write.
void require_writable(const std::string& option, const std::string& file, const std::string& input);

}  // namespace carom::cli
