package io.hiroba.testkit;

import io.grpc.BindableService;
import io.grpc.Grpc;
import io.grpc.InsecureServerCredentials;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.TimeUnit;

/** A gRPC server on loopback that keeps the metadata of the last call. */
public final class TestGrpcService implements AutoCloseable {

    private final Server server;
    private volatile Metadata last = new Metadata();

    private TestGrpcService(int port, String authorization, BindableService... services) {
        var builder = Grpc.newServerBuilderForPort(port, InsecureServerCredentials.create())
                .intercept(new ServerInterceptor() {
                    @Override
                    public <Q, A> ServerCall.Listener<Q> interceptCall(
                            ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
                        last = headers;
                        if (!authorization.isEmpty() && !authorization.equals(header("authorization"))) {
                            call.close(Status.UNAUTHENTICATED, new Metadata());
                            return new ServerCall.Listener<>() {};
                        }
                        return next.startCall(call, headers);
                    }
                });
        for (var service : services) {
            builder.addService(service);
        }
        try {
            server = builder.build().start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static TestGrpcService start(BindableService... services) {
        return new TestGrpcService(0, "", services);
    }

    /** As above, and answers only those who send this. */
    public static TestGrpcService requiring(String authorization, BindableService... services) {
        return new TestGrpcService(0, authorization, services);
    }

    /** As above, where one was before. */
    public static TestGrpcService startAt(int port, BindableService... services) {
        return new TestGrpcService(port, "", services);
    }

    public String url() {
        return "grpc://127.0.0.1:" + server.getPort();
    }

    public String header(String name) {
        var value = last.get(Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER));
        return value == null ? "" : value;
    }

    @Override
    public void close() {
        server.shutdownNow();
        try {
            server.awaitTermination(10, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
