/**
 * What people do with their items: list and count them, be done with them, save them, and put them off.
 *
 * <p>A page is one walk of bounded length along one index; counts are kept, never counted.
 */
@NullMarked
package io.hiroba.inbox.items;

import org.jspecify.annotations.NullMarked;
