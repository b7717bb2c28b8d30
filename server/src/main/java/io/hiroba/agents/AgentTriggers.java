package io.hiroba.agents;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.agents.Agent.Wake;
import io.hiroba.agents.AgentTrigger.WeeklyTimes;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.events.Event;
import io.hiroba.platform.events.EventHandler;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.id.IdGenerator;
import io.hiroba.platform.id.Ids;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.task.RetentionSweep;
import io.hiroba.social.messages.DirectMessages;
import io.hiroba.social.messages.DirectMessages.MessageDraft;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The facade of triggers. One that fires sends its owner's prompt to the agent as a direct message of theirs, in the transaction that
 * advances the schedule or the cursor: so each time and each item leads to one message, and that to one run. The agent answers it as any
 * message, for its owner alone.
 */
final class AgentTriggers implements EventHandler {

    static final String CONSUMER = "agent-triggers";

    /** A trigger that others fire sends no more than this on a day (UTC). */
    static final int MAX_A_DAY = 50;

    private static final Logger log = LoggerFactory.getLogger(AgentTriggers.class);
    private static final String ITEM_CREATED = "inbox-item-created";
    private static final String QUERY_MATCHED = "query_matched";
    private static final String MESSAGED = "messaged";
    private static final Duration RETRY = Duration.ofMinutes(5);
    private static final int MAX_TRIGGERS = 20;
    private static final int MAX_PROMPT = 4_000;

    /**
     * The parts that triggers take.
     *
     * @param enabled whether agents answer
     */
    record Parts(
            Db db, IdGenerator ids, InstantSource clock, Agents agents, DirectMessages messages, boolean enabled) {}

    private final Parts parts;
    private final Consumer<String> faults;
    private final AgentTriggerStore store = new AgentTriggerStore();
    private final AgentRunStore runs = new AgentRunStore();

    AgentTriggers(Parts parts) {
        this(parts, point -> {});
    }

    /** @param faults is told of each point at which a node may die */
    AgentTriggers(Parts parts, Consumer<String> faults) {
        this.parts = parts;
        this.faults = faults;
    }

    /** A trigger to add. */
    record NewTrigger(Wake kind, String prompt, @Nullable WeeklyTimes times) {

        NewTrigger {
            prompt = prompt.strip();
            if (!AgentTrigger.KINDS.contains(kind)) {
                throw AgentsProblem.invalid("kind", Text.of("agents.field.trigger-kind"));
            }
            if (prompt.isBlank() || prompt.length() > MAX_PROMPT || prompt.contains("\u0000")) {
                throw AgentsProblem.invalid("prompt", Text.of("agents.field.prompt", "max", MAX_PROMPT));
            }
            if ((kind == Wake.SCHEDULE) != (times != null)) {
                throw AgentsProblem.invalid("time", Text.of("agents.field.times"));
            }
        }

        private boolean isSame(AgentTrigger trigger) {
            return kind == trigger.kind() && prompt.equals(trigger.prompt()) && Objects.equals(times, trigger.times());
        }
    }

    AgentTrigger add(Caller caller, UserId agent, NewTrigger added) {
        caller.requireNotActing();
        return parts.db().inTransaction(tx -> {
            if (!mayWake(tx, agent, caller.user(), added.kind())) {
                throw AgentsProblem.invalid("kind", Text.of("agents.field.not-woken"));
            }
            store.lockOwner(tx, caller.user());
            var same = store.list(tx, caller.user(), agent).stream()
                    .filter(added::isSame)
                    .findFirst();
            if (same.isPresent()) {
                // A form that was sent twice.
                return same.get();
            }
            if (store.count(tx, caller.user()) >= MAX_TRIGGERS) {
                throw AgentsProblem.tooManyTriggers(MAX_TRIGGERS);
            }
            var now = parts.clock().instant();
            var times = added.times();
            var trigger = new AgentTrigger(
                    parts.ids().next(),
                    agent,
                    caller.user(),
                    added.kind(),
                    added.prompt(),
                    times,
                    times == null ? null : times.next(now),
                    null,
                    null,
                    now);
            store.insert(tx, trigger);
            return trigger;
        });
    }

    private boolean mayWake(Tx tx, UserId agent, UserId owner, Wake kind) {
        var found = parts.agents()
                .found(tx, agent)
                .orElseThrow(AgentsProblem::notFound)
                .agent();
        return found.enabled()
                && found.wake().contains(kind)
                && found.allows(owner)
                && parts.agents().hasRight(tx, found);
    }

    /** Those of the caller's that wake this agent. */
    List<AgentTrigger> list(Caller caller, UserId agent) {
        caller.requireNotActing();
        return parts.db().read(reads -> store.list(reads, caller.user(), agent));
    }

    void delete(Caller caller, UserId agent, long id) {
        caller.requireNotActing();
        parts.db().useTransaction(tx -> {
            if (!store.delete(tx, caller.user(), agent, id)) {
                throw AgentsProblem.triggerNotFound();
            }
        });
    }

    /** Fires all schedules that are due. Times that were missed while no node ran lead to one message. */
    void fireDue() {
        while (fireOne()) {
            log.debug("A schedule woke an agent");
        }
    }

    /** One that cannot be fired must not keep the others from it: it is tried again later. */
    private boolean fireOne() {
        var locked = new AtomicReference<@Nullable AgentTrigger>();
        try {
            return fireOne(locked);
        } catch (RuntimeException e) {
            var trigger = locked.get();
            if (trigger == null) {
                throw e;
            }
            log.warn("Trigger {} failed and will be tried again", Ids.hex(trigger.id()), e);
            var later = parts.clock().instant().plus(RETRY);
            parts.db().useTransaction(tx -> store.postpone(tx, trigger, later));
            return true;
        }
    }

    private boolean fireOne(AtomicReference<@Nullable AgentTrigger> locked) {
        return parts.db().inTransaction(tx -> {
            var now = parts.clock().instant();
            var due = store.lockDue(tx, now);
            due.ifPresent(trigger -> {
                locked.set(trigger);
                var times = trigger.times();
                if (times != null) {
                    store.setDue(tx, trigger.id(), times.next(now));
                }
                faults.accept("advanced");
                fire(tx, trigger, null, null);
                faults.accept("sent");
            });
            return due.isPresent();
        });
    }

    @Override
    public boolean isAffectedBy(String type) {
        return type.equals(ITEM_CREATED);
    }

    /** An item of somebody's inbox. */
    private record Item(
            UserId owner,
            long id,
            String action,
            String path,
            @Nullable UserId author) {

        static Item of(Event event) {
            var payload = event.payload();
            var author = payload.path("authorId").asString("");
            return new Item(
                    UserId.parse(payload.path("userId").asString("")),
                    Ids.parse(payload.path("itemId").asString("")),
                    payload.path("action").asString(""),
                    payload.path("url").asString(""),
                    author.isEmpty() ? null : UserId.parse(author));
        }

        Wake kind() {
            return action.equals(QUERY_MATCHED) ? Wake.QUERY : Wake.INBOX;
        }

        /** What an agent leads to must not wake it again: its messages, and what it asks for. */
        boolean isOfAgents() {
            return action.equals(MESSAGED) || path.startsWith(AgentApprovals.PATH);
        }
    }

    @Override
    public void handle(Tx tx, List<Event> batch) {
        var items = batch.stream()
                .filter(event -> event.type().equals(ITEM_CREATED))
                .map(Item::of)
                .filter(item -> !item.isOfAgents())
                .toList();
        if (items.isEmpty() || !parts.enabled()) {
            return;
        }
        var triggers = store.lockFor(tx, items.stream().map(Item::owner).collect(Collectors.toSet()));
        if (triggers.isEmpty()) {
            return;
        }
        var authors = items.stream()
                .flatMap(item -> Optional.ofNullable(item.author()).stream())
                .collect(Collectors.toSet());
        var byAgents = runs.agentsAmong(tx, authors);
        for (var item : items) {
            if (item.author() != null && byAgents.contains(item.author())) {
                continue;
            }
            for (var trigger : triggers) {
                if (trigger.owner().equals(item.owner()) && trigger.kind() == item.kind()) {
                    fire(tx, trigger, item.id(), item.path());
                }
            }
        }
    }

    private void fire(Tx tx, AgentTrigger trigger, @Nullable Long item, @Nullable String path) {
        var now = parts.clock().instant();
        store.note(tx, trigger.id(), now, failure(tx, trigger, item, path, now));
    }

    /** Sends the message; the reason why it was not sent, if there is one. */
    private @Nullable String failure(
            Tx tx, AgentTrigger trigger, @Nullable Long item, @Nullable String path, Instant now) {
        var caller = Librarian.member(trigger.owner());
        if (!mayWake(tx, trigger.agent(), trigger.owner(), trigger.kind())
                || parts.agents().isSuspended(tx, trigger.owner())) {
            return "not-woken";
        }
        var today = LocalDate.ofInstant(now, ZoneOffset.UTC);
        if (item != null && !store.admit(tx, trigger.id(), today, MAX_A_DAY)) {
            return "too-many";
        }
        try {
            var thread =
                    parts.messages().open(tx, caller, List.of(trigger.agent())).thread();
            var about = path != null && AskedContext.isReadable(path) ? path : null;
            var message = parts.messages().send(tx, caller, thread, new MessageDraft(trigger.prompt(), about));
            store.noteMessage(tx, message.id().value(), trigger.id(), item);
            return null;
        } catch (Problem refusal) {
            log.info("Trigger {} sent nothing: {}", Ids.hex(trigger.id()), refusal.code());
            return refusal.code().toLowerCase(Locale.ROOT).contains("blocked") ? "blocked" : "refused";
        }
    }

    /** Forgets which messages triggers sent before that time. */
    void sweep(Instant before) {
        RetentionSweep.run(limit -> parts.db().inTransaction(tx -> store.sweep(tx, before, limit)));
    }
}
