package io.hiroba.knowledge.embedding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ModelSourceTest {

    private static final char[] PASSWORD = "a password".toCharArray();
    private static final byte[] CONTENT = "words ".repeat(100_000).getBytes(StandardCharsets.UTF_8);

    @TempDir
    private Path folder;

    /** Certificates for localhost, and trust in them. */
    private SSLContext tls() throws Exception {
        var file = folder.resolve("keys.p12");
        var process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        "models",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=localhost",
                        "-ext",
                        "san=dns:localhost",
                        "-keystore",
                        file.toString(),
                        "-storetype",
                        "PKCS12",
                        "-storepass",
                        String.valueOf(PASSWORD))
                .redirectErrorStream(true)
                .start();
        process.getInputStream().readAllBytes();
        assertThat(process.waitFor()).isZero();
        var keys = KeyStore.getInstance(file.toFile(), PASSWORD);
        var own = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        own.init(keys, PASSWORD);
        var trusted = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trusted.init(keys);
        var context = SSLContext.getInstance("TLS");
        context.init(own.getKeyManagers(), trusted.getTrustManagers(), null);
        return context;
    }

    @Test
    void aFileComesOverHttpsAndNowhereElseThanItsChecksumSays() throws Exception {
        var expected = Files.write(folder.resolve("expected"), CONTENT);
        var checksum = ModelSource.checksum(expected);
        var tls = tls();
        var server = HttpsServer.create(new InetSocketAddress(InetAddress.getByName("localhost"), 0), 10);
        server.setHttpsConfigurator(new HttpsConfigurator(tls));
        server.createContext("/", exchange -> {
            try (exchange) {
                switch (exchange.getRequestURI().getPath()) {
                    case "/moved/model.onnx" -> {
                        exchange.getResponseHeaders().add("Location", "/model.onnx");
                        exchange.sendResponseHeaders(302, -1);
                    }
                    case "/plain/model.onnx" -> {
                        exchange.getResponseHeaders().add("Location", "http://localhost:1/model.onnx");
                        exchange.sendResponseHeaders(302, -1);
                    }
                    case "/model.onnx" -> {
                        exchange.sendResponseHeaders(200, CONTENT.length);
                        exchange.getResponseBody().write(CONTENT);
                    }
                    default -> exchange.sendResponseHeaders(404, -1);
                }
            }
        });
        server.start();
        var url = "https://localhost:" + server.getAddress().getPort();
        var steps = new ArrayList<String>();
        try (var client = HttpClient.newBuilder()
                .sslContext(tls)
                .followRedirects(Redirect.NORMAL)
                .build()) {
            var into = Files.createDirectory(folder.resolve("into"));
            var source = new ModelSource(url + "/moved/model.onnx", checksum);
            assertThat(source.fetch(into, client, step -> steps.add(step.toString())))
                    .isEqualTo(into);
            assertThat(into.resolve("model.onnx")).hasBinaryContent(CONTENT);
            assertThat(steps).startsWith("fetching model.onnx: 10 %").endsWith("fetching model.onnx: 100 %");
            for (var refused : List.of(
                    new ModelSource(url + "/none.onnx", checksum),
                    new ModelSource(url + "/plain/model.onnx", checksum))) {
                assertThatThrownBy(() -> refused.fetch(into, client, step -> {}))
                        .isInstanceOf(ModelException.class)
                        .hasMessageStartingWith("localhost answered with status");
            }
            assertThatThrownBy(
                            () -> new ModelSource(url + "/model.onnx", "0".repeat(64)).fetch(into, client, step -> {}))
                    .isInstanceOf(ModelException.class)
                    .hasMessageContaining("has the checksum " + checksum);
        } finally {
            server.stop(0);
        }
    }
}
