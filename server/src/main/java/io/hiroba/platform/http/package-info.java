/**
 * HTTP as every feature speaks it: routes on virtual threads, strict JSON in and out, problem JSON for every error,
 * request ids, limits, cursors and repeatable POSTs. Each concern is a file of its own; {@code HttpServer} puts them in
 * order.
 */
@NullMarked
package io.hiroba.platform.http;

import org.jspecify.annotations.NullMarked;
