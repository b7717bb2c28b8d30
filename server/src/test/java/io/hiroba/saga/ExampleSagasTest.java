package io.hiroba.saga;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.accounts.Caller;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class ExampleSagasTest {

    @Test
    void loansWaitForAnAdminOrForTheirTimeOrAreOver() {
        try (var server = new TestSagaServer()) {
            var admin = Caller.server(server.adminId);
            var makers = new ExampleSagas(server.sagas, server.workflows).makers();
            makers.values().forEach(maker -> server.accounts.db.useTransaction(tx -> maker.applyAsLong(tx, admin)));
            var loans =
                    server.auditor.get("/api/v1/sagas?workflowName=tool-loan").json();
            var ids = StreamSupport.stream(loans.path("items").spliterator(), false)
                    .map(loan -> loan.path("id").asString(""))
                    .collect(Collectors.toMap(
                            id -> server.saga(id).path("payload").path("tool").asString(""), id -> id));
            assertThat(ids).containsOnlyKeys("Hedge trimmer", "Cordless drill", "Spade");
            var waiting = Objects.requireNonNull(ids.get("Hedge trimmer"));
            Awaitility.await().untilAsserted(() -> {
                assertThat(server.approvals.of(server.accounts.caller(server.adminId), SagaId.parse(waiting)))
                        .singleElement()
                        .satisfies(approval -> {
                            assertThat(approval.title()).isEqualTo("Hannah wants to borrow: Hedge trimmer");
                            assertThat(approval.assignees())
                                    .extracting(Approvals.Assignee::user)
                                    .contains(server.adminId);
                        });
                assertThat(server.saga(Objects.requireNonNull(ids.get("Spade")))
                                .path("status")
                                .asString(""))
                        .isEqualTo("COMPLETED");
                assertThat(server.saga(Objects.requireNonNull(ids.get("Cordless drill")))
                                .path("waits")
                                .path(0)
                                .path("cause")
                                .asString(""))
                        .isEqualTo("TIMER");
            });
        }
    }
}
