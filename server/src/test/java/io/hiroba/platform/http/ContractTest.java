package io.hiroba.platform.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ContractTest {

    @Test
    void theDocumentAndTheRoutesOfThePlatformAreTheSame() {
        try (var live = new LiveServer(HttpConfig.onFreePort(), builder -> builder)) {
            assertThat(ContractRoutes.registered(live.server))
                    .isSubsetOf(ContractRoutes.documented())
                    .contains("GET /healthz", "GET /readyz", "GET /metrics", "GET /docs", "GET /openapi.yaml");
        }
    }
}
