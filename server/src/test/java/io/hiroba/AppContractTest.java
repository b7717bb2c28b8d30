package io.hiroba;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.platform.http.ContractRoutes;
import io.hiroba.testkit.ApiClient;
import io.hiroba.testkit.TestServer;
import java.net.URI;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
class AppContractTest {

    @Test
    void theRoutesOfAWholeServerAreThoseOfTheDocument() {
        try (var server = TestServer.start()) {
            assertThat(ContractRoutes.registered(server.app().http())).isEqualTo(ContractRoutes.documented());
            // The style guide is for development.
            var port = URI.create(server.url()).getPort();
            assertThat(ApiClient.anonymous(port).get("/style").status()).isEqualTo(404);
        }
    }
}
