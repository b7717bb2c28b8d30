/**
 * The one search of all features: each answers for what it holds, by its own rules of who may read what.
 *
 * <p>Invariants: a search runs in the name of one caller and finds only what that caller may read; what it reads is bounded,
 * however much is stored.
 */
@NullMarked
package io.hiroba.platform.search;

import org.jspecify.annotations.NullMarked;
