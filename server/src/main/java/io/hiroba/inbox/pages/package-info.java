/**
 * The pages of the inbox: lists, actions on items, settings and connections.
 *
 * <p>Invariants: everything works without scripts; an undo restores exactly the items that
 * the action has changed; a URL from outside becomes a link only if it is a web address or a local path.
 */
@NullMarked
package io.hiroba.inbox.pages;

import org.jspecify.annotations.NullMarked;
