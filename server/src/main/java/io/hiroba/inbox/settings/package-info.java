/**
 * What somebody wants to get, and how.
 *
 * <p>Invariants: a preference is about a namespace that exists; nobody learns by them which namespaces there are that
 * they have nothing from.
 */
@NullMarked
package io.hiroba.inbox.settings;

import org.jspecify.annotations.NullMarked;
