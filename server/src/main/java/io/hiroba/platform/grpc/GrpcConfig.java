package io.hiroba.platform.grpc;

import io.hiroba.platform.config.ByteSize;
import io.hiroba.platform.config.Default;
import io.hiroba.platform.config.Doc;
import java.nio.file.Path;

/** The settings of the gRPC server. */
public record GrpcConfig(
        @Default("true") @Doc("Whether there is a gRPC server.")
        boolean enabled,

        @Default("127.0.0.1") @Doc("The address to listen on. 0.0.0.0 opens the server to the network.")
        String host,

        @Default("-1")
        @Doc(
                "The port to listen on; 0 takes a free one. -1 means 1010 above that of HTTP, which is 9090 beside 8080, and a"
                        + " free one where HTTP takes one.")
        int port,

        @Default("1MB") @Doc("The largest request.") ByteSize messageSize,
        Tls tls) {

    private static final int MAX_PORT = 65_535;
    private static final int ABOVE_HTTP = 1010;

    /** The files of TLS, in PEM. */
    public record Tls(
            @Default("")
            @Doc(
                    "A file with the server's certificate in PEM, and those that lead to its authority. It is read again when it"
                            + " changes. Empty means no TLS.")
            Path certificate,

            @Default("") @Doc("A file with the certificate's key in PEM (PKCS #8, not encrypted).")
            Path key,

            @Default("")
            @Doc(
                    "A file with the authorities in PEM whose certificates clients must have, read at the start. Empty means that"
                            + " clients need none.")
            Path clientCa) {

        public static final Tls NONE = new Tls(Path.of(""), Path.of(""), Path.of(""));

        public Tls {
            if (certificate.toString().isEmpty() != key.toString().isEmpty()) {
                throw new IllegalArgumentException("certificate and key must be set together");
            }
            if (certificate.toString().isEmpty() && !clientCa.toString().isEmpty()) {
                throw new IllegalArgumentException("client-ca must come with certificate and key");
            }
        }

        public boolean isConfigured() {
            return !certificate.toString().isEmpty();
        }
    }

    public GrpcConfig {
        if (port < -1 || port > MAX_PORT) {
            throw new IllegalArgumentException("port must be between -1 and 65535, not " + port);
        }
        if (messageSize.bytes() < 1024) {
            throw new IllegalArgumentException("message-size must be at least 1KB");
        }
    }

    /** The port to listen on beside an HTTP server on {@code http}: two nodes on one machine so need one setting only. */
    public int portBeside(int http) {
        if (port >= 0) {
            return port;
        }
        if (http == 0) {
            return 0;
        }
        return http + ABOVE_HTTP > MAX_PORT ? http - ABOVE_HTTP : http + ABOVE_HTTP;
    }
}
