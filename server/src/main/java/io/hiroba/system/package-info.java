/**
 * The state of the system for admins: nodes, database, background work and the settings in effect. Features contribute lines
 * of their own ({@link io.hiroba.platform.FeatureModule#systemChecks}).
 */
@NullMarked
package io.hiroba.system;

import org.jspecify.annotations.NullMarked;
