package io.hiroba.saga.engine;

import io.hiroba.accounts.AccountLookup;
import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.id.IdGenerator;
import io.hiroba.saga.SagaRoles;
import io.hiroba.saga.StorableJson;
import io.hiroba.saga.workflow.InputMapping;
import io.hiroba.saga.workflow.InputMapping.MissingValue;
import io.hiroba.saga.workflow.Step;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Asks the assignees of a step for their approval, and reminds them. Each happens once, whichever node does it and however
 * often it is tried: a node that dies afterwards leaves a request that the next one finds.
 */
final class ApprovalRequests {

    private static final int MAX_TITLE_LENGTH = 500;
    private static final int MAX_BODY_LENGTH = 100_000;
    private static final int MAX_ASSIGNEES = 1000;

    private final Db db;
    private final IdGenerator ids;
    private final InstantSource clock;
    private final FaultInjector faults;
    private final SagaRoles roles;
    private final AccountLookup accounts = new AccountLookup();
    private final ApprovalRequestStore store = new ApprovalRequestStore();

    ApprovalRequests(Db db, IdGenerator ids, InstantSource clock, FaultInjector faults) {
        this.db = db;
        this.ids = ids;
        this.clock = clock;
        this.faults = faults;
        this.roles = new SagaRoles(db);
    }

    /** The result of asking. */
    sealed interface Asked {}

    /** They are asked, and reminded if it was time. */
    record Open(boolean reminded) implements Asked {}

    /** Nobody can be asked: the step fails. */
    record Unanswerable(Text reason) implements Asked {}

    /** Another node owns the saga. */
    record Lost() implements Asked {}

    /** A request whose references are resolved. */
    record Request(
            String title,
            String body,
            List<Step.Field> form,
            int quorum,
            @Nullable Duration timeLeft) {}

    Asked ask(SagaProgress progress, Decision.Ask ask) {
        var step = ask.step();
        var approval = (Step.Approval) step.work();
        Request request;
        List<String> assignees;
        List<String> more;
        try {
            request = request(progress, step, approval);
            assignees = names(progress, approval.assignees());
            more = ask.remind() && approval.escalateTo() != null ? names(progress, approval.escalateTo()) : List.of();
        } catch (MissingValue e) {
            return new Unanswerable(e.reason());
        }
        if (assignees.size() > MAX_ASSIGNEES || more.size() > MAX_ASSIGNEES) {
            // Each of them would be looked up while the saga is locked.
            return new Unanswerable(Text.of("saga.journal.too-many-assignees", "max", MAX_ASSIGNEES));
        }
        if (!StorableJson.isStorable(request.title()) || !StorableJson.isStorable(request.body())) {
            return new Unanswerable(Text.of("saga.journal.approval-text"));
        }
        var asked = db.inTransaction(tx -> {
            var forward = store.lock(tx, progress.id(), progress.saga().fence());
            if (forward.isEmpty()) {
                return new Lost();
            }
            // Cancelled meanwhile: the next write finds that out, and nobody is asked.
            return forward.get() ? ask(tx, progress, step, ask.remind(), request, assignees, more) : new Open(true);
        });
        faults.at(FaultInjector.Point.WRITTEN);
        return asked;
    }

    private Asked ask(
            Tx tx,
            SagaProgress progress,
            Step step,
            boolean remind,
            Request request,
            List<String> assignees,
            List<String> more) {
        var found = store.find(tx, progress.id(), step.index());
        long id = found.map(ApprovalRequestStore.Found::id).orElseGet(ids::next);
        if (found.isEmpty()) {
            var people = new ArrayList<UserId>();
            var problem = resolve(tx, assignees, people);
            if (problem != null) {
                return new Unanswerable(problem);
            }
            if (people.size() < request.quorum()) {
                return new Unanswerable(
                        Text.of("saga.journal.too-few-assignees", "count", people.size(), "quorum", request.quorum()));
            }
            store.insert(tx, id, progress.id(), step, request);
            store.assign(tx, id, people);
        }
        boolean reminded = found.map(ApprovalRequestStore.Found::reminded).orElse(false);
        // Decided meanwhile: there is nothing to remind of.
        boolean open = found.map(ApprovalRequestStore.Found::open).orElse(true);
        if (remind && !reminded && open) {
            var people = new ArrayList<UserId>();
            // Whoever is unknown by now is left out: the others are still asked.
            resolve(tx, more, people);
            store.remind(tx, id, people);
        }
        return new Open(remind || reminded);
    }

    /** Closes the request of a step whose time is over; false if it was decided before. */
    boolean expire(SagaProgress progress, Step step) {
        return db.inTransaction(
                tx -> store.lock(tx, progress.id(), progress.saga().fence()).isEmpty()
                        || store.expire(tx, progress.id(), step.index()));
    }

    private static Request request(SagaProgress progress, Step step, Step.Approval approval) throws MissingValue {
        var payload = progress.saga().payload();
        var answers = progress.answers();
        return new Request(
                cut(InputMapping.text(approval.title(), payload, answers).replaceAll("\\R", " "), MAX_TITLE_LENGTH),
                cut(InputMapping.markdown(approval.text(), payload, answers), MAX_BODY_LENGTH),
                approval.form(),
                approval.quorum(),
                progress.waits().timeLeft(step, System.nanoTime()));
    }

    private static String cut(String text, int max) {
        int length = text.codePointCount(0, text.length());
        return length <= max ? text : text.substring(0, text.offsetByCodePoints(0, max - 1)) + "…";
    }

    /** The texts of a list; one that a reference brings may be a list itself. */
    private static List<String> names(SagaProgress progress, InputMapping mapping) throws MissingValue {
        var names = new LinkedHashSet<String>();
        collect(mapping.apply(progress.saga().payload(), progress.answers()), names);
        return List.copyOf(names);
    }

    private static void collect(JsonNode node, Set<String> names) {
        if (node.isArray()) {
            node.forEach(element -> collect(element, names));
        } else {
            names.add(node.isString() ? node.stringValue().strip() : node.toString());
        }
    }

    /**
     * Adds those whose accounts are active to {@code people}, without agents; returns a reason if a name is unknown. A role may
     * have no members.
     */
    private @Nullable Text resolve(Reads reads, List<String> names, List<UserId> people) {
        var found = new LinkedHashSet<UserId>();
        Text problem = null;
        for (var name : names) {
            var meant = roles.people(reads, name);
            if (meant.isEmpty() && problem == null && !SagaRoles.isRole(name)) {
                problem = name.isEmpty()
                        ? Text.of("saga.journal.assignee-empty")
                        : Text.of("saga.journal.assignee-unknown", "name", name);
            }
            found.addAll(meant);
        }
        found.removeAll(accounts.agents(reads, found));
        accounts.active(reads, found, clock.instant()).stream()
                .limit(MAX_ASSIGNEES)
                .forEach(people::add);
        return problem;
    }

    /** Why an approval was refused, as its outcome says. */
    static Text refusal(JsonNode outcome) {
        JsonNode last = null;
        for (var decision : outcome.path("decisions")) {
            if (!decision.path("approved").asBoolean(true)) {
                last = decision;
            }
        }
        if (last == null) {
            return Text.of("saga.journal.approval-unreachable");
        }
        var name = last.path("name").asString("");
        var comment = last.path("comment").asString("");
        return comment.isBlank()
                ? Text.of("saga.journal.rejected", "name", name)
                : Text.of("saga.journal.rejected-because", "name", name, "comment", comment);
    }
}
