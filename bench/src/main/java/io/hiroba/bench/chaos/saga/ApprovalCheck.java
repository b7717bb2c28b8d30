package io.hiroba.bench.chaos.saga;

import io.hiroba.bench.chaos.saga.Approvers.Decision;
import io.hiroba.bench.chaos.saga.SagaReport.Difference;
import io.hiroba.saga.SagaStatus;
import io.hiroba.saga.StepAction;
import io.hiroba.saga.StepStatus;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;

/** Checks an approval: each person decided once, one outcome counts, and its saga went on as was decided. */
final class ApprovalCheck {

    private final Approval approval;
    private final ObservedSaga saga;
    private final List<Decision> decisions;
    private final List<String> violations = new ArrayList<>();

    /**
     * The stored state of an approval.
     *
     * @param verdicts by users, in their order, such as {@code 11+} and {@code 12-}
     * @param events the types of its events, in order
     * @param openItems the inbox items that still ask for it
     * @param items all of its inbox items
     */
    record Approval(
            long id,
            String saga,
            int step,
            int quorum,
            String state,
            List<String> verdicts,
            List<String> events,
            int openItems,
            int items) {

        private long count(String end) {
            return verdicts.stream().filter(verdict -> verdict.endsWith(end)).count();
        }
    }

    ApprovalCheck(Approval approval, ObservedSaga saga, List<Decision> decisions) {
        this.approval = approval;
        this.saga = saga;
        this.decisions = decisions;
    }

    static List<Approval> read(Handle handle) {
        return handle.createQuery("""
                        SELECT a.id, a.saga_id::text AS saga, a.step_index, a.quorum, a.state,
                               array(SELECT d.user_id || CASE WHEN d.approved THEN '+' ELSE '-' END
                                     FROM saga.approval_decisions AS d
                                     WHERE d.approval_id = a.id ORDER BY d.number) AS verdicts,
                               array(SELECT e.payload ->> 'type' FROM platform.event_logs AS e
                                     WHERE e.partition_id = get_byte(uuid_send(a.saga_id), 15)
                                       AND e.payload ->> 'approvalId' = lpad(upper(to_hex(a.id)), 16, '0')
                                     ORDER BY e.event_id) AS events,
                               count(n.id) FILTER (WHERE n.state <> 2) AS open_items, count(n.id) AS items
                        FROM saga.approvals AS a
                        LEFT JOIN inbox.resources AS r ON r.external_id = lpad(upper(to_hex(a.id)), 16, '0')
                        LEFT JOIN inbox.notifications AS n ON n.resource_id = r.id
                        GROUP BY a.id
                        ORDER BY a.id
                        """)
                .map((row, ctx) -> new Approval(
                        row.getLong("id"),
                        row.getString("saga"),
                        row.getInt("step_index"),
                        row.getInt("quorum"),
                        row.getString("state"),
                        texts(row.getArray("verdicts").getArray()),
                        texts(row.getArray("events").getArray()),
                        row.getInt("open_items"),
                        row.getInt("items")))
                .list();
    }

    private static List<String> texts(Object array) {
        return Arrays.stream((Object[]) array).map(String::valueOf).toList();
    }

    static List<Difference> all(List<Approval> approvals, List<ObservedSaga> sagas, List<Decision> decisions) {
        var byId = sagas.stream().collect(Collectors.toMap(ObservedSaga::id, Function.identity()));
        var byApproval = decisions.stream().collect(Collectors.groupingBy(Decision::approval));
        var differences = new ArrayList<Difference>();
        for (var approval : approvals) {
            var sent = byApproval.getOrDefault(approval.id(), List.of());
            var saga = byId.get(approval.saga());
            var found = saga == null ? List.of("has no saga") : new ApprovalCheck(approval, saga, sent).violations();
            if (!found.isEmpty()) {
                differences.add(new Difference(
                        approval + "\n  of " + saga,
                        found,
                        sent.stream().map(Decision::toString).toList()));
            }
        }
        return differences;
    }

    /** The number of approvals by their states. */
    static Map<String, Long> states(List<Approval> approvals) {
        return approvals.stream().collect(Collectors.groupingBy(Approval::state, Collectors.counting()));
    }

    /** Returns the violations. */
    List<String> violations() {
        checkDecisions();
        checkState();
        checkStep();
        checkEvents();
        check(approval.openItems() == 0, "%d inbox items still ask for it".formatted(approval.openItems()));
        check(
                approval.items() == ChaosWorkflow.APPROVERS.size(),
                "%d inbox items were made for it".formatted(approval.items()));
        return violations;
    }

    private void check(boolean holds, String violation) {
        if (!holds) {
            violations.add(violation);
        }
    }

    private void checkDecisions() {
        for (long user : ChaosWorkflow.APPROVERS) {
            var own = decisions.stream()
                    .filter(decision -> decision.user() == user)
                    .toList();
            var done =
                    own.stream().filter(decision -> decision.reply().isDone()).toList();
            var stored = approval.verdicts().stream()
                    .filter(verdict -> verdict.startsWith(String.valueOf(user)))
                    .toList();
            check(done.size() <= 1, "%d was told to have decided %d times".formatted(user, done.size()));
            check(stored.size() <= 1, "%d has decided %d times".formatted(user, stored.size()));
            for (var decision : done) {
                check(stored.contains(verdict(decision)), "the decision of %d is lost".formatted(user));
            }
            for (var verdict : stored) {
                check(
                        own.stream()
                                .filter(decision -> decision.reply().isDone()
                                        || decision.reply().isUnknown())
                                .anyMatch(decision -> verdict(decision).equals(verdict)),
                        "%d has not decided %s".formatted(user, verdict));
            }
        }
    }

    private static String verdict(Decision decision) {
        return decision.user() + (decision.approve() ? "+" : "-");
    }

    private void checkState() {
        long agreed = approval.count("+");
        long refused = approval.count("-");
        boolean hopeless =
                (approval.quorum() == 1 && refused > 0) || ChaosWorkflow.APPROVERS.size() - refused < approval.quorum();
        var settled = agreed >= approval.quorum() ? "approved" : hopeless ? "rejected" : "";
        if (settled.isEmpty()) {
            check(
                    List.of("open", "overdue", "withdrawn").contains(approval.state()),
                    "is %s, though too few have decided".formatted(approval.state()));
            boolean over = saga.hasEnded() || saga.status() == SagaStatus.COMPENSATING;
            check(!over || !approval.state().equals("open"), "is open, though its saga is " + saga.status());
        } else {
            check(approval.state().equals(settled), "is %s, and was %s".formatted(approval.state(), settled));
        }
    }

    private void checkStep() {
        var rows = saga.rows(approval.step(), StepAction.EXECUTE);
        check(rows.size() <= 1, "its step ended %d times".formatted(rows.size()));
        for (var row : rows) {
            var wanted = row.status() == StepStatus.SUCCESS
                    ? "approved"
                    : row.status() == StepStatus.TIMEOUT ? "overdue" : "rejected";
            check(approval.state().equals(wanted), "is %s, and its step %s".formatted(approval.state(), row.status()));
        }
        check(
                saga.status() != SagaStatus.COMPLETED || approval.state().equals("approved"),
                "is %s, and its saga completed".formatted(approval.state()));
    }

    private void checkEvents() {
        check(Collections.frequency(approval.events(), "approval-requested") == 1, "was requested more than once");
        check(
                Collections.frequency(approval.events(), "approval-decided")
                        == approval.verdicts().size(),
                "the events of its decisions are others than the decisions");
        check(
                Collections.frequency(approval.events(), "approval-closed")
                        == (approval.state().equals("open") ? 0 : 1),
                "is %s, and its events are %s".formatted(approval.state(), approval.events()));
    }
}
