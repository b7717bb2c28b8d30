/**
 * Configuration: a tree of records that validate themselves, bound from defaults, {@code hiroba.yaml}, the environment
 * and flags, in rising precedence. What is unknown or wrong stops the start, and all of it is reported at once.
 */
@NullMarked
package io.hiroba.platform.config;

import org.jspecify.annotations.NullMarked;
