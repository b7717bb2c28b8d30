package io.hiroba.saga.call;

import org.jspecify.annotations.Nullable;

/** The answer of a service over HTTP, with the headers that matter. */
record HttpAnswer(int status, Headers headers, BoundedBody.Read body) {

    record Headers(
            @Nullable String contentType,
            @Nullable String requestId,
            @Nullable String retryAfter) {}
}
