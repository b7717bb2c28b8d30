package io.hiroba.saga;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The statements that are assembled from parts, as they are sent: {@code golden/saga}. */
class SagaStatementsTest {

    private static final Path GOLDEN = Path.of("src/test/resources/golden/saga");
    private static final Instant FROM = Instant.parse("2026-01-01T00:00:00Z");
    private static final Instant TO = Instant.parse("2026-01-02T00:00:00Z");

    static Stream<Arguments> statements() {
        return Stream.of(
                list("list-all", new SagaFilter(null, null, null, false)),
                list("list-by-status", new SagaFilter(null, SagaStatus.FAILED, null, false)),
                list("list-by-workflow", new SagaFilter("order", null, null, false)),
                list("list-by-workflow-and-status", new SagaFilter("order", SagaStatus.FAILED, null, false)),
                list("list-by-correlation", new SagaFilter(null, null, "order-7", false)),
                list(
                        "list-by-correlation-workflow-and-status",
                        new SagaFilter("order", SagaStatus.FAILED, "order-7", false)),
                list("list-waiting", SagaFilter.ALL.whereWaiting(true)),
                list("list-waiting-by-workflow", new SagaFilter("order", null, null, false).whereWaiting(true)),
                list("list-waiting-by-correlation", new SagaFilter("order", null, "order-7", false).whereWaiting(true)),
                list(
                        "list-by-parent-and-status",
                        new SagaFilter(null, SagaStatus.FAILED, null, false)
                                .withParent(SagaId.parse("0199aaaa-0000-7000-8000-000000000001"))),
                list("list-needing-attention", new SagaFilter(null, null, null, true)),
                list(
                        "list-needing-attention-by-all",
                        new SagaFilter("order", SagaStatus.COMPENSATING, "order-7", true)),
                steps("steps-all", new StepFilter(null, null, null, FROM, TO), false),
                steps("steps-failed-next-page", new StepFilter("charge", StepStatus.FAILED, null, FROM, TO), true),
                steps(
                        "steps-by-all",
                        new StepFilter("charge", StepStatus.SUCCESS, StepAction.COMPENSATE, FROM, TO),
                        false));
    }

    private static Arguments list(String name, SagaFilter filter) {
        return Arguments.of(name, SagaListSql.list(filter));
    }

    private static Arguments steps(String name, StepFilter filter, boolean hasCursor) {
        return Arguments.of(name, StepLogStore.sql(filter, hasCursor));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("statements")
    void eachStatementIsTheOneOnFile(String name, String sql) throws IOException {
        var file = GOLDEN.resolve(name + ".sql");
        if (Boolean.getBoolean("hiroba.write-docs")) {
            Files.createDirectories(GOLDEN);
            Files.writeString(file, sql);
        }
        assertThat(file).hasContent(sql);
    }
}
