package io.hiroba.saga;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.platform.i18n.Text;
import io.hiroba.saga.call.StepOutcome.Failed;
import io.hiroba.saga.call.StepOutcome.KeptAnswer;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

/** Sagas in trouble, as operators see and resolve them through the API. */
class SagaOperationsTest {

    private static final TestSagaServer server = new TestSagaServer();

    @BeforeAll
    static void register() {
        server.register("""
                name: stubborn
                steps:
                  - {name: reserve, service: stock, method: reserve, compensate: release}
                  - {name: build, service: stock, method: build, compensate: unbuild, retry: {maxAttempts: 1}}
                  - {name: charge, service: bank, method: charge, retry: {maxAttempts: 1}}
                """);
        var json = JsonMapper.shared();
        var answer = new KeptAnswer(
                json.readTree("{\"error\":\"card declined\"}"), json.readTree("{\"status\":\"422\",\"requestId\":\"r-7\"}"));
        var reason = Text.of("saga.journal.answered-saying", "code", "422", "explanation", "card declined");
        server.service.fails("charge", new Failed(reason, true, null, answer, false));
        server.service.fails("unbuild", new Failed(reason, true, null, answer, false));
    }

    @AfterAll
    static void close() {
        server.close();
    }

    private static String stuck() {
        var id = server.start("stubborn");
        server.awaitRest(id);
        assertThat(server.saga(id).path("stuck").asBoolean()).isTrue();
        return id;
    }

    @Test
    void aRefusedAttemptShowsWhatTheServiceAnswered() {
        var saga = server.saga(stuck());

        var attempt = saga.at("/steps/2/attempts/0");
        assertThat(attempt.path("answer").toString()).isEqualTo("{\"error\":\"card declined\"}");
        assertThat(attempt.at("/response/status").asString()).isEqualTo("422");
        assertThat(attempt.at("/response/requestId").asString()).isEqualTo("r-7");
        assertThat(attempt.path("error").asString()).isEqualTo("the service answered with 422: card declined");
        assertThat(saga.path("errorMessage").asString()).contains("card declined");
    }

    @Test
    void theEventOfAStuckSagaSaysWhatTheServiceAnswered() {
        var id = stuck();
        List<String> reasons = server.accounts.db.read(reads -> reads.query("""
                        SELECT payload ->> 'reason' FROM platform.event_logs
                        WHERE payload ->> 'type' = 'saga-stuck' AND payload ->> 'sagaId' = :id
                        """).bind("id", id).mapTo(String.class).list());
        assertThat(reasons).containsExactly("card declined");
    }
}
