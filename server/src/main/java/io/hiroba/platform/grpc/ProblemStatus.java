package io.hiroba.platform.grpc;

import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.hiroba.platform.db.SqlState;
import io.hiroba.platform.i18n.Language;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers every failure as a gRPC status in the language that the metadata {@code accept-language} asks for, with the problem's
 * stable code in the trailer {@code hiroba-code}; unexpected failures are logged, and the caller learns little of them.
 */
final class ProblemStatus implements ServerInterceptor {

    static final Metadata.Key<String> CODE = Metadata.Key.of("hiroba-code", Metadata.ASCII_STRING_MARSHALLER);

    private static final Metadata.Key<String> ACCEPT_LANGUAGE =
            Metadata.Key.of("accept-language", Metadata.ASCII_STRING_MARSHALLER);

    private static final Logger log = LoggerFactory.getLogger(ProblemStatus.class);

    /** A status with its trailers. */
    record Reply(Status status, String code) {

        Metadata trailers() {
            var trailers = new Metadata();
            trailers.put(CODE, code);
            return trailers;
        }
    }

    @Override
    public <Q, A> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
        var once = new ClosedOnce<>(call, language(headers));
        try {
            return new SimpleForwardingServerCallListener<>(next.startCall(once, headers)) {
                @Override
                public void onMessage(Q message) {
                    try {
                        super.onMessage(message);
                    } catch (RuntimeException e) {
                        once.fail(e);
                    }
                }

                @Override
                public void onHalfClose() {
                    try {
                        super.onHalfClose();
                    } catch (RuntimeException e) {
                        once.fail(e);
                    }
                }
            };
        } catch (RuntimeException e) {
            once.fail(e);
            return new ServerCall.Listener<>() {};
        }
    }

    /** A call that is closed once: a failure may come after the answer. */
    private static final class ClosedOnce<Q, A> extends SimpleForwardingServerCall<Q, A> {

        private final Language language;
        private boolean closed;

        ClosedOnce(ServerCall<Q, A> call, Language language) {
            super(call);
            this.language = language;
        }

        @Override
        public void close(Status status, Metadata trailers) {
            synchronized (this) {
                if (closed) {
                    return;
                }
                closed = true;
            }
            super.close(status, trailers);
        }

        void fail(RuntimeException failure) {
            var reply = reply(failure, language);
            close(reply.status(), reply.trailers());
        }
    }

    static Language language(Metadata headers) {
        return Language.accepted(headers.get(ACCEPT_LANGUAGE)).orElse(Language.ENGLISH);
    }

    static Reply reply(RuntimeException failure, Language language) {
        if (failure instanceof Problem problem) {
            return new Reply(
                    status(problem.kind()).withDescription(problem.detail().in(language)), problem.code());
        }
        if (failure.getCause() instanceof IOException unreadable) {
            log.debug("A message cannot be parsed: {}", unreadable.toString());
            return reply(Status.INVALID_ARGUMENT, "malformed-body", language);
        }
        if (failure instanceof StatusRuntimeException ended) {
            return new Reply(ended.getStatus(), "grpc.ended");
        }
        if (SqlState.isBadText(failure)) {
            return reply(Status.INVALID_ARGUMENT, "bad-text", language);
        }
        if (SqlState.isUnavailable(failure)) {
            log.warn("A call could not be answered", failure);
            return reply(Status.UNAVAILABLE, "unavailable", language);
        }
        log.error("A call failed", failure);
        return reply(Status.INTERNAL, "internal", language);
    }

    /** A problem that HTTP has as well, in the same words. */
    private static Reply reply(Status status, String code, Language language) {
        var detail = Text.of("http.problem." + code);
        return new Reply(status.withDescription(detail.in(language)), "http." + code);
    }

    static Status status(Problem.Kind kind) {
        return switch (kind) {
            case INVALID, UNSUPPORTED_MEDIA_TYPE, UNPROCESSABLE -> Status.INVALID_ARGUMENT;
            case UNAUTHENTICATED -> Status.UNAUTHENTICATED;
            case FORBIDDEN -> Status.PERMISSION_DENIED;
            case NOT_FOUND -> Status.NOT_FOUND;
            case METHOD_NOT_ALLOWED -> Status.UNIMPLEMENTED;
            case CONFLICT -> Status.FAILED_PRECONDITION;
            case GONE -> Status.OUT_OF_RANGE;
            case PRECONDITION_FAILED -> Status.ABORTED;
            case TOO_LARGE, RATE_LIMITED -> Status.RESOURCE_EXHAUSTED;
            case INTERNAL -> Status.INTERNAL;
            case UNAVAILABLE -> Status.UNAVAILABLE;
        };
    }
}
