package io.hiroba.saga.call;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.TlsChannelCredentials;
import io.hiroba.platform.i18n.Text;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executor;

/** The connection to a gRPC server, with its known methods. */
final class RemoteServer implements AutoCloseable {

    /** After this time the methods are read again: the server may have been updated. */
    private static final Duration CACHE_TTL = Duration.ofMinutes(1);

    private static final int MAX_CACHED_METHODS = 1000;

    /**
     * Far above what is stored: an answer that the channel refuses looks like a failure of the service, which one that is only
     * too large to be stored is not.
     */
    private static final int MAX_INBOUND_SIZE = 16 * GrpcCaller.MAX_ANSWER_SIZE;

    private final Endpoint endpoint;
    private final ManagedChannel channel;
    private final Cache<String, RemoteMethod> methods = Caffeine.newBuilder()
            .expireAfterWrite(CACHE_TTL)
            .maximumSize(MAX_CACHED_METHODS)
            .build();

    RemoteServer(Endpoint endpoint, Executor threads) {
        this.endpoint = endpoint;
        var credentials = endpoint.isEncrypted() ? TlsChannelCredentials.create() : InsecureChannelCredentials.create();
        channel = Grpc.newChannelBuilderForAddress(endpoint.host(), endpoint.port(), credentials)
                .executor(threads)
                .userAgent("Hiroba")
                .maxInboundMessageSize(MAX_INBOUND_SIZE)
                .build();
    }

    /** Thrown where no method, or more than one, has this name, or it is not unary. */
    static final class NoMethod extends RuntimeException {

        private static final long serialVersionUID = 1L;

        private final transient Text reason;

        NoMethod(Text reason) {
            super(reason.toString(), null, false, false);
            this.reason = reason;
        }

        Text reason() {
            return reason;
        }
    }

    boolean isAt(Endpoint other) {
        return endpoint.equals(other);
    }

    ManagedChannel channel() {
        return channel;
    }

    /**
     * The method {@code package.Service.Method}, or {@code Service.Method} where one package has that service.
     *
     * @param asked the channel, with what it takes to be answered
     */
    RemoteMethod method(String name, Channel asked, CallOptions options) {
        var known = methods.getIfPresent(name);
        if (known != null) {
            return known;
        }
        var found = find(name, new GrpcReflection(asked, options));
        methods.put(name, found);
        return found;
    }

    /** Drops a method from the cache; true if it was there. */
    boolean forget(String name) {
        return methods.asMap().remove(name) != null;
    }

    private static RemoteMethod find(String name, GrpcReflection reflection) {
        int dot = Math.max(name.lastIndexOf('.'), name.lastIndexOf('/'));
        if (dot <= 0) {
            throw new NoMethod(Text.of("saga.journal.method-form"));
        }
        var service = service(name.substring(0, dot), reflection.services());
        var file = reflection.fileOf(service);
        var method = file.getServices().stream()
                .filter(each -> each.getFullName().equals(service))
                .flatMap(each -> each.getMethods().stream())
                .filter(each -> each.getName().equals(name.substring(dot + 1)))
                .findFirst()
                .orElseThrow(() -> new NoMethod(Text.of("saga.journal.method-unknown")));
        if (method.isClientStreaming() || method.isServerStreaming()) {
            throw new NoMethod(Text.of("saga.journal.method-streams"));
        }
        return new RemoteMethod(method);
    }

    private static String service(String wanted, List<String> offered) {
        if (offered.contains(wanted)) {
            return wanted;
        }
        var named = offered.stream().filter(each -> each.endsWith("." + wanted)).toList();
        if (named.size() > 1) {
            throw new NoMethod(Text.of("saga.journal.method-ambiguous"));
        }
        return named.stream().findFirst().orElseThrow(() -> new NoMethod(Text.of("saga.journal.method-unknown")));
    }

    /** Lets running calls end. */
    void retire() {
        channel.shutdown();
    }

    @Override
    public void close() {
        channel.shutdownNow();
    }
}
