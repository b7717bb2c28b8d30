package io.hiroba.bench.chaos.saga;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.bench.chaos.saga.ApprovalCheck.Approval;
import io.hiroba.bench.chaos.saga.Approvers.Decision;
import io.hiroba.bench.chaos.saga.ObservedSaga.Row;
import io.hiroba.bench.chaos.saga.SagaNode.Reply;
import io.hiroba.saga.SagaStatus;
import io.hiroba.saga.StepAction;
import io.hiroba.saga.StepStatus;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Plants faults in approvals and has them found. The saga is {@code a [ b @2~3 ] c}, whose step 2 asks for two of three. */
class ApprovalCheckTest {

    private static final String ID = "019a0000-0000-7000-8000-000000000001";

    private final List<Decision> decisions = new ArrayList<>();
    private String state = "approved";
    private List<String> verdicts = List.of("11+", "12+");
    private SagaStatus status = SagaStatus.COMPLETED;
    private StepStatus step = StepStatus.SUCCESS;
    private int openItems;
    private int requests = 1;

    private void decided(long user, boolean approve, int reply) {
        decisions.add(new Decision(5, user, approve, new Reply(reply, "")));
    }

    private List<String> violations() {
        var events = new ArrayList<String>();
        for (int i = 0; i < requests; i++) {
            events.add("approval-requested");
        }
        verdicts.forEach(verdict -> events.add("approval-decided"));
        if (!state.equals("open")) {
            events.add("approval-closed");
        }
        var row = new Row(2, StepAction.EXECUTE, 1, step, false, null, "", false);
        var saga =
                new ObservedSaga(ID, 1, ChaosWorkflow.named("council"), status, false, true, List.of(row), List.of());
        var approval = new Approval(5, ID, 2, 2, state, verdicts, events, openItems, 3);
        return new ApprovalCheck(approval, saga, decisions).violations();
    }

    private void approved() {
        decided(11, true, 200);
        decided(12, true, 0);
        decided(12, false, 409);
    }

    @Test
    void whatIsRightIsTakenForRight() {
        approved();
        assertThat(violations()).isEmpty();
    }

    @Test
    void aLostAnInventedAndASecondDecisionAreSeen() {
        approved();
        decided(13, false, 200);
        decided(11, false, 200);
        verdicts = List.of("11+", "12-");
        assertThat(violations())
                .contains(
                        "11 was told to have decided 2 times",
                        "the decision of 11 is lost",
                        "12 has not decided 12-",
                        "the decision of 13 is lost");
    }

    @Test
    void anOutcomeThatNobodyDecidedIsSeen() {
        approved();
        verdicts = List.of("11+");
        assertThat(violations()).contains("is approved, though too few have decided");
        verdicts = List.of("11+", "12+");
        state = "rejected";
        assertThat(violations())
                .containsExactly(
                        "is rejected, and was approved",
                        "is rejected, and its step SUCCESS",
                        "is rejected, and its saga completed");
    }

    @Test
    void aSagaThatDoesNotGoOnAsWasDecidedIsSeen() {
        approved();
        step = StepStatus.TIMEOUT;
        status = SagaStatus.FAILED;
        assertThat(violations()).containsExactly("is approved, and its step TIMEOUT");
    }

    @Test
    void whatIsStillAskedForWhenTheSagaHasEndedIsSeen() {
        decided(11, true, 200);
        verdicts = List.of("11+");
        state = "open";
        step = StepStatus.TIMEOUT;
        status = SagaStatus.FAILED;
        openItems = 2;
        assertThat(violations()).contains("is open, though its saga is FAILED", "2 inbox items still ask for it");
    }

    @Test
    void aSecondRequestIsSeen() {
        approved();
        requests = 2;
        assertThat(violations()).containsExactly("was requested more than once");
    }
}
