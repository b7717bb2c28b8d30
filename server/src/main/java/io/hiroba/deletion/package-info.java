/**
 * The deletion of an account with all that its owner left in other features, as a saga: each feature contributes the step
 * that deletes its part ({@link io.hiroba.platform.FeatureModule#sagaSteps}), and the account goes last.
 */
@NullMarked
package io.hiroba.deletion;

import org.jspecify.annotations.NullMarked;
