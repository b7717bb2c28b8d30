/**
 * Mail about items, for those who want it.
 *
 * <p>Invariants: that a mail is wanted is noted with the item; a mail tells of all items of its reader that wait to be
 * told of, of each once, and of none that is done or read by then. No limit on mail keeps an item from coming.
 */
@NullMarked
package io.hiroba.inbox.letters;

import org.jspecify.annotations.NullMarked;
