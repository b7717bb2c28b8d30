package io.hiroba.platform.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.grpc.ChannelCredentials;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.StatusRuntimeException;
import io.grpc.TlsChannelCredentials;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import io.hiroba.platform.StartException;
import io.hiroba.platform.config.ByteSize;
import io.hiroba.platform.grpc.GrpcConfig.Tls;
import io.hiroba.platform.http.ClientAddress;
import io.hiroba.platform.http.HttpConfig.RateLimit;
import io.hiroba.platform.http.RateLimiter;
import io.hiroba.platform.trace.Tracing;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Clock;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** TLS of the gRPC server, with certificates that are made here. */
class GrpcCertificateTest {

    private static final Path NONE = Path.of("");
    private static final char[] PASSWORD = "changeit".toCharArray();

    /** Certificates that sign themselves, each with its key: two of the server, and one of a client. */
    @TempDir
    private static Path made;

    @TempDir
    private Path folder;

    private Path certificate;
    private Path key;

    @BeforeAll
    static void make() throws Exception {
        make("first", "EC");
        make("second", "RSA");
        make("client", "EC");
    }

    private static void make(String name, String algorithm) throws Exception {
        var store = made.resolve(name + ".p12");
        var keytool = Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
        var command = new ProcessBuilder(
                keytool,
                "-genkeypair",
                "-alias",
                name,
                "-keyalg",
                algorithm,
                "-dname",
                "CN=" + name,
                "-ext",
                "san=dns:localhost",
                "-ext",
                "bc=ca:true",
                "-keystore",
                store.toString(),
                "-storepass",
                "changeit");
        assertThat(command.start().waitFor()).isZero();
        var keys = KeyStore.getInstance(store.toFile(), PASSWORD);
        write(
                made.resolve(name + ".crt"),
                "CERTIFICATE",
                keys.getCertificate(name).getEncoded());
        write(
                made.resolve(name + ".key"),
                "PRIVATE KEY",
                keys.getKey(name, PASSWORD).getEncoded());
    }

    private static void write(Path file, String kind, byte[] content) throws IOException {
        var text = Base64.getMimeEncoder().encodeToString(content);
        Files.writeString(file, "-----BEGIN %1$s-----%n%2$s%n-----END %1$s-----%n".formatted(kind, text));
    }

    @BeforeEach
    void copy() throws IOException {
        certificate = Files.copy(made.resolve("first.crt"), folder.resolve("server.crt"));
        key = Files.copy(made.resolve("first.key"), folder.resolve("server.key"));
    }

    private void replace(Path file, String by) throws IOException {
        Files.write(file, Files.readAllBytes(made.resolve(by)));
    }

    private static GrpcServer serve(Path certificate, Path key, Path clientCa) throws IOException {
        var strangers = new GrpcServerTest.Strangers();
        var limiter = new RateLimiter(new RateLimit(false, 1, 1), Clock.systemUTC());
        return GrpcServer.start(
                new GrpcConfig(true, "127.0.0.1", 0, ByteSize.parse("1MB"), new Tls(certificate, key, clientCa)),
                0,
                Duration.ofSeconds(5),
                new CallRateLimit(limiter, new ClientAddress(List.of()), strangers),
                strangers,
                new CallTracing(Tracing.OFF),
                List.of());
    }

    private static TlsChannelCredentials.Builder trusting(String server) throws IOException {
        return TlsChannelCredentials.newBuilder()
                .trustManager(made.resolve(server + ".crt").toFile());
    }

    private static ServingStatus ask(GrpcServer server, ChannelCredentials credentials) {
        var channel = Grpc.newChannelBuilderForAddress("localhost", server.port(), credentials)
                .build();
        try {
            return HealthGrpc.newBlockingStub(channel)
                    .withDeadlineAfter(20, TimeUnit.SECONDS)
                    .check(HealthCheckRequest.getDefaultInstance())
                    .getStatus();
        } finally {
            channel.shutdownNow();
        }
    }

    private static boolean isServing(GrpcServer server, ChannelCredentials credentials) {
        try {
            return ask(server, credentials) == ServingStatus.SERVING;
        } catch (StatusRuntimeException e) {
            return false;
        }
    }

    @Test
    void aChangedCertificateIsTakenOnceItsKeyIsThereToo() throws Exception {
        try (var server = serve(certificate, key, NONE)) {
            assertThat(isServing(server, trusting("first").build())).isTrue();
            assertThat(isServing(server, trusting("second").build())).isFalse();
            assertThat(isServing(server, InsecureChannelCredentials.create())).isFalse();

            replace(certificate, "second.crt");
            await().during(Duration.ofMillis(2500))
                    .atMost(Duration.ofSeconds(20))
                    .until(() -> isServing(server, trusting("first").build()));
            replace(key, "second.key");
            await().atMost(Duration.ofSeconds(20))
                    .until(() -> isServing(server, trusting("second").build()));
            assertThat(isServing(server, trusting("first").build())).isFalse();
        }
    }

    @Test
    void clientsNeedACertificateWhereAnAuthorityIsSet() throws Exception {
        try (var server = serve(certificate, key, made.resolve("client.crt"))) {
            assertThat(isServing(server, trusting("first").build())).isFalse();
            var client = trusting("first")
                    .keyManager(
                            made.resolve("client.crt").toFile(),
                            made.resolve("client.key").toFile())
                    .build();
            assertThat(isServing(server, client)).isTrue();
        }
    }

    @Test
    void filesThatCannotBeUsedAreRefusedInASentence() throws IOException {
        assertRefused(folder.resolve("gone"), key, "gone, which TLS of gRPC needs, cannot be read");
        assertRefused(key, key, "server.key holds no certificate in PEM");
        assertRefused(certificate, certificate, "server.crt holds no key in PEM that can be used");
        replace(key, "client.key");
        assertRefused(certificate, key, "is not that of the first certificate");
        replace(key, "second.key");
        assertRefused(certificate, key, "is not that of the first certificate");
    }

    private static void assertRefused(Path certificate, Path key, String reason) {
        assertThatThrownBy(() -> serve(certificate, key, NONE))
                .isInstanceOf(StartException.class)
                .hasMessageContaining(reason);
    }
}
