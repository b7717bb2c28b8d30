package io.hiroba.saga.workflow;

import io.hiroba.platform.config.Durations;
import io.hiroba.saga.SagaRoles;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A step of a workflow.
 *
 * @param index its position among all steps, from 0 on
 * @param stage its position in the order: the steps of one stage are executed in parallel
 * @param timeout how long an attempt, or the wait for a signal, may take; null for no limit
 * @param when null where it is always executed
 * @param output its answer as later steps see it, made of that of the service; null where it is the same
 */
public record Step(
        int index,
        int stage,
        String name,
        Work work,
        @Nullable Duration timeout,
        RetryPolicy retry,
        @Nullable StepCondition when,
        @Nullable InputMapping output) {

    /** A step that is always executed, and whose answer is that of the service. */
    public Step(int index, int stage, String name, Work work, @Nullable Duration timeout, RetryPolicy retry) {
        this(index, stage, name, work, timeout, retry, null, null);
    }

    /** This call for each element of a list: sagas of {@code workflow}, which have this step alone. */
    Step forEach(String workflow, InputMapping list, int maxParallel) {
        var call = (Call) work;
        var sent = new InputMapping(Scalars.text(call.input() == null ? "$.payload.item" : "$.payload.input"));
        var each = new Call(
                call.service(),
                call.method(),
                call.compensate(),
                sent,
                call.compensateInput(),
                call.unknownOutcome(),
                call.status());
        return new Step(
                index,
                stage,
                name,
                new Children(workflow, call.input(), list, maxParallel, new Step(0, 0, name, each, timeout, retry)),
                null,
                RetryPolicy.DEFAULT);
    }

    Step at(int position) {
        return new Step(position, stage, name, work, timeout, retry, when, output);
    }

    /** The work of a step. */
    public sealed interface Work {}

    /**
     * A call of a service.
     *
     * @param compensate the method that undoes it; null where nothing does
     * @param input the input of the method; null for the saga's payload
     * @param compensateInput the input of {@code compensate}; null for that of the method
     * @param status the method that says whether it was done, by its answer or by 404; only with {@link UnknownOutcome#ASK}
     */
    public record Call(
            String service,
            String method,
            @Nullable String compensate,
            @Nullable InputMapping input,
            @Nullable InputMapping compensateInput,
            UnknownOutcome unknownOutcome,
            @Nullable String status)
            implements Work {

        public Call(
                String service,
                String method,
                @Nullable String compensate,
                @Nullable InputMapping input,
                @Nullable InputMapping compensateInput) {
            this(service, method, compensate, input, compensateInput, UnknownOutcome.COMPENSATE, null);
        }
    }

    /** The treatment of a call that may have taken effect without saying so, when the saga is undone. */
    public enum UnknownOutcome {
        /** It is compensated, which must tolerate that there is nothing to undo. */
        COMPENSATE,
        /** It counts as not done. */
        IGNORE,
        /** The service is asked first. */
        ASK
    }

    /** A wait for a signal, whose payload is the step's answer. */
    public record Signal(String name) implements Work {}

    /**
     * A wait for people who approve or reject. The time limit is that of the step.
     *
     * @param assignees a list of ids, e-mail addresses, roles and references to them
     * @param title a text in which {@code {{$.payload.id}}} refers to a value
     * @param text as the title, in Markdown; empty for none
     * @param quorum how many have to approve
     * @param reminder how long before the deadline they are reminded; null for never
     * @param escalateTo those who are asked as well from the reminder on; null for nobody
     */
    public record Approval(
            InputMapping assignees,
            String title,
            String text,
            List<Field> form,
            int quorum,
            @Nullable Duration reminder,
            @Nullable InputMapping escalateTo)
            implements Work {

        public Approval {
            form = List.copyOf(form);
        }

        /** Those of the people who are named as they are, not by a reference or an expression. */
        static List<String> literal(@Nullable InputMapping people) {
            return people == null
                    ? List.of()
                    : people.template()
                            .valueStream()
                            .map(JsonNode::stringValue)
                            .filter(name -> !InputMapping.isResolved(name))
                            .toList();
        }

        /** The assignees where all are accounts that are named as they are; empty where a role or a reference may bring others. */
        List<String> namedAssignees() {
            var names = assignees
                    .template()
                    .valueStream()
                    .map(JsonNode::stringValue)
                    .toList();
            return names.stream().anyMatch(name -> InputMapping.isResolved(name) || SagaRoles.isRole(name))
                    ? List.of()
                    : names;
        }

        /** The signal that brings the outcome: no signal of a workflow can have this name. */
        public static String signal(int step) {
            return "approval:" + step;
        }
    }

    /** The type of a field. */
    public enum FieldType {
        TEXT,
        NUMBER,
        BOOLEAN,
        DATE,
        CHOICE
    }

    /**
     * A field of the form of an approval.
     *
     * @param options of a choice; empty otherwise
     */
    public record Field(String name, String label, FieldType type, boolean required, List<String> options) {

        public Field {
            options = List.copyOf(options);
        }
    }

    /**
     * A wait for a set time.
     *
     * @param isUntil whether the value is a moment; else it is a duration from when the step is reached
     * @param value a text, or what yields one
     */
    public record Timer(boolean isUntil, InputMapping value) implements Work {

        /** The longest wait. */
        public static final Duration MAX = Duration.ofDays(3660);

        private static final Pattern SECONDS = Pattern.compile("-?\\d{1,12}(\\.\\d{1,9})?s");

        /** The duration or moment, or the reference or expression that yields it, as it is written. */
        public String text() {
            return value.template().asString("");
        }

        /** A duration as workflows, ISO 8601 or CEL write it; empty where {@code text} is none. */
        public static Optional<Duration> duration(String text) {
            try {
                if (text.startsWith("P") || text.startsWith("-P")) {
                    return Optional.of(Duration.parse(text));
                } else if (SECONDS.matcher(text).matches()) {
                    return Optional.of(Duration.parse("PT" + text));
                }
                return Optional.of(Durations.parse(text));
            } catch (IllegalArgumentException | DateTimeException | ArithmeticException e) {
                return Optional.empty();
            }
        }

        /** A moment of RFC 3339; empty where {@code text} is none. */
        public static Optional<Instant> moment(String text) {
            try {
                return Optional.of(OffsetDateTime.parse(text).toInstant());
            } catch (DateTimeException e) {
                return Optional.empty();
            }
        }
    }

    /** Its call, or the one that is made for each element of its list. */
    public Optional<Call> call() {
        var of = work instanceof Children children && children.each() != null ? children.each() : this;
        return of.work() instanceof Call call ? Optional.of(call) : Optional.empty();
    }

    /** Whether it asks an agent. */
    public boolean asksAgent() {
        return work instanceof Call call && call.service().equals(StepReader.AGENTS);
    }

    /** The nickname of the agent that it asks; empty where it asks none, or one that a reference names. */
    public Optional<String> agent() {
        return asksAgent() && work instanceof Call call && call.input() != null
                ? Optional.of(call.input().template().path("nickname").asString(""))
                        .filter(nickname -> !nickname.isEmpty() && !InputMapping.isResolved(nickname))
                : Optional.empty();
    }

    /** Whether it asks an agent for a form with more than one text. */
    public boolean asksForMoreThanText() {
        if (!asksAgent() || !(work instanceof Call call) || call.input() == null) {
            return false;
        }
        var form = call.input().template().path("answer");
        return form.size() > 1
                || (form.size() == 1
                        && !form.path(0).path("type").asString("text").equals("text"));
    }

    /** Whether it waits for people, and holds nothing meanwhile. */
    public boolean waits() {
        return work instanceof Signal || work instanceof Approval;
    }

    /**
     * Sagas of another workflow, which this one waits for and undoes with itself. One saga, whose answers by step are the
     * step's answer; or one for each element of a list, which may be none, and then the answer is the list of theirs.
     *
     * @param input the payload of a child; null for the saga's payload, or the element of the list
     * @param forEach the reference to the list; null for one child
     * @param maxParallel how many run at the same time
     * @param each the only step of a child, where the step is a call for each element and {@code workflow} is not registered; the answer
     *     is then the list of its answers, and {@code input} is that of the method
     */
    public record Children(
            String workflow,
            @Nullable InputMapping input,
            @Nullable InputMapping forEach,
            int maxParallel,
            @Nullable Step each)
            implements Work {

        public Children(
                String workflow, @Nullable InputMapping input, @Nullable InputMapping forEach, int maxParallel) {
            this(workflow, input, forEach, maxParallel, null);
        }
    }

    /**
     * The end of the saga, and the start of its successor: a long loop is a chain of sagas with short logs.
     *
     * @param workflow that of the successor; null for the same
     * @param payload that of the successor; null for the saga's payload
     */
    public record Continuation(
            @Nullable String workflow, @Nullable InputMapping payload) implements Work {}
}
