package io.hiroba;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hiroba.platform.http.ContractRoutes;
import io.hiroba.testkit.ApiClient;
import io.hiroba.testkit.TestServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
class AppContractTest {

    @Test
    void theRoutesOfAWholeServerAreThoseOfTheDocumentAndAnswerHeadAsGet() {
        try (var server = TestServer.start("--grpc.enabled=false")) {
            assertThat(server.app().grpcAddress()).isEmpty();
            assertThat(ContractRoutes.registered(server.app().http())).isEqualTo(ContractRoutes.documented());
            // The style guide is for development.
            var port = URI.create(server.url()).getPort();
            var anonymous = ApiClient.anonymous(port);
            assertThat(anonymous.get("/style").status()).isEqualTo(404);
            for (var path : List.of("/", "/login", "/nowhere", "/api/v1/me", "/api/v1/stream", "/posts/x")) {
                var get = anonymous.with("Accept", "text/html").get(path);
                var head = anonymous.with("Accept", "text/html").send("HEAD", path, "");
                assertThat(head.status()).as(path).isEqualTo(get.status());
                for (var name : List.of("Content-Type", "Content-Length", "Location")) {
                    assertThat(head.header(name)).as(path + " " + name).isEqualTo(get.header(name));
                }
                assertThat(head.body()).as(path).isEmpty();
            }
        }
    }

    @Test
    void aPortThatIsTakenEndsTheStartWithWhatToDo() throws IOException {
        try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertThatThrownBy(() -> TestServer.start("--grpc.port=" + taken.getLocalPort()))
                    .hasMessageContaining("choose another with --grpc.port");
        }
    }
}
