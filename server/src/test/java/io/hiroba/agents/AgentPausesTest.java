package io.hiroba.agents;

import static io.hiroba.agents.ActingAgent.SMALL;
import static io.hiroba.agents.ActingAgent.asksFor;
import static io.hiroba.agents.ActingAgent.says;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hiroba.accounts.AuditLog.Action;
import io.hiroba.agents.AgentRun.State;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.task.WakeSignal;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Agents that are paused, one or all, and their quiet hours. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AgentPausesTest {

    private final ActingAgent it = new ActingAgent();
    private final AgentPauses pauses = pauses(Clock.systemUTC());

    private AgentPauses pauses(Clock clock) {
        return new AgentPauses(it.social.db, clock, it.social.accounts.module.audit(), new WakeSignal());
    }

    @BeforeEach
    void begin() {
        it.begin();
    }

    @AfterAll
    void close() {
        it.close();
    }

    @Test
    void aPausedRunStopsBeforeItsNextCallAndGoesOnAfterwards() throws InterruptedException {
        it.asked(
                (request, onText) -> {
                    pauses.pauseAll(it.admin, false);
                    return asksFor(SMALL, "{\"content\":\"Not yet\"}").call(request, onText);
                },
                says("Posted."));
        assertThat(it.work()).isTrue();
        assertThat(it.tools.made).isEmpty();
        assertThat(it.run().state()).isEqualTo(State.WAITING);
        assertThat(it.run().attempts()).isZero();
        assertThat(it.work()).as("nothing is claimed").isFalse();
        pauses.resumeAll(it.admin);
        assertThat(it.work()).isTrue();
        assertThat(it.tools.made).hasSize(1);
        assertThat(it.reply()).isEqualTo("Posted.");
    }

    @Test
    void aPausedAgentPostsNothingAndOthersGoOn() throws InterruptedException {
        it.asked(
                (request, onText) -> {
                    pauses.pause(it.admin, it.agent, false);
                    return says("Unwanted.").call(request, onText);
                },
                says("Wanted."));
        assertThat(it.work()).isTrue();
        assertThat(it.reply()).isEmpty();
        assertThat(it.work()).isFalse();
        pauses.resume(it.admin, it.agent);
        assertThat(it.work()).isTrue();
        assertThat(it.reply()).isEqualTo("Wanted.");
    }

    @Test
    void whatWaitsForAnApprovalStaysOrIsEnded() throws InterruptedException {
        long stays = it.waiting("{}");
        pauses.pauseAll(it.admin, false);
        it.approvals.decide(it.ann, stays, true, "");
        assertThat(it.work()).isFalse();
        pauses.resumeAll(it.admin);
        assertThat(it.work()).isTrue();
        assertThat(it.tools.made).hasSize(1);
        it.script.clear();
        long ended = it.waiting("{}");
        pauses.pause(it.admin, it.agent, true);
        assertThat(it.run().state()).isEqualTo(State.STOPPED);
        assertThat(it.events(ended)).endsWith("approval-closed withdrawn");
        assertThat(pauses.of(it.agent).open()).isZero();
        pauses.resume(it.admin, it.agent);
        assertThat(List.of(Action.AGENTS_PAUSED, Action.AGENTS_RESUMED, Action.AGENT_PAUSED, Action.AGENT_RESUMED))
                .allSatisfy(
                        action -> assertThat(it.social.accounts.audited(action)).isNotEmpty());
    }

    @Test
    void onlyAdminsPause() {
        assertThatThrownBy(() -> pauses.pauseAll(it.ann, false)).isInstanceOf(Problem.class);
        assertThatThrownBy(() -> pauses.resumeAll(it.ann)).isInstanceOf(Problem.class);
        assertThatThrownBy(() -> pauses.pause(it.ann, it.agent, true)).isInstanceOf(Problem.class);
        assertThatThrownBy(() -> pauses.setQuiet(it.ann, it.agent, null)).isInstanceOf(Problem.class);
        assertThatThrownBy(() -> pauses.pause(it.admin, it.ann.user(), true)).isInstanceOf(Problem.class);
    }

    @ParameterizedTest
    @CsvSource({
        // In Tokyo, UTC+9, from 22:00 until 07:00.
        "22:00,07:00,Asia/Tokyo,2026-03-01T12:59:00Z,",
        "22:00,07:00,Asia/Tokyo,2026-03-01T13:00:00Z,PT9H",
        "22:00,07:00,Asia/Tokyo,2026-03-01T21:59:00Z,PT1M",
        "22:00,07:00,Asia/Tokyo,2026-03-01T22:00:00Z,",
        "12:00,13:30,UTC,2026-03-01T12:30:00Z,PT1H",
        "12:00,13:30,UTC,2026-03-01T13:30:00Z,",
        // The clocks go forward at 01:00 UTC, and the night is an hour shorter.
        "22:00,07:00,Europe/Berlin,2026-03-28T21:00:00Z,PT8H",
    })
    void quietHoursEndOnTimeInTheirZone(String from, String until, String zone, Instant now, Duration left) {
        assertThat(QuietHours.parse(from, until, zone).left(now)).isEqualTo(Optional.ofNullable(left));
    }

    @Test
    void whatAreNoQuietHoursIsRefused() {
        assertThatThrownBy(() -> QuietHours.parse("25:00", "07:00", "UTC")).isInstanceOf(Problem.class);
        assertThatThrownBy(() -> QuietHours.parse("07:00", "noon", "UTC")).isInstanceOf(Problem.class);
        assertThatThrownBy(() -> QuietHours.parse("07:00", "07:00", "UTC")).isInstanceOf(Problem.class);
        assertThatThrownBy(() -> QuietHours.parse("07:00", "08:00", "Moon/Base"))
                .isInstanceOf(Problem.class);
    }

    @Test
    void aQuietAgentAnswersAfterwards() throws InterruptedException {
        it.asked(says("Good morning."));
        var quiet = QuietHours.parse("22:00", "07:00", "Asia/Tokyo");
        assertThat(pauses.setQuiet(it.admin, it.agent, quiet).quiet()).isEqualTo(quiet);
        var night = pauses(Clock.fixed(Instant.parse("2026-03-01T13:00:00Z"), ZoneOffset.UTC));
        assertThat(night.quietFor(it.agent)).contains(Duration.ofHours(9));
        it.quietFor = night::quietFor;
        assertThat(it.work()).isTrue();
        assertThat(it.run().state()).isEqualTo(State.WAITING);
        assertThat(it.run().attempts()).isZero();
        assertThat(it.work()).as("it is due in the morning").isFalse();
        it.quietFor = agent -> Optional.empty();
        pauses.setQuiet(it.admin, it.agent, null);
        assertThat(it.work()).isTrue();
        assertThat(it.reply()).isEqualTo("Good morning.");
    }

    @Test
    void runsAreDeletedAfterTheirRetention() throws InterruptedException {
        it.asked(says("Once upon a time."));
        assertThat(it.work()).isTrue();
        pauses.sweepRuns(Duration.ofDays(1));
        assertThat(it.run().state()).isEqualTo(State.ANSWERED);
        it.social.db.useTransaction(
                tx -> tx.update("UPDATE agents.runs SET ended_at = now() - interval '2 d' WHERE ended_at IS NOT NULL")
                        .execute());
        long open = it.waiting("{}");
        pauses.sweepRuns(Duration.ofDays(1));
        assertThat(it.agents.runs(it.admin, it.agent, Optional.empty(), 10)).hasSize(1);
        assertThat(it.open()).containsExactly(open);
    }
}
