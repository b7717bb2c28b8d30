package io.hiroba.agents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.agents.Agent.Wake;
import io.hiroba.agents.AgentTrigger.WeeklyTimes;
import io.hiroba.agents.AgentTriggers.NewTrigger;
import io.hiroba.agents.Agents.Settings;
import io.hiroba.platform.events.EventLog.NewEvent;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.task.WakeSignal;
import io.hiroba.testkit.SettableClock;
import io.hiroba.testkit.TestSocial;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Triggers that wake agents for somebody once for each time and each item, whichever node dies. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AgentTriggersTest {

    private static final AgentsConfig CONFIG = new AgentsConfig(true, 3, 1, 0, 0, 0);

    private final TestSocial social = new TestSocial();
    private final SettableClock clock = new SettableClock(Instant.now().truncatedTo(ChronoUnit.SECONDS));
    private final Agents agents = new Agents(
            social.db, social.accounts.users, social.accounts.aiModels, social.accounts.module.audit(), Set.of());
    private final AgentTriggers triggers = node(point -> {});
    private final Caller admin = Caller.server(social.person("Admin").user());
    private Caller ann = admin;
    private UserId agent = new UserId(0);
    private int count;

    AgentTriggersTest() {
        social.consume(AgentWaker.CONSUMER, new AgentWaker(social.accounts.lease.ids(), CONFIG, new WakeSignal()));
        social.consume(AgentTriggers.CONSUMER, triggers);
    }

    private AgentTriggers node(Consumer<String> faults) {
        return new AgentTriggers(
                new AgentTriggers.Parts(social.db, social.accounts.lease.ids(), clock, agents, social.messages, true),
                faults);
    }

    @BeforeEach
    void begin() {
        ann = social.person("Ann" + ++count);
        agent = made("Waker" + count, null);
    }

    private UserId made(String name, @Nullable List<String> wake) {
        return agents.create(admin, new Settings(name, "librarian", null, null, null, wake, null, null, null))
                .agent()
                .id();
    }

    @AfterAll
    void close() {
        social.close();
    }

    private AgentTrigger schedule() {
        return schedule("What is new?");
    }

    private AgentTrigger schedule(String prompt) {
        var soon = clock.instant()
                .plus(Duration.ofMinutes(2))
                .atZone(ZoneOffset.UTC)
                .toLocalTime();
        return triggers.add(
                ann,
                agent,
                new NewTrigger(
                        Wake.SCHEDULE,
                        prompt,
                        WeeklyTimes.parse(soon.truncatedTo(ChronoUnit.MINUTES).toString(), List.of(), "UTC")));
    }

    private AgentTrigger on(Wake kind) {
        return triggers.add(ann, agent, new NewTrigger(kind, "Look at this.", null));
    }

    private void item(String action, @Nullable UserId author, String url) {
        social.db.useTransaction(tx -> social.log()
                .append(
                        tx,
                        NewEvent.of(ann.user().value(), "inbox-item-created")
                                .with("userId", ann.user().hex())
                                .with(
                                        "itemId",
                                        "%016X"
                                                .formatted(social.accounts
                                                        .lease
                                                        .ids()
                                                        .next()))
                                .with("action", action)
                                .with("resourceType", "post")
                                .with("authorId", author == null ? "" : author.hex())
                                .with("url", url)));
        social.settle();
    }

    private List<AgentRun> runs() {
        social.settle();
        return agents.runs(ann, agent, Optional.empty(), 100);
    }

    private @Nullable String failure() {
        return triggers.list(ann, agent).getFirst().failure();
    }

    @Test
    void aScheduleSendsItsPromptOnceForEachTimeThoughManyNodesLook() throws Exception {
        var added = schedule();
        triggers.fireDue();
        assertThat(runs()).isEmpty();
        // Days on which no node ran lead to one message.
        clock.advance(Duration.ofDays(3));
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (var each : IntStream.range(0, 4)
                    .mapToObj(i -> threads.submit(() -> node(point -> {}).fireDue()))
                    .toList()) {
                each.get();
            }
        }
        assertThat(runs()).hasSize(1);
        var run = runs().getFirst();
        assertThat(run.wokenBy()).isEqualTo(Wake.SCHEDULE);
        assertThat(run.caller()).isEqualTo(ann.user());
        var thread = run.thread();
        assertThat(thread).isNotNull();
        assertThat(social.messages.messages(ann, thread, Optional.empty(), 10))
                .singleElement()
                .satisfies(message -> assertThat(message.content()).isEqualTo("What is new?"));
        var after = triggers.list(ann, agent).getFirst();
        assertThat(after.dueAt()).isAfter(clock.instant());
        assertThat(after.lastAt()).isEqualTo(clock.instant());
        assertThat(after.id()).isEqualTo(added.id());
        assertThat(failure()).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"advanced", "sent"})
    void aNodeThatDiesWhileItFiresLeavesOneMessageToTheNext(String deadly) {
        schedule();
        clock.advance(Duration.ofHours(1));
        var dying = node(point -> {
            if (point.equals(deadly)) {
                throw new AssertionError("died");
            }
        });
        assertThatThrownBy(dying::fireDue).isInstanceOf(AssertionError.class);
        assertThat(runs()).isEmpty();
        triggers.fireDue();
        triggers.fireDue();
        assertThat(runs()).hasSize(1);
    }

    @Test
    void oneThatCannotBeFiredKeepsNoOtherFromItAndIsTriedAgain() {
        var bad = schedule();
        var good = schedule("What else?");
        clock.advance(Duration.ofHours(1));
        var firing = new AtomicInteger();
        node(point -> {
                    if (point.equals("advanced") && firing.getAndIncrement() == 0) {
                        throw new IllegalStateException("cannot be fired");
                    }
                })
                .fireDue();
        assertThat(runs()).hasSize(1);
        assertThat(triggers.list(ann, agent).stream().filter(each -> each.lastAt() == null))
                .as("%s and %s are due at once", bad, good)
                .hasSize(1);
        clock.advance(Duration.ofMinutes(6));
        triggers.fireDue();
        assertThat(runs()).hasSize(2);
    }

    @Test
    void anItemOfTheInboxWakesAnAgentOnceForItsOwnerAlone() {
        on(Wake.INBOX);
        var query = on(Wake.QUERY);
        var post = "/posts/0123456789ABCDEF";
        item("mentioned", social.person("Bob").user(), post);
        assertThat(runs())
                .singleElement()
                .satisfies(run -> assertThat(run.wokenBy()).isEqualTo(Wake.INBOX));
        var thread = runs().getFirst().thread();
        assertThat(thread).isNotNull();
        assertThat(social.messages
                        .messages(ann, thread, Optional.empty(), 10)
                        .getFirst()
                        .about())
                .isEqualTo(post);
        item("query_matched", null, "https://gitlab.example/1");
        assertThat(runs().getFirst().wokenBy()).isEqualTo(Wake.QUERY);
        assertThat(runs()).hasSize(2);
        triggers.delete(ann, agent, query.id());
        item("query_matched", null, "");
        assertThat(runs()).hasSize(2);
    }

    @Test
    void whatAgentsCauseWakesNone() {
        on(Wake.INBOX);
        item("messaged", null, "/messages/1");
        item("approval_required", null, AgentApprovals.PATH + "1");
        item("mentioned", agent, "/posts/0123456789ABCDEF");
        assertThat(runs()).isEmpty();
    }

    @Test
    void aFloodOfItemsIsCutOffForTheDay() {
        var trigger = on(Wake.INBOX);
        social.db.useTransaction(tx -> tx.update("UPDATE agents.triggers SET day = :day, fired = :fired WHERE id = :id")
                .bind("day", clock.instant().atZone(ZoneOffset.UTC).toLocalDate())
                .bind("fired", AgentTriggers.MAX_A_DAY - 1)
                .bind("id", trigger.id())
                .execute());
        item("assigned", null, "");
        item("assigned", null, "");
        assertThat(runs()).hasSize(1);
        assertThat(failure()).isEqualTo("too-many");
        clock.advance(Duration.ofDays(1));
        item("assigned", null, "");
        assertThat(runs()).hasSize(2);
        assertThat(failure()).isNull();
    }

    @Test
    void anAgentThatMayNotBeWokenIsSentNothing() {
        on(Wake.INBOX);
        agents.update(admin, agent, new Settings(null, null, null, null, null, List.of("mention"), null, null, null));
        item("assigned", null, "");
        assertThat(runs()).isEmpty();
        assertThat(failure()).isEqualTo("not-woken");
        assertThatThrownBy(() -> on(Wake.INBOX)).isInstanceOf(Problem.class);
        agents.update(admin, agent, new Settings(null, null, null, null, null, List.of("inbox"), null, null, null));
        social.accounts.suspend(ann.user());
        item("assigned", null, "");
        assertThat(runs()).isEmpty();
    }

    @Test
    void everybodyHasTheirOwnTriggersAndNotMany() {
        var mine = on(Wake.INBOX);
        var bob = social.person("Bobby" + count);
        assertThat(triggers.list(bob, agent)).isEmpty();
        assertThatThrownBy(() -> triggers.delete(bob, agent, mine.id())).isInstanceOf(Problem.class);
        assertThatThrownBy(() -> new NewTrigger(Wake.MENTION, "x", null)).isInstanceOf(Problem.class);
        assertThatThrownBy(() -> new NewTrigger(Wake.SCHEDULE, "x", null)).isInstanceOf(Problem.class);
        assertThatThrownBy(() -> new NewTrigger(Wake.INBOX, " ", null)).isInstanceOf(Problem.class);
        assertThatThrownBy(() -> WeeklyTimes.parse("25:00", List.of(), "UTC")).isInstanceOf(Problem.class);
        assertThatThrownBy(() -> WeeklyTimes.parse("08:00", List.of("noday"), "UTC"))
                .isInstanceOf(Problem.class);
        assertThatThrownBy(() -> WeeklyTimes.parse("08:00", List.of(), "Mars")).isInstanceOf(Problem.class);
        assertThat(on(Wake.INBOX).id()).as("a form that was sent twice").isEqualTo(mine.id());
        IntStream.range(1, 20).forEach(i -> triggers.add(ann, agent, new NewTrigger(Wake.INBOX, "Look at " + i, null)));
        assertThatThrownBy(() -> on(Wake.QUERY)).isInstanceOf(Problem.class);
    }

    @ParameterizedTest
    @CsvSource({
        // A Friday; the clocks of Berlin skip from two to three on the 29th of March 2026.
        "08:00, monday, Europe/Berlin, 2026-03-27T10:00:00Z, 2026-03-30T06:00:00Z",
        "08:00, friday, Europe/Berlin, 2026-03-27T06:00:00Z, 2026-03-27T07:00:00Z",
        "02:30, sunday, Europe/Berlin, 2026-03-28T12:00:00Z, 2026-03-29T01:30:00Z",
        "00:00, saturday, Pacific/Chatham, 2026-03-27T00:00:00Z, 2026-03-27T10:15:00Z"
    })
    void timesAreThoseOfTheirZone(String time, String day, String zone, Instant after, Instant next) {
        assertThat(WeeklyTimes.parse(time, List.of(day), zone).next(after)).isEqualTo(next);
    }
}
