/**
 * The calls of webhooks: kept as they come, handled afterwards, each once.
 */
@NullMarked
package io.hiroba.inbox.gitlab.deliveries;

import org.jspecify.annotations.NullMarked;
