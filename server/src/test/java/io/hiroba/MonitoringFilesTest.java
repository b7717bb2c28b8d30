package io.hiroba;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hiroba.testkit.ApiClient;
import io.hiroba.testkit.InstalledProgram;
import io.hiroba.testkit.TestServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** The alerts and the dashboard of {@code ops}. */
@Tag("slow")
class MonitoringFilesTest {

    private static final Path OPS = Path.of("..", "ops");
    private static final Pattern METRIC =
            Pattern.compile("\\b(?:hiroba|http|disk|hikaricp|jvm|process|system)_[a-z_0-9]+\\b");

    private static final Pattern NAME = Pattern.compile("\"(hiroba\\.[a-z]+\\.[a-z.]+)\"");

    @Test
    void alertsAndDashboardNameMetricsThatAServerHas() throws IOException {
        try (var server = TestServer.start("--grpc.enabled=false")) {
            var port = URI.create(server.url()).getPort();
            ApiClient.anonymous(port).get("/login");
            var told = ApiClient.anonymous(port).get("/metrics").body();
            assertThat(told)
                    .as("each queue could be looked at")
                    .contains(Stream.of("agents", "imports", "retypes", "webhooks")
                            .map("hiroba_queue_lag_seconds{queue=\"%s\"} 0.0"::formatted)
                            .toList());
            var there = metrics(told);
            var wanted = Stream.concat(expressionsOfAlerts(), expressionsOfPanels())
                    .flatMap(expression -> metrics(expression).stream())
                    .filter(name -> !name.startsWith("jvm_gc_"))
                    .collect(Collectors.toSet());
            // What is told once something has happened, or with an embedded database, a bucket or Vault, is there in
            // the code.
            var known = named();
            wanted.removeIf(name -> !there.contains(name) && known.stream().anyMatch(name::startsWith));
            assertThat(wanted).hasSizeGreaterThan(20).isSubsetOf(there);
        }
    }

    /** The names in the source, as Prometheus writes them. */
    private static Set<String> named() throws IOException {
        try (var files = Files.walk(Path.of("src/main/java"))) {
            var names = new HashSet<String>();
            for (var file : files.filter(Files::isRegularFile).toList()) {
                NAME.matcher(Files.readString(file))
                        .results()
                        .forEach(name -> names.add(name.group(1).replace('.', '_') + "_"));
            }
            return names;
        }
    }

    private static Stream<String> expressionsOfAlerts() {
        var rules = new YAMLMapper()
                .readTree(OPS.resolve("prometheus/hiroba.rules.yml").toFile());
        return rules.path("groups").get(0).path("rules").valueStream().map(rule -> {
            assertThat(rule.path("annotations").path("action").asString(""))
                    .as("what to do")
                    .isNotEmpty();
            return rule.path("expr").asString();
        });
    }

    private static Stream<String> expressionsOfPanels() {
        var board =
                JsonMapper.shared().readTree(OPS.resolve("grafana/hiroba.json").toFile());
        return board.path("panels")
                .valueStream()
                .flatMap(panel -> panel.path("targets").valueStream())
                .map(target -> target.path("expr").asString());
    }

    private static Set<String> metrics(String text) {
        return METRIC.matcher(text).results().map(match -> match.group()).collect(Collectors.toSet());
    }

    @Test
    void eachAlertFiresByAFaultAndNoneWithoutOne() throws Exception {
        var promtool = InstalledProgram.require("promtool", "prometheus");
        var check = new ProcessBuilder(promtool.toString(), "test", "rules", "hiroba.rules.test.yml")
                .directory(OPS.resolve("prometheus").toFile())
                .redirectErrorStream(true)
                .start();
        var output = new String(check.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(check.waitFor(1, TimeUnit.MINUTES)).isTrue();
        assertThat(check.exitValue()).as(output).isZero();
    }

    /** With intervals of seconds, and alerts that fire at once. */
    @Test
    void aPrometheusReadsAServerAndTellsWhenItIsGone(@TempDir Path folder) throws Exception {
        var program = InstalledProgram.require("prometheus", "prometheus");
        var port = InstalledProgram.freePort();
        var api = "http://127.0.0.1:" + port + "/api/v1/";
        var rules = Files.readString(OPS.resolve("prometheus/hiroba.rules.yml"));
        Files.writeString(folder.resolve("hiroba.rules.yml"), rules.replaceAll("(?m)^( +)for: \\w+$", "$1for: 0s"));
        var server = TestServer.start("--grpc.enabled=false");
        try (var _ = InstalledProgram.start(
                folder,
                program,
                List.of(
                        "--config.file="
                                + configuration(folder, URI.create(server.url()).getPort()),
                        "--storage.tsdb.path=" + folder.resolve("series"),
                        "--web.listen-address=127.0.0.1:" + port))) {
            try (server) {
                await().atMost(Duration.ofSeconds(60))
                        .ignoreExceptions()
                        .until(() -> get(api + "query?query=up")
                                .at("/data/result/0/value/1")
                                .asString()
                                .equals("1"));
                await().atMost(Duration.ofSeconds(60))
                        .untilAsserted(() -> assertThat(get(api + "rules")
                                        .at("/data/groups/0/rules")
                                        .valueStream())
                                .hasSize((int) expressionsOfAlerts().count())
                                .allMatch(rule -> rule.path("health").asString().equals("ok")));
                await().atMost(Duration.ofSeconds(60))
                        .untilAsserted(() -> assertThat(firing(api)).doesNotContain("HirobaDown"));
            }
            await().atMost(Duration.ofSeconds(60))
                    .untilAsserted(() -> assertThat(firing(api)).contains("HirobaDown"));
        }
    }

    private static Path configuration(Path folder, int port) throws IOException {
        var text = Files.readString(OPS.resolve("prometheus/prometheus.yml"));
        return Files.writeString(
                folder.resolve("prometheus.yml"),
                text.replace("scrape_interval: 15s", "scrape_interval: 3s\n  evaluation_interval: 1s")
                        .replace("127.0.0.1:8080", "127.0.0.1:" + port));
    }

    private static List<String> firing(String api) throws IOException, InterruptedException {
        return get(api + "alerts")
                .at("/data/alerts")
                .valueStream()
                .filter(alert -> alert.path("state").asString().equals("firing"))
                .map(alert -> alert.at("/labels/alertname").asString())
                .toList();
    }

    private static JsonNode get(String url) throws IOException, InterruptedException {
        try (var client = HttpClient.newHttpClient()) {
            var request = HttpRequest.newBuilder(URI.create(url)).build();
            return JsonMapper.shared()
                    .readTree(client.send(request, HttpResponse.BodyHandlers.ofString())
                            .body());
        }
    }
}
