/**
 * The HTTP server: routes on virtual threads, strict JSON, problem JSON for every error, request ids, limits, cursors and
 * idempotent POSTs. Each concern is a file of its own; {@code HttpServerBuilder} puts them in order.
 */
@NullMarked
package io.hiroba.platform.http;

import org.jspecify.annotations.NullMarked;
