package io.hiroba;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.testkit.ApiClient;
import io.hiroba.testkit.TestServer;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** The alerts and the dashboard of {@code ops}. */
@Tag("slow")
class MonitoringFilesTest {

    private static final Path OPS = Path.of("..", "ops");
    private static final Pattern METRIC =
            Pattern.compile("\\b(?:hiroba|http|disk|hikaricp|jvm|process|system)_[a-z_0-9]+\\b");

    @Test
    void alertsAndDashboardNameMetricsThatAServerHas() throws IOException {
        try (var server = TestServer.start("--grpc.enabled=false")) {
            var port = URI.create(server.url()).getPort();
            ApiClient.anonymous(port).get("/login");
            var told = ApiClient.anonymous(port).get("/metrics").body();
            assertThat(told)
                    .as("each queue could be looked at")
                    .contains(Stream.of("agents", "imports", "webhooks")
                            .map("hiroba_queue_lag_seconds{queue=\"%s\"} 0.0"::formatted)
                            .toList());
            var there = metrics(told);
            // Told once memory was collected, which a young server has not done, by a server with an embedded database,
            // and
            // by one whose login of the database is Vault's.
            var wanted = Stream.concat(expressionsOfAlerts(), expressionsOfPanels())
                    .flatMap(expression -> metrics(expression).stream())
                    .filter(name -> Stream.of("jvm_gc_", "hiroba_backup_", "hiroba_database_credentials_")
                            .noneMatch(name::startsWith))
                    .collect(Collectors.toSet());
            assertThat(wanted).hasSizeGreaterThan(20).isSubsetOf(there);
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
        var promtool = Stream.of(System.getenv("PATH").split(":", -1))
                .map(folder -> Path.of(folder, "promtool"))
                .filter(Files::isExecutable)
                .findFirst();
        Assumptions.assumeTrue(
                promtool.isPresent(), "promtool is not installed (on Debian: apt-get install prometheus)");
        var check = new ProcessBuilder(promtool.orElseThrow().toString(), "test", "rules", "hiroba.rules.test.yml")
                .directory(OPS.resolve("prometheus").toFile())
                .redirectErrorStream(true)
                .start();
        var output = new String(check.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(check.waitFor(1, TimeUnit.MINUTES)).isTrue();
        assertThat(check.exitValue()).as(output).isZero();
    }
}
