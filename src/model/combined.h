#pragma once

namespace carom {

/// A ball of radius R with the pressure p inside that a rigid surface flattens by d << R carries p times the area of
/// contact, pi (R^2 - (R - d)^2) = 2 pi R d: its stiffness is 2 pi p R [N/m], with eta = 1. Two balls are in series:
///   1/k = 1 / (2 pi p_a R_a) + 1 / (2 pi p_b R_b).
/// Each argument is p R [N/m]; 0 stands for a rigid surface, and one of them is > 0.
///                                                                           [Liu, Zhao, Brogliato 2008, (107)-(111)]
double pressure_stiffness(double pR_a, double pR_b = 0);

/// The restitution of two materials against each other from those against something hard and heavy, 1/e = 1/e_a +
/// 1/e_b; 0 if one of them is 0.                                     [Liu, Zhao, Brogliato 2008, section 8.1: 0.326]
double series_restitution(double e_a, double e_b);

}  // namespace carom
