package io.hiroba.saga;

import io.hiroba.accounts.AccountLookup;
import io.hiroba.accounts.AuditLog;
import io.hiroba.accounts.AuditLog.Changes;
import io.hiroba.accounts.AuditLog.Target;
import io.hiroba.accounts.AuditLog.TargetKind;
import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.http.SecretStore;
import io.hiroba.platform.i18n.Text;
import io.hiroba.saga.engine.Engine;
import io.hiroba.saga.workflow.Step;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The facade of approvals: steps of sagas that people decide. Assignees see the request and its form, and nothing else of the
 * saga; auditors see who was asked and who decided.
 */
public final class Approvals {

    private static final int MAX_COMMENT_LENGTH = 5000;

    private final Db db;
    private final InstantSource clock;
    private final Engine engine;
    private final SagaRoles roles;
    private final ApprovalLinks links;
    private final AuditLog audit;
    private final AccountLookup accounts = new AccountLookup();
    private final ApprovalStore store = new ApprovalStore();
    private final SagaStore sagas = new SagaStore();

    /** With the signing key of the database for its links. */
    public Approvals(Db db, InstantSource clock, Engine engine, SagaRoles roles) {
        this(db, clock, engine, roles, new ApprovalLinks(new SecretStore(db)));
    }

    Approvals(Db db, InstantSource clock, Engine engine, SagaRoles roles, ApprovalLinks links) {
        this.db = db;
        this.clock = clock;
        this.engine = engine;
        this.roles = roles;
        this.links = links;
        this.audit = new AuditLog(db);
    }

    /** The state of an approval. */
    public enum State {
        OPEN,
        APPROVED,
        REJECTED,
        /** Its deadline has passed. */
        OVERDUE,
        /** Its saga ended or was cancelled before it was decided. */
        WITHDRAWN
    }

    /**
     * A request for approval.
     *
     * @param workflowName null once its saga is gone
     * @param requestedBy the nickname of who started the saga; null if that was no person, or the account is gone
     * @param text Markdown
     * @param quorum how many have to approve
     * @param decisions in their order
     */
    public record Approval(
            long id,
            SagaId saga,
            @Nullable String workflowName,
            @Nullable String requestedBy,
            String stepName,
            String title,
            String text,
            List<Step.Field> form,
            int quorum,
            State state,
            Instant openedAt,
            @Nullable Instant deadline,
            List<Assignee> assignees,
            List<Verdict> decisions) {

        public Approval {
            form = List.copyOf(form);
            assignees = List.copyOf(assignees);
            decisions = List.copyOf(decisions);
        }

        /** Those who are asked and have not decided. */
        private List<UserId> undecided() {
            return assignees.stream()
                    .map(Assignee::user)
                    .filter(user -> decisions.stream().noneMatch(each -> user.equals(each.user())))
                    .toList();
        }

        private Approval withActive(Collection<UserId> active) {
            var marked = assignees.stream()
                    .map(each -> new Assignee(each.user(), each.nickname(), !active.contains(each.user())))
                    .toList();
            return new Approval(
                    id,
                    saga,
                    workflowName,
                    requestedBy,
                    stepName,
                    title,
                    text,
                    form,
                    quorum,
                    state,
                    openedAt,
                    deadline,
                    marked,
                    decisions);
        }

        /** How many have approved. */
        public int approvals() {
            return (int) decisions.stream().filter(Verdict::approved).count();
        }

        /** Whether this user is asked and has not decided. */
        public boolean awaits(UserId user) {
            return state == State.OPEN && undecided().contains(user);
        }
    }

    /**
     * A user who is asked.
     *
     * @param suspended whether they cannot decide now, as far as was asked
     */
    public record Assignee(UserId user, String nickname, boolean suspended) {}

    /**
     * The decision of an assignee.
     *
     * @param user null once the account is deleted
     * @param name empty then
     */
    public record Verdict(
            @Nullable UserId user, String name, boolean approved, String comment, JsonNode answers, Instant at) {}

    /** The answer of an assignee. */
    public record Answer(boolean approve, String comment, JsonNode answers) {}

    /** The approval, for its assignees and for auditors, with who is suspended. Others are told that there is none. */
    public Approval get(Caller caller, long id) {
        var found = find(id);
        if (!isAssignee(found, caller.user()) && !roles.of(caller).covers(SagaRole.AUDITOR)) {
            throw SagaProblem.noApproval();
        }
        return db.read(reads -> marked(reads, List.of(found))).getFirst();
    }

    private List<Approval> marked(Reads reads, List<Approval> approvals) {
        var asked = approvals.stream()
                .flatMap(each -> each.assignees().stream())
                .map(Assignee::user)
                .collect(Collectors.toSet());
        var active = Set.copyOf(accounts.active(reads, asked, clock.instant()));
        return approvals.stream().map(each -> each.withActive(active)).toList();
    }

    /**
     * An approval in a list of its assignees.
     *
     * @param workflowName null once its saga is archived
     */
    public record Summary(
            long id,
            @Nullable String workflowName,
            @Nullable Instant deadline) {}

    /** Those of the approvals that there are. Whoever asks has seen to it that they are shown to nobody but their assignees. */
    public List<Summary> summaries(Reads reads, Collection<Long> ids) {
        return store.summaries(reads, ids);
    }

    /** The approvals that a saga has requested, in the order of its steps, with who is suspended. */
    public List<Approval> of(Caller caller, SagaId saga) {
        roles.requireAuditor(caller);
        return db.read(reads -> marked(reads, store.ofSaga(reads, saga)));
    }

    /** Approves or rejects in the name of the caller, who must be an assignee. */
    public void decide(Caller caller, long id, Answer answer) {
        db.useTransaction(tx -> decide(tx, caller, id, answer));
    }

    /** As above, in the caller's transaction. */
    public void decide(Tx tx, Caller caller, long id, Answer answer) {
        var found = store.find(tx, id).orElseThrow(SagaProblem::noApproval);
        if (!isAssignee(found, caller.user())) {
            throw roles.of(tx, caller).covers(SagaRole.AUDITOR) ? SagaProblem.notAssignee() : SagaProblem.noApproval();
        }
        decide(tx, caller, found, answer);
    }

    /** As above, with the answers as texts, by the names of the fields. */
    public void decide(Caller caller, long id, boolean approve, String comment, Map<String, String> texts) {
        var form = get(caller, id).form();
        decide(caller, id, new Answer(approve, comment, ApprovalForm.typed(form, texts)));
    }

    /**
     * Takes somebody out of the open approvals they are asked for, each in a transaction: where an account goes with all of its
     * rows at once, the sagas of all of them would be locked.
     */
    void leave(UserId user) {
        for (var left : db.read(reads -> store.open(reads, user))) {
            db.useTransaction(tx -> {
                sagas.lock(tx, left.saga());
                store.leave(tx, left.approval(), user);
                leaveUnreachable(tx, left.approval());
                tx.afterCommit(engine::wake);
            });
        }
    }

    /** Ends those of the approvals somebody is asked for that too few are left to decide, now that they are suspended. */
    void suspended(Tx tx, UserId user) {
        for (var asked : store.open(tx, user)) {
            sagas.lock(tx, asked.saga());
            leaveUnreachable(tx, asked.approval());
        }
        tx.afterCommit(engine::wake);
    }

    /**
     * Takes those out who are suspended without an end, if an open approval cannot reach its quorum without them; otherwise it
     * goes on asking them, for when they are back. The saga is locked.
     */
    private void leaveUnreachable(Tx tx, long id) {
        var found = store.find(tx, id).filter(each -> each.state() == State.OPEN);
        if (found.isEmpty()) {
            return;
        }
        var approval = found.get();
        var undecided = approval.undecided();
        var gone = accounts.suspendedForGood(tx, undecided);
        if (approval.approvals() + undecided.size() - gone.size() < approval.quorum()) {
            gone.forEach(each -> store.leave(tx, id, each));
        }
    }

    /** The approval of a link in a mail, with the assignee whom the mail was sent to, unless they are suspended; the link ends with the approval. */
    public Optional<Linked> linked(String token) {
        return links.read(token)
                .flatMap(link -> db.read(reads -> accounts.active(reads, List.of(link.user()), clock.instant())
                                        .isEmpty()
                                ? Optional.<Approval>empty()
                                : store.find(reads, link.approval()))
                        .filter(found -> isAssignee(found, link.user()))
                        .map(found -> new Linked(found, link.user())));
    }

    /** An approval that somebody came to by a mail. */
    public record Linked(Approval approval, UserId user) {}

    /** Decides by the link of a mail, once: a second decision is refused as any other. */
    public void decideLinked(String token, boolean approve, String comment, Map<String, String> texts) {
        var linked = linked(token).orElseThrow(SagaProblem::noApproval);
        var approval = linked.approval();
        var caller = new Caller(linked.user(), false, new Caller.ByServer(), null);
        var answer = new Answer(approve, comment, ApprovalForm.typed(approval.form(), texts));
        db.useTransaction(tx -> decide(tx, caller, approval, answer));
    }

    /** The path of the link in a mail to this user about the approval. */
    public String mailPath(UserId user, long approval) {
        return "/approvals/mail/" + links.write(approval, user);
    }

    /**
     * The saga is locked first, as by everybody who acts on it: of two who decide at once the second sees what the first did,
     * and one that is cancelled is not decided.
     */
    private void decide(Tx tx, Caller caller, Approval seen, Answer answer) {
        // Nobody agrees in the name of somebody else.
        caller.requireNotActing();
        var user = caller.user();
        if (accounts.active(tx, List.of(user), clock.instant()).isEmpty()) {
            throw SagaProblem.noApproval();
        }
        if (answer.comment().length() > MAX_COMMENT_LENGTH || !StorableJson.isStorable(answer.comment())) {
            throw SagaProblem.invalid("comment", Text.of("saga.field.comment", "max", MAX_COMMENT_LENGTH));
        }
        var saga = sagas.lock(tx, seen.saga()).orElseThrow(SagaProblem::noApproval);
        var current = store.find(tx, seen.id()).orElseThrow(SagaProblem::noApproval);
        if (current.decisions().stream().anyMatch(each -> user.equals(each.user()))) {
            throw SagaProblem.decidedAlready();
        }
        if (current.state() != State.OPEN) {
            throw SagaProblem.approvalClosed(current.state());
        }
        var answers = ApprovalForm.checked(current.form(), answer.answers(), answer.approve());
        store.insert(tx, seen.id(), user, answer.approve(), answer.comment().strip(), answers);
        store.settle(tx, seen.id(), user);
        leaveUnreachable(tx, seen.id());
        var action = answer.approve() ? AuditLog.Action.APPROVAL_APPROVED : AuditLog.Action.APPROVAL_REJECTED;
        audit.record(
                tx,
                caller,
                action,
                Target.of(TargetKind.SAGA, seen.saga().toString(), saga.workflowName()),
                Changes.NONE.with("step", null, seen.stepName()));
        tx.afterCommit(engine::wake);
    }

    private Approval find(long id) {
        return db.read(reads -> store.find(reads, id)).orElseThrow(SagaProblem::noApproval);
    }

    private static boolean isAssignee(Approval approval, UserId user) {
        return approval.assignees().stream().anyMatch(each -> each.user().equals(user));
    }
}
