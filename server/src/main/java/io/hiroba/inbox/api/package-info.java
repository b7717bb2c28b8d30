/**
 * How other programs tell of resources and of what they want from people, and what anybody may mark for themselves.
 *
 * <p>Invariants: only operators and admins speak for resources and to others; nobody learns of a resource that they
 * have had no item about by marking it; times to come are refused, since nothing that is sent afterwards would count.
 */
@NullMarked
package io.hiroba.inbox.api;

import org.jspecify.annotations.NullMarked;
