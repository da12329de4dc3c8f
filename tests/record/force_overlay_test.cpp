// Contact forces over each other.

#include "carom/record/force_overlay.h"

#include <gtest/gtest.h>

#include <cmath>
#include <regex>

namespace carom::testing {
namespace {

using record::ContactCourse;

/// A half wave of force 100 N and 1 ms under one law, an impulse at once under the other.
record::ForceOverlay half_wave(std::size_t contacts) {
  ContactCourse course;
  for (int i = 0; i <= 40; ++i) {
    course.times.push_back(1e-3 * i / 40);
    course.forces.push_back(100 * std::sin(M_PI * i / 40));
  }
  ContactCourse instant;
  instant.instants.push_back({0, 0.04});
  record::ForceOverlay overlay;
  overlay.title = "a half wave & its impulse";
  overlay.end = 1e-3;
  for (std::size_t i = 0; i < contacts; ++i) overlay.contacts.push_back("contact " + std::to_string(i + 1));
  overlay.laws = {{"followed", std::vector<ContactCourse>(contacts, course)},
                  {"at once", std::vector<ContactCourse>(contacts, instant)}};
  return overlay;
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

TEST(ForceOverlay, HasAPanelForEachContactAndSomeOfMany) {
  EXPECT_EQ(count(record::overlay_svg(half_wave(1)), ">contact "), 1U);
  EXPECT_EQ(count(record::overlay_svg(half_wave(5)), ">contact "), 5U);
  const std::string many = record::overlay_svg(half_wave(100));
  EXPECT_EQ(count(many, ">contact "), 8U);
  EXPECT_NE(many.find(">contact 1<"), std::string::npos);
  EXPECT_NE(many.find(">contact 100<"), std::string::npos);
  EXPECT_NE(many.find("8 of 100 contacts are shown"), std::string::npos);
}

TEST(ForceOverlay, NamesAxesUnitsAndLaws) {
  const std::string svg = record::overlay_svg(half_wave(2));
  for (const char* part : {"Force [N]", "Time [ms]", ">followed<", ">at once (area = impulse)<", "wave &amp; its"})
    EXPECT_NE(svg.find(part), std::string::npos) << part;
  EXPECT_EQ(svg.find("nan"), std::string::npos);
}

TEST(ForceOverlay, TheAreaOfABarIsItsImpulse) {
  const std::string svg = record::overlay_svg(half_wave(1));
  // corners of the bar, and two grid lines in each direction for the scale
  const std::regex bar(
      R"(M([\d.]+) ([\d.]+) L([\d.]+) ([\d.]+) L([\d.]+) ([\d.]+) L([\d.]+) ([\d.]+) Z" fill="#d55e00)");
  std::smatch corners;
  std::string found = svg;
  double area = 0;
  while (std::regex_search(found, corners, bar)) {
    area = (std::stod(corners[5]) - std::stod(corners[3])) * (std::stod(corners[2]) - std::stod(corners[4]));
    found = corners.suffix();
  }
  const double width = 872 - 84, height = 330;  // of the panel: 1 ms and 106 N
  EXPECT_NEAR(area / width * 1e-3 / height * 106, 0.04, 1e-4);
}

TEST(ForceOverlay, ImpulsesAreStemsWhereNoLawHasForces) {
  record::ForceOverlay overlay = half_wave(2);
  overlay.laws.erase(overlay.laws.begin());
  const std::string svg = record::overlay_svg(overlay);
  EXPECT_NE(svg.find("Impulse [mN s]"), std::string::npos);
  EXPECT_EQ(count(svg, "<circle"), 2U);
}

TEST(ForceOverlay, SaysThatNothingPresses) {
  record::ForceOverlay overlay = half_wave(2);
  overlay.begin = 5;
  overlay.end = 6;
  EXPECT_NE(record::overlay_svg(overlay).find("no contact presses in the time shown"), std::string::npos);
  overlay.laws.clear();
  EXPECT_NE(record::overlay_svg(overlay).find("no contact presses"), std::string::npos);
}

TEST(ForceOverlay, EndsWhereForcesHaveFaded) {
  record::ForceOverlay overlay = half_wave(1);
  overlay.end = 10;
  record::trim(overlay);
  EXPECT_NEAR(overlay.end, 1.02e-3, 1e-9);
}

}  // namespace
}  // namespace carom::testing
