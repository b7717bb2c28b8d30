package io.hiroba.saga;

import io.hiroba.platform.config.Default;
import io.hiroba.platform.config.Doc;
import io.hiroba.saga.call.Endpoint;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** The settings of sagas on this node. */
public record SagaConfig(
        @Default("512") @Doc("Sagas that this node works on at once. Those that wait do not count.")
        int concurrency,

        @Default("10s") @Doc("How long a node that nobody wakes waits before it looks for sagas that are due.")
        Duration poll,

        @Default("") @Doc("A folder with workflows in YAML or JSON that are registered at the start. Empty means none.")
        Path workflows,

        @Default("")
        @Doc("Services that steps may call, beside those registered through the API: a name, and an endpoint"
                + " such as http://orders:8080 or grpc://stock:9000.")
        Map<String, String> services,

        @Default("90d") @Doc("How long a saga is kept once it has ended.")
        Duration retention,

        @Default("")
        @Doc("The folder that ended sagas are written to, as JSON lines, before they are deleted. Empty means"
                + " `saga-archive` in the data folder.")
        Path archive,

        @Default("password,secret,token,accessToken,refreshToken,apiKey,authorization,cardNumber,cvc,cvv")
        @Doc("Fields whose values are masked where the answer of a service that refused a call is kept: a name for such"
                + " fields anywhere, or a path from the top such as `card.number`. Upper and lower case are the same.")
        List<String> maskedFields) {

    public static final SagaConfig DEFAULT =
            new SagaConfig(512, Duration.ofSeconds(10), Path.of(""), Map.of(), Duration.ofDays(90), Path.of(""));

    public SagaConfig(
            int concurrency,
            Duration poll,
            Path workflows,
            Map<String, String> services,
            Duration retention,
            Path archive) {
        this(concurrency, poll, workflows, services, retention, archive, List.of());
    }

    public SagaConfig {
        if (concurrency < 1 || concurrency > 100_000) {
            throw new IllegalArgumentException("concurrency must be between 1 and 100000, not " + concurrency);
        }
        if (poll.toMillis() < 10) {
            throw new IllegalArgumentException("poll must be at least 10ms");
        }
        if (retention.toHours() < 1) {
            throw new IllegalArgumentException("retention must be at least 1h");
        }
        services = Map.copyOf(services);
        maskedFields = List.copyOf(maskedFields);
        services.forEach(SagaConfig::requireEndpoint);
    }

    private static void requireEndpoint(String service, String endpoint) {
        try {
            Endpoint.parse(endpoint);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("the endpoint of services.%s %s".formatted(service, e.getMessage()), e);
        }
    }
}
