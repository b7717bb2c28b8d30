package io.hiroba.saga.call;

import org.jspecify.annotations.Nullable;

/** The answer of a service over HTTP, with the one header that matters. */
record HttpAnswer(int status, @Nullable String retryAfter, BoundedBody.Read body) {}
