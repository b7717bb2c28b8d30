package io.hiroba.testkit;

import io.hiroba.saga.workflow.InputMapping;
import io.hiroba.saga.workflow.RetryPolicy;
import io.hiroba.saga.workflow.RetryPolicy.Backoff;
import io.hiroba.saga.workflow.Step;
import io.hiroba.saga.workflow.Workflow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** Makes workflows whose steps call the service {@code test}: step {@code a} its method {@code do a}. */
public final class TestWorkflow {

    private static final RetryPolicy TWICE =
            new RetryPolicy(2, Backoff.FIXED, Duration.ofMillis(20), Duration.ofSeconds(1), 0);

    private final String name;
    private final List<Step> steps = new ArrayList<>();
    private @Nullable Duration totalTimeout;
    private RetryPolicy retry = TWICE;
    private Duration timeout = Duration.ofSeconds(5);
    private int stage;

    private TestWorkflow(String name) {
        this.name = name;
    }

    public static TestWorkflow named(String name) {
        return new TestWorkflow(name);
    }

    /** A workflow of steps that can all be undone, tried twice each. */
    public static Workflow of(String... steps) {
        return named("order").steps(steps).build();
    }

    /** For the steps that follow. */
    public TestWorkflow retrying(int attempts, Duration interval) {
        retry = new RetryPolicy(attempts, Backoff.FIXED, interval, interval, 0);
        return this;
    }

    /** For the steps that follow. */
    public TestWorkflow timeout(Duration limit) {
        timeout = limit;
        return this;
    }

    public TestWorkflow totalTimeout(Duration limit) {
        totalTimeout = limit;
        return this;
    }

    public TestWorkflow steps(String... names) {
        for (var each : names) {
            add(each, new Step.Call("test", "do " + each, "undo " + each, null, null));
            stage++;
        }
        return this;
    }

    public TestWorkflow mapped(String step, String input) {
        var mapping = new InputMapping(JsonMapper.shared().readTree(input));
        add(step, new Step.Call("test", "do " + step, "undo " + step, mapping, null));
        stage++;
        return this;
    }

    public TestWorkflow parallel(String... names) {
        for (var each : names) {
            add(each, new Step.Call("test", "do " + each, "undo " + each, null, null));
        }
        stage++;
        return this;
    }

    public TestWorkflow withoutUndo(String step) {
        add(step, new Step.Call("test", "do " + step, null, null, null));
        stage++;
        return this;
    }

    public TestWorkflow signal(String step, String signal, @Nullable Duration limit) {
        steps.add(new Step(steps.size(), stage++, step, new Step.Signal(signal), limit, retry));
        return this;
    }

    /** A step that the user with this id decides. */
    public TestWorkflow approval(String step, String assignee) {
        return approval(step, assignee, null);
    }

    /** As above, with a deadline. */
    public TestWorkflow approval(String step, String assignee, @Nullable Duration limit) {
        var assignees = new InputMapping(JsonMapper.shared().createArrayNode().add(assignee));
        var approval = new Step.Approval(assignees, "Order {{$.payload.order}}", "", List.of(), 1, null, null);
        steps.add(new Step(steps.size(), stage++, step, approval, limit, retry));
        return this;
    }

    /** A step beside another that waits for a signal. */
    public TestWorkflow parallelWithSignal(String step, String waiting, String signal, Duration limit) {
        add(step, new Step.Call("test", "do " + step, "undo " + step, null, null));
        return signal(waiting, signal, limit);
    }

    /** A step beside another that is one saga of {@code workflow}. */
    public TestWorkflow parallelWithChild(String step, String child, String workflow) {
        add(step, new Step.Call("test", "do " + step, "undo " + step, null, null));
        return child(child, workflow);
    }

    /** A step that is one saga of {@code workflow}. */
    public TestWorkflow child(String step, String workflow) {
        steps.add(new Step(steps.size(), stage++, step, new Step.Children(workflow, null, null, 10), null, retry));
        return this;
    }

    /** A step that is a saga of {@code workflow} for each element that {@code list} refers to. */
    public TestWorkflow forEach(String step, String workflow, String list, int maxParallel) {
        var input = new InputMapping(JsonMapper.shared().readTree("{\"item\": \"$.item\", \"number\": \"$.index\"}"));
        var items = new InputMapping(JsonMapper.shared().valueToTree(list));
        var children = new Step.Children(workflow, input, items, maxParallel);
        steps.add(new Step(steps.size(), stage++, step, children, null, retry));
        return this;
    }

    /** A step that ends the saga and starts another with {@code payload}. */
    public TestWorkflow continueAsNew(String step, String payload) {
        var next =
                new Step.Continuation(null, new InputMapping(JsonMapper.shared().readTree(payload)));
        steps.add(new Step(steps.size(), stage++, step, next, null, retry));
        return this;
    }

    private void add(String step, Step.Call call) {
        steps.add(new Step(steps.size(), stage, step, call, timeout, retry));
    }

    public Workflow build() {
        return new Workflow(name, 1, steps, totalTimeout);
    }
}
