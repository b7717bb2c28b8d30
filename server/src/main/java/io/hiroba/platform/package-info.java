/**
 * The ground that every feature stands on: database, events, HTTP, pages and background work, and {@link
 * io.hiroba.platform.FeatureModule}, by which a feature becomes part of a node. It knows no feature.
 */
@NullMarked
package io.hiroba.platform;

import org.jspecify.annotations.NullMarked;
