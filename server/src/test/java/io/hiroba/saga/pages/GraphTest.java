package io.hiroba.saga.pages;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.platform.i18n.Language;
import io.hiroba.platform.i18n.Reader;
import io.hiroba.saga.pages.Graph.Box;
import io.hiroba.saga.pages.Graph.Drawing;
import io.hiroba.saga.workflow.RetryPolicy;
import io.hiroba.saga.workflow.Step;
import io.hiroba.saga.workflow.StepCondition;
import io.hiroba.saga.workflow.Workflow;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class GraphTest {

    private static final Reader READER = new Reader(Language.ENGLISH, ZoneOffset.UTC, Instant.EPOCH);

    @Test
    void stagesGoFromLeftToRightAndWhatRunsSideBySideIsStacked() {
        var graph = wide(new Workflow(
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
        assertThat(graph.boxes()).extracting(box -> box.label().undo()).containsExactly("release", "refund", null);
        assertThat(graph.lines())
                .as("one into, and one out of, each meeting point")
                .hasSize(2 + 3 + 3);
        assertThat(graph.start().x()).isLessThan(reserve.x());
        assertThat(graph.end().x()).isGreaterThan(charge.x() + charge.width());
    }

    @Test
    void aWaitForASignalLooksDifferentAndLongNamesAreShortened() {
        var graph = wide(new Workflow(
                "order",
                1,
                List.of(new Step(0, 0, "承認".repeat(20), new Step.Signal("approve"), null, RetryPolicy.DEFAULT)),
                null));
        var box = graph.boxes().getFirst().label();
        assertThat(box.isSignal()).isTrue();
        assertThat(box.name()).hasSize(20).endsWith("…");
        assertThat(box.title()).startsWith("承認".repeat(20)).endsWith("waits for the signal approve");
    }

    @Test
    void manyStagesAreWrappedIntoRowsThatFitAPage() {
        var steps = IntStream.range(0, 30)
                .mapToObj(index -> call(index, index, "step", null))
                .toList();
        var graph = wide(new Workflow("long", 1, steps, null));
        assertThat(graph.width()).isLessThan(950);
        assertThat(graph.boxes()).extracting(Box::y).isSorted();
        assertThat(graph.boxes().stream().map(Box::y).distinct()).hasSize(8);
        assertThat(graph.boxes().stream().map(Box::x).distinct()).hasSize(4);
        assertApart(graph);
    }

    @Test
    void aRowIsAsTallAsItsWidestStageAndTheNextIsBelowIt() {
        var steps = IntStream.range(0, 20)
                .mapToObj(index -> call(index, Math.max(0, index - 10), "step", null))
                .toList();
        assertApart(wide(new Workflow("mixed", 1, steps, null)));
        assertApart(narrow(new Workflow("mixed", 1, steps, null)));
    }

    @Test
    void onANarrowPageStagesGoDownAndWhatRunsSideBySideIsInTwoColumns() {
        var steps = IntStream.range(0, 10)
                .mapToObj(index -> call(index, index == 0 ? 0 : index == 9 ? 2 : 1, "step", null))
                .toList();
        var graph = narrow(new Workflow("fan", 1, steps, null));
        assertThat(graph.width()).isLessThan(400);
        assertThat(graph.boxes().subList(1, 9).stream().map(Box::x).distinct()).hasSize(2);
        assertThat(graph.frames()).singleElement().satisfies(frame -> {
            assertThat(frame.y()).isGreaterThan(graph.boxes().getFirst().y());
            assertThat(frame.y() + frame.height())
                    .isLessThan(graph.boxes().getLast().y());
        });
        assertApart(graph);
    }

    @Test
    void theConditionOfTheTopBranchIsWithinTheDrawing() {
        var conditional = new Step(
                0,
                0,
                "ask",
                new Step.Signal("go"),
                null,
                RetryPolicy.DEFAULT,
                new StepCondition(List.of(new StepCondition.Term("payload.a", true))),
                null);
        var plain = wide(new Workflow("plain", 1, List.of(call(0, 0, "step", null)), null));
        var graph = wide(new Workflow("branches", 1, List.of(conditional, call(1, 0, "other", null)), null));
        assertThat(graph.boxes().getFirst().y())
                .isGreaterThan(plain.boxes().getFirst().y() + 8);
        assertApart(graph);
    }

    /** That no box covers another or lies outside. */
    private static void assertApart(Drawing graph) {
        for (var box : graph.boxes()) {
            assertThat(box.x()).isNotNegative();
            assertThat(box.x() + box.width()).isLessThanOrEqualTo(graph.width());
            assertThat(box.y() + box.height()).isLessThanOrEqualTo(graph.height());
            assertThat(graph.boxes())
                    .filteredOn(other ->
                            Math.abs(other.x() - box.x()) < box.width() && Math.abs(other.y() - box.y()) < box.height())
                    .hasSize(1);
        }
        assertThat(graph.end().y()).isLessThan(graph.height());
        assertThat(graph.end().x()).isLessThan(graph.width());
    }

    private static Drawing wide(Workflow workflow) {
        return Graph.of(workflow, READER).wide();
    }

    private static Drawing narrow(Workflow workflow) {
        return Graph.of(workflow, READER).narrow();
    }

    private static Step call(int index, int stage, String name, @Nullable String undo) {
        return new Step(index, stage, name, new Step.Call("shop", name, undo, null, null), null, RetryPolicy.DEFAULT);
    }
}
