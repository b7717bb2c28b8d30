package io.hiroba.saga.pages;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.platform.i18n.Language;
import io.hiroba.platform.i18n.Reader;
import io.hiroba.saga.pages.Graph.Box;
import io.hiroba.saga.workflow.RetryPolicy;
import io.hiroba.saga.workflow.Step;
import io.hiroba.saga.workflow.Workflow;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class GraphTest {

    @Test
    void stagesGoFromLeftToRightAndWhatRunsSideBySideIsStacked() {
        var graph = graph(new Workflow(
                "order",
                1,
                List.of(call(0, 0, "reserve", "release"), call(1, 1, "charge", "refund"), call(2, 1, "notify", null)),
                null));
        var reserve = graph.boxes().get(0);
        var charge = graph.boxes().get(1);
        var notify = graph.boxes().get(2);
        assertThat(charge.x()).isEqualTo(notify.x()).isGreaterThan(reserve.x() + reserve.width());
        assertThat(notify.y()).isGreaterThan(charge.y() + charge.height());
        assertThat(graph.boxes()).allSatisfy(box -> {
            assertThat(box.x() + box.width()).isLessThan(graph.width());
            assertThat(box.y() + box.height()).isLessThanOrEqualTo(graph.height());
        });
        assertThat(graph.boxes()).extracting(Box::undo).containsExactly("release", "refund", null);
        assertThat(graph.lines())
                .as("one into, and one out of, each meeting point")
                .hasSize(2 + 3 + 3);
        assertThat(graph.start().x()).isLessThan(reserve.x());
        assertThat(graph.end().x()).isGreaterThan(charge.x() + charge.width());
    }

    @Test
    void aWaitForASignalLooksDifferentAndLongNamesAreShortened() {
        var graph = graph(new Workflow(
                "order",
                1,
                List.of(new Step(0, 0, "承認".repeat(20), new Step.Signal("approve"), null, RetryPolicy.DEFAULT)),
                null));
        var box = graph.boxes().getFirst();
        assertThat(box.isSignal()).isTrue();
        assertThat(box.name()).hasSize(20).endsWith("…");
        assertThat(box.title()).startsWith("承認".repeat(20)).endsWith("waits for the signal approve");
    }

    private static Graph graph(Workflow workflow) {
        return Graph.of(workflow, new Reader(Language.ENGLISH, ZoneOffset.UTC, Instant.EPOCH));
    }

    private static Step call(int index, int stage, String name, @Nullable String undo) {
        return new Step(index, stage, name, new Step.Call("shop", name, undo, null, null), null, RetryPolicy.DEFAULT);
    }
}
