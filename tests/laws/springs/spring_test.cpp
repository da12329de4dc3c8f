// One contact and its events.

#include "carom/laws/springs/spring.h"

#include <gtest/gtest.h>

namespace carom::springs {
namespace {

Spring spring_of(const Force& force) {
  Spring spring(force, 2.0);
  spring.set_scale(1, 1e-9);
  return spring;
}

TEST(Spring, ScalesAreThoseOfItsFastestClosing) {
  const Spring spring = spring_of(BiStiffness(Contact{.e = 0.5, .k = 8, .eta = 1}));
  EXPECT_DOUBLE_EQ(spring.energy(spring.depth), 0.25) << "1/2 v^2 / inverse mass";
  EXPECT_DOUBLE_EQ(spring.noise, 1e-9 * spring.depth);
}

TEST(Spring, GoesThroughCompressionExpansionAndRelease) {
  const Spring spring = spring_of(BiStiffness(Contact{.e = 0.5, .k = 8, .eta = 1}));
  SpringState state;
  double s = 0;
  spring.begin(state, s, -1, 1e-12);
  EXPECT_EQ(state.phase, Phase::compression);
  EXPECT_EQ(spring.missed(state, 0.1, -0.5), Event::none);
  EXPECT_EQ(spring.missed(state, 0.2, 0.1), Event::turns);
  spring.turn(state, 0.25, 0.4);
  EXPECT_EQ(state.phase, Phase::expansion);
  EXPECT_EQ(state.compressions, 1);
  EXPECT_DOUBLE_EQ(state.peak, 2);
  EXPECT_DOUBLE_EQ(state.peak_time, 0.4);
  EXPECT_EQ(spring.missed(state, 0, 0.5), Event::opens);
  s = 0;
  spring.open(state, s, 0.6);
  EXPECT_EQ(state.phase, Phase::open);
  EXPECT_DOUBLE_EQ(state.dissipated, 0.75 * spring.energy(0.25));
  EXPECT_DOUBLE_EQ(state.released, 0.6);
  spring.close(state, 0);
  spring.turn(state, 0.1, 0.8);
  EXPECT_EQ(state.reimpacts, 1);
}

TEST(Spring, AnExpansionThatTurnsBackHasLostItsPart) {
  const Spring spring = spring_of(BiStiffness(Contact{.e = 0.5, .k = 8, .eta = 1}));
  SpringState state;
  spring.close(state, 0);
  spring.turn(state, 0.25, 0);
  spring.turn(state, 0.15, 0);
  EXPECT_EQ(state.phase, Phase::compression);
  EXPECT_DOUBLE_EQ(state.dissipated, 0.75 * (spring.energy(0.25) - spring.energy(0.15)));
}

TEST(Spring, WhatIsCompressedByNoiseDoesNotCount) {
  const Spring spring = spring_of(MonoStiffness(Contact{.e = 0.5, .k = 8, .eta = 1}));
  SpringState state;
  spring.close(state, 0);
  spring.turn(state, 0.5 * spring.noise, 0);
  EXPECT_EQ(state.compressions, 0);
}

TEST(Spring, AGapHasToCloseAgain) {
  const Spring elastic = spring_of(ElasticGap(Contact{.k = 8, .eta = 1}));
  const Spring bi = spring_of(BiStiffness(Contact{.e = 0.5, .k = 8, .eta = 1}));
  const SpringState open;
  EXPECT_EQ(elastic.missed(open, -0.1, -1), Event::none);
  EXPECT_EQ(elastic.missed(open, 0.1, -1), Event::closes);
  EXPECT_EQ(bi.missed(open, 0, -1), Event::closes);
}

TEST(Spring, OneThatJointsHoldHasNoEvents) {
  Spring held(BiStiffness(Contact{.e = 0.5, .k = 8, .eta = 1}), 0);
  held.set_scale(1, 1e-9);
  EXPECT_EQ(held.missed({}, 1, -1), Event::none);
}

}  // namespace
}  // namespace carom::springs
