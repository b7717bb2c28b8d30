/** Events for programs outside: a feed that is read from any point, and webhooks that are told of them. */
@NullMarked
package io.hiroba.webhooks;

import org.jspecify.annotations.NullMarked;
