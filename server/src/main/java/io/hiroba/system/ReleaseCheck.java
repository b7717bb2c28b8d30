package io.hiroba.system;

import io.hiroba.platform.ProgramVersion;
import io.hiroba.platform.SystemCheck;
import io.hiroba.platform.SystemCheck.Group;
import io.hiroba.platform.http.Json;
import io.hiroba.platform.i18n.Text;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/** Asks an address of the operator's for the newest release, and tells admins of one that is newer than this program. */
final class ReleaseCheck {

    static final Duration INTERVAL = Duration.ofHours(24);

    private static final Logger log = LoggerFactory.getLogger(ReleaseCheck.class);
    private static final Duration TIMEOUT = Duration.ofSeconds(15);
    private static final int MAX_SIZE = 1 << 20;
    private static final int OK = 200;
    private static final Pattern VERSION =
            Pattern.compile("v?(\\d{1,9}(?:\\.\\d{1,9}){0,3})(-[0-9A-Za-z.-]{1,60})?(\\+[0-9A-Za-z.-]{1,60})?");
    private static final Pattern LINK = Pattern.compile("https?://[^\\s<>\"]{1,500}");

    private final UpdatesConfig config;
    private final String own;
    private volatile @Nullable Release newest;
    private volatile boolean failed;

    ReleaseCheck(UpdatesConfig config, MeterRegistry meters) {
        this(config, meters, ProgramVersion.CURRENT);
    }

    /** @param own the version that runs */
    ReleaseCheck(UpdatesConfig config, MeterRegistry meters, String own) {
        this.config = config;
        this.own = own;
        if (config.isOn()) {
            Gauge.builder("hiroba.release.newer", this::measure)
                    .description("1 if there is a newer release, 0 if there is none, NaN if that is not known")
                    .register(meters);
        }
    }

    private double measure() {
        var found = newest;
        if (found == null) {
            return Double.NaN;
        }
        return isNewer(found.version(), own) ? 1 : 0;
    }

    /**
     * A release that was announced.
     *
     * @param url where it is found; empty if that was not told
     */
    private record Release(String version, String url) {}

    /** Asks; what cannot be understood is as if nothing had been answered. */
    void run() {
        var request = HttpRequest.newBuilder(URI.create(config.address()))
                .timeout(TIMEOUT)
                .header("Accept", "application/json")
                .header("User-Agent", "Hiroba")
                .build();
        try (var client = HttpClient.newBuilder()
                .connectTimeout(TIMEOUT)
                .followRedirects(HttpClient.Redirect.NORMAL)
                .build()) {
            var response = client.send(request, BodyHandlers.ofInputStream());
            try (var body = response.body()) {
                var content = body.readNBytes(MAX_SIZE);
                if (response.statusCode() != OK) {
                    throw new IOException("status " + response.statusCode());
                }
                newest = parse(new String(content, StandardCharsets.UTF_8));
                failed = false;
            } finally {
                client.shutdownNow();
            }
        } catch (IOException | JacksonException e) {
            failed = true;
            log.warn("The newest release could not be asked for at {}: {}", config.address(), e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static Release parse(String json) throws IOException {
        var answer = Json.mapper().readTree(json);
        var version = text(answer, "version").or(() -> text(answer, "tag_name")).orElse("");
        if (!VERSION.matcher(version).matches()) {
            throw new IOException("the answer has no version");
        }
        var url = text(answer, "url")
                .filter(link -> !answer.has("html_url"))
                .or(() -> text(answer, "html_url"))
                .filter(LINK.asMatchPredicate())
                .orElse("");
        return new Release(version.replaceFirst("^v", ""), url);
    }

    private static Optional<String> text(JsonNode object, String name) {
        return object.path(name).isString() ? Optional.of(object.path(name).asString()) : Optional.empty();
    }

    /** Whether a version comes after another, as semantic versions do; a release comes after its own candidates. */
    static boolean isNewer(String version, String than) {
        var one = VERSION.matcher(version);
        var other = VERSION.matcher(than);
        if (!one.matches() || !other.matches()) {
            return false;
        }
        int order = Arrays.compare(numbers(one.group(1)), numbers(other.group(1)));
        if (order != 0) {
            return order > 0;
        }
        return one.group(2) == null && other.group(2) != null;
    }

    private static int[] numbers(String version) {
        return Arrays.copyOf(
                Arrays.stream(version.split("\\.", -1))
                        .mapToInt(Integer::parseInt)
                        .toArray(),
                4);
    }

    /** The line of the system's state; none where nothing is asked. */
    Optional<SystemCheck> look() {
        if (!config.isOn()) {
            return Optional.empty();
        }
        var found = newest;
        boolean isNewer = found != null && isNewer(found.version(), own);
        Text value;
        if (found == null) {
            value = Text.of(failed ? "system.release-unknown" : "system.release-asking");
        } else {
            value = isNewer
                    ? Text.of("system.release-newer", "version", found.version())
                    : Text.of("system.up-to-date");
        }
        return Optional.of(SystemCheck.of(Group.NODE, "release", Text.of("system.release"), value)
                .adviseIf(
                        isNewer,
                        found == null || found.url().isEmpty()
                                ? Text.of("system.release-advice")
                                : Text.of("system.release-advice-at", "url", found.url())));
    }
}
