package io.hiroba.platform.grpc;

import io.hiroba.platform.config.ByteSize;
import io.hiroba.platform.config.Default;
import io.hiroba.platform.config.Doc;

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

        @Default("1MB") @Doc("The largest request.") ByteSize messageSize) {

    private static final int MAX_PORT = 65_535;
    private static final int ABOVE_HTTP = 1010;

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
