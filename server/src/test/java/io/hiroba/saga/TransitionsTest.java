package io.hiroba.saga;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.saga.Transitions.StepPhase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;
import org.junit.jupiter.api.Test;

class TransitionsTest {

    private static final Path PAGE = Path.of("../docs/reference/saga-states.md");

    /** Run with {@code -Dhiroba.write-docs=true} to write the page. */
    @Test
    void theDocumentedDiagramIsTheTable() throws IOException {
        var page = """
                # The states of a saga and of a step

                Made from the table in `Transitions` by `TransitionsTest`; run it with `-Dhiroba.write-docs=true` after a change.

                ## Saga

                ```mermaid
                %s```

                ## Saga, by hand

                ```mermaid
                %s```

                ## Step

                The log has a row for each attempt that ended: SUCCESS, FAILED, TIMEOUT or SKIPPED.

                ```mermaid
                %s```
                """.formatted(
                        Transitions.diagram(Transitions.SAGA, SagaStatus::isTerminal),
                        Transitions.diagram(Transitions.BY_HAND, SagaStatus::isTerminal),
                        Transitions.diagram(
                                Transitions.STEP,
                                Set.of(StepPhase.FAILED, StepPhase.COMPENSATED, StepPhase.SKIPPED)::contains));
        if (Boolean.getBoolean("hiroba.write-docs")) {
            Files.writeString(PAGE, page);
        }
        assertThat(PAGE).hasContent(page);
    }

    @Test
    void whatHasEndedStaysAsItIsUnlessItIsUndoneWithItsParent() {
        for (var status : SagaStatus.values()) {
            boolean moves = Arrays.stream(SagaStatus.values()).anyMatch(to -> Transitions.allowed(status, to));
            assertThat(moves).as(status.name()).isEqualTo(status == SagaStatus.COMPLETED || !status.isTerminal());
        }
        assertThat(Transitions.SAGA.stream()
                        .filter(each -> each.from() == SagaStatus.COMPLETED)
                        .map(Transitions.Transition::to))
                .containsExactly(SagaStatus.COMPENSATING);
    }

    @Test
    void everyStatusIsReached() {
        for (var status : SagaStatus.values()) {
            assertThat(status == SagaStatus.STARTED || Transitions.SAGA.stream().anyMatch(each -> each.to() == status))
                    .as(status.name())
                    .isTrue();
        }
    }
}
