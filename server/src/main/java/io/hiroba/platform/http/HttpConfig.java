package io.hiroba.platform.http;

import io.hiroba.platform.config.ByteSize;
import io.hiroba.platform.config.Default;
import io.hiroba.platform.config.Doc;
import io.hiroba.platform.config.Secret;
import io.hiroba.platform.config.SecretText;
import java.net.URI;
import java.time.Duration;
import java.util.List;

/** The configuration of the HTTP server. */
public record HttpConfig(
        @Default("127.0.0.1") @Doc("The address to listen on. 0.0.0.0 opens the server to the network.")
        String host,

        @Default("8080") @Doc("The port to listen on; 0 takes a free one.")
        int port,

        @Default("")
        @Doc(
                "The address people type, such as https://square.example. Needed behind a proxy; https turns on HSTS and secure"
                        + " cookies.")
        String publicUrl,

        @Default("") @Doc("Addresses or networks, such as 10.0.0.0/8, of proxies whose X-Forwarded-For is believed.")
        List<String> trustedProxies,

        Limits limits,
        RateLimit rateLimit,

        @Default("")
        @Secret
        @Doc(
                "The bearer token that may read /metrics. Without one, only this machine may, and nobody where http.public-url"
                        + " is set.")
        SecretText metricsToken,

        @Default("false")
        @Doc("Whether /style shows the components that pages are made of. For those who develop Hiroba.")
        boolean styleGuide) {

    public HttpConfig {
        if (port < 0 || port > 65_535) {
            throw new IllegalArgumentException("port must be between 0 and 65535, not " + port);
        }
        if (!publicUrl.isEmpty() && !publicUrl.matches("https?://[^/\\s?#]+")) {
            throw new IllegalArgumentException("public-url must be like https://square.example, without a path");
        }
        try {
            ClientAddress.networks(trustedProxies);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("trusted-proxies " + e.getMessage(), e);
        }
    }

    /** The defaults, on a free port. */
    public static HttpConfig onFreePort() {
        return new HttpConfig(
                "127.0.0.1",
                0,
                "",
                List.of(),
                new Limits(
                        ByteSize.parse("1MB"),
                        ByteSize.parse("24MB"),
                        Duration.ofSeconds(30),
                        Duration.ofSeconds(30),
                        ByteSize.parse("1KB"),
                        10_000,
                        Duration.ZERO,
                        Duration.ofSeconds(30)),
                new RateLimit(true, 600, 300),
                SecretText.of(""),
                false);
    }

    public HttpConfig withRateLimit(RateLimit rateLimit) {
        return new HttpConfig(host, port, publicUrl, trustedProxies, limits, rateLimit, metricsToken, styleGuide);
    }

    public HttpConfig withPublicUrl(String publicUrl) {
        return new HttpConfig(host, port, publicUrl, trustedProxies, limits, rateLimit, metricsToken, styleGuide);
    }

    public HttpConfig withLimits(Limits limits) {
        return new HttpConfig(host, port, publicUrl, trustedProxies, limits, rateLimit, metricsToken, styleGuide);
    }

    public HttpConfig withTrustedProxies(List<String> trustedProxies) {
        return new HttpConfig(host, port, publicUrl, trustedProxies, limits, rateLimit, metricsToken, styleGuide);
    }

    public HttpConfig withMetricsToken(String token) {
        var metricsToken = SecretText.of(token);
        return new HttpConfig(host, port, publicUrl, trustedProxies, limits, rateLimit, metricsToken, styleGuide);
    }

    /** Whether people reach this server through TLS. */
    public boolean isSecure() {
        return !publicUrl.isEmpty() && "https".equals(URI.create(publicUrl).getScheme());
    }

    /** Limits of size and time of a request. */
    public record Limits(
            @Default("1MB") @Doc("The largest request body; routes that take files have a limit of their own.")
            ByteSize bodySize,

            @Default("24MB") @Doc("The largest multipart upload.")
            ByteSize uploadSize,

            @Default("30s") @Doc("A connection on which nothing moves for longer is closed.")
            Duration idleTimeout,

            @Default("30s")
            @Doc(
                    "How long the headers of a request may take to arrive, and its body at the least. Whoever sends a byte now and then is"
                            + " cut off.")
            Duration requestTimeout,

            @Default("1KB") @Doc("A body may take a second longer for each so many bytes of it that have arrived.")
            ByteSize minDataRate,

            @Default("10000") @Doc("Connections at once on a node. Further ones wait until one of them ends.")
            int maxConnections,

            @Default("0s")
            @Doc(
                    "How long a stopping server goes on taking requests while /readyz is 503 already, for load balancers to notice.")
            Duration drainDelay,

            @Default("30s") @Doc("How long a stopping server waits for requests under way.")
            Duration drainTimeout) {

        private static final Duration MAX_DRAIN_DELAY = Duration.ofMinutes(10);

        public Limits {
            if (bodySize.bytes() < 1024) {
                throw new IllegalArgumentException("body-size must be at least 1KB");
            }
            if (requestTimeout.toMillis() < 100) {
                throw new IllegalArgumentException("request-timeout must be at least 100ms");
            }
            if (minDataRate.bytes() < 1) {
                throw new IllegalArgumentException("min-data-rate must be at least 1B");
            }
            if (maxConnections < 1) {
                throw new IllegalArgumentException("max-connections must be at least 1");
            }
            if (drainDelay.isNegative() || drainDelay.compareTo(MAX_DRAIN_DELAY) > 0) {
                throw new IllegalArgumentException("drain-delay must be between 0s and 10m");
            }
        }
    }

    /** The rate limit of a client, on each node. */
    public record RateLimit(
            @Default("true") @Doc("Whether requests are limited at all.")
            boolean enabled,

            @Default("600")
            @Doc(
                    "Requests a minute that a signed-in user, all tokens of a user together, or else a client address, may make on each node.")
            int requestsPerMinute,

            @Default("300") @Doc("Requests that may come at once on a node before the rate applies.")
            int burst) {

        public RateLimit {
            if (requestsPerMinute < 1) {
                throw new IllegalArgumentException("requests-per-minute must be at least 1");
            }
            if (burst < 1) {
                throw new IllegalArgumentException("burst must be at least 1");
            }
        }
    }
}
