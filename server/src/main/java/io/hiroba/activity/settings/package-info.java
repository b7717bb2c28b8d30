/**
 * What somebody wants to be told: which kinds, of whom, of which posts, and by mail.
 *
 * <p>Invariants: everybody changes and reads their own settings only; a mute stops what comes and takes nothing out; nobody
 * follows a post that they cannot see.
 */
@NullMarked
package io.hiroba.activity.settings;

import org.jspecify.annotations.NullMarked;
