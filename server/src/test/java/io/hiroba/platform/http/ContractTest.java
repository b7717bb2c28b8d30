package io.hiroba.platform.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class ContractTest {

    @Test
    void theDocumentAndTheRoutesOfThePlatformAreTheSame() {
        try (var live = new LiveServer(HttpConfig.onFreePort(), builder -> builder)) {
            var documented = new TreeSet<>(ContractRoutes.documented());
            documented.removeIf(route ->
                    route.contains(" /api/") || ContractRoutes.isOfAFeature(route.substring(route.indexOf('/'))));
            assertThat(ContractRoutes.registered(live.server))
                    .isEqualTo(documented)
                    .isNotEmpty();
        }
    }
}
