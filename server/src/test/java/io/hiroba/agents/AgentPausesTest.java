package io.hiroba.agents;

import static io.hiroba.agents.ActingAgent.SMALL;
import static io.hiroba.agents.ActingAgent.asksFor;
import static io.hiroba.agents.ActingAgent.says;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hiroba.accounts.AuditLog.Action;
import io.hiroba.agents.AgentRun.State;
import io.hiroba.agents.Agents.Settings;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.task.WakeSignal;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Agents that are paused, one or all, their quiet hours, and the agents of members. */
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

    private final AgentMakers makers = new AgentMakers(
            it.social.db, Clock.systemUTC(), it.social.accounts.module.audit(), it.social.accounts.aiModels, 5);

    private static Settings settings(String nickname, String model) {
        return new Settings(nickname, model, null, "Be brief", List.of(SMALL), null, null, null, null);
    }

    private static void refused(String code, ThrowingCallable act) {
        assertThatThrownBy(act)
                .isInstanceOfSatisfying(
                        Problem.class, problem -> assertThat(problem.code()).isEqualTo(code));
    }

    @Test
    void aMemberWithTheRightMakesChangesPausesAndDeletesTheirOwnAgentsAndNoOthers() {
        var maker = it.social.person("Maker");
        refused("agents.not-maker", () -> it.agents.create(maker, settings("Own", "librarian")));
        refused("accounts.admin-only", () -> makers.grant(it.bob, maker.user()));
        refused("accounts.admin-only", () -> makers.allow(it.bob, "scripted"));
        refused("agents.invalid", () -> makers.grant(it.admin, it.agent));
        if (makers.allowed(it.admin).contains("scripted")) {
            makers.withdraw(it.admin, "scripted");
        }
        makers.grant(it.admin, maker.user());
        makers.grant(it.admin, maker.user());
        refused("agents.invalid", () -> it.agents.create(maker, settings("Own", "scripted")));
        refused("agents.invalid", () -> makers.allow(it.admin, "unheard-of"));
        makers.allow(it.admin, "scripted");
        var own = it.agents.create(maker, settings("Own", "scripted")).agent();
        assertThat(own.owner()).isEqualTo(maker.user());
        var id = own.id();

        refused("agents.not-yours", () -> it.agents.update(it.bob, id, settings("Mine", "librarian")));
        refused("agents.not-yours", () -> it.agents.delete(it.bob, id));
        refused("agents.not-yours", () -> pauses.pause(it.bob, id, false));
        refused("agents.not-yours", () -> pauses.setQuiet(it.bob, id, null));
        refused("agents.not-yours", () -> it.agents.update(maker, it.agent, settings("Mine", "librarian")));
        refused("agents.not-yours", () -> it.agents.delete(maker, it.agent));
        refused("accounts.admin-only", () -> pauses.pauseAll(maker, false));

        assertThat(it.agents
                        .update(maker, id, settings("Owner", "librarian"))
                        .agent()
                        .owner())
                .isEqualTo(maker.user());
        assertThat(pauses.pause(maker, id, false).paused()).isTrue();
        assertThat(pauses.resume(maker, id).paused()).isFalse();
        pauses.pause(maker, id, false);
        pauses.pause(it.admin, id, false);
        refused("agents.paused-by-admin", () -> pauses.resume(maker, id));
        assertThat(pauses.resume(it.admin, id).paused()).isFalse();

        for (int i = 0; i < 4; i++) {
            it.agents.create(maker, settings("Own" + i, "librarian"));
        }
        refused("agents.too-many-agents", () -> it.agents.create(maker, settings("Own5", "librarian")));
        it.social.db.useTransaction(tx -> tx.update("UPDATE agents.makers SET made = 20 WHERE user_id = :user")
                .bind("user", maker.user().value())
                .execute());
        it.agents.delete(maker, id);
        refused("agents.too-many-made", () -> it.agents.create(maker, settings("Own6", "librarian")));

        var other = it.social
                .db
                .read(reads -> new AgentStore().ownedBy(reads, maker.user()))
                .getFirst();
        refused("accounts.admin-only", () -> makers.revoke(maker, maker.user()));
        makers.revoke(it.admin, maker.user());
        refused("agents.maker-not-found", () -> makers.revoke(it.admin, maker.user()));
        refused("agents.not-maker", () -> it.agents.update(maker, other, settings("Late", "librarian")));
        it.agents.delete(maker, other);
        assertThat(it.social.accounts.audited(Action.AGENT_MAKER_ADDED)).isNotEmpty();
        assertThat(it.social.accounts.audited(Action.MEMBER_MODEL_ALLOWED)).isNotEmpty();
    }

    private void actAs(Agent agent, String nickname) {
        it.agent = agent.id();
        it.name = nickname;
    }

    @Test
    void aMembersAgentCountsOnItsOwnerAsksOthersForEachChangeAndIsSilentWithoutTheRight() throws InterruptedException {
        var maker = it.social.person("Maker");
        makers.grant(it.admin, maker.user());
        makers.allow(it.admin, "scripted");
        var agent = it.agents.create(maker, settings("Delegate", "scripted")).agent();
        actAs(agent, "Delegate");
        long open = it.waiting(SMALL, "{\"content\":\"What Ann said\"}");
        assertThat(it.tools.made).as("Ann has to approve it").isEmpty();
        it.approvals.decide(it.ann, open, true, "");
        assertThat(it.work()).isTrue();
        assertThat(it.tools.made).hasSize(1);
        var counted =
                it.social.db.read(reads -> reads.query("""
                        SELECT subject FROM agents.usage WHERE kind = 'caller' AND tokens > 0
                        """).mapTo(Long.class).list());
        assertThat(counted).contains(maker.user().value(), it.ann.user().value());

        makers.grant(it.admin, it.ann.user());
        var anns = it.agents.create(it.ann, settings("Helper", "scripted")).agent();
        actAs(anns, "Helper");
        it.asked(asksFor(SMALL, "{\"content\":\"Mine\"}"), says("Done."));
        assertThat(it.work()).isTrue();
        assertThat(it.reply()).as("the owner is not asked").isEqualTo("Done.");
        it.asked(
                (request, onText) -> {
                    makers.revoke(it.admin, it.ann.user());
                    return asksFor(SMALL, "{\"content\":\"Unwanted\"}").call(request, onText);
                },
                says("Too late."));
        assertThat(it.work()).isTrue();
        assertThat(it.reply()).as("it ends before its next call").isEmpty();
        assertThat(it.work()).isTrue();
        assertThat(it.run().reason()).isEqualTo(AgentRun.Reason.DISABLED);
        assertThat(makers.allows(anns, "scripted")).isTrue();
        makers.withdraw(it.admin, "scripted");
        assertThat(makers.allows(anns, "scripted")).isFalse();
        assertThat(makers.allows(anns, "librarian")).isTrue();
    }
}
