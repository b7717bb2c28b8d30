package io.hiroba.mcp;

import io.hiroba.platform.config.Default;
import io.hiroba.platform.config.Doc;
import java.util.List;

/** The settings of the Model Context Protocol. */
public record McpConfig(
        @Default("")
        @Doc(
                "Origins, such as https://inspector.example, of sites whose scripts may call /mcp with a token; * lets any. Programs that"
                        + " are no browser send none.")
        List<String> allowedOrigins) {

    static final String ANY = "*";

    public McpConfig {
        for (var origin : allowedOrigins) {
            if (!origin.equals(ANY) && !origin.matches("https?://[^/\\s?#]+")) {
                throw new IllegalArgumentException(
                        "allowed-origins must be like https://inspector.example, without a path, or *, not " + origin);
            }
        }
        allowedOrigins = List.copyOf(allowedOrigins);
    }
}
