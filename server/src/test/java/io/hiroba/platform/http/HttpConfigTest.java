package io.hiroba.platform.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.platform.config.ConfigException;
import io.hiroba.platform.config.ConfigLoader;
import io.hiroba.platform.db.DatabaseConfig;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class HttpConfigTest {

    record Root(HttpConfig http, DatabaseConfig database) {}

    private static List<String> mistakes(String... flags) {
        try {
            ConfigLoader.of(Root.class).arguments(List.of(flags)).load();
        } catch (ConfigException e) {
            return e.errors();
        }
        return List.of();
    }

    @Test
    void theDefaultsAreTheseAndListenOnlyHere() {
        var config = ConfigLoader.of(Root.class).load().value();
        var http = config.http();
        assertThat(http.host()).isEqualTo("127.0.0.1");
        assertThat(http.port()).isEqualTo(8080);
        assertThat(http.publicUrl()).isEmpty();
        assertThat(http.trustedProxies()).isEmpty();
        assertThat(http.metricsToken().value()).isEmpty();
        assertThat(http.styleGuide()).isFalse();
        assertThat(http.limits()).isEqualTo(HttpConfig.onFreePort().limits());
        assertThat(http.rateLimit()).isEqualTo(HttpConfig.onFreePort().rateLimit());
        assertThat(http.limits().drainTimeout()).isEqualTo(Duration.ofSeconds(30));
        assertThat(config.database())
                .hasToString(DatabaseConfig.of("", "", "").withPoolSize(32).toString());
    }

    @Test
    void everyKeyCanBeSet() {
        var config = ConfigLoader.of(Root.class)
                .arguments(List.of(
                        "--http.host=::",
                        "--http.port=1",
                        "--http.public-url=https://x.example",
                        "--http.trusted-proxies=10.0.0.0/8,::1",
                        "--http.limits.body-size=2MB",
                        "--http.limits.upload-size=3MB",
                        "--http.limits.idle-timeout=4s",
                        "--http.limits.request-timeout=6s",
                        "--http.limits.min-data-rate=2KB",
                        "--http.limits.max-connections=8",
                        "--http.limits.drain-delay=3s",
                        "--http.limits.drain-timeout=5s",
                        "--http.rate-limit.enabled=false",
                        "--http.rate-limit.requests-per-minute=6",
                        "--http.rate-limit.burst=7",
                        "--http.metrics-token=t",
                        "--http.style-guide=true",
                        "--database.url=u",
                        "--database.user=v",
                        "--database.password=w",
                        "--database.owner.user=x",
                        "--database.credentials=vault:database/creds/app",
                        "--database.owner.password=y",
                        "--database.owner.credentials=vault:database/creds/owner",
                        "--database.tls.mode=require",
                        "--database.tls.ca=ca.pem",
                        "--database.pool.idle=3",
                        "--database.pool.idle-timeout=4m",
                        "--database.pool.max-lifetime=5m",
                        "--database.pool-size=8",
                        "--database.statement-timeout=9s",
                        "--database.idle-in-transaction-timeout=10s"))
                .load();
        assertThat(config.print()).doesNotContain("# default").doesNotContain("metrics-token: t");
        assertThat(config.value().http().isSecure()).isTrue();
        assertThat(config.value().http().trustedProxies()).containsExactly("10.0.0.0/8", "::1");
    }

    @Test
    void whatCannotWorkIsRefusedWithItsKey() {
        assertThat(mistakes("--http.port=70000"))
                .containsExactly("`http.port` from --http.port must be between 0 and 65535, not 70000");
        assertThat(mistakes("--http.public-url=square.example/path"))
                .singleElement()
                .asString()
                .startsWith("`http.public-url` from --http.public-url must be like");
        assertThat(mistakes("--http.trusted-proxies=proxy.local"))
                .singleElement()
                .asString()
                .contains("`proxy.local`, which is not an address");
        assertThat(mistakes("--http.trusted-proxies=10.0.0.0/33")).hasSize(1);
        assertThat(mistakes("--http.rate-limit.burst=0")).hasSize(1);
        assertThat(mistakes("--http.limits.request-timeout=1ms")).hasSize(1);
        assertThat(mistakes("--http.limits.max-connections=0")).hasSize(1);
    }
}
