#pragma once

#include <string>
#include <vector>

#include "carom/app/compare.h"
#include "carom/app/problem.h"
#include "carom/record/impact_report.h"

namespace carom::app {

/// Throws InputError, with the place --report, where this build has no page to show.
void require_page();

/// What is said of runs under several laws beside their numbers: who agrees, who was left out and why.
std::vector<std::string> comparison_sentences(const ReadyScene& ready, const ComparedRuns& compared);

/// One page that shows runs of a scene under several laws side by side; the comparison has kept their reports. Its data
/// are "carom-comparison-report/1" (docs/report.md).
std::string comparison_page(const ReadyScene& ready, const ComparedRuns& compared);

/// One page that shows an impact and what each law makes of it. The comparison has kept what is inside; the impact of a
/// scene is shown where it happens.
std::string impact_page(const scene::ProblemFile& file, const ComparedImpacts& compared,
                        const std::vector<std::string>& remarks, const record::ImpactScene* scene = nullptr);

/// The same of one law; what is inside is shown where the impact was solved with its path.
std::string impact_page(const scene::ProblemFile& file, const SolvedImpact& impact,
                        const std::vector<std::string>& remarks, const record::ImpactScene* scene = nullptr);

}  // namespace carom::app
