package io.hiroba.saga.call;

import com.google.protobuf.DynamicMessage;
import com.google.protobuf.InvalidProtocolBufferException;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientInterceptor;
import io.grpc.ClientInterceptors;
import io.grpc.Deadline;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import io.hiroba.platform.http.Json;
import io.hiroba.platform.i18n.Text;
import io.hiroba.saga.DurationText;
import io.hiroba.saga.StorableJson;
import io.hiroba.saga.call.StepOutcome.Done;
import io.hiroba.saga.call.StepOutcome.Failed;
import io.hiroba.saga.call.StepOutcome.TimedOut;
import io.hiroba.saga.call.StepOutcome.Unkept;
import java.time.InstantSource;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;

/**
 * Calls unary methods of any gRPC server that has reflection, without knowing its messages beforehand: the input becomes
 * the request as protocol buffers map JSON, and the answer becomes JSON the same way.
 */
final class GrpcCaller implements AutoCloseable {

    static final int MAX_ANSWER_SIZE = HttpCaller.MAX_ANSWER_SIZE;

    private static final Logger log = LoggerFactory.getLogger(GrpcCaller.class);

    private final InstantSource clock;
    private final RefusedAnswers refusals;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    /** By the name of the service, which has one endpoint at a time. */
    private final Map<String, RemoteServer> servers = new ConcurrentHashMap<>();

    GrpcCaller(InstantSource clock, RefusedAnswers refusals) {
        this.clock = clock;
        this.refusals = refusals;
    }

    StepOutcome call(Endpoint endpoint, CallSecrets secrets, StepCall call) {
        var deadline = Deadline.after(call.timeout().toNanos(), TimeUnit.NANOSECONDS);
        var options = CallOptions.DEFAULT.withDeadline(deadline);
        var server = server(endpoint, call.service());
        var authorized = authorized(server.channel(), secrets);
        try {
            var method = server.method(call.method(), authorized, options);
            DynamicMessage request;
            try {
                request = method.request(call.input());
            } catch (InvalidProtocolBufferException e) {
                // The server may have new fields since its description was read.
                if (!server.forget(call.method())) {
                    throw e;
                }
                method = server.method(call.method(), authorized, options);
                request = method.request(call.input());
            }
            var headers = headers(call);
            if (secrets.isSigning()) {
                var path = "/" + method.call().getFullMethodName();
                // A message is written the same way each time: what is signed is what is sent.
                var signature = secrets.signature(clock.instant(), path, call.idempotencyKey(), request.toByteArray());
                put(headers, CallSecrets.SIGNATURE.toLowerCase(Locale.ROOT), signature);
            }
            var channel = ClientInterceptors.intercept(authorized, attach(headers));
            var answer = ClientCalls.blockingUnaryCall(channel, method.call(), options, request);
            return done(call, method, answer);
        } catch (RemoteServer.NoMethod e) {
            return Failed.nonRetryable(e.reason());
        } catch (InvalidProtocolBufferException e) {
            log.warn(
                    "{} and its messages do not fit: {}",
                    CallDescription.of(call),
                    CallDescription.excerpt(problem(e)));
            return Failed.nonRetryable(Text.of("saga.journal.input-unfit"));
        } catch (StatusRuntimeException e) {
            return failed(server, call, e);
        }
    }

    /** The service succeeded, so the step is compensated if the saga fails, whatever the answer is. */
    private static StepOutcome done(StepCall call, RemoteMethod method, DynamicMessage answer) {
        if (answer.getSerializedSize() > MAX_ANSWER_SIZE) {
            return notKept(call, answer, Unkept.TOO_LARGE);
        }
        try {
            var text = method.answer(answer);
            if (text.length() > MAX_ANSWER_SIZE) {
                return notKept(call, answer, Unkept.TOO_LARGE);
            }
            var json = Json.mapper().readTree(text);
            return StorableJson.isStorable(json) ? new Done(json) : notKept(call, answer, Unkept.NOT_STORABLE);
        } catch (InvalidProtocolBufferException | JacksonException | IllegalArgumentException e) {
            return notKept(call, answer, Unkept.NO_JSON);
        }
    }

    private static StepOutcome notKept(StepCall call, DynamicMessage answer, Unkept reason) {
        int size = answer.getSerializedSize();
        log.warn("{} did it; its answer is not kept: {}, {} bytes", CallDescription.of(call), reason, size);
        return Done.notKept(Status.Code.OK.name(), reason);
    }

    /** Without the value that does not fit, which may be a secret. */
    private static String problem(InvalidProtocolBufferException unfit) {
        var message = String.valueOf(unfit.getMessage());
        return message.startsWith("Cannot find field") ? message : message.replaceFirst("(?s):.*", "");
    }

    private StepOutcome failed(RemoteServer server, StepCall call, StatusRuntimeException failure) {
        var status = failure.getStatus();
        var code = status.getCode();
        var answer = refusals.of(failure);
        log.warn("{} answered with {}: {}", CallDescription.of(call), code, CallDescription.excerpt(answer));
        if (code == Status.Code.UNIMPLEMENTED) {
            server.forget(call.method());
        }
        if (code == Status.Code.DEADLINE_EXCEEDED) {
            return new TimedOut(Text.of("saga.journal.no-answer", "time", DurationText.text(call.timeout())));
        }
        // With a cause it is no answer: the connection could not be made, or broke.
        var kept = status.getCause() == null ? answer : null;
        return new Failed(
                RefusedAnswers.reason(code.name(), kept),
                !isTransient(code),
                null,
                kept,
                isMaybeDone(code) && HttpCaller.wasSent(failure));
    }

    /** The codes that say nothing about whether the call took effect. */
    private static boolean isMaybeDone(Status.Code code) {
        return switch (code) {
            case UNAVAILABLE, UNKNOWN, INTERNAL, CANCELLED, DEADLINE_EXCEEDED, DATA_LOSS -> true;
            case OK,
                    ABORTED,
                    RESOURCE_EXHAUSTED,
                    INVALID_ARGUMENT,
                    NOT_FOUND,
                    ALREADY_EXISTS,
                    PERMISSION_DENIED,
                    UNAUTHENTICATED,
                    FAILED_PRECONDITION,
                    OUT_OF_RANGE,
                    UNIMPLEMENTED -> false;
        };
    }

    /**
     * UNKNOWN and INTERNAL are what servers answer when their own code fails, as 500 is in HTTP; CANCELLED is what a server
     * that stops does to its calls.
     */
    static boolean isTransient(Status.Code code) {
        return switch (code) {
            case UNAVAILABLE, RESOURCE_EXHAUSTED, ABORTED, UNKNOWN, INTERNAL, CANCELLED, DEADLINE_EXCEEDED -> true;
            case OK,
                    INVALID_ARGUMENT,
                    NOT_FOUND,
                    ALREADY_EXISTS,
                    PERMISSION_DENIED,
                    UNAUTHENTICATED,
                    FAILED_PRECONDITION,
                    OUT_OF_RANGE,
                    UNIMPLEMENTED,
                    DATA_LOSS -> false;
        };
    }

    private RemoteServer server(Endpoint endpoint, String service) {
        var known = servers.get(service);
        if (known != null && known.isAt(endpoint)) {
            return known;
        }
        return servers.compute(service, (name, old) -> {
            if (old != null && old.isAt(endpoint)) {
                return old;
            }
            if (old != null) {
                old.retire();
            }
            return new RemoteServer(endpoint, threads);
        });
    }

    private static ClientInterceptor attach(Metadata headers) {
        return MetadataUtils.newAttachHeadersInterceptor(headers);
    }

    /** For reflection as well, which a server may refuse to strangers. */
    private static Channel authorized(Channel channel, CallSecrets secrets) {
        var authorization = secrets.authorization();
        if (authorization == null) {
            return channel;
        }
        var headers = new Metadata();
        put(headers, "authorization", authorization);
        return ClientInterceptors.intercept(channel, attach(headers));
    }

    private static Metadata headers(StepCall call) {
        var headers = new Metadata();
        put(headers, "idempotency-key", call.idempotencyKey());
        put(headers, "saga-id", call.saga().toString());
        put(headers, "saga-step", Endpoint.encoded(call.stepName()));
        put(headers, "saga-attempt", Integer.toString(call.attempt()));
        put(headers, "traceparent", TraceContext.of(call));
        return headers;
    }

    private static void put(Metadata headers, String name, String value) {
        headers.put(Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER), value);
    }

    @Override
    public void close() {
        servers.values().forEach(RemoteServer::close);
        threads.shutdownNow();
    }
}
