/**
 * The API by which other programs mirror resources and notify people, and users mark resources for themselves.
 *
 * <p>Invariants: only operators and admins change resources and notify others; marking reveals no resource that
 * the user has had no item about; times in the future are rejected, since later requests would count as older.
 */
@NullMarked
package io.hiroba.inbox.api;

import org.jspecify.annotations.NullMarked;
