#include "carom/record/run_sinks.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "carom/base/error.h"
#include "carom/record/contacts_csv.h"
#include "carom/record/hdf5_run.h"
#include "carom/record/report_html.h"
#include "carom/record/run_csv.h"
#include "carom/record/vtk_series.h"

namespace carom::record {
namespace {

struct SinkKind {
  std::string_view format, file;
  bool has_impacts = false;
  bool wants_forces = false;
  bool has_own_key = false;
  std::string_view other = "";  // a further file or folder
  std::string_view (*missing)() = nullptr;
  bool (*applies)(const RunTitle& title, const Model& model) = nullptr;
  std::unique_ptr<RunSink> (*open)(const RunTitle& title, const Model& model,
                                   const std::filesystem::path& folder) = nullptr;
};

template <std::derived_from<RunSink> Sink>
constexpr SinkKind kind() {
  return {Sink::format, Sink::file, Sink::has_impacts,
          [] {
            if constexpr (requires { Sink::told_forces; })
              return Sink::told_forces;
            else
              return false;
          }(),
          requires {Sink::has_own_key;
}
,
    []() -> std::string_view {
      if constexpr (requires { Sink::other; })
        return Sink::other;
      else
        return "";
    }(),
    []() -> std::string_view {
      if constexpr (requires { Sink::missing(); })
        return Sink::missing();
      else
        return "";
    },
    [](const RunTitle& title, const Model& model) {
      if constexpr (requires { Sink::applies(title, model); })
        return Sink::applies(title, model);
      else
        return true;
    },
    [](const RunTitle& title, const Model& model, const std::filesystem::path& folder) -> std::unique_ptr<RunSink> {
      return std::make_unique<Sink>(title, model, folder);
    }
};  // namespace
}  // namespace carom::record

/// Every output of a run, in the order of summary.json. A new one is one more line here.
constexpr std::array kSinks = {
    kind<TrajectoryCsv>(), kind<ImpactsCsv>(), kind<ContactsCsv>(), kind<JointsCsv>(), kind<EventsCsv>(),
    kind<ClosuresCsv>(),   kind<VtkSeries>(),  kind<VtkForces>(),   kind<Hdf5Run>(),   kind<ReportHtml>(),
};

bool contains(const std::vector<std::string>& formats, std::string_view format) {
  return std::find(formats.begin(), formats.end(), format) != formats.end();
}

}  // namespace

std::vector<std::string_view> run_formats() {
  std::vector<std::string_view> formats;
  for (const SinkKind& one : kSinks)
    if (!one.has_own_key && std::find(formats.begin(), formats.end(), one.format) == formats.end())
      formats.push_back(one.format);
  return formats;
}

std::vector<std::string> run_file_names() {
  std::vector<std::string> names;
  for (const SinkKind& one : kSinks) {
    names.emplace_back(one.file);
    if (!one.other.empty()) names.emplace_back(one.other);
  }
  return names;
}

void require_formats(const std::vector<std::string>& formats) {
  for (const SinkKind& one : kSinks)
    if (contains(formats, one.format) && !one.missing().empty())
      throw InputError("record.formats",
                       fmt::format("has \"{}\"; this tool was built without {}", one.format, one.missing()));
}

RunSinks::RunSinks(const std::vector<std::string>& formats, const RunTitle& title, const Model& model,
                   const std::filesystem::path& folder) {
  const bool have_impacts = std::any_of(kSinks.begin(), kSinks.end(), [&](const SinkKind& one) {
    return one.has_impacts && contains(formats, one.format);
  });
  for (const SinkKind& one : kSinks) {
    if (!contains(formats, one.format) && (have_impacts || one.file != ImpactsCsv::file)) continue;
    if (!one.applies(title, model)) continue;
    wants_forces_ = wants_forces_ || one.wants_forces;
    sinks_.push_back(one.open(title, model, folder));
    files_.emplace_back(one.file);
  }
}

void RunSinks::state(const Model& model, const State& state, const Ledger& ledger) {
  for (const auto& sink : sinks_) sink->state(model, state, ledger);
}

void RunSinks::impact(const Model& model, const ImpactEvent& event) {
  for (const auto& sink : sinks_) sink->impact(model, event);
}

void RunSinks::contacts(const Model& model, double t, const std::vector<ContactForce>& forces) {
  for (const auto& sink : sinks_) sink->contacts(model, t, forces);
}

void RunSinks::joints(const Model& model, double t, const std::vector<JointForce>& forces) {
  for (const auto& sink : sinks_) sink->joints(model, t, forces);
}

void RunSinks::event(const Model& model, const RunEvent& event) {
  for (const auto& sink : sinks_) sink->event(model, event);
}

void RunSinks::closure(const Model& model, const ContactClosure& closure) {
  for (const auto& sink : sinks_) sink->closure(model, closure);
}

void RunSinks::ended(const Model& model, const RunSummary& summary) {
  for (const auto& sink : sinks_) sink->ended(model, summary);
}

void RunSinks::close() {
  for (const auto& sink : sinks_) sink->close();
}

RunSinks::Sizes RunSinks::sizes() const {
  Sizes all;
  for (std::size_t i = 0; i < sinks_.size(); ++i)
    if (const OutputFile* table = sinks_[i]->table()) all[files_[i]] = table->written();
  return all;
}

void RunSinks::flush() {
  for (const auto& sink : sinks_)
    if (OutputFile* table = sink->table()) table->flush();
}

}  // namespace carom::record
