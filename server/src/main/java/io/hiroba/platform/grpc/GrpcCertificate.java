package io.hiroba.platform.grpc;

import io.grpc.ServerCredentials;
import io.grpc.TlsServerCredentials;
import io.grpc.util.AdvancedTlsX509KeyManager;
import io.grpc.util.CertificateUtils;
import io.hiroba.platform.StartException;
import io.hiroba.platform.grpc.GrpcConfig.Tls;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.task.WorkLoop;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The certificate of the gRPC server and its key, read again when their files change. */
final class GrpcCertificate implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(GrpcCertificate.class);
    private static final Duration POLL = Duration.ofSeconds(2);

    private final Tls config;
    private final AdvancedTlsX509KeyManager keys = new AdvancedTlsX509KeyManager();
    private final ServerCredentials credentials;
    private final WorkLoop reloading;

    /** The content of both files when they were last read, to good effect or not. */
    private List<String> seen;

    /** Reads the files; one that cannot be used stops the start with a sentence. */
    GrpcCertificate(Tls config) {
        this.config = config;
        seen = List.of(content(config.certificate()), content(config.key()));
        use(seen);
        credentials = withKeys();
        reloading = WorkLoop.every(POLL, "certificate of gRPC", this::reload);
    }

    ServerCredentials credentials() {
        return credentials;
    }

    private ServerCredentials withKeys() {
        var builder = TlsServerCredentials.newBuilder().keyManager(keys);
        if (!config.clientCa().toString().isEmpty()) {
            var authorities = content(config.clientCa());
            certificates(config.clientCa(), authorities);
            try {
                builder.trustManager(stream(authorities)).clientAuth(TlsServerCredentials.ClientAuth.REQUIRE);
            } catch (IOException e) {
                throw unreadable(config.clientCa(), e);
            }
        }
        return builder.build();
    }

    /** Takes a changed pair. One that does not fit is half of a change, or a mistake: the former stays. */
    private void reload() {
        try {
            var now = List.of(content(config.certificate()), content(config.key()));
            if (now.equals(seen)) {
                return;
            }
            seen = now;
            use(now);
            log.info("The gRPC server has the new certificate of {}", config.certificate());
        } catch (StartException e) {
            log.warn("The gRPC server keeps its certificate: {}", e.getMessage());
        }
    }

    private void use(List<String> content) {
        var chain = certificates(config.certificate(), content.getFirst());
        var key = key(config.key(), content.getLast());
        if (!isPair(chain[0].getPublicKey(), key)) {
            throw new StartException(Text.of(
                    "server.start.grpc-key-mismatch", "key", config.key(), "certificate", config.certificate()));
        }
        keys.updateIdentityCredentials(chain, key);
    }

    private static String content(Path file) {
        try {
            return Files.readString(file, StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            throw unreadable(file, e);
        }
    }

    private static InputStream stream(String content) {
        return new ByteArrayInputStream(content.getBytes(StandardCharsets.ISO_8859_1));
    }

    private static X509Certificate[] certificates(Path file, String content) {
        X509Certificate[] chain;
        try {
            chain = CertificateUtils.getX509Certificates(stream(content));
        } catch (GeneralSecurityException e) {
            throw noCertificate(file, e);
        }
        if (chain.length == 0) {
            throw noCertificate(file, new GeneralSecurityException("no certificate"));
        }
        return chain;
    }

    private static PrivateKey key(Path file, String content) {
        try {
            return CertificateUtils.getPrivateKey(stream(content));
        } catch (GeneralSecurityException | IOException | IllegalArgumentException e) {
            throw new StartException(Text.of("server.start.grpc-no-key", "file", file), e);
        }
    }

    private static StartException noCertificate(Path file, Exception cause) {
        return new StartException(Text.of("server.start.grpc-no-certificate", "file", file), cause);
    }

    private static StartException unreadable(Path file, IOException cause) {
        return new StartException(Text.of("server.start.grpc-unreadable", "file", file, "reason", cause), cause);
    }

    /** Whether one verifies what the other signs. */
    private static boolean isPair(PublicKey open, PrivateKey key) {
        try {
            var signature =
                    Signature.getInstance(key.getAlgorithm().equals("RSA") ? "SHA256withRSA" : "SHA256withECDSA");
            signature.initSign(key);
            var signed = signature.sign();
            signature.initVerify(open);
            return signature.verify(signed);
        } catch (GeneralSecurityException e) {
            return false;
        }
    }

    @Override
    public void close() {
        reloading.close();
    }
}
