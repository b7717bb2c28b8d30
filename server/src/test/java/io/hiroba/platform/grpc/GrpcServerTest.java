package io.hiroba.platform.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.CallOptions;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.StatusRuntimeException;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.stub.ClientCalls;
import io.hiroba.platform.config.ByteSize;
import io.hiroba.platform.http.ClientAddress;
import io.hiroba.platform.http.HttpConfig.RateLimit;
import io.hiroba.platform.http.RateLimiter;
import io.hiroba.platform.trace.Tracing;
import io.hiroba.testkit.SettableClock;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class GrpcServerTest {

    private static final String HEALTH = "grpc.health.v1.Health/Check";
    private static final String REFLECTION = "grpc.reflection.v1.ServerReflection/ServerReflectionInfo";
    /** A string of one byte that is not UTF-8, as the first field of a message. */
    private static final byte[] BAD_UTF8 = {0x0a, 1, (byte) 0xff};

    private static final RateLimiter LIMITER =
            new RateLimiter(new RateLimit(true, 60, 3), new SettableClock(Instant.parse("2026-01-01T00:00:00Z")));
    private static GrpcServer server;
    private static ManagedChannel channel;

    /** Nobody has credentials. */
    static final class Strangers implements CallAuthentication {

        @Override
        public Optional<String> user(Metadata headers) {
            return Optional.empty();
        }

        @Override
        public boolean isClaimed(Metadata headers) {
            return false;
        }

        @Override
        public <Q, A> ServerCall.Listener<Q> interceptCall(
                ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
            return next.startCall(call, headers);
        }
    }

    /** A message as its bytes. */
    private static final class Bytes implements MethodDescriptor.Marshaller<byte[]> {

        @Override
        public InputStream stream(byte[] value) {
            return new ByteArrayInputStream(value);
        }

        @Override
        public byte[] parse(InputStream stream) {
            try (stream) {
                return stream.readAllBytes();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    @BeforeAll
    static void start() throws IOException {
        var callers = new Strangers();
        server = GrpcServer.start(
                new GrpcConfig(true, "127.0.0.1", 0, ByteSize.parse("1MB"), GrpcConfig.Tls.NONE),
                0,
                Duration.ofSeconds(5),
                new CallRateLimit(LIMITER, new ClientAddress(List.of("127.0.0.0/8")), callers),
                callers,
                new CallTracing(Tracing.OFF),
                List.of());
        channel = Grpc.newChannelBuilderForAddress("127.0.0.1", server.port(), InsecureChannelCredentials.create())
                .build();
    }

    @AfterAll
    static void stop() {
        channel.shutdownNow();
        server.close();
    }

    /** The code of the status with which a call of strangers ends, and the code of its problem. */
    private static String refusal(String method, MethodDescriptor.MethodType type, byte[] message) {
        var descriptor = MethodDescriptor.newBuilder(new Bytes(), new Bytes())
                .setFullMethodName(method)
                .setType(type)
                .build();
        try {
            ClientCalls.blockingUnaryCall(channel, descriptor, CallOptions.DEFAULT, message);
            return "OK";
        } catch (StatusRuntimeException e) {
            var trailers = e.getTrailers();
            return e.getStatus().getCode() + " " + (trailers == null ? null : trailers.get(ProblemStatus.CODE));
        }
    }

    @Test
    void aMessageThatCannotBeParsedIsTheCallersFaultAndNoErrorInTheLog() {
        var logged = new CopyOnWriteArrayList<LogRecord>();
        var handler = new Handler() {
            @Override
            public void publish(LogRecord each) {
                logged.add(each);
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        var log = Logger.getLogger("io.grpc");
        log.addHandler(handler);
        try {
            for (var message : new byte[][] {BAD_UTF8, {0x0a, 9}, {(byte) 0xff}}) {
                assertThat(refusal(HEALTH, MethodDescriptor.MethodType.UNARY, message))
                        .isEqualTo("INVALID_ARGUMENT http.malformed-body");
            }
        } finally {
            log.removeHandler(handler);
        }
        assertThat(logged)
                .extracting(LogRecord::getThrown)
                .extracting(String::valueOf)
                .noneMatch(thrown -> thrown.contains("protobuf"));
        assertThat(HealthGrpc.newBlockingStub(channel)
                        .check(HealthCheckRequest.getDefaultInstance())
                        .getStatus())
                .isEqualTo(ServingStatus.SERVING);
    }

    @Test
    void callsAndRequestsOfOneClientHaveOneBudget() {
        assertThat(refusal(REFLECTION, MethodDescriptor.MethodType.UNARY, BAD_UTF8))
                .startsWith("INVALID_ARGUMENT");
        var overHttp = LIMITER.count("127.0.0.1", false, Optional::empty);
        assertThat(overHttp.remaining()).isEqualTo(1);
        assertThat(refusal(REFLECTION, MethodDescriptor.MethodType.UNARY, BAD_UTF8))
                .startsWith("INVALID_ARGUMENT");
        assertThat(refusal(REFLECTION, MethodDescriptor.MethodType.UNARY, BAD_UTF8))
                .isEqualTo("RESOURCE_EXHAUSTED http.rate-limited");
        assertThatThrownBy(
                        () -> LIMITER.count("127.0.0.1", false, Optional::empty).requireAdmitted())
                .hasMessageContaining("1");
        assertThat(refusal(HEALTH, MethodDescriptor.MethodType.UNARY, new byte[0]))
                .as("as /healthz is")
                .isEqualTo("OK");
    }
}
