/**
 * The inbox in a browser: what is to be done, with its settings and where it comes from.
 *
 * <p>Invariants: everything works without scripts; what an undo takes back are the items that the act before it has
 * changed, and no others; no address that somebody else wrote becomes a link unless it leads to the web or to a page here.
 */
@NullMarked
package io.hiroba.inbox.pages;

import org.jspecify.annotations.NullMarked;
