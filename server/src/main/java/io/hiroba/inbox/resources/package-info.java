/**
 * What items are about, mirrored from where it lives: namespaces, resources and the people who have to do with them.
 *
 * <p>Invariants: what is told later but is older changes nothing; whoever mirrors a resource holds it locked until the
 * end of the transaction, so that two tellings of one resource never run into each other.
 */
@NullMarked
package io.hiroba.inbox.resources;

import org.jspecify.annotations.NullMarked;
