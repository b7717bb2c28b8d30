package io.hiroba.saga.engine;

import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.id.UuidV7;
import io.hiroba.saga.SagaId;
import io.hiroba.saga.SagaStatus;
import io.hiroba.saga.StorableJson;
import io.hiroba.saga.call.StepOutcome;
import io.hiroba.saga.call.StepOutcome.Failed;
import io.hiroba.saga.engine.AttributeStore.AttributeValue;
import io.hiroba.saga.engine.ChildStore.NewChild;
import io.hiroba.saga.workflow.InputMapping;
import io.hiroba.saga.workflow.InputMapping.MissingValue;
import io.hiroba.saga.workflow.SagaValues;
import io.hiroba.saga.workflow.Step;
import io.hiroba.saga.workflow.Workflow;
import io.hiroba.saga.workflow.WorkflowLookup;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Starts and undoes the children of a saga's steps. Each method does a bounded part in one transaction that has locked the
 * parent's row and looked at its fence, and tells what was found.
 */
final class ChildSteps {

    private static final String CHILD_FAILED = "saga.journal.child-failed";
    private static final String REASON = "reason";

    /** How deep sagas may be children of children. */
    static final int MAX_DEPTH = 8;

    /** The longest list that a step may have children for. */
    static final int MAX_CHILDREN = 10_000;

    private static final int START_BATCH_SIZE = 25;
    private static final int MAX_SIZE = 1 << 20;

    /** What is read at most to make the results of children, compressed. */
    private static final long MAX_READ_SIZE = 64 << 20;

    private static final Text UNDONE_WITH_PARENT = Text.of("saga.journal.undone-with-parent");

    private final Db db;
    private final WorkflowLookup definitions;
    private final UuidV7 ids;
    private final ChildStore store = new ChildStore();

    ChildSteps(Db db, WorkflowLookup definitions, UuidV7 ids) {
        this.db = db;
        this.definitions = definitions;
        this.ids = ids;
    }

    /** The state of a step's children. */
    sealed interface Found {}

    /** The saga has another owner. */
    record Lost() implements Found {}

    /** The saga was cancelled meanwhile. */
    record Turned(SagaStatus status, @Nullable SagaStatus undoneAs) implements Found {}

    /** Children were started. */
    record Started(Workflow workflow, int count) implements Found {}

    /** There is nothing to do until a child ends. */
    record Waiting() implements Found {}

    /** The step has no children. */
    record None() implements Found {}

    /**
     * All have ended, or none can be started.
     *
     * @param request the payload of the only child; null for several
     */
    record Ended(@Nullable JsonNode request, StepOutcome outcome, Duration took) implements Found {}

    /** A saga that takes the place of another. */
    record Successor(SagaId id, Workflow workflow, JsonNode payload, List<AttributeValue> attributes) {}

    /** Thrown where children, or a successor, cannot be started; the step fails for good. */
    static final class Unstartable extends Exception {

        private static final long serialVersionUID = 1L;

        private final transient Text reason;

        Unstartable(Text reason) {
            super(reason.toString(), null, false, false);
            this.reason = reason;
        }

        Text reason() {
            return reason;
        }
    }

    /** Starts children of a step as far as there is room, or tells how they ended. */
    Found advance(SagaProgress progress, Step step) {
        var work = (Step.Children) step.work();
        try {
            var items = items(progress, work);
            return db.inTransaction(tx -> {
                var parent = store.lock(tx, progress.id(), progress.saga().fence());
                if (parent.isEmpty()) {
                    return new Lost();
                }
                if (!parent.get().status().isForward()) {
                    return new Turned(parent.get().status(), parent.get().undoneAs());
                }
                try {
                    return advance(tx, progress, step, items, parent.get().depth());
                } catch (Unstartable e) {
                    return failed(e);
                }
            });
        } catch (Unstartable e) {
            return failed(e);
        }
    }

    private static Ended failed(Unstartable e) {
        return new Ended(null, Failed.nonRetryable(e.reason()), Duration.ZERO);
    }

    /** The elements that there is a child for; one, which is the payload, where there is no list. */
    private static List<JsonNode> items(SagaProgress progress, Step.Children work) throws Unstartable {
        var list = work.forEach();
        var payload = progress.saga().payload();
        if (list == null) {
            return List.of(payload);
        }
        var found = resolved(list, new SagaValues(payload, progress.answers()));
        if (!found.isArray() && !found.isNull()) {
            throw new Unstartable(Text.of("saga.journal.not-a-list"));
        }
        if (found.size() > MAX_CHILDREN) {
            throw new Unstartable(Text.of("saga.journal.list-too-long", "count", found.size(), "max", MAX_CHILDREN));
        }
        return found.valueStream().toList();
    }

    private Found advance(Tx tx, SagaProgress progress, Step step, List<JsonNode> items, int depth) throws Unstartable {
        var work = (Step.Children) step.work();
        var counts = store.count(tx, progress.id(), step.index());
        var failure = store.failure(tx, progress.id(), step.index());
        if (failure.isPresent()) {
            return new Ended(null, Failed.nonRetryable(reason(failure.get())), counts.age());
        }
        int room = Math.min(work.maxParallel() - counts.open(), items.size() - counts.started());
        if (room > 0) {
            if (depth >= MAX_DEPTH) {
                throw new Unstartable(Text.of("saga.journal.too-deep", "max", MAX_DEPTH));
            }
            var workflow = workflow(tx, progress, work);
            if (workflow.continuesAsNew()) {
                throw new Unstartable(Text.of("saga.journal.child-continues", "workflow", workflow.name()));
            }
            var children = new ArrayList<NewChild>();
            int from = counts.started();
            for (int i = from; i < from + Math.min(room, START_BATCH_SIZE); i++) {
                var id = new SagaId(ids.next());
                var payload = fitting(workflow, input(progress, work, items.get(i), i));
                children.add(new NewChild(id, i, payload, attributes(id, workflow, payload)));
            }
            store.start(tx, progress.id(), step.index(), items.size(), workflow, children);
            return new Started(workflow, children.size());
        }
        return counts.open() > 0 ? new Waiting() : completed(tx, progress, step, items, counts.age());
    }

    private Workflow workflow(Tx tx, SagaProgress progress, Step.Children work) throws Unstartable {
        var name = work.workflow();
        var found = work.each() == null
                ? definitions.startable(tx, name)
                : progress.workflow().ofEach(name);
        return found.orElseThrow(() -> new Unstartable(Text.of("saga.journal.no-workflow", "workflow", name)));
    }

    private static JsonNode input(SagaProgress progress, Step.Children work, JsonNode item, int index)
            throws Unstartable {
        var mapping = work.input();
        var element = work.forEach() == null ? null : new SagaValues.Element(item, index);
        var values = new SagaValues(progress.saga().payload(), progress.answers(), null, element);
        var input = mapping == null ? item : resolved(mapping, values);
        var each = work.each();
        if (each == null) {
            return storable(input);
        }
        // What its call and the one that undoes it read.
        var payload = JsonMapper.shared().createObjectNode().put("index", index);
        if (mapping != null) {
            payload.set("input", input);
        }
        if (mapping == null || each.call().map(Step.Call::compensateInput).isPresent()) {
            payload.set("item", item);
        }
        return storable(payload);
    }

    private static JsonNode resolved(InputMapping mapping, SagaValues values) throws Unstartable {
        try {
            return mapping.apply(values);
        } catch (MissingValue e) {
            throw new Unstartable(e.reason());
        }
    }

    /** The payload with its defaults, where it is one of the workflow. */
    private static JsonNode fitting(Workflow workflow, JsonNode given) throws Unstartable {
        var payload = workflow.payload().complete(given);
        var errors = workflow.payload().errors(payload);
        if (!errors.isEmpty()) {
            var first = errors.getFirst();
            throw new Unstartable(Text.of(
                    "saga.journal.bad-payload",
                    "workflow",
                    workflow.name(),
                    "field",
                    first.field(),
                    "reason",
                    first.message()));
        }
        return payload;
    }

    private static JsonNode storable(JsonNode payload) throws Unstartable {
        if (JsonSize.exceeds(payload, MAX_SIZE) || !StorableJson.isStorable(payload)) {
            throw new Unstartable(Text.of("saga.journal.input-too-large"));
        }
        return payload;
    }

    private static List<AttributeValue> attributes(SagaId id, Workflow workflow, JsonNode payload) throws Unstartable {
        try {
            return AttributeValue.all(id, workflow, payload);
        } catch (AttributeValue.NoValue e) {
            throw new Unstartable(e.reason());
        }
    }

    private static Text reason(ChildStore.Failure failure) {
        var reason = innermost(failure.reason());
        var child = failure.id().toString();
        return reason == null
                ? Text.of("saga.journal.child-ended", "child", child)
                : Text.of(CHILD_FAILED, "child", child, REASON, reason);
    }

    /** Why the last of a chain of children failed: each one above it says the same with a step and a saga before it. */
    private static @Nullable Text innermost(@Nullable Text failure) {
        var innermost = failure;
        while (innermost != null
                && innermost.arguments().get(REASON) instanceof Text own
                && own.key().equals(CHILD_FAILED)
                && own.arguments().get(REASON) instanceof Text of) {
            innermost = of;
        }
        return innermost;
    }

    /** The answers of the children; none where they are too large together, which only a step that refers to them minds. */
    private Found completed(Tx tx, SagaProgress progress, Step step, List<JsonNode> items, Duration took)
            throws Unstartable {
        var work = (Step.Children) step.work();
        var answers = answers(tx, progress.id(), step);
        JsonNode answer = JsonMapper.shared().nullNode();
        if (answers.isPresent()) {
            var list = JsonMapper.shared().createArrayNode();
            for (int i = 0; i < items.size(); i++) {
                var of = answers.get().get(i);
                list.add(of == null ? JsonMapper.shared().createObjectNode() : of);
            }
            answer = work.forEach() == null ? list.get(0) : list;
        }
        var request = work.forEach() == null ? input(progress, work, items.getFirst(), 0) : null;
        var outcome = new StepOutcome.Done(
                StorableJson.isStorable(answer) ? answer : JsonMapper.shared().nullNode());
        return new Ended(request, outcome, took);
    }

    /** The result of each child by its index, or the answers of its steps where its workflow has no output. */
    private Optional<Map<Integer, JsonNode>> answers(Tx tx, SagaId parent, Step step) {
        var versions = new HashMap<Integer, Workflow>();
        for (int version : store.versions(tx, parent, step.index())) {
            definitions
                    .find(tx, ((Step.Children) step.work()).workflow(), version)
                    .filter(workflow -> workflow.output() != null)
                    .ifPresent(workflow -> versions.put(version, workflow));
        }
        if (versions.isEmpty()) {
            return store.answers(tx, parent, step.index(), MAX_SIZE).map(HashMap::new);
        }
        var results = new HashMap<Integer, JsonNode>();
        var left = new AtomicLong(MAX_SIZE);
        boolean read = store.forEachCompleted(tx, parent, step.index(), MAX_READ_SIZE, child -> {
            var workflow = versions.get(child.version());
            var made = workflow == null ? object(child) : workflow.result(child.payload(), child.answers());
            var result = made == null ? JsonMapper.shared().nullNode() : made;
            if (left.get() >= 0 && left.addAndGet(-result.toString().length()) >= 0) {
                results.put(child.index(), result);
            }
        });
        return read && left.get() >= 0 ? Optional.of(results) : Optional.empty();
    }

    private static JsonNode object(ChildStore.Completed child) {
        var object = JsonMapper.shared().createObjectNode();
        child.answers().forEach((name, answer) -> {
            if (!answer.isNull()) {
                object.set(name, answer);
            }
        });
        return object;
    }

    /** Cancels the children of a step that go forward, undoes those that completed, or tells that all are undone. */
    Found undo(SagaProgress progress, Step step) {
        var work = (Step.Children) step.work();
        return db.inTransaction(tx -> {
            if (store.lock(tx, progress.id(), progress.saga().fence()).isEmpty()) {
                return new Lost();
            }
            var counts = store.count(tx, progress.id(), step.index());
            if (counts.started() == 0) {
                return new None();
            }
            if (counts.forward() > 0) {
                store.cancel(tx, progress.id(), step.index(), UNDONE_WITH_PARENT);
            }
            // As many side by side as on the way forward: with one at a time, in the reverse order of their starts.
            int room = work.maxParallel() - counts.open();
            int undone = room <= 0 ? 0 : store.undoCompleted(tx, progress.id(), step.index(), room, UNDONE_WITH_PARENT);
            return counts.open() + undone > 0
                    ? new Waiting()
                    : new Ended(null, new StepOutcome.Done(JsonMapper.shared().nullNode()), Duration.ZERO);
        });
    }

    /** The saga that a step goes on as. */
    Successor successor(SagaProgress progress, Step step) throws Unstartable {
        var work = (Step.Continuation) step.work();
        var name = work.workflow() == null ? progress.workflow().name() : work.workflow();
        var workflow = db.read(reads -> definitions.startable(reads, name))
                .orElseThrow(() -> new Unstartable(Text.of("saga.journal.no-workflow", "workflow", name)));
        var mapping = work.payload();
        var own = progress.saga().payload();
        var given = mapping == null ? own : storable(resolved(mapping, new SagaValues(own, progress.answers())));
        var payload = fitting(workflow, given);
        var id = new SagaId(ids.next());
        return new Successor(id, workflow, payload, attributes(id, workflow, payload));
    }
}
