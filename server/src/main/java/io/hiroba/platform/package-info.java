/**
 * The services that every feature uses: database, events, HTTP, pages and background work, and {@link
 * io.hiroba.platform.FeatureModule}, the interface of a feature. It depends on no feature.
 */
@NullMarked
package io.hiroba.platform;

import org.jspecify.annotations.NullMarked;
