package io.hiroba.platform.grpc;

import io.grpc.BindableService;
import io.grpc.InsecureServerCredentials;
import io.grpc.Server;
import io.grpc.ServerInterceptor;
import io.grpc.ServerInterceptors;
import io.grpc.ServerServiceDefinition;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.protobuf.services.HealthStatusManager;
import io.grpc.protobuf.services.ProtoReflectionServiceV1;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The gRPC server, on a port of its own. Calls run on virtual threads. Health and reflection answer everybody, as the
 * probes and the document of the HTTP API do; all other services require the given interceptor to accept the call.
 */
public final class GrpcServer implements AutoCloseable {

    private static final int MAX_METADATA_SIZE = 16 << 10;
    private static final int MAX_CALLS_PER_CONNECTION = 1000;

    private final Server server;
    private final @Nullable GrpcCertificate certificate;
    private final Duration drain;
    private final List<GrpcService> services;
    private final HealthStatusManager health = new HealthStatusManager();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    private GrpcServer(
            GrpcConfig config,
            int port,
            Duration drain,
            CallRateLimit limits,
            CallAuthentication callers,
            CallTracing tracing,
            List<GrpcService> services)
            throws IOException {
        this.drain = drain;
        this.services = List.copyOf(services);
        certificate = config.tls().isConfigured() ? new GrpcCertificate(config.tls()) : null;
        var credentials = certificate == null ? InsecureServerCredentials.create() : certificate.credentials();
        var builder = NettyServerBuilder.forAddress(new InetSocketAddress(config.host(), port), credentials)
                .executor(threads)
                .maxInboundMessageSize(config.messageSize().toInt())
                .maxInboundMetadataSize(MAX_METADATA_SIZE)
                .maxConcurrentCallsPerConnection(MAX_CALLS_PER_CONNECTION)
                .addService(guarded(health.getHealthService()))
                .addService(guarded(ProtoReflectionServiceV1.newInstance(), limits));
        for (var service : services) {
            builder.addService(tracing.around(guarded(service, callers, new CallMetadata(), limits)));
            health.setStatus(service.bindService().getServiceDescriptor().getName(), ServingStatus.SERVING);
        }
        server = builder.build();
        try {
            server.start();
        } catch (IOException e) {
            threads.shutdownNow();
            closeCertificate();
            throw e;
        }
    }

    /**
     * A service behind {@code interceptors}, the last of which is the outermost but for the one that converts what is thrown to a
     * status. Messages are parsed inside of that one: the library answers UNKNOWN to what cannot be parsed, and logs it as an error.
     */
    private static ServerServiceDefinition guarded(BindableService service, ServerInterceptor... interceptors) {
        var parsing = ServerInterceptors.useInputStreamMessages(ServerInterceptors.intercept(service, interceptors));
        return ServerInterceptors.intercept(parsing, new ProblemStatus());
    }

    /**
     * Starts the server.
     *
     * @param drain the longest wait for running calls when it is closed
     * @param limits counts all calls but those for its health
     * @param callers authenticates calls of {@code services}
     * @param tracing makes spans of calls of {@code services}
     * @throws IOException where the port is taken
     */
    public static GrpcServer start(
            GrpcConfig config,
            int port,
            Duration drain,
            CallRateLimit limits,
            CallAuthentication callers,
            CallTracing tracing,
            List<GrpcService> services)
            throws IOException {
        return new GrpcServer(config, port, drain, limits, callers, tracing, services);
    }

    /** The port in use, which differs from the configured one if that is 0. */
    public int port() {
        return server.getPort();
    }

    /** Answers those who ask for its health that it is about to stop. */
    public void announceStop() {
        health.enterTerminalState();
    }

    /** Stops accepting calls, ends streams, and lets running calls finish within the drain timeout. */
    @Override
    public void close() {
        health.enterTerminalState();
        server.shutdown();
        services.forEach(GrpcService::end);
        try {
            if (!server.awaitTermination(drain.toMillis(), TimeUnit.MILLISECONDS)) {
                server.shutdownNow();
            }
        } catch (InterruptedException e) {
            server.shutdownNow();
            Thread.currentThread().interrupt();
        }
        threads.shutdown();
        closeCertificate();
    }

    private void closeCertificate() {
        if (certificate != null) {
            certificate.close();
        }
    }
}
