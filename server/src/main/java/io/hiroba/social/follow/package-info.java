/**
 * Who follows and who blocks whom.
 *
 * <p>Invariants: nobody follows or blocks themselves; where one blocks the other, neither follows the other.
 */
@NullMarked
package io.hiroba.social.follow;

import org.jspecify.annotations.NullMarked;
